//! Does a snapshot say the truth? In the background, while the reader reads, the page takes the digest
//! of the file's bytes and computes every figure again from the snapshot's own points, with the code
//! that made them.

use shared::digest::{Digest, Hasher};
use shared::verify::Steps;

use super::Snapshot;
use crate::browser;

/// What checking a snapshot has shown so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// It has not begun.
    Waiting,
    /// It is under way.
    Running {
        /// Steps taken.
        done: usize,
        /// Steps in all.
        of: usize,
    },
    /// Bytes and figures are as they should be.
    Verified {
        /// How many sets of figures were computed again.
        figures: usize,
    },
    /// Something is not, and what.
    Differs(String),
}

/// How many bytes are digested at a stretch: some two milliseconds' worth.
const CHUNK: usize = 128 * 1024;

/// Checks a snapshot, a slice at a time, and reports how far it got.
pub async fn run(snapshot: &Snapshot, expected: &Digest, report: impl Fn(Check)) {
    // The tables come first: the browser has painted them before any checking begins.
    browser::pause(50).await;
    let mut slice = browser::Slice::begin();
    let mut hasher = Hasher::default();
    for chunk in snapshot.bytes.chunks(CHUNK) {
        hasher.update(chunk);
        slice.rest().await;
    }
    let found = hasher.finish();
    if found != *expected {
        report(Check::Differs(format!(
            "the file's SHA-256 is {}…, but the index says {}…",
            found.short(12),
            expected.short(12)
        )));
        return;
    }
    let steps = Steps::new(&snapshot.summary);
    let of = steps.total();
    for (done, step) in steps.enumerate() {
        if let Err(difference) = step {
            report(Check::Differs(difference.to_string()));
            return;
        }
        if slice.rest().await {
            report(Check::Running { done, of });
        }
    }
    report(Check::Verified { figures: snapshot.summary.aggregates.len() });
}
