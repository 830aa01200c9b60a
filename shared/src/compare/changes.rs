//! The figures of two snapshots side by side.

use serde::{Deserialize, Serialize};

use crate::bootstrap::{self, Part};
use crate::rules::Rules;
use crate::summary::{AggregateKey, Figures, Interval};

/// One aggregate in both snapshots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// Which set of points.
    pub of: AggregateKey,
    /// What both scored: the set on which the figures are compared.
    pub common: Counts,
    /// What A scored in all.
    pub all_a: Counts,
    /// What B scored in all.
    pub all_b: Counts,
    /// The signed mean.
    pub signed_mean: Change,
    /// The mean absolute error.
    pub mape: Change,
    /// The shape error.
    pub shape: Change,
    /// The signed error at the lowest scored concurrency.
    pub at_lowest: Change,
    /// The signed error at the highest scored concurrency.
    pub at_highest: Change,
}

/// How much a figure rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Sweeps with a scored point.
    pub sweeps: u64,
    /// Scored points.
    pub points: u64,
    /// Scored points other than their sweep's anchor.
    pub shape_points: u64,
}

impl Counts {
    pub(super) fn of(figures: &Figures) -> Self {
        let Figures { sweeps, points, shape_points, .. } = *figures;
        Self { sweeps, points, shape_points }
    }
}

/// One figure in both snapshots, in percent; differences are in percentage points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// A's value on the common points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<f64>,
    /// B's value on the common points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<f64>,
    /// `b − a`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// The 95 % interval of the difference, by the paired cluster bootstrap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// What may be said of the difference.
    pub judgement: Judgement,
    /// A's value on all its points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_a: Option<f64>,
    /// B's value on all its points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_b: Option<f64>,
    /// Where the difference between the two whole sets comes from; none when a value is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

/// What may be said of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// B's error is smaller, beyond noise.
    Better,
    /// B's error is greater, beyond noise.
    Worse,
    /// A signed error differs beyond noise, which is neither better nor worse by itself.
    Changed,
    /// Every common sweep has the same value in both.
    Same,
    /// The interval contains 0.
    Noise,
    /// There are too few common sweeps for an interval.
    Unsure,
    /// The interval has not been asked for.
    Open,
    /// There is no difference, because a value is missing.
    Absent,
}

/// Where the difference between two whole sets comes from, in percentage points.
///
/// With `x(p, m)` the figure on the common points for the predictions of one snapshot and the
/// measurements of one snapshot, each effect is the mean of its two possible orders (the Shapley
/// value of two factors), so that the parts swap their sign with the direction and add up:
/// `simulator + remeasured = x(B, B) − x(A, A)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Why {
    /// New predictions of the same measurements:
    /// `½·[(x(pB, mA) − x(pA, mA)) + (x(pB, mB) − x(pA, mB))]`.
    pub simulator: f64,
    /// New measurements of the same points:
    /// `½·[(x(pA, mB) − x(pA, mA)) + (x(pB, mB) − x(pB, mA))]`.
    pub remeasured: f64,
    /// Points that entered or left: `(x_A common − x_A all) + (x_B all − x_B common)`.
    pub coverage: f64,
    /// The sum of the three: `x_B all − x_A all`, up to rounding in the last digits.
    pub total: f64,
}

/// The values of one figure that a change is made of. `a_on_b` has A's predictions and B's measurements.
#[derive(Clone, Copy)]
pub(super) struct Values {
    pub(super) a_on_a: Option<f64>,
    pub(super) a_on_b: Option<f64>,
    pub(super) b_on_a: Option<f64>,
    pub(super) b_on_b: Option<f64>,
    pub(super) all_a: Option<f64>,
    pub(super) all_b: Option<f64>,
}

impl Values {
    fn why(self) -> Option<Why> {
        let (a_on_a, a_on_b, b_on_a, b_on_b) = (self.a_on_a?, self.a_on_b?, self.b_on_a?, self.b_on_b?);
        let simulator = 0.5 * ((b_on_a - a_on_a) + (b_on_b - a_on_b));
        let remeasured = 0.5 * ((a_on_b - a_on_a) + (b_on_b - b_on_a));
        let coverage = (a_on_a - self.all_a?) + (self.all_b? - b_on_b);
        let total = (simulator + remeasured) + coverage;
        total.is_finite().then_some(Why { simulator, remeasured, coverage, total })
    }

    /// The change, not judged yet.
    pub(super) fn change(self) -> Change {
        let delta = self.a_on_a.zip(self.b_on_b).map(|(a, b)| b - a).filter(|delta| delta.is_finite());
        Change {
            a: self.a_on_a,
            b: self.b_on_b,
            delta,
            interval: None,
            judgement: if delta.is_some() { Judgement::Open } else { Judgement::Absent },
            all_a: self.all_a,
            all_b: self.all_b,
            why: self.why(),
        }
    }
}

/// What the sign of a difference means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Less is better.
    Error,
    /// Neither is.
    Signed,
}

/// Judges `K` changes, given what each common sweep adds to each difference.
pub(super) fn judge<const K: usize>(
    changes: [(&mut Change, Direction); K],
    clusters: &[[Part; K]],
    rules: &Rules,
    seed: u64,
) {
    let intervals = bootstrap::intervals(clusters, rules, seed);
    for (index, ((change, direction), interval)) in changes.into_iter().zip(intervals).enumerate() {
        let Some(delta) = change.delta else { continue };
        change.interval = interval;
        let is_same = clusters.iter().all(|cluster| cluster[index].sum == 0.0);
        change.judgement = match (interval, direction) {
            _ if is_same => Judgement::Same,
            (None, _) => Judgement::Unsure,
            (Some(Interval { low, high }), _) if low <= 0.0 && high >= 0.0 => Judgement::Noise,
            (_, Direction::Signed) => Judgement::Changed,
            (_, Direction::Error) if delta < 0.0 => Judgement::Better,
            (_, Direction::Error) => Judgement::Worse,
        };
    }
}
