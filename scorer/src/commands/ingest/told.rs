//! What people are told of the rows that were read.

use std::fmt::Write as _;

use shared::corpus::Corpus;
use shared::format::counted;
use shared::verdict;

use crate::console::{Console, printable};
use crate::exit::{ExitCode, Failure};
use crate::measurements::Ingested;
use crate::measurements::explain::UnknownReason;

impl Failure for UnknownReason {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

/// What was read, and what was not kept and why.
pub(super) fn tell(corpus: &Corpus, console: &Console) {
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

/// The rows that are left out for a reason, one a line; without a reason the way from the rows to the
/// points, step by step.
pub(super) fn explain(ingested: &Ingested, reason: &str) -> String {
    let Ingested { corpus, explanation, .. } = ingested;
    let mut text = String::new();
    // Writing to a string cannot fail.
    if !reason.is_empty() {
        for row in explanation.rows(reason) {
            let _ = writeln!(text, "{}", printable(row));
        }
        return text;
    }
    let _ = writeln!(text, "{:>10}  rows read", corpus.rows.read());
    for step in explanation.steps(corpus) {
        let _ = writeln!(
            text,
            "{:>10}  {}: {}",
            format!("- {}", step.skipped),
            step.reason.name,
            step.reason.meaning
        );
        let _ = writeln!(text, "{:>10}  rows left", format!("= {}", step.left));
    }
    let points: usize = corpus.sweeps.iter().map(|sweep| sweep.points.len()).sum();
    let points = counted(points as u64, "point");
    let sweeps = counted(corpus.sweeps.len() as u64, "sweep");
    let _ = writeln!(text, "{:>10}  rows kept, as {points} of {sweeps}", corpus.rows.kept());
    text
}
