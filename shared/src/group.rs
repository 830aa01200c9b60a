//! Which group of each grouping a sweep belongs to.

use crate::deployment::{Parallelism, Workload};
use crate::summary::GroupBy;
use crate::sweep::Sweep;
use crate::tier::Verdict;

/// The key of the one group of [`GroupBy::All`].
pub const EVERYTHING: &str = "all";

/// The key of sweeps that do not say what they are grouped by, such as a missing engine version.
pub const UNKNOWN: &str = "unknown";

/// What of a sweep decides its groups and its tier.
#[derive(Clone, Copy, Debug)]
pub struct Traits<'a> {
    /// The model.
    pub model: &'a str,
    /// The model's family.
    pub family: &'a str,
    /// The GPU.
    pub hardware: &'a str,
    /// The precision of the weights.
    pub precision: &'a str,
    /// The layout over GPUs.
    pub parallelism: Parallelism,
    /// Input length, in tokens.
    pub isl: u32,
    /// Output length, in tokens.
    pub osl: u32,
    /// The engine's version, when known.
    pub engine_version: Option<&'a str>,
    /// How far the run can be reproduced.
    pub verdict: Verdict,
}

impl<'a, T> From<&'a Sweep<T>> for Traits<'a> {
    fn from(sweep: &'a Sweep<T>) -> Self {
        Self {
            model: &sweep.model,
            family: &sweep.family,
            hardware: &sweep.hardware,
            precision: &sweep.precision,
            parallelism: sweep.parallelism,
            isl: sweep.isl,
            osl: sweep.osl,
            engine_version: sweep.engine_version.as_deref(),
            verdict: sweep.verdict,
        }
    }
}

/// The key of the group that a sweep belongs to: exactly one for each grouping.
#[must_use]
pub fn key<'a>(by: GroupBy, sweep: impl Into<Traits<'a>>) -> String {
    let sweep = sweep.into();
    match by {
        GroupBy::Workload => Workload::label(sweep.isl, sweep.osl),
        GroupBy::Parallelism => sweep.parallelism.to_string(),
        GroupBy::All => EVERYTHING.to_owned(),
        GroupBy::Family => sweep.family.to_owned(),
        GroupBy::Model => sweep.model.to_owned(),
        GroupBy::Hardware => sweep.hardware.to_owned(),
        GroupBy::Precision => sweep.precision.to_owned(),
        GroupBy::EngineVersion => sweep.engine_version.unwrap_or(UNKNOWN).to_owned(),
        GroupBy::Tier => sweep.verdict.tier().key().to_owned(),
    }
}

/// Whether a sweep belongs to a group.
#[must_use]
pub fn contains<'a>(by: GroupBy, group: &str, sweep: impl Into<Traits<'a>>) -> bool {
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
