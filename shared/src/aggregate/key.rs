//! The keys of aggregates: their text, and which sweeps they are about.

use std::fmt;

use crate::group::{self, Traits};
use crate::id::EstimatorId;
use crate::metric::Metric;
use crate::summary::{AggregateKey, GroupBy};
use crate::tier::Tier;

impl AggregateKey {
    /// Whether a sweep belongs to the key's group and tier.
    #[must_use]
    pub fn contains<'a>(&self, sweep: impl Into<Traits<'a>>) -> bool {
        let sweep = sweep.into();
        self.tier.contains(sweep.verdict) && group::contains(self.by, &self.key, sweep)
    }
}

impl fmt::Display for AggregateKey {
    /// `family/gpt-oss/measured-or-resolved/aic/tpot`. Only the group may contain a slash, so no two
    /// keys have the same text. The text is the seed of the bootstrap: a change of it changes every
    /// interval.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { by, key, tier, estimator, metric } = self;
        write!(formatter, "{}/{key}/{}/{estimator}/{}", by.key(), tier.key(), metric.key())
    }
}

/// Every group in every tier, for every estimator and metric; sorted when the groups are.
pub(crate) fn all<'a>(
    groups: impl Iterator<Item = &'a (GroupBy, String)>,
    estimators: &[EstimatorId],
) -> Vec<AggregateKey> {
    let mut estimators: Vec<&EstimatorId> = estimators.iter().collect();
    estimators.sort_unstable();
    estimators.dedup();
    let mut keys = Vec::new();
    for (by, key) in groups {
        for tier in Tier::ALL {
            for estimator in &estimators {
                for metric in Metric::ALL {
                    let estimator = (*estimator).clone();
                    keys.push(AggregateKey { by: *by, key: key.clone(), tier, estimator, metric });
                }
            }
        }
    }
    keys
}

/// The key of everything in a tier.
#[must_use]
pub fn everything(tier: Tier, estimator: &EstimatorId, metric: Metric) -> AggregateKey {
    let key = group::EVERYTHING.to_owned();
    AggregateKey { by: GroupBy::All, key, tier, estimator: estimator.clone(), metric }
}
