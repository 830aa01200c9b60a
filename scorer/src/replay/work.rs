//! The requests behind the items of a plan.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use shared::digest::Digest;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::OutcomeRecord;
use shared::plan::{PlanItem, PlannedPoint, PlannedSweep, PointRequest};

/// What tells one item of a plan from another; items are sorted by it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemKey {
    /// The sweep.
    pub sweep: SweepId,
    /// The concurrency.
    pub concurrency: u32,
    /// The estimator.
    pub estimator: EstimatorId,
}

impl ItemKey {
    /// The key of an item.
    #[must_use]
    pub fn of_item(item: &PlanItem) -> Self {
        Self { sweep: item.sweep.clone(), concurrency: item.concurrency, estimator: item.estimator.clone() }
    }

    /// The key of a record.
    #[must_use]
    pub fn of_record(record: &OutcomeRecord) -> Self {
        let OutcomeRecord { sweep, concurrency, estimator, .. } = record;
        Self { sweep: sweep.clone(), concurrency: *concurrency, estimator: estimator.clone() }
    }

    /// The order of two records by their keys.
    #[must_use]
    pub fn compare(a: &OutcomeRecord, b: &OutcomeRecord) -> Ordering {
        (&a.sweep, a.concurrency, &a.estimator).cmp(&(&b.sweep, b.concurrency, &b.estimator))
    }
}

impl std::fmt::Display for ItemKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} of sweep {} at concurrency {}", self.estimator, self.sweep, self.concurrency)
    }
}

/// The first few of some keys, for messages: a million missing items are not listed one by one.
#[must_use]
pub fn named<K: ToString>(keys: impl ExactSizeIterator<Item = K>) -> String {
    const NAMED: usize = 5;
    let more = keys.len().saturating_sub(NAMED);
    let mut names: Vec<String> = keys.take(NAMED).map(|key| key.to_string()).collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

/// The requests of a plan, by sweep and concurrency.
#[derive(Debug)]
pub struct Requests<'plan> {
    sweeps: BTreeMap<&'plan SweepId, &'plan PlannedSweep>,
}

impl<'plan> Requests<'plan> {
    /// Of the sweeps of a plan.
    #[must_use]
    pub fn new(sweeps: &'plan [PlannedSweep]) -> Self {
        Self { sweeps: sweeps.iter().map(|sweep| (&sweep.id, sweep)).collect() }
    }

    /// The request of a point; none when the plan does not have it.
    #[must_use]
    pub fn get(&self, sweep: &SweepId, concurrency: u32) -> Option<PointRequest> {
        let sweep = self.sweeps.get(sweep)?;
        let index = sweep.points.binary_search_by_key(&concurrency, |point| point.concurrency).ok()?;
        sweep.points.get(index).map(|point| request(sweep, point))
    }
}

/// The request of a planned point.
#[must_use]
pub fn request(sweep: &PlannedSweep, point: &PlannedPoint) -> PointRequest {
    PointRequest {
        sweep: sweep.id.clone(),
        deployment: sweep.deployment.clone(),
        workload: sweep.workload,
        concurrency: point.concurrency,
        engine: point.engine,
        acceptance_length: point.acceptance_length,
    }
}

/// The digest under which the answer to a request may be reused.
///
/// # Errors
/// When the request cannot be written as JSON, which none of its fields can cause.
pub fn digest(request: &PointRequest) -> Result<Digest, serde_json::Error> {
    Digest::of_json(request)
}
