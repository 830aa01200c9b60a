use proptest::prelude::*;

use super::*;
use crate::metric::Metric;
use crate::millis::Millis;
use crate::outcome::Reason;
use crate::summary::{GroupBy, Interval};
use crate::testing::{estimator, not_scored, scored, sweep};
use crate::tier::{Tier, Verdict};

/// A point for [`sweep_of`]: concurrency, measured and (when scored) predicted TPOT.
type TestPoint = (u32, f64, Option<f64>);

fn sweep_of(number: u64, points: &[TestPoint]) -> Sweep<Outcome> {
    let mut builder = sweep(number);
    for (concurrency, measured, predicted) in points {
        let outcome = predicted.map_or_else(|| not_scored(Reason::RunError), |tpot| scored(1.0, tpot));
        builder = builder.measured(*concurrency, 1.0, *measured).outcome("blis", outcome);
    }
    builder.build()
}

fn everything_in(tier: Tier) -> AggregateKey {
    everything(tier, &estimator("blis"), Metric::Tpot)
}

fn figures_of(sweeps: &[Sweep<Outcome>]) -> Figures {
    let members: Vec<&Sweep<Outcome>> = sweeps.iter().collect();
    figures(&everything_in(Tier::All), &members, &Rules::current(), &Grading::default())
}

/// Six sweeps with three points each, of which three are not scored: the first point of one sweep,
/// and all but the first of another.
fn six_sweeps() -> Vec<Sweep<Outcome>> {
    let point = |number: u32, concurrency: u32| {
        let measured = f64::from(10 * number + concurrency);
        let sign = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
        let factor = 0.83 + 0.047 * f64::from(number * 5 % 7) + 0.043 * f64::from(concurrency) * sign;
        let is_scored = !matches!((number, concurrency), (2, 1) | (5, 2 | 4));
        (concurrency, measured, is_scored.then_some(measured * factor))
    };
    (1..=6).map(|number| sweep_of(number.into(), &[1, 2, 4].map(|c| point(number, c)))).collect()
}

#[test]
fn the_figures_are_those_of_an_independent_computation() {
    // By a Python script that shares no code: math.fsum over the points, statistics.median, and its
    // own port of the generator,
    //     s = (s + 0x9e3779b97f4a7c15) % 2**64; z = s
    //     z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 % 2**64; z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
    //     draw = ((z ^ z >> 31) >> 32) * k >> 32        (again while the product % 2**32 < 2**32 % k)
    // seeded with int.from_bytes(sha256(b"all/all/all/blis/tpot").digest()[:8], "big"); ends of an
    // interval: sorted(means)[24] and sorted(means)[975].
    let figures = figures_of(&six_sweeps());
    assert_eq!((figures.sweeps, figures.points, figures.not_scored, figures.shape_points), (6, 15, 3, 9));
    let close = |what: &str, found: Option<f64>, expected: f64| {
        let found = found.unwrap();
        assert!((found - expected).abs() < 1e-9, "{what}: {found} instead of {expected}");
    };
    close("mape", figures.mape, 12.14);
    close("signed_mean", figures.signed_mean, 0.726_666_666_666);
    close("shape", figures.shape, 8.696_469_591_591);
    close("signed_shape", figures.signed_shape, 0.373_525_859_167);
    close("at_lowest", figures.at_lowest, 0.166_666_666_666);
    close("at_highest", figures.at_highest, 1.599_999_999_999);
    close("median", figures.median, 10.7);
    close("p90", figures.p90, 25.4);
    close("share_over", figures.share_over, 0.533_333_333_333);
    close("cancellation", figures.cancellation, 0.940_142_778_693);
    let ends = |what: &str, interval: Option<Interval>, (low, high): (f64, f64)| {
        close(what, interval.map(|interval| interval.low), low);
        close(what, interval.map(|interval| interval.high), high);
    };
    ends("mape_interval", figures.mape_interval, (5.127_272_727_272, 18.8375));
    ends("signed_interval", figures.signed_interval, (-11.442_857_142_857, 13.78125));
    ends("shape_interval", figures.shape_interval, (7.844_281_034_662, 9.648_498_202_254));
    assert_eq!(figures.grade.unwrap().letter(), "B");
}

#[test]
fn the_anchor_is_the_lowest_scored_concurrency() {
    // Growth from concurrency 2 to 4: measured twofold, predicted threefold.
    let figures = figures_of(&[sweep_of(1, &[(1, 5.0, None), (2, 10.0, Some(10.0)), (4, 20.0, Some(30.0))])]);
    assert_eq!((figures.shape_points, figures.shape, figures.signed_shape), (1, Some(50.0), Some(50.0)));
    assert_eq!((figures.at_lowest, figures.at_highest), (Some(0.0), Some(50.0)));
    assert_eq!((figures.points, figures.not_scored), (2, 1));
}

