//! The table of all sweeps' errors, from which every aggregate of a snapshot is drawn.

use std::collections::BTreeMap;

use super::sweep_errors::SweepErrors;
use super::{figures, key};
use crate::group;
use crate::id::EstimatorId;
use crate::metric::Metric;
use crate::outcome::Outcome;
use crate::rules::{Grading, Rules};
use crate::summary::{Aggregate, AggregateKey, Figures, GroupBy};
use crate::sweep::Sweep;
use crate::tier::Tier;

/// The groups of all groupings, with the places of their sweeps in the order of ids.
pub(super) type Groups = BTreeMap<(GroupBy, String), Vec<usize>>;

/// Every sweep's errors, worked out once.
pub struct Table {
    groups: Groups,
    /// The smallest tier of each sweep, by id.
    tiers: Vec<Tier>,
    /// By estimator, TPOT then TTFT: the errors of each sweep, by id.
    errors: BTreeMap<EstimatorId, [Vec<SweepErrors>; 2]>,
}

impl Table {
    /// Works out the errors of every sweep, for these estimators.
    #[must_use]
    pub fn new(sweeps: &[Sweep<Outcome>], estimators: &[EstimatorId]) -> Self {
        let sweeps = by_id(sweeps);
        let mut errors: BTreeMap<EstimatorId, [Vec<SweepErrors>; 2]> =
            estimators.iter().map(|estimator| (estimator.clone(), Default::default())).collect();
        // Sweep by sweep, so that a sweep is read from memory once.
        for sweep in &sweeps {
            for (estimator, by_metric) in &mut errors {
                for (errors, metric) in by_metric.iter_mut().zip(Metric::ALL) {
                    errors.push(SweepErrors::of(sweep, estimator, metric));
                }
            }
        }
        let tiers = sweeps.iter().map(|sweep| sweep.verdict.tier()).collect();
        Self { groups: groups(&sweeps), tiers, errors }
    }

    /// The keys of all aggregates, sorted: see [`super::keys`].
    #[must_use]
    pub fn keys(&self) -> Vec<AggregateKey> {
        let estimators: Vec<EstimatorId> = self.errors.keys().cloned().collect();
        key::all(self.groups.keys(), &estimators)
    }

    /// All aggregates, sorted by key.
    #[must_use]
    pub fn all(&self, rules: &Rules, grading: &Grading) -> Vec<Aggregate> {
        let aggregate = |of| {
            let figures = self.figures(&of, rules, grading);
            Aggregate { of, figures }
        };
        self.keys().into_iter().map(aggregate).collect()
    }

    /// The figures of one aggregate: those of [`super::figures`]. A group or estimator that the table
    /// does not have gives empty figures.
    #[must_use]
    pub fn figures(&self, key: &AggregateKey, rules: &Rules, grading: &Grading) -> Figures {
        let members = self.groups.get(&(key.by, key.key.clone())).map_or(&[][..], Vec::as_slice);
        let errors = self.errors.get(&key.estimator).map_or(&[][..], |[tpot, ttft]| match key.metric {
            Metric::Tpot => tpot,
            Metric::Ttft => ttft,
        });
        let in_tier =
            members.iter().filter(|place| self.tiers.get(**place).is_some_and(|tier| *tier <= key.tier));
        figures::pool(key, in_tier.filter_map(|place| errors.get(*place)), rules, grading)
    }
}

/// The sweeps in the order of their ids.
pub(super) fn by_id(sweeps: &[Sweep<Outcome>]) -> Vec<&Sweep<Outcome>> {
    let mut sweeps: Vec<&Sweep<Outcome>> = sweeps.iter().collect();
    sweeps.sort_by(|a, b| a.id.cmp(&b.id));
    sweeps
}

/// The groups of some sweeps; the group of everything is there even without a sweep.
pub(super) fn groups(sweeps: &[&Sweep<Outcome>]) -> Groups {
    let mut groups = Groups::from([((GroupBy::All, group::EVERYTHING.to_owned()), Vec::new())]);
    for by in GroupBy::ALL {
        for (place, sweep) in sweeps.iter().enumerate() {
            groups.entry((by, group::key(by, *sweep))).or_default().push(place);
        }
    }
    groups
}
