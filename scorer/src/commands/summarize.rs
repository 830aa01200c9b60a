//! `scorer summarize`: corpus and outcomes in, snapshot out.

use shared::digest::Digest;
use shared::format::counted;

use crate::cli::summarize::SummarizeArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{check_paths, json_bytes, read_bytes};
use crate::identity;
use crate::inputs;
use crate::replay::outcomes::{self, LIMIT, Torn};
use crate::summarize::{Moment, SummarizeOptions, points_csv, summarize};

/// Makes the snapshot and writes it.
pub fn run(args: &SummarizeArgs, console: &Console) -> CommandResult {
    let outputs = [Some(&args.output), args.points.as_ref()];
    check_paths(
        &[&args.corpus, &args.outcomes],
        outputs.into_iter().flatten().collect::<Vec<_>>().as_slice(),
    )?;
    let generated_at = args.generated_at.map_or_else(Moment::now, Ok)?;
    let bytes = read_bytes(&args.corpus, LIMIT)?;
    let digest = Digest::of_bytes(&bytes);
    let corpus = inputs::corpus(&args.corpus, bytes)?;
    let outcomes = outcomes::read(&args.outcomes, Torn::Refused)?;
    let options = SummarizeOptions {
        primary: args.primary.clone(),
        generated_at,
        scorer: identity::scorer(&args.commit.provenance()),
    };
    let summary = summarize(corpus, digest, outcomes, options)?;
    args.output.write(&json_bytes(&summary)?)?;
    if let Some(points) = &args.points {
        points.write(&points_csv::bytes(&summary)?)?;
    }
    console.status(&format!(
        "snapshot {}: {} of {}, {}, {}",
        summary.run.id,
        counted(summary.coverage.points, "point"),
        counted(summary.coverage.sweeps, "sweep"),
        counted(summary.simulators.len() as u64, "estimator"),
        summary.run.label.name()
    ));
    Ok(ExitCode::Success)
}