#[test]
fn ends_weigh_by_sweep_and_means_by_point() {
    let long = sweep_of(1, &[(1, 10.0, Some(11.0)), (2, 10.0, Some(11.0)), (4, 10.0, Some(11.0))]);
    let short = sweep_of(2, &[(1, 10.0, Some(15.0))]);
    let figures = figures_of(&[long, short]);
    assert!((figures.mape.unwrap() - 20.0).abs() < 1e-9);
    assert!((figures.at_lowest.unwrap() - 30.0).abs() < 1e-9);
    assert!((figures.at_highest.unwrap() - 30.0).abs() < 1e-9);
}

#[test]
fn a_sweep_with_one_scored_point_has_no_shape() {
    let figures = figures_of(&[sweep_of(1, &[(1, 5.0, Some(4.0)), (2, 10.0, None)])]);
    assert_eq!((figures.points, figures.shape_points, figures.shape), (1, 0, None));
    assert_eq!(figures.at_lowest, figures.at_highest);
}

#[test]
fn nothing_scored_gives_counts_and_nothing_else() {
    let figures = figures_of(&[sweep_of(1, &[(1, 5.0, None), (2, 10.0, None)])]);
    assert_eq!(figures, Figures { not_scored: 2, ..Figures::default() });
    assert_eq!(figures_of(&[]), Figures::default());
    let exact = figures_of(&[sweep_of(1, &[(1, 5.0, Some(5.0))])]);
    assert_eq!((exact.mape, exact.cancellation), (Some(0.0), None));
}

#[test]
fn the_most_extreme_latencies_have_every_figure() {
    let (least, greatest) = (Millis::LEAST, Millis::GREATEST);
    let sweep = sweep_of(1, &[(1, least, Some(greatest)), (2, greatest, Some(least)), (3, 1.0, Some(1.0))]);
    let figures = figures_of(&[sweep]);
    // 10²⁰ %, 100 % and 0 %.
    assert!((figures.mape.unwrap() / (1e20 / 3.0) - 1.0).abs() < 1e-9);
    for figure in [figures.signed_mean, figures.shape, figures.p90, figures.at_lowest, figures.cancellation] {
        assert!(figure.is_some_and(f64::is_finite), "{figures:?}");
    }
}

#[test]
fn fewer_than_five_sweeps_have_no_interval() {
    let mut sweeps = six_sweeps();
    sweeps.pop();
    let five = figures_of(&sweeps);
    assert!(five.mape_interval.is_some() && five.signed_interval.is_some());
    // One of the five has no shape point.
    assert_eq!(five.shape_interval, None);
    sweeps.pop();
    assert_eq!(figures_of(&sweeps).mape_interval, None);
}

#[test]
fn every_group_is_listed_in_every_tier_also_without_a_point() {
    let mut partial = sweep(1).family("kimi").verdict(Verdict::Partial).measured(1, 1.0, 1.0);
    partial = partial.outcome("blis", scored(1.0, 2.0));
    let other = sweep(2).measured(1, 1.0, 1.0).outcome("blis", scored(1.0, 3.0)).build();
    let sweeps = [partial.build(), other];
    let estimators = [estimator("blis"), estimator("aic"), estimator("blis")];
    let keys = keys(&sweeps, &estimators);
    assert!(keys.is_sorted());
    // all 1, family 2, model 2, hardware 1, workload 1, precision 1, parallelism 1, version 1, tier 2.
    assert_eq!(keys.len(), 12 * 3 * 2 * 2);
    assert_eq!(keys[0].to_string(), "all/all/strict/aic/tpot");
    let all = all(&sweeps, &estimators, &Rules::current(), &Grading::default());
    assert_eq!(
        all.iter().map(|aggregate| &aggregate.of).collect::<Vec<_>>(),
        keys.iter().collect::<Vec<_>>()
    );
    let find = |text: &str| all.iter().find(|aggregate| aggregate.of.to_string() == text).unwrap().figures;
    assert_eq!(find("all/all/strict/blis/tpot"), Figures::default());
    assert_eq!(find("all/all/measured-or-resolved/blis/tpot").mape, Some(100.0));
    assert_eq!(find("all/all/all/blis/tpot").mape, Some(150.0));
    assert_eq!(find("family/gpt-oss/measured-or-resolved/blis/tpot").points, 0);
    assert_eq!(find("tier/measured-or-resolved/all/blis/tpot").points, 1);
    assert_eq!(find("all/all/all/aic/tpot").not_scored, 2);
    assert_eq!(super::keys(&[], &[estimator("blis")]).len(), 6);
}

