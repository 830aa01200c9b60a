//! How the estimators stand: figures, wins and skill.

use super::{Contest, Entry};
use crate::aggregate::{self, SweepErrors, Totals};
use crate::bootstrap::{self, Part};
use crate::grade;
use crate::id::{EstimatorId, SweepId};
use crate::metric::Metric;
use crate::rules::Rules;
use crate::summary::{Figures, Interval};
use crate::tier::Tier;

/// Two MAPEs of a sweep that are this near, in percentage points, share the win: one decimal does not show
/// the difference.
pub const TIE: f64 = 0.05;

/// All estimators in one tier and metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The tier.
    pub tier: Tier,
    /// The metric.
    pub metric: Metric,
    /// Sweeps of the tier.
    pub sweeps: u64,
    /// Points of the tier, scored or not.
    pub points: u64,
    /// Sweeps with a common point: what wins add up to, with the shared ones.
    pub common_sweeps: u64,
    /// Points that every estimator scored.
    pub common_points: u64,
    /// Sweeps whose least error several estimators have.
    pub shared: u64,
    /// By estimator, in the order of the snapshot.
    pub standings: Vec<Standing>,
}

/// One estimator among the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The estimator.
    pub estimator: EstimatorId,
    /// Points of the tier that it scored, whatever the others did.
    pub scored: u64,
    /// Its figures on the common points; intervals and quantiles only when they are asked for.
    pub figures: Figures,
    /// Sweeps of which it alone has the least MAPE.
    pub wins: u64,
    /// Sweeps of which it has the least MAPE together with another: see [`TIE`].
    pub shared: u64,
    /// How much of the reference's MAPE it does away with.
    pub skill: Option<Skill>,
    /// How much of the reference's shape error it does away with.
    pub shape_skill: Option<Skill>,
}

/// Skill over a reference: `1 − error / error of the reference`. 1 is without error, 0 as wrong as the
/// reference, below 0 worse than it.
///
/// Source: Murphy, *Skill scores based on the mean square error*, Monthly Weather Review 116 (1988), equation 4,
/// with the mean absolute error as the measure of accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// The skill.
    pub value: f64,
    /// Its 95 % interval: both errors over the same draws of sweeps.
    pub interval: Option<Interval>,
}

/// One sweep, as far as all estimators scored it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepResult {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep in words.
    pub title: String,
    /// Its common points.
    pub points: u64,
    /// By estimator: its MAPE on them, in percent.
    pub mape: Vec<f64>,
    /// By estimator: whether its MAPE is the least, or within [`TIE`] of it.
    pub best: Vec<bool>,
}

pub(super) fn sweep(entry: &Entry<'_>, metric: Metric) -> Option<SweepResult> {
    let (mape, best) = result(entry.errors(metric))?;
    let points = entry.errors(metric).first().map_or(0, SweepErrors::points);
    Some(SweepResult {
        sweep: entry.sweep.id.clone(),
        title: entry.sweep.title(),
        points: u64::from(points),
        mape,
        best,
    })
}

/// The MAPE of each estimator in a sweep, and whether it is the least; none without a common point.
fn result(errors: &[SweepErrors]) -> Option<(Vec<f64>, Vec<bool>)> {
    let mape = |errors: &SweepErrors| errors.figures().mape;
    let mape: Vec<f64> = errors.iter().map(mape).collect::<Option<_>>()?;
    let least = mape.iter().copied().min_by(f64::total_cmp)?;
    let best = mape.iter().map(|mape| *mape <= least + TIE).collect();
    Some((mape, best))
}

pub(super) fn table(contest: &Contest<'_>, tier: Tier, metric: Metric, with_intervals: bool) -> Table {
    let mut table = Table {
        tier,
        metric,
        sweeps: 0,
        points: 0,
        common_sweeps: 0,
        common_points: 0,
        shared: 0,
        standings: Vec::new(),
    };
    let count = contest.estimators.len();
    let (mut wins, mut shared, mut scored) = (vec![0; count], vec![0; count], vec![0; count]);
    let mut common: Vec<&[SweepErrors]> = Vec::new();
    for entry in contest.in_tier(tier) {
        table.sweeps += 1;
        table.points += entry.sweep.points.len() as u64;
        scored.iter_mut().zip(&entry.scored).for_each(|(sum, scored)| *sum += scored);
        let errors = entry.errors(metric);
        let Some((_, best)) = result(errors) else { continue };
        table.common_sweeps += 1;
        table.common_points += u64::from(errors.first().map_or(0, SweepErrors::points));
        let winners = best.iter().filter(|is_best| **is_best).count();
        table.shared += u64::from(winners > 1);
        let tally = if winners > 1 { &mut shared } else { &mut wins };
        tally.iter_mut().zip(&best).for_each(|(sum, is_best)| *sum += u64::from(*is_best));
        common.push(errors);
    }
    let reference = contest.reference;
    let standings = contest.estimators.iter().enumerate().map(|(place, estimator)| {
        let own: Vec<&SweepErrors> = common.iter().filter_map(|errors| errors.get(place)).collect();
        let key = aggregate::everything(tier, estimator, metric);
        let figures = if with_intervals {
            aggregate::pool(&key, own.iter().copied(), contest.rules, contest.grading)
        } else {
            let mut totals = Totals::default();
            for errors in &own {
                totals.add(errors);
            }
            let figures = totals.figures();
            Figures { grade: figures.mape.map(|mape| grade::of(mape, contest.grading)), ..figures }
        };
        let over = |part: fn(&SweepErrors) -> Part| {
            let reference = reference?;
            let pairs = common.iter().filter_map(|errors| {
                Some(Part { sum: part(errors.get(place)?).sum, count: part(errors.get(reference)?).sum })
            });
            let seed = with_intervals.then(|| bootstrap::seed(&format!("{key}/skill")));
            skill(&pairs.collect::<Vec<_>>(), seed, contest.rules)
        };
        Standing {
            estimator: estimator.clone(),
            scored: scored[place],
            figures,
            wins: wins[place],
            shared: shared[place],
            skill: over(SweepErrors::mape_part),
            shape_skill: over(SweepErrors::shape_part),
        }
    });
    table.standings = standings.collect();
    table
}

/// The skill, from each sweep's sum of errors of the estimator and, as the count, of the reference: the number of
/// points is the same and cancels out. None when the reference has no error.
fn skill(parts: &[Part], seed: Option<u64>, rules: &Rules) -> Option<Skill> {
    let (own, reference) =
        parts.iter().fold((0.0, 0.0), |(own, reference), part| (own + part.sum, reference + part.count));
    let value = Some(1.0 - own / reference).filter(|value| reference > 0.0 && value.is_finite())?;
    let interval = seed.and_then(|seed| {
        // Sweeps without a shape point are no clusters of the shape error.
        let counted = parts.iter().filter(|part| part.sum > 0.0 || part.count > 0.0);
        let [ratio] = bootstrap::intervals(&counted.map(|part| [*part]).collect::<Vec<_>>(), rules, seed);
        ratio
    });
    let interval = interval.map(|Interval { low, high }| Interval { low: 1.0 - high, high: 1.0 - low });
    Some(Skill { value, interval })
}
