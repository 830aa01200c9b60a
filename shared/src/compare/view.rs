//! One estimator and metric of two snapshots: rows of figures, and sweeps that differ.

use super::changes::{Counts, Direction, Row, Values, judge};
use super::lists::{PointDifference, SweepDifference, sort_by_size};
use super::pairs::{Comparer, common_points};
use crate::aggregate::{self, SweepErrors};
use crate::bootstrap::{self, Part};
use crate::error::{Pair, signed_error};
use crate::id::EstimatorId;
use crate::metric::Metric;
use crate::outcome::Outcome;
use crate::summary::{AggregateKey, Figures};
use crate::sweep::Point;

/// The errors of both snapshots, worked out once for an estimator and a metric.
pub struct View<'c, 'a> {
    comparer: &'c Comparer<'a>,
    estimator: EstimatorId,
    metric: Metric,
    /// In the order of the comparer's pairs.
    errors: Vec<PairErrors>,
}

/// The errors of one sweep in both snapshots.
struct PairErrors {
    /// All that A scored.
    all_a: SweepErrors,
    /// All that B scored.
    all_b: SweepErrors,
    common: Option<Common>,
}

/// The errors at the points that both scored; `a_on_b` has A's predictions and B's measurements.
struct Common {
    /// Concurrency, and measured and predicted latency in A and in B.
    points: Vec<(u32, Pair, Pair)>,
    /// See [`SweepDifference::noise`].
    noise: f64,
    a_on_a: SweepErrors,
    a_on_b: SweepErrors,
    b_on_a: SweepErrors,
    b_on_b: SweepErrors,
}

impl Common {
    fn new(points: Vec<(u32, Pair, Pair)>, noise: f64) -> Option<Self> {
        let errors = |pair: fn(Pair, Pair) -> Pair| {
            SweepErrors::of_points(
                points.iter().map(|(concurrency, a, b)| (*concurrency, Some(pair(*a, *b)))),
            )
        };
        let a_on_a = errors(|a, _| a);
        let a_on_b = errors(|a, b| Pair { measured: b.measured, predicted: a.predicted });
        let b_on_a = errors(|a, b| Pair { measured: a.measured, predicted: b.predicted });
        let b_on_b = errors(|_, b| b);
        let noise = noise / points.len() as f64;
        (!points.is_empty()).then_some(Self { points, noise, a_on_a, a_on_b, b_on_a, b_on_b })
    }
}

/// The parts of one sweep's values, as a sweep has them in a figure's mean.
fn difference(a: Part, b: Part) -> Part {
    Part { sum: b.sum - a.sum, count: a.count }
}

fn ends(errors: &SweepErrors) -> [Part; 2] {
    let (lowest, highest) = errors.ends.unwrap_or_default();
    [Part::new(lowest, 1), Part::new(highest, 1)]
}

/// The values of one figure.
fn values(figures: &[Figures; 6], figure: fn(&Figures) -> Option<f64>) -> Values {
    let [a_on_a, a_on_b, b_on_a, b_on_b, all_a, all_b] = figures.each_ref().map(figure);
    Values { a_on_a, a_on_b, b_on_a, b_on_b, all_a, all_b }
}

impl<'a> Comparer<'a> {
    /// One estimator and metric of both snapshots.
    #[must_use]
    pub fn view(&self, estimator: &EstimatorId, metric: Metric) -> View<'_, 'a> {
        View::new(self, estimator, metric)
    }
}

