//! `scorer summarize`: corpus and outcomes in, snapshot out.

use shared::digest::Digest;

use crate::cli::summarize::SummarizeArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{json_bytes, read_bytes, write_atomically};
use crate::identity;
use crate::inputs;
use crate::replay::outcomes::{self, LIMIT, Torn};
use crate::summarize::{Moment, SummarizeOptions, points_csv, summarize};

/// Makes the snapshot and writes it.
pub fn run(args: &SummarizeArgs, console: &Console) -> CommandResult {
    let generated_at = args.generated_at.map_or_else(Moment::now, Ok)?;
    let bytes = read_bytes(&args.corpus, LIMIT)?;
    let digest = Digest::of_bytes(&bytes);
    let corpus = inputs::corpus(&args.corpus, bytes)?;
    let outcomes = outcomes::read(&args.outcomes, Torn::Refused)?;
    let options = SummarizeOptions {
        primary: args.primary.clone(),
        generated_at,
        scorer: identity::scorer(args.commit.commit.as_ref()),
    };
    let summary = summarize(corpus, digest, outcomes, options)?;
    args.output.write(&json_bytes(&summary)?)?;
    if let Some(path) = &args.points {
        write_atomically(path, &points_csv::bytes(&summary)?)?;
    }
    console.status(&format!(
        "snapshot {}: {} points of {} sweeps, {} estimators, {}",
        summary.run.id,
        summary.coverage.points,
        summary.coverage.sweeps,
        summary.simulators.len(),
        summary.run.label.name()
    ));
    Ok(ExitCode::Success)
}
