//! Attempts of one run: what a later one measured again.

use std::collections::{BTreeMap, BTreeSet};

use super::joined::Joined;

/// The ids of rows whose very point a later attempt of the same run measured again.
///
/// An attempt repeats only the jobs that failed, or all of them; so rows of an earlier attempt are left out
/// one by one, and not the attempt.
pub(super) fn superseded(rows: &[Joined<'_>]) -> BTreeSet<i64> {
    let mut newest = BTreeMap::new();
    let mut superseded = BTreeSet::new();
    for Joined { result, config, run, .. } in rows {
        let Some(run) = run else { continue };
        let deployment = (
            &config.model,
            &config.hardware,
            &config.precision,
            &config.spec_method,
            (config.tp, config.ep, config.dp_attention),
        );
        let point = (result.isl, result.osl, result.concurrency, &result.fingerprint);
        let newer = newest.entry((run.github_run, deployment, point)).or_insert((run.attempt, result.id));
        let this = (run.attempt, result.id);
        match run.attempt.cmp(&newer.0) {
            std::cmp::Ordering::Greater => {
                superseded.insert(newer.1);
                *newer = this;
            }
            std::cmp::Ordering::Less => {
                superseded.insert(result.id);
            }
            // Two rows of one attempt are repeats.
            std::cmp::Ordering::Equal => {}
        }
    }
    superseded
}