#[test]
fn the_table_and_the_single_aggregate_agree_to_the_bit() {
    let mut sweeps = six_sweeps();
    sweeps[3].verdict = Verdict::Partial;
    sweeps[4].family = "kimi".to_owned();
    let members: Vec<&Sweep<Outcome>> = sweeps.iter().rev().collect();
    let (rules, grading) = (Rules::current(), Grading::default());
    for aggregate in all(&sweeps, &[estimator("blis")], &rules, &grading) {
        assert_eq!(figures(&aggregate.of, &members, &rules, &grading), aggregate.figures, "{}", aggregate.of);
    }
    let table = Table::new(&sweeps, &[]);
    assert_eq!(table.figures(&everything_in(Tier::All), &rules, &grading), Figures::default());
    let nobody = AggregateKey { by: GroupBy::Family, key: "nobody".to_owned(), ..everything_in(Tier::All) };
    assert_eq!(figures(&nobody, &members, &rules, &grading), Figures::default());
}

/// Sweeps with any latencies, some points not scored; ids by position.
fn any_sweeps() -> impl Strategy<Value = Vec<Sweep<Outcome>>> {
    let latency = || 0.01..10_000.0_f64;
    let point = (latency(), prop::option::weighted(0.85, latency()));
    prop::collection::vec(prop::collection::vec(point, 0..6), 0..9).prop_map(|sweeps| {
        let sweep = |(number, points): (u64, Vec<(f64, Option<f64>)>)| {
            let points: Vec<TestPoint> = (0_u32..)
                .zip(points)
                .map(|(index, (measured, predicted))| (1 << index, measured, predicted))
                .collect();
            sweep_of(number, &points)
        };
        (0_u64..).zip(sweeps).map(sweep).collect()
    })
}

proptest! {
    #[test]
    fn no_order_of_sweeps_and_points_changes_a_bit(sweeps in any_sweeps(), seed in any::<u64>()) {
        let expected = serde_json::to_string(&figures_of(&sweeps)).unwrap();
        let mut shuffled = sweeps;
        let mut state = seed;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        for last in (1..shuffled.len()).rev() {
            shuffled.swap(last, below(last + 1));
        }
        for sweep in &mut shuffled {
            for last in (1..sweep.points.len()).rev() {
                sweep.points.swap(last, below(last + 1));
            }
        }
        prop_assert_eq!(serde_json::to_string(&figures_of(&shuffled)).unwrap(), expected.as_str());
        let table = Table::new(&shuffled, &[estimator("blis")]);
        let drawn = table.figures(&everything_in(Tier::All), &Rules::current(), &Grading::default());
        prop_assert_eq!(serde_json::to_string(&drawn).unwrap(), expected.as_str());
    }

    #[test]
    fn figures_keep_their_relations(sweeps in any_sweeps()) {
        let figures = figures_of(&sweeps);
        let total: usize = sweeps.iter().map(|sweep| sweep.points.len()).sum();
        prop_assert_eq!(figures.points + figures.not_scored, total as u64);
        prop_assert_eq!(figures.points - figures.sweeps, figures.shape_points);
        prop_assert_eq!(figures.mape.is_some(), figures.points > 0);
        prop_assert_eq!(figures.shape.is_some(), figures.shape_points > 0);
        prop_assert_eq!(figures.mape_interval.is_some(), figures.sweeps >= 5);
        if let (Some(mape), Some(signed)) = (figures.mape, figures.signed_mean) {
            prop_assert!(signed.abs() <= mape);
            prop_assert!(figures.median.unwrap() <= figures.p90.unwrap());
            prop_assert!((0.0..=1.0).contains(&figures.share_over.unwrap()));
        }
        if let Some(cancellation) = figures.cancellation {
            prop_assert!((0.0..=1.0).contains(&cancellation), "{}", cancellation);
        }
    }

    #[test]
    fn a_constant_factor_is_all_offset_and_no_shape(sweeps in any_sweeps(), factor in 0.1..10.0_f64) {
        let mut sweeps = sweeps;
        for point in sweeps.iter_mut().flat_map(|sweep| &mut sweep.points) {
            if let Some(outcome @ Outcome::Scored(_)) = point.predictions.values_mut().next() {
                *outcome = scored(1.0, point.tpot_ms.get() * factor);
            }
        }
        let figures = figures_of(&sweeps);
        let offset = 100.0 * (factor - 1.0);
        prop_assert!(figures.shape.is_none_or(|shape| shape < 1e-9));
        prop_assert!(figures.mape.is_none_or(|mape| (mape - offset.abs()).abs() < 1e-9));
        prop_assert!(figures.signed_mean.is_none_or(|mean| (mean - offset).abs() < 1e-9));
    }
}
