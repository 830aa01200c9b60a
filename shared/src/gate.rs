//! The gate: whether a change of a simulator may be merged.
//!
//! Source: `docs/scoring.md`, "The gate". It decides on points and sweeps, never on an aggregate: a
//! change that fixes one error can uncover another that it had cancelled.
//!
//! **What counts as worse.** A sweep is worse when the MAPE or the shape error on its common points
//! rises by both thresholds. One sweep has no interval, so noise is kept out in two other ways. Only
//! the *simulator's part* of the change counts (see [`crate::compare::Why`]): when the points were
//! measured again, the rest is reported as re-measurement. And for TPOT the rise must exceed what the
//! repeats of the measurement leave open ([`SweepDifference::noise`]).
//!
//! All sweeps count, whatever their tier, unless a tier is asked for: what is judged is the change
//! between two predictions for the same point, which needs no engine log.

use serde::{Deserialize, Serialize};

use crate::compare::{Comparability, Comparer, OneSided, PointStatus, SweepDifference};
use crate::format;
use crate::id::{EstimatorId, SweepId};
use crate::metric::Metric;
use crate::summary::Summary;
use crate::tier::Tier;

/// How much worse a sweep must be. Both must be reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thresholds {
    /// In percentage points.
    pub points: f64,
    /// In percent of A's value.
    pub percent: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { points: 2.0, percent: 10.0 }
    }
}

/// What the gate looks at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Options {
    /// How much worse a sweep must be.
    pub thresholds: Thresholds,
    /// The estimators that are judged; empty: B's primary estimator.
    pub estimators: Vec<EstimatorId>,
    /// Only sweeps of this tier in both snapshots; none: all sweeps.
    pub tier: Option<Tier>,
}

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// No point lost, no sweep worse.
    Pass,
    /// A sweep is worse.
    Regression,
    /// A point that A scored is in B and not scored there. Said before a regression, because what is
    /// not scored cannot be worse.
    CoverageLost,
    /// Other rules, or nothing in common: nothing is decided.
    NotComparable,
}

/// The gate's decision with everything that led to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// What the gate says.
    pub decision: Decision,
    /// Whether the snapshots may be compared at all.
    pub comparability: Comparability,
    /// What the gate looked at; the estimators are named.
    pub options: Options,
    /// Points that both scored, over the estimators.
    pub compared: u64,
    /// Sweeps that are worse, worst first.
    pub worse: Vec<Finding>,
    /// Sweeps that are better by both thresholds, best first.
    pub better: Vec<Finding>,
    /// Sweeps whose error rises by both thresholds because they were measured again; reported only.
    pub remeasured: Vec<Finding>,
    /// Points that are no longer scored.
    pub lost: Vec<PointStatus>,
    /// Points that are scored now; reported only.
    pub gained: Vec<PointStatus>,
    /// Points that are no longer measured; reported only.
    pub no_longer_measured: Vec<OneSided>,
    /// Points that are measured now; reported only.
    pub newly_measured: Vec<OneSided>,
}

/// A sweep whose error has changed by both thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep in words.
    pub title: String,
    /// The smallest tier that has the sweep in both snapshots.
    pub tier: Tier,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The metric.
    pub metric: Metric,
    /// Which figure.
    pub figure: Figure,
    /// A's value on the common points, in percent.
    pub a: f64,
    /// B's value on the common points, in percent.
    pub b: f64,
    /// The part of the change that counts here, in percentage points: the simulator's, or that of the
    /// new measurements.
    pub change: f64,
    /// What the repeats of the measurement leave open, in percentage points.
    pub noise: f64,
    /// The common points: those that have the figure.
    pub points: u64,
}

/// A figure that the gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// The mean absolute error.
    Mape,
    /// The shape error.
    Shape,
}

impl Figure {
    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mape => "MAPE",
            Self::Shape => "shape error",
        }
    }
}

