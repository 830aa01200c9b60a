//! Spikes: isolated jumps of the measured TTFT.
//!
//! A benchmark run can hit a hiccup at one concurrency. Such a point is flagged, never dropped; only
//! the report that mirrors metricscore leaves it out, and of TTFT alone.

use crate::millis::Millis;
use crate::sweep::{Flag, Point};

/// Whether the measured TTFT of the middle point is a spike: more than `factor` times both raw
/// neighbours'.
fn is_spike(before: Millis, point: Millis, after: Millis, factor: f64) -> bool {
    point.get() > factor * before.get().max(after.get())
}

/// Sets [`Flag::TtftSpike`] on exactly the points that are spikes, and keeps the flags sorted.
///
/// The points must be those of one sweep by ascending concurrency. The first and the last point are
/// never spikes. A point is compared with its raw neighbours, so two spikes can have one ordinary
/// point between them.
pub fn flag<T>(points: &mut [Point<T>], factor: f64) {
    let spikes: Vec<bool> = found(points, factor).collect();
    for (point, is_spike) in points.iter_mut().zip(spikes) {
        point.flags.retain(|flag| *flag != Flag::TtftSpike);
        if is_spike {
            point.flags.push(Flag::TtftSpike);
            point.flags.sort_unstable();
        }
    }
}

/// Whether each point of a sweep is a spike, in the order of the points.
pub fn found<T>(points: &[Point<T>], factor: f64) -> impl Iterator<Item = bool> {
    points.iter().enumerate().map(move |(index, point)| {
        let before = index.checked_sub(1).and_then(|index| points.get(index));
        before
            .zip(points.get(index + 1))
            .is_some_and(|(before, after)| is_spike(before.ttft_ms, point.ttft_ms, after.ttft_ms, factor))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sweep;

    fn spikes(measured: &[f64]) -> Vec<u32> {
        let mut builder = sweep(1);
        for (index, ttft) in (1_u32..).zip(measured) {
            builder = builder.measured(index, *ttft, 10.0);
        }
        let mut points = builder.build().points;
        flag(&mut points, 10.0);
        flag(&mut points, 10.0);
        points
            .iter()
            .filter(|point| point.flags == [Flag::TtftSpike])
            .map(|point| point.concurrency)
            .collect()
    }

    #[test]
    fn a_spike_exceeds_both_neighbours_by_more_than_the_factor() {
        assert_eq!(spikes(&[10.0, 101.0, 10.0]), [2]);
        assert_eq!(spikes(&[10.0, 100.0, 10.0]), [0; 0]);
        assert_eq!(spikes(&[10.0, 105.0, 11.0]), [0; 0]);
    }

    #[test]
    fn two_spikes_can_stand_around_one_ordinary_point() {
        assert_eq!(spikes(&[10.0, 900.0, 12.0, 700.0, 20.0]), [2, 4]);
    }

    #[test]
    fn the_ends_of_a_sweep_are_never_spikes() {
        assert_eq!(spikes(&[900.0, 10.0, 900.0]), [0; 0]);
        assert_eq!(spikes(&[900.0, 1.0]), [0; 0]);
        assert_eq!(spikes(&[]), [0; 0]);
    }

    #[test]
    fn a_flag_that_is_no_longer_true_is_taken_away() {
        let mut points = sweep(1).measured(1, 10.0, 1.0).measured(2, 20.0, 1.0).build().points;
        points[1].flags = vec![Flag::TtftSpike, Flag::SettingsDisagree];
        flag(&mut points, 10.0);
        assert_eq!(points[1].flags, [Flag::SettingsDisagree]);
    }
}