impl<'c, 'a> View<'c, 'a> {
    fn new(comparer: &'c Comparer<'a>, estimator: &EstimatorId, metric: Metric) -> Self {
        let errors = comparer.pairs.iter().map(|pair| {
            let all = |member: Option<&super::pairs::Member<'_>>| {
                member.map(|member| SweepErrors::of(member.sweep, estimator, metric)).unwrap_or_default()
            };
            let common = pair.both().and_then(|(a, b)| {
                let mut points = Vec::new();
                let mut noise = 0.0;
                for (a, b) in common_points(a.sweep, b.sweep) {
                    let pairs =
                        aggregate::pair(a, estimator, metric).zip(aggregate::pair(b, estimator, metric));
                    if let Some((pair_a, pair_b)) = pairs {
                        points.push((a.concurrency, pair_a, pair_b));
                        noise += repeats_noise(a, metric).max(repeats_noise(b, metric));
                    }
                }
                Common::new(points, noise)
            });
            PairErrors { all_a: all(pair.a.as_ref()), all_b: all(pair.b.as_ref()), common }
        });
        let errors = errors.collect();
        Self { comparer, estimator: estimator.clone(), metric, errors }
    }

    /// The keys of all aggregates of this estimator and metric in either snapshot, sorted.
    #[must_use]
    pub fn keys(&self) -> Vec<AggregateKey> {
        let mut keys =
            aggregate::all_keys(self.comparer.groups.keys(), std::slice::from_ref(&self.estimator));
        keys.retain(|key| key.metric == self.metric);
        keys
    }

    /// One aggregate in both snapshots. The key's estimator and metric must be those of the view.
    ///
    /// Without intervals nothing is judged yet; that is some hundred times faster.
    #[must_use]
    pub fn row(&self, key: &AggregateKey, with_intervals: bool) -> Row {
        let group = self.comparer.groups.get(&(key.by, key.key.clone())).copied();
        let mut totals = [(); 6].map(|()| aggregate::Totals::default());
        let [a_on_a, a_on_b, b_on_a, b_on_b, all_a, all_b] = &mut totals;
        let mut common = Vec::new();
        for (pair, errors) in self.comparer.pairs.iter().zip(&self.errors) {
            let in_a = pair.a.as_ref().is_some_and(|member| member.is_in(group, key.tier));
            let in_b = pair.b.as_ref().is_some_and(|member| member.is_in(group, key.tier));
            if in_a {
                all_a.add(&errors.all_a);
            }
            if in_b {
                all_b.add(&errors.all_b);
            }
            if let (true, Some(both)) = (in_a && in_b, &errors.common) {
                a_on_a.add(&both.a_on_a);
                a_on_b.add(&both.a_on_b);
                b_on_a.add(&both.b_on_a);
                b_on_b.add(&both.b_on_b);
                common.push(both);
            }
        }
        let figures = totals.map(aggregate::Totals::figures);
        let mut row = Row {
            of: key.clone(),
            common: Counts::of(&figures[0]),
            all_a: Counts::of(&figures[4]),
            all_b: Counts::of(&figures[5]),
            signed_mean: values(&figures, |figures| figures.signed_mean).change(),
            mape: values(&figures, |figures| figures.mape).change(),
            shape: values(&figures, |figures| figures.shape).change(),
            at_lowest: values(&figures, |figures| figures.at_lowest).change(),
            at_highest: values(&figures, |figures| figures.at_highest).change(),
        };
        if with_intervals {
            self.judge(&mut row, &common);
        }
        row
    }

    /// Judges a row by the paired bootstrap: the same draws of sweeps for both sides, so the
    /// difference of each sweep is what is resampled.
    fn judge(&self, row: &mut Row, common: &[&Common]) {
        let rules = &self.comparer.a.rules.rules;
        let seed = bootstrap::seed(&format!("{}/difference", row.of));
        let clusters: Vec<[Part; 4]> = common
            .iter()
            .map(|Common { a_on_a, b_on_b, .. }| {
                let ([low_a, high_a], [low_b, high_b]) = (ends(a_on_a), ends(b_on_b));
                [
                    difference(a_on_a.mape_part(), b_on_b.mape_part()),
                    difference(a_on_a.signed_part(), b_on_b.signed_part()),
                    difference(low_a, low_b),
                    difference(high_a, high_b),
                ]
            })
            .collect();
        let changes = [
            (&mut row.mape, Direction::Error),
            (&mut row.signed_mean, Direction::Signed),
            (&mut row.at_lowest, Direction::Signed),
            (&mut row.at_highest, Direction::Signed),
        ];
        judge(changes, &clusters, rules, seed);
        let with_shape = common.iter().filter(|common| common.a_on_a.shape_points > 0);
        let clusters: Vec<[Part; 1]> = with_shape
            .map(|Common { a_on_a, b_on_b, .. }| [difference(a_on_a.shape_part(), b_on_b.shape_part())])
            .collect();
        judge([(&mut row.shape, Direction::Error)], &clusters, rules, seed);
    }

    /// The sweeps of which some common point has another error in B, greatest difference first.
    #[must_use]
    pub fn sweeps(&self) -> Vec<SweepDifference> {
        let mut sweeps = Vec::new();
        for (pair, errors) in self.comparer.pairs.iter().zip(&self.errors) {
            let (Some((a, b)), Some(common)) = (pair.both(), &errors.common) else { continue };
            let points: Vec<PointDifference> = common.points.iter().filter_map(point_difference).collect();
            if points.is_empty() {
                continue;
            }
            let figures = [
                &common.a_on_a,
                &common.a_on_b,
                &common.b_on_a,
                &common.b_on_b,
                &errors.all_a,
                &errors.all_b,
            ];
            let figures = figures.map(SweepErrors::figures);
            sweeps.push(SweepDifference {
                sweep: a.sweep.id.clone(),
                title: a.sweep.title(),
                estimator: self.estimator.clone(),
                metric: self.metric,
                tier: a.tier.max(b.tier),
                counts: Counts::of(&figures[0]),
                signed_mean: values(&figures, |figures| figures.signed_mean).change(),
                mape: values(&figures, |figures| figures.mape).change(),
                shape: values(&figures, |figures| figures.shape).change(),
                noise: common.noise,
                points,
            });
        }
        sort_by_size(&mut sweeps);
        sweeps
    }
}

/// Half the range of a point's repeats, in percent of the measured value.
fn repeats_noise(point: &Point<Outcome>, metric: Metric) -> f64 {
    let half_range = |spread: f64| 50.0 * (spread - 1.0);
    let known = point.spread.filter(|_| metric == Metric::Tpot).map(half_range);
    known.filter(|noise| noise.is_finite() && *noise > 0.0).unwrap_or(0.0)
}

fn point_difference((concurrency, a, b): &(u32, Pair, Pair)) -> Option<PointDifference> {
    let error = |pair: &Pair| signed_error(pair.predicted, pair.measured);
    let (a, b) = (error(a), error(b));
    (a != b).then(|| PointDifference { concurrency: *concurrency, a, b, delta: b.abs() - a.abs() })
}
