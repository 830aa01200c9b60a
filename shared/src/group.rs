//! Which group of each grouping a sweep belongs to.

use crate::deployment::Workload;
use crate::summary::GroupBy;
use crate::sweep::Sweep;

/// The key of the one group of [`GroupBy::All`].
pub const EVERYTHING: &str = "all";

/// The key of sweeps that do not say what they are grouped by, such as a missing engine version.
pub const UNKNOWN: &str = "unknown";

/// The key of the group that a sweep belongs to: exactly one for each grouping.
#[must_use]
pub fn key<T>(by: GroupBy, sweep: &Sweep<T>) -> String {
    match by {
        GroupBy::Workload => Workload::label(sweep.isl, sweep.osl),
        GroupBy::Parallelism => sweep.parallelism.to_string(),
        GroupBy::All => EVERYTHING.to_owned(),
        GroupBy::Family => sweep.family.clone(),
        GroupBy::Model => sweep.model.clone(),
        GroupBy::Hardware => sweep.hardware.clone(),
        GroupBy::Precision => sweep.precision.clone(),
        GroupBy::EngineVersion => sweep.engine_version.clone().unwrap_or_else(|| UNKNOWN.to_owned()),
        GroupBy::Tier => sweep.verdict.tier().key().to_owned(),
    }
}

/// Whether a sweep belongs to a group.
#[must_use]
pub fn contains<T>(by: GroupBy, group: &str, sweep: &Sweep<T>) -> bool {
    by == GroupBy::All && group == EVERYTHING || key(by, sweep) == group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sweep;

    #[test]
    fn every_grouping_has_a_key_for_a_sweep_that_says_little() {
        let mut sweep = sweep(1).build();
        sweep.engine_version = None;
        let keys: Vec<String> = GroupBy::ALL.into_iter().map(|by| key(by, &sweep)).collect();
        assert_eq!(keys, ["all", "gpt-oss", "gpt-oss-120b", "h200", "1k1k", "fp4", "tp4", "unknown", "all"]);
        assert!(GroupBy::ALL.into_iter().zip(&keys).all(|(by, key)| contains(by, key, &sweep)));
        assert!(!contains(GroupBy::Family, "llama", &sweep));
        assert!(!contains(GroupBy::All, "everything", &sweep));
    }
}
