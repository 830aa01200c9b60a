//! From the errors of some sweeps to the figures of one aggregate.

use super::sweep_errors::SweepErrors;
use crate::bootstrap::{self, Part};
use crate::grade;
use crate::rules::{Grading, Rules};
use crate::summary::{AggregateKey, Figures, Interval};

/// The figures over some sweeps, which must come by ascending id.
pub(crate) fn pool<'a>(
    key: &AggregateKey,
    sweeps: impl Iterator<Item = &'a SweepErrors>,
    rules: &Rules,
    grading: &Grading,
) -> Figures {
    let mut totals = Totals::default();
    let mut scored = Vec::new();
    for sweep in sweeps {
        totals.add(sweep);
        if sweep.ends.is_some() {
            scored.push(sweep);
        }
    }
    let mut figures = totals.figures();
    let mut absolute = Vec::with_capacity(scored.iter().map(|sweep| sweep.absolute.len()).sum());
    for sweep in &scored {
        absolute.extend_from_slice(&sweep.absolute);
    }
    figures.p90 = quantile(&mut absolute, 0.9);
    figures.median = quantile(&mut absolute, 0.5);
    let [mape, signed, shape] = intervals(key, &scored, rules);
    figures.mape_interval = mape;
    figures.signed_interval = signed;
    figures.shape_interval = shape;
    figures.grade = figures.mape.map(|mape| grade::of(mape, grading));
    figures
}

/// The sums over some sweeps, which must be added by ascending id.
#[derive(Default)]
pub(crate) struct Totals {
    figures: Figures,
    absolute: f64,
    signed: f64,
    shape: f64,
    signed_shape: f64,
    over: u64,
    lowest: f64,
    highest: f64,
}

impl Totals {
    /// Adds the next sweep.
    pub(crate) fn add(&mut self, sweep: &SweepErrors) {
        self.figures.not_scored += u64::from(sweep.not_scored);
        if let Some((lowest, highest)) = sweep.ends {
            self.figures.sweeps += 1;
            self.figures.points += u64::from(sweep.points());
            self.figures.shape_points += u64::from(sweep.shape_points);
            self.absolute += sweep.absolute_sum;
            self.signed += sweep.signed_sum;
            self.shape += sweep.shape_sum;
            self.signed_shape += sweep.signed_shape_sum;
            self.over += u64::from(sweep.over);
            self.lowest += lowest;
            self.highest += highest;
        }
    }

    /// The figures, without quantiles, intervals and grade.
    pub(crate) fn figures(self) -> Figures {
        let Figures { sweeps, points, shape_points, .. } = self.figures;
        let mape = mean(self.absolute, points);
        let signed_mean = mean(self.signed, points);
        let cancellation = match (signed_mean, mape) {
            (Some(signed), Some(mape)) if mape > 0.0 => Some(1.0 - signed.abs() / mape),
            _ => None,
        };
        Figures {
            mape,
            signed_mean,
            shape: mean(self.shape, shape_points),
            signed_shape: mean(self.signed_shape, shape_points),
            at_lowest: mean(self.lowest, sweeps),
            at_highest: mean(self.highest, sweeps),
            share_over: mean(self.over as f64, points),
            cancellation,
            ..self.figures
        }
    }
}

/// The mean of `count` values; none without a value.
fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The quantile by linear interpolation at position `share·(n − 1)`; for a half that is the median,
/// the mean of the two middle values. The values are left in another order.
fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    let position = share * values.len().checked_sub(1)? as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounding down is meant")]
    let below = position as usize;
    let fraction = position - below as f64;
    let (_, low, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let low = *low;
    let next = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    Some(if fraction == 0.0 { low } else { low + fraction * (next - low) })
}

/// The intervals of MAPE, signed mean and shape error. The clusters of the shape error are the sweeps
/// that have a shape point.
fn intervals(key: &AggregateKey, scored: &[&SweepErrors], rules: &Rules) -> [Option<Interval>; 3] {
    if scored.len() < rules.bootstrap_min_sweeps as usize {
        return [None; 3];
    }
    let seed = bootstrap::seed(&key.to_string());
    if scored.iter().all(|sweep| sweep.shape_points > 0) {
        // Both draw from the same sweeps with the same seed: one run gives what two would.
        let clusters: Vec<[Part; 3]> =
            scored.iter().map(|sweep| [sweep.mape_part(), sweep.signed_part(), sweep.shape_part()]).collect();
        return bootstrap::intervals(&clusters, rules, seed);
    }
    let clusters: Vec<[Part; 2]> =
        scored.iter().map(|sweep| [sweep.mape_part(), sweep.signed_part()]).collect();
    let [mape, signed] = bootstrap::intervals(&clusters, rules, seed);
    let with_shape = scored.iter().filter(|sweep| sweep.shape_points > 0);
    let clusters: Vec<[Part; 1]> = with_shape.map(|sweep| [sweep.shape_part()]).collect();
    let [shape] = bootstrap::intervals(&clusters, rules, seed);
    [mape, signed, shape]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(quantile(&mut [4.0, 1.0, 3.0, 2.0], 0.5), Some(2.5));
        assert_eq!(quantile(&mut [3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile(&mut [7.0], 0.5), Some(7.0));
        assert_eq!(quantile(&mut [], 0.5), None);
    }

    #[test]
    fn the_ninetieth_percentile_is_interpolated_as_numpy_does() {
        // numpy.percentile([15, 20, 35, 40, 50], 90) = 46.0; of 1..=4: 3.7.
        assert!((quantile(&mut [50.0, 15.0, 40.0, 20.0, 35.0], 0.9).unwrap() - 46.0).abs() < 1e-12);
        assert!((quantile(&mut [4.0, 2.0, 3.0, 1.0], 0.9).unwrap() - 3.7).abs() < 1e-12);
    }
}
