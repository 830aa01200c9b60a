//! Does a snapshot say the truth? The worker takes the digest of the file's bytes and computes every
//! figure again from the snapshot's own points, with the code that made them.

use shared::digest::{Digest, Hasher};
use shared::summary::Summary;
use shared::verify::{Steps, Unverified};

use crate::message::{Check, OTHER_BYTES};
use crate::pace::Slice;

/// How many bytes are digested at a stretch: some two milliseconds' worth.
const CHUNK: usize = 128 * 1024;

/// Checks a snapshot, a slice at a time, and reports how far it got. `summary` is the file as it was
/// read, or why it cannot be.
pub async fn run(
    bytes: &[u8],
    expected: &Digest,
    summary: Result<&Summary, &String>,
    report: impl Fn(Check),
) {
    let mut slice = Slice::begin();
    let mut hasher = Hasher::default();
    for chunk in bytes.chunks(CHUNK) {
        hasher.update(chunk);
        slice.rest().await;
    }
    let found = hasher.finish();
    if found != *expected {
        report(Check::Differs(format!(
            "{OTHER_BYTES} is {}…, but the index says {}…",
            found.short(12),
            expected.short(12)
        )));
        return;
    }
    let summary = match summary {
        Ok(summary) => summary,
        Err(why) => return report(Check::Differs(format!("the file cannot be read whole: {why}"))),
    };
    let steps = Steps::new(summary);
    let of = steps.total();
    for (done, step) in steps.enumerate() {
        match step {
            Ok(()) => {}
            Err(other @ Unverified::OtherDefinitions { .. }) => {
                return report(Check::Failed(other.to_string()));
            }
            Err(difference) => return report(Check::Differs(difference.to_string())),
        }
        if slice.rest().await {
            report(Check::Running { done, of });
        }
    }
    report(Check::Verified { figures: summary.aggregates.len() });
}
