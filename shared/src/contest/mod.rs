//! The estimators of a snapshot side by side, all on the same points.
//!
//! Source: `docs/scoring.md`, "Estimators on the same points". An estimator that leaves the hard points out
//! would look better than one that answers them, so figures are taken over the points that **every**
//! estimator scored. The anchor of a shape error is then the lowest such concurrency of the sweep.
//!
//! [`Contest`] works the errors out once and then answers for any tier and metric.

mod standing;
#[cfg(test)]
mod tests;

pub use standing::{Skill, Standing, SweepResult, TIE, Table};

use crate::aggregate::{SweepErrors, pair};
use crate::id::EstimatorId;
use crate::metric::Metric;
use crate::outcome::Outcome;
use crate::rules::{Grading, Rules};
use crate::summary::Summary;
use crate::sweep::Sweep;
use crate::tier::Tier;

/// The kind of the estimator that the others are held against: what the hardware could do at best.
const REFERENCE: &str = "roofline";

/// All estimators of a snapshot on the points that every one of them scored.
pub struct Contest<'a> {
    estimators: Vec<EstimatorId>,
    /// The place of the roofline among the estimators.
    reference: Option<usize>,
    rules: &'a Rules,
    grading: &'a Grading,
    /// By id.
    entries: Vec<Entry<'a>>,
}

/// A sweep.
struct Entry<'a> {
    sweep: &'a Sweep<Outcome>,
    tier: Tier,
    /// By estimator: the points that it scored, whatever the others did.
    scored: Vec<u64>,
    /// TPOT then TTFT, by estimator: the errors at the common points.
    errors: [Vec<SweepErrors>; 2],
}

impl Entry<'_> {
    fn errors(&self, metric: Metric) -> &[SweepErrors] {
        let [tpot, ttft] = &self.errors;
        match metric {
            Metric::Tpot => tpot,
            Metric::Ttft => ttft,
        }
    }
}

impl<'a> Contest<'a> {
    /// Works out the errors of all estimators of a snapshot.
    #[must_use]
    pub fn new(summary: &'a Summary) -> Self {
        let estimators: Vec<EstimatorId> =
            summary.simulators.iter().map(|simulator| simulator.id.clone()).collect();
        let reference = summary.simulators.iter().position(|simulator| simulator.kind == REFERENCE);
        let mut sweeps: Vec<&Sweep<Outcome>> = summary.sweeps.iter().collect();
        sweeps.sort_by(|a, b| a.id.cmp(&b.id));
        let entries = sweeps.into_iter().map(|sweep| entry(sweep, &estimators)).collect();
        Self { estimators, reference, rules: &summary.rules.rules, grading: &summary.grading, entries }
    }

    /// The estimators, in the order of the snapshot; every list by estimator has it too.
    #[must_use]
    pub fn estimators(&self) -> &[EstimatorId] {
        &self.estimators
    }

    /// The estimator that skill is measured over; none when the snapshot has no roofline.
    #[must_use]
    pub fn reference(&self) -> Option<&EstimatorId> {
        self.reference.and_then(|place| self.estimators.get(place))
    }

    /// The figures of all estimators in a tier. Without intervals it is some hundred times faster.
    #[must_use]
    pub fn table(&self, tier: Tier, metric: Metric, with_intervals: bool) -> Table {
        standing::table(self, tier, metric, with_intervals)
    }

    /// Every sweep of a tier that has a common point, by id: how far each estimator is off, and whose error is
    /// the least.
    #[must_use]
    pub fn sweeps(&self, tier: Tier, metric: Metric) -> Vec<SweepResult> {
        self.in_tier(tier).filter_map(|entry| standing::sweep(entry, metric)).collect()
    }

    fn in_tier(&self, tier: Tier) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(move |entry| entry.tier <= tier)
    }
}

fn entry<'a>(sweep: &'a Sweep<Outcome>, estimators: &[EstimatorId]) -> Entry<'a> {
    let has = |point: &crate::sweep::Point<Outcome>, estimator: &EstimatorId| {
        matches!(point.predictions.get(estimator), Some(Outcome::Scored(_)))
    };
    let scored =
        |estimator: &EstimatorId| sweep.points.iter().filter(|point| has(point, estimator)).count() as u64;
    let common: Vec<_> = sweep
        .points
        .iter()
        .filter(|point| estimators.iter().all(|estimator| has(point, estimator)))
        .collect();
    let errors = Metric::ALL.map(|metric| {
        let of = |estimator: &EstimatorId| {
            let points = common.iter().map(|point| (point.concurrency, pair(point, estimator, metric)));
            SweepErrors::of_points(points)
        };
        estimators.iter().map(of).collect()
    });
    Entry { sweep, tier: sweep.verdict.tier(), scored: estimators.iter().map(scored).collect(), errors }
}
