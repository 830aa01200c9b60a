//! `scorer ingest`: reads a source of measurements, writes a corpus, tells what became of every row.

use shared::corpus::Corpus;
use shared::format::counted;
use shared::verdict;

use crate::cli::ingest::{ArtifactArgs, IngestArgs, IngestSource};
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{check_paths, json_bytes};
use crate::measurements::Ingested;
use crate::measurements::artifact::{self, ArtifactPaths};
use crate::reference::Reference;

/// Reads the chosen source.
pub fn run(args: &IngestArgs, console: &Console) -> CommandResult {
    match &args.source {
        IngestSource::Artifact(args) => run_artifact(args, console),
    }
}

fn run_artifact(args: &ArtifactArgs, console: &Console) -> CommandResult {
    check_paths(&[&args.corpus, &args.absolutes, &args.settings], &[&args.output])?;
    let reference = Reference::load(args.reference.as_deref())?;
    let paths = ArtifactPaths {
        corpus: args.corpus.clone(),
        absolutes: args.absolutes.clone(),
        settings: args.settings.clone(),
    };
    let Ingested { corpus, notes, .. } = artifact::read(&paths, &reference)?;
    args.output.write(&json_bytes(&corpus)?)?;
    tell(&corpus, console);
    for note in notes {
        console.warning(&note);
    }
    Ok(ExitCode::Success)
}

/// What was read, and what was not kept and why.
fn tell(corpus: &Corpus, console: &Console) {
    let rows = &corpus.rows;
    let skipped = rows.read() - rows.kept();
    console.status(&format!(
        "{} read: {} kept as points of {}, {skipped} skipped",
        counted(rows.read(), "row"),
        rows.kept(),
        counted(corpus.sweeps.len() as u64, "sweep")
    ));
    for entry in rows.skipped() {
        console.status(&format!("  {} {}", entry.count, entry.reason));
        for name in &entry.named {
            console.detail(&format!("    {name}"));
        }
        let unnamed = entry.count - entry.named.len() as u64;
        if unnamed > 0 {
            console.detail(&format!("    and {unnamed} more"));
        }
    }
    let points = || corpus.sweeps.iter().flat_map(|sweep| &sweep.points);
    for (id, estimator) in &corpus.published_estimators {
        let predicted = points().filter(|point| point.predictions.contains_key(id)).count();
        console.status(&format!(
            "  predictions of {}: {predicted} of {} points",
            estimator.name,
            rows.kept()
        ));
    }
    for count in verdict::counts(&corpus.sweeps) {
        console.status(&format!(
            "  {}: {}, {}",
            count.verdict.name(),
            counted(count.sweeps, "sweep"),
            counted(count.points, "point")
        ));
    }
}