impl Finding {
    /// The finding in a sentence: `gpt-oss-120b h200 vllm fp4 tp4 1k1k: roofline's TPOT MAPE 10.0 % →
    /// 15.0 % on 6 points`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (a, b) = (format::percent(Some(self.a)), format::percent(Some(self.b)));
        let (metric, figure) = (self.metric.name(), self.figure.name());
        let points = format::counted(self.points, "point");
        format!("{}: {}'s {metric} {figure} {a} % → {b} % on {points}", self.title, self.estimator)
    }

    fn key(&self) -> (&SweepId, &EstimatorId, Metric, Figure) {
        (&self.sweep, &self.estimator, self.metric, self.figure)
    }
}

/// Decides whether B may follow A.
#[must_use]
pub fn decide(a: &Summary, b: &Summary, options: &Options) -> Gate {
    let comparer = Comparer::new(a, b);
    let mut options = options.clone();
    if options.estimators.is_empty() {
        options.estimators.push(b.run.primary.clone());
    }
    options.estimators.sort_unstable();
    options.estimators.dedup();
    let comparability = match comparer.comparability() {
        Comparability::Comparable
            if options.estimators.iter().any(|it| !comparer.estimators().contains(it)) =>
        {
            Comparability::NoCommonEstimator
        }
        other => other,
    };
    let lists = comparer.lists();
    let is_judged = |status: &PointStatus| {
        options.estimators.contains(&status.estimator) && options.tier.is_none_or(|tier| status.tier <= tier)
    };
    let in_tier = |points: &OneSided| options.tier.is_none_or(|tier| points.tier <= tier);
    let mut gate = Gate {
        decision: Decision::NotComparable,
        compared: 0,
        worse: Vec::new(),
        better: Vec::new(),
        remeasured: Vec::new(),
        lost: lists.newly_failing.into_iter().filter(is_judged).collect(),
        gained: lists.newly_scored.into_iter().filter(is_judged).collect(),
        no_longer_measured: lists.only_in_a.into_iter().filter(in_tier).collect(),
        newly_measured: lists.only_in_b.into_iter().filter(in_tier).collect(),
        comparability,
        options,
    };
    if gate.comparability.is_comparable() {
        gate.judge(&comparer);
        gate.decision = match gate {
            Gate { ref lost, .. } if !lost.is_empty() => Decision::CoverageLost,
            Gate { compared: 0, .. } => Decision::NotComparable,
            Gate { ref worse, .. } if !worse.is_empty() => Decision::Regression,
            _ => Decision::Pass,
        };
    }
    gate
}

impl Gate {
    /// Why nothing was decided, in a sentence; none when something was.
    #[must_use]
    pub fn undecided(&self) -> Option<String> {
        if self.decision != Decision::NotComparable {
            return None;
        }
        if self.comparability == Comparability::NoCommonEstimator {
            let ids: Vec<&str> = self.options.estimators.iter().map(EstimatorId::as_str).collect();
            let ids = ids.join(", ");
            return Some(format!("The two snapshots do not both have what the gate looks at: {ids}."));
        }
        let why = self.comparability.sentence();
        Some(why.unwrap_or_else(|| "The two snapshots have no scored point in common.".to_owned()))
    }

    fn judge(&mut self, comparer: &Comparer<'_>) {
        let tier = self.options.tier.unwrap_or(Tier::All);
        for estimator in &self.options.estimators.clone() {
            for metric in Metric::ALL {
                let view = comparer.view(estimator, metric);
                let everything = view.row(&crate::aggregate::everything(tier, estimator, metric), false);
                if metric == Metric::Tpot {
                    self.compared += everything.common.points;
                }
                for sweep in view.sweeps().iter().filter(|sweep| sweep.tier <= tier) {
                    self.judge_sweep(sweep);
                }
            }
        }
        for findings in [&mut self.worse, &mut self.better, &mut self.remeasured] {
            findings.sort_by(|x, y| {
                y.change.abs().total_cmp(&x.change.abs()).then_with(|| x.key().cmp(&y.key()))
            });
        }
    }

