//! What the replay leaves: its report, or words that say why there is none.

use std::path::Path;

use serde::Deserialize;
use shared::format::shortened;
use shared::millis::Millis;
use shared::outcome::{Basis, Outcome, Prediction, Reason};

use crate::files::{FileError, read_bytes};
use crate::process::{Finished, last_line};
use crate::simulators::not_scored;
use crate::workload::RequestList;

/// The largest report that is read, in bytes.
const LIMIT: u64 = 64 << 20;

/// The longest detail that is kept, in characters.
const DETAIL: usize = 400;

/// Words by which a refusal is known, most specific first.
const KNOWN: [(&str, Reason); 5] = [
    ("AIC perf database not found for system", Reason::UnsupportedHardware),
    ("PerfDataNotAvailableError", Reason::UnsupportedLayout),
    ("InterpolationDataNotAvailableError", Reason::UnsupportedLayout),
    ("Invalid quantized MoE configuration", Reason::UnsupportedLayout),
    ("Parallelism width mismatch", Reason::UnsupportedLayout),
];

/// The part of the report that is read.
#[derive(Debug, Deserialize)]
struct Report {
    completed_requests: u32,
    mean_ttft_ms: f64,
    mean_tpot_ms: f64,
}

/// What a replay that ended says of its point.
///
/// # Errors
/// The outcome of a point that has no prediction.
pub(super) fn outcome(finished: &Finished, report: &Path, list: &RequestList) -> Result<Outcome, Outcome> {
    if !finished.ended.is_success() {
        return Err(failure(finished));
    }
    let bad = |detail: String| not_scored(Reason::BadResult, shortened(&detail, DETAIL));
    let bytes = read_bytes(report, LIMIT).map_err(|error| match error {
        FileError::NotFound { .. } => bad("no report was written".to_owned()),
        error => bad(format!("the report cannot be read: {error}")),
    })?;
    let report: Report =
        serde_json::from_slice(&bytes).map_err(|error| bad(format!("not a report: {error}")))?;
    let (completed, sent) = (report.completed_requests, list.len());
    if completed as usize != sent {
        let detail = format!("{completed} of {sent} requests were completed");
        return Err(not_scored(Reason::IncompleteRun, detail));
    }
    let millis = |name: &str, value: f64| {
        Millis::new(value).map_err(|error| bad(format!("{name} is no latency: {error}")))
    };
    Ok(Outcome::Scored(Prediction {
        ttft_ms: millis("mean_ttft_ms", report.mean_ttft_ms)?,
        tpot_ms: millis("mean_tpot_ms", report.mean_tpot_ms)?,
        completed: Some(completed),
        basis: Basis::Aggregate,
    }))
}

/// The outcome of a replay that failed: Python's last words, or those of a panic in its compiled part.
fn failure(finished: &Finished) -> Outcome {
    let words = panic(&finished.stderr).or_else(|| last_line(&finished.stderr));
    let words = words.unwrap_or_else(|| "nothing on stderr".to_owned());
    let known = KNOWN.iter().find(|(known, _)| words.contains(known));
    let reason = known.map_or(Reason::RunError, |(_, reason)| *reason);
    not_scored(reason, shortened(&format!("{words} ({})", finished.ended), DETAIL))
}

/// Where the last panic was, and its message, which stands on the line after it. The thread and the number of the
/// process, which differ from run to run, stand before it.
fn panic(stderr: &str) -> Option<String> {
    const PANICKED: &str = "panicked at ";
    let (_, from) = stderr.rsplit_once(PANICKED)?;
    let mut lines = from.lines();
    let place = lines.next().unwrap_or_default().trim_end_matches(':');
    let message = lines.next().unwrap_or_default();
    Some(format!("{PANICKED}{place}: {message}"))
}
