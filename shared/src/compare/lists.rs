//! Where two snapshots differ: sweeps, points, and what only one of them has.

use serde::{Deserialize, Serialize};

use super::changes::{Change, Counts};
use super::pairs::{Comparer, common_points};
use crate::id::{EstimatorId, SweepId};
use crate::metric::Metric;
use crate::outcome::{NotScored, Outcome};
use crate::sweep::Sweep;
use crate::tier::Tier;

/// A sweep whose errors differ, on the points that both snapshots scored. Its changes are not judged:
/// one sweep has no interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweepDifference {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep in words.
    pub title: String,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The metric.
    pub metric: Metric,
    /// The smallest tier that has the sweep in both snapshots.
    pub tier: Tier,
    /// The common points.
    pub counts: Counts,
    /// The signed mean.
    pub signed_mean: Change,
    /// The mean absolute error.
    pub mape: Change,
    /// The shape error.
    pub shape: Change,
    /// What the repeats of the measurement leave open of a TPOT error, in percentage points: half the
    /// range of the repeats, `100·(spread − 1)/2`, as a mean over the common points, of the snapshot
    /// in which it is greater. A point without repeats adds 0, and for TTFT no range is recorded.
    pub noise: f64,
    /// The points whose errors differ, by ascending concurrency.
    pub points: Vec<PointDifference>,
}

/// A point whose error differs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointDifference {
    /// The concurrency.
    pub concurrency: u32,
    /// A's signed error, in percent.
    pub a: f64,
    /// B's signed error, in percent.
    pub b: f64,
    /// The change of the absolute error, in percentage points.
    pub delta: f64,
}

/// Sorts by the greater of |Δ MAPE| and |Δ shape|, greatest first; equal ones by sweep, estimator and
/// metric.
pub(super) fn sort_by_size(sweeps: &mut [SweepDifference]) {
    let size = |sweep: &SweepDifference| {
        let size = |change: &Change| change.delta.map_or(0.0, f64::abs);
        size(&sweep.mape).max(size(&sweep.shape))
    };
    sweeps.sort_by(|x, y| {
        let by_name = || (&x.sweep, &x.estimator, x.metric).cmp(&(&y.sweep, &y.estimator, y.metric));
        size(y).total_cmp(&size(x)).then_with(by_name)
    });
}

/// Points that only one snapshot scored or has. Nothing is only counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lists {
    /// Points of both that A scored and B did not, with B's reason.
    pub newly_failing: Vec<PointStatus>,
    /// Points of both that B scored and A did not, with A's reason.
    pub newly_scored: Vec<PointStatus>,
    /// Points that only A has, by sweep.
    pub only_in_a: Vec<OneSided>,
    /// Points that only B has, by sweep.
    pub only_in_b: Vec<OneSided>,
}

/// A point that only one snapshot scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointStatus {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep in words.
    pub title: String,
    /// The smallest tier that has the sweep in both snapshots.
    pub tier: Tier,
    /// The concurrency.
    pub concurrency: u32,
    /// The estimator.
    pub estimator: EstimatorId,
    /// Why the other snapshot has not scored it; none when it has no outcome at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<NotScored>,
}

/// Points of one sweep that only one snapshot has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OneSided {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep in words.
    pub title: String,
    /// The tier of the sweep.
    pub tier: Tier,
    /// Whether the other snapshot does not have the sweep at all.
    pub whole_sweep: bool,
    /// The concurrencies that the other snapshot does not have.
    pub concurrencies: Vec<u32>,
}

impl Comparer<'_> {
    /// The points that only one of the snapshots scored or has.
    #[must_use]
    pub fn lists(&self) -> Lists {
        Lists::of(self)
    }
}

impl Lists {
    fn of(comparer: &Comparer<'_>) -> Self {
        let mut lists = Self::default();
        for pair in &comparer.pairs {
            let (a, b) = (pair.a.as_ref(), pair.b.as_ref());
            let sweeps = (a.map(|member| member.sweep), b.map(|member| member.sweep));
            lists.only_in_a.extend(sweeps.0.and_then(|sweep| one_sided(sweep, sweeps.1)));
            lists.only_in_b.extend(sweeps.1.and_then(|sweep| one_sided(sweep, sweeps.0)));
            if let Some((a, b)) = pair.both() {
                lists.statuses(a.sweep, b.sweep, a.tier.max(b.tier), comparer.estimators());
            }
        }
        lists
    }

    fn statuses(&mut self, a: &Sweep<Outcome>, b: &Sweep<Outcome>, tier: Tier, estimators: &[EstimatorId]) {
        for (point_a, point_b) in common_points(a, b) {
            for estimator in estimators {
                let status = |why: Option<&Outcome>| PointStatus {
                    sweep: a.id.clone(),
                    title: a.title(),
                    tier,
                    concurrency: point_a.concurrency,
                    estimator: estimator.clone(),
                    why: match why {
                        Some(Outcome::NotScored(why)) => Some(why.clone()),
                        _ => None,
                    },
                };
                let (in_a, in_b) = (point_a.predictions.get(estimator), point_b.predictions.get(estimator));
                let is_scored = |outcome| matches!(outcome, Some(&Outcome::Scored(_)));
                match (is_scored(in_a), is_scored(in_b)) {
                    (true, false) => self.newly_failing.push(status(in_b)),
                    (false, true) => self.newly_scored.push(status(in_a)),
                    _ => {}
                }
            }
        }
    }
}

fn one_sided(sweep: &Sweep<Outcome>, other: Option<&Sweep<Outcome>>) -> Option<OneSided> {
    let is_missing = |concurrency: u32| {
        other.is_none_or(|other| other.points.iter().all(|point| point.concurrency != concurrency))
    };
    let mut concurrencies: Vec<u32> = sweep
        .points
        .iter()
        .map(|point| point.concurrency)
        .filter(|concurrency| is_missing(*concurrency))
        .collect();
    concurrencies.sort_unstable();
    (other.is_none() || !concurrencies.is_empty()).then(|| OneSided {
        sweep: sweep.id.clone(),
        title: sweep.title(),
        tier: sweep.verdict.tier(),
        whole_sweep: other.is_none(),
        concurrencies,
    })
}