    fn judge_sweep(&mut self, sweep: &SweepDifference) {
        for (figure, change, points) in [
            (Figure::Mape, &sweep.mape, sweep.counts.points),
            (Figure::Shape, &sweep.shape, sweep.counts.shape_points),
        ] {
            let (Some(a), Some(b), Some(why)) = (change.a, change.b, change.why) else { continue };
            let Thresholds { points: least, percent } = self.options.thresholds;
            let counts = |change: f64| {
                change != 0.0
                    && change.abs() >= least
                    && change.abs() >= percent / 100.0 * a
                    && change.abs() > sweep.noise
            };
            let finding = |change: f64| Finding {
                sweep: sweep.sweep.clone(),
                title: sweep.title.clone(),
                tier: sweep.tier,
                estimator: sweep.estimator.clone(),
                metric: sweep.metric,
                figure,
                a,
                b,
                change,
                noise: sweep.noise,
                points,
            };
            if counts(why.simulator) {
                let findings = if why.simulator > 0.0 { &mut self.worse } else { &mut self.better };
                findings.push(finding(why.simulator));
            }
            if why.remeasured > 0.0 && counts(why.remeasured) {
                self.remeasured.push(finding(why.remeasured));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Reason;
    use crate::testing::{estimator, not_scored, scored, snapshot_of, summary, sweep};
    use crate::tier::Verdict;

    /// A snapshot of one sweep whose three points measure 10 ms TPOT; the estimator predicts these.
    fn snapshot(predicted: [f64; 3]) -> Summary {
        let mut builder = sweep(1).verdict(Verdict::Partial);
        for (concurrency, tpot) in [1, 2, 4].into_iter().zip(predicted) {
            builder = builder.measured(concurrency, 100.0, 10.0).outcome("blis", scored(100.0, tpot));
        }
        snapshot_of(vec![builder.build()])
    }

    fn gate(a: &Summary, b: &Summary) -> Gate {
        decide(a, b, &Options::default())
    }

    #[test]
    fn an_equal_snapshot_passes() {
        let summary = summary();
        let gate = gate(&summary, &summary);
        assert_eq!((gate.decision, gate.compared), (Decision::Pass, 20));
        assert_eq!(gate.options.estimators, [estimator("blis")]);
        assert!(gate.worse.is_empty() && gate.better.is_empty() && gate.lost.is_empty());
    }

    #[test]
    fn a_sweep_that_is_worse_by_both_thresholds_fails() {
        // MAPE 20 % → 23 %: 3 points and 15 %. The shape does not change.
        let gate = gate(&snapshot([12.0; 3]), &snapshot([12.3; 3]));
        assert_eq!(gate.decision, Decision::Regression);
        let [worse] = &gate.worse[..] else { panic!("{:?}", gate.worse) };
        assert!((worse.change - 3.0).abs() < 1e-9);
        assert_eq!(
            worse.sentence(),
            "gpt-oss-120b h200 vllm fp4 tp4 1k1k: blis's TPOT MAPE 20.0 % → 23.0 % on 3 points"
        );
    }

    #[test]
    fn one_threshold_alone_is_not_enough() {
        // 1.5 points are 15 % of 10 %; 3 points are 7.5 % of 40 %.
        for (a, b) in [(11.0, 11.15), (14.0, 14.3)] {
            assert_eq!(gate(&snapshot([a; 3]), &snapshot([b; 3])).decision, Decision::Pass, "{a} {b}");
        }
        let thresholds = Thresholds { points: 1.0, percent: 5.0 };
        let options = Options { thresholds, ..Options::default() };
        for (a, b) in [(11.0, 11.15), (14.0, 14.3)] {
            let gate = decide(&snapshot([a; 3]), &snapshot([b; 3]), &options);
            assert_eq!(gate.decision, Decision::Regression, "{a} {b}");
        }
    }

    #[test]
    fn a_shape_that_worsens_while_the_mape_improves_fails() {
        let gate = gate(&snapshot([12.0, 12.0, 12.0]), &snapshot([10.0, 11.0, 11.0]));
        assert_eq!(gate.decision, Decision::Regression);
        assert_eq!(gate.worse.iter().map(|it| it.figure).collect::<Vec<_>>(), [Figure::Shape]);
        assert_eq!(gate.better.iter().map(|it| it.figure).collect::<Vec<_>>(), [Figure::Mape]);
    }

    #[test]
    fn a_scored_point_that_fails_is_lost_coverage_with_its_reason() {
        let mut after = snapshot([20.0; 3]);
        let point = &mut after.sweeps[0].points[1];
        point.predictions.insert(estimator("blis"), not_scored(Reason::Timeout));
        let lost = gate(&snapshot([10.0; 3]), &after);
        assert_eq!(lost.decision, Decision::CoverageLost);
        assert_eq!(lost.lost[0].why.as_ref().unwrap().reason, Reason::Timeout);
        assert!(!lost.worse.is_empty());
        let gained = gate(&after, &snapshot([10.0; 3]));
        assert_eq!((gained.decision, gained.gained.len()), (Decision::Pass, 1));
        // When every point fails there is nothing to compare, but it is no less a loss.
        for point in &mut after.sweeps[0].points {
            point.predictions.insert(estimator("blis"), not_scored(Reason::Timeout));
        }
        assert_eq!(gate(&snapshot([10.0; 3]), &after).decision, Decision::CoverageLost);
        assert_eq!(gate(&after, &after).decision, Decision::NotComparable);
    }

    #[test]
    fn a_point_that_is_no_longer_measured_is_reported_and_passes() {
        let mut after = snapshot([10.0; 3]);
        after.sweeps[0].points.pop();
        let gate = gate(&snapshot([10.0; 3]), &after);
        assert_eq!(gate.decision, Decision::Pass);
        assert_eq!((gate.no_longer_measured[0].concurrencies.as_slice(), gate.compared), (&[4][..], 2));
    }

    #[test]
    fn a_new_measurement_is_reported_and_not_held_against_the_simulator() {
        let before = snapshot([12.0; 3]);
        let mut after = before.clone();
        for point in &mut after.sweeps[0].points {
            point.tpot_ms = crate::millis::Millis::new(8.0).unwrap();
        }
        let gate = gate(&before, &after);
        assert_eq!((gate.decision, gate.worse.len(), gate.remeasured.len()), (Decision::Pass, 0, 1));
        assert!((gate.remeasured[0].change - 30.0).abs() < 1e-9);
    }

    #[test]
    fn what_the_repeats_leave_open_is_noise() {
        let mut after = snapshot([12.3; 3]);
        for point in &mut after.sweeps[0].points {
            (point.repeats, point.spread) = (2, Some(1.08));
        }
        let gate_with_noise = gate(&snapshot([12.0; 3]), &after);
        assert_eq!(gate_with_noise.decision, Decision::Pass);
        after.sweeps[0].points[0].spread = None;
        assert_eq!(gate(&snapshot([12.0; 3]), &after).decision, Decision::Regression);
    }

    #[test]
    fn other_rules_or_estimators_are_not_comparable() {
        let before = snapshot([10.0; 3]);
        let mut other = before.clone();
        other.rules = crate::rules::RuleBook::current(&crate::rules::Grading { d: 99.0, ..before.grading });
        assert_eq!(gate(&before, &other).decision, Decision::NotComparable);
        let options = Options { estimators: vec![estimator("nobody")], ..Options::default() };
        let nobody = decide(&before, &before, &options);
        assert_eq!(nobody.decision, Decision::NotComparable);
        let why = "The two snapshots do not both have what the gate looks at: nobody.";
        assert_eq!(nobody.undecided().as_deref(), Some(why));
        assert_eq!(gate(&before, &before).undecided(), None);
        let mut elsewhere = before.clone();
        elsewhere.sweeps[0].id = SweepId::new("00000000000000ff").unwrap();
        let gate = gate(&before, &elsewhere);
        assert_eq!(gate.decision, Decision::NotComparable);
        assert_eq!(gate.comparability, Comparability::NoCommonPoint);
        assert_eq!(gate.undecided(), Comparability::NoCommonPoint.sentence());
    }

    #[test]
    fn a_tier_can_be_asked_for() {
        let (before, after) = (snapshot([12.0; 3]), snapshot([12.3; 3]));
        let strict = Options { tier: Some(Tier::Strict), ..Options::default() };
        let gate = decide(&before, &after, &strict);
        assert_eq!(gate.decision, Decision::NotComparable);
        assert!(gate.undecided().is_some_and(|why| why.contains("no scored point in common")));
        let partial = Options { tier: Some(Tier::MeasuredOrResolved), ..Options::default() };
        assert_eq!(decide(&before, &after, &partial).decision, Decision::Regression);
    }
}
