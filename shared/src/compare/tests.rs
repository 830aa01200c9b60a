use proptest::prelude::*;

use super::*;
use crate::aggregate::everything;
use crate::metric::Metric;
use crate::millis::Millis;
use crate::outcome::{Outcome, Reason, SettingsProfile};
use crate::rules::{Grading, RuleBook};
use crate::summary::{AggregateKey, GroupBy, Interval};
use crate::sweep::Sweep;
use crate::testing::{estimator, not_scored, scored, snapshot_of, summary, sweep};
use crate::tier::{Tier, Verdict};

/// A sweep with measured and predicted TPOT at concurrencies 1, 2, 4, …
fn sweep_of(number: u64, points: &[(f64, Option<f64>)]) -> Sweep<Outcome> {
    let mut builder = sweep(number).verdict(Verdict::Partial);
    for (index, (measured, predicted)) in (0_u32..).zip(points) {
        let outcome = predicted.map_or_else(|| not_scored(Reason::RunError), |tpot| scored(1.0, tpot));
        builder = builder.measured(1 << index, 1.0, *measured).outcome("blis", outcome);
    }
    builder.build()
}

fn row(a: &Summary, b: &Summary, tier: Tier) -> Row {
    let blis = estimator("blis");
    Comparer::new(a, b).view(&blis, Metric::Tpot).row(&everything(tier, &blis, Metric::Tpot), true)
}

#[test]
fn figures_are_compared_on_the_points_that_both_scored() {
    // Only concurrency 1 of the first sweep is common: 10 % and 30 %.
    let a = snapshot_of(vec![sweep_of(1, &[(10.0, Some(11.0)), (10.0, Some(15.0)), (10.0, None)])]);
    let b = snapshot_of(vec![
        sweep_of(1, &[(10.0, Some(13.0)), (10.0, None), (10.0, Some(10.0))]),
        sweep_of(2, &[(10.0, Some(12.0))]),
    ]);
    let row = row(&a, &b, Tier::All);
    let close =
        |value: Option<f64>, expected: f64| assert!((value.unwrap() - expected).abs() < 1e-9, "{value:?}");
    close(row.mape.a, 10.0);
    close(row.mape.b, 30.0);
    close(row.mape.delta, 20.0);
    close(row.mape.all_a, 30.0);
    close(row.mape.all_b, 50.0 / 3.0);
    let why = row.mape.why.unwrap();
    close(Some(why.simulator), 20.0);
    close(Some(why.remeasured), 0.0);
    // 10 − 30, and 16.7 − 30.
    close(Some(why.coverage), -20.0 - 40.0 / 3.0);
    close(Some(why.total), 50.0 / 3.0 - 30.0);
    assert_eq!(row.common, Counts { sweeps: 1, points: 1, shape_points: 0 });
    assert_eq!(row.all_a, Counts { sweeps: 1, points: 2, shape_points: 1 });
    assert_eq!(row.all_b, Counts { sweeps: 2, points: 3, shape_points: 1 });
    assert_eq!((row.mape.judgement, row.mape.interval), (Judgement::Unsure, None));
    assert_eq!((row.shape.judgement, row.shape.why), (Judgement::Absent, None));
}

#[test]
fn the_anchor_is_the_lowest_common_concurrency() {
    let a = snapshot_of(vec![sweep_of(1, &[(5.0, Some(5.0)), (10.0, Some(10.0)), (20.0, Some(30.0))])]);
    let b = snapshot_of(vec![sweep_of(1, &[(5.0, None), (10.0, Some(10.0)), (20.0, Some(40.0))])]);
    let row = row(&a, &b, Tier::All);
    assert_eq!((row.shape.a, row.shape.b, row.common.shape_points), (Some(50.0), Some(100.0), 1));
    assert_eq!((row.at_lowest.a, row.at_highest.b), (Some(0.0), Some(100.0)));
}

#[test]
fn a_change_is_split_into_simulator_and_new_measurement() {
    // Prediction 10 → 12, measurement 10 → 8. With x(p, m): x(10, 10) = 0, x(12, 10) = 20,
    // x(10, 8) = 25, x(12, 8) = 50. Simulator ½(20 + 25), measurement ½(25 + 30).
    let a = snapshot_of(vec![sweep_of(1, &[(10.0, Some(10.0))])]);
    let b = snapshot_of(vec![sweep_of(1, &[(8.0, Some(12.0))])]);
    let why = row(&a, &b, Tier::All).mape.why.unwrap();
    assert!((why.simulator - 22.5).abs() < 1e-9 && (why.remeasured - 27.5).abs() < 1e-9, "{why:?}");
    assert!(why.coverage == 0.0 && (why.total - 50.0).abs() < 1e-9, "{why:?}");
    let facts = Comparer::new(&a, &b).facts();
    assert_eq!((facts.remeasured, facts.same_measurements), (1, 0));
}

#[test]
fn a_sweep_counts_in_a_tier_or_group_only_when_it_is_there_in_both() {
    let in_tier = sweep_of(1, &[(10.0, Some(11.0))]);
    let mut out_of_tier = sweep_of(1, &[(10.0, Some(12.0))]);
    out_of_tier.verdict = Verdict::NotReproducible;
    out_of_tier.engine_version = Some("0.12.0".to_owned());
    let (a, b) = (snapshot_of(vec![in_tier]), snapshot_of(vec![out_of_tier]));
    let measured = row(&a, &b, Tier::MeasuredOrResolved);
    assert_eq!((measured.common.points, measured.all_a.points, measured.all_b.points), (0, 1, 0));
    assert_eq!((measured.mape.delta, measured.mape.why), (None, None));
    assert_eq!(row(&a, &b, Tier::All).common.points, 1);
    let blis = estimator("blis");
    let comparer = Comparer::new(&a, &b);
    let view = comparer.view(&blis, Metric::Tpot);
    let of_version = |version: &str| {
        let key = AggregateKey {
            by: GroupBy::EngineVersion,
            key: version.to_owned(),
            ..everything(Tier::All, &blis, Metric::Tpot)
        };
        let row = view.row(&key, false);
        (row.common.points, row.all_a.points, row.all_b.points)
    };
    assert_eq!(
        [of_version("0.11.0"), of_version("0.12.0"), of_version("9")],
        [(0, 1, 0), (0, 0, 1), (0, 0, 0)]
    );
    let versions = view.keys().into_iter().filter(|key| key.by == GroupBy::EngineVersion).count();
    assert_eq!(versions, 2 * Tier::ALL.len());
}

#[test]
fn five_sweeps_that_all_get_better_are_better_and_mixed_ones_are_noise() {
    let all = |predicted: fn(u32) -> f64| {
        let of =
            |number: u32| sweep_of(number.into(), &[(10.0, Some(predicted(number))), (20.0, Some(25.0))]);
        snapshot_of((0..8).map(of).collect())
    };
    let before = all(|number| 12.0 + f64::from(number) / 10.0);
    let judged = |after: &Summary| row(&before, after, Tier::All).mape;
    let better = judged(&all(|number| 11.0 + f64::from(number) / 10.0));
    assert_eq!(better.judgement, Judgement::Better);
    assert!(better.interval.is_some_and(|interval| interval.high < 0.0));
    assert_eq!(judged(&all(|number| 14.0 + f64::from(number) / 10.0)).judgement, Judgement::Worse);
    let mixed = judged(&all(|number| if number % 2 == 0 { 11.0 } else { 13.9 }));
    assert_eq!(mixed.judgement, Judgement::Noise);
    assert_eq!(judged(&before).judgement, Judgement::Same);
    let signed = row(&before, &all(|_| 14.0), Tier::All).signed_mean;
    assert_eq!(signed.judgement, Judgement::Changed);
    // Not asked for, nothing is judged.
    let blis = estimator("blis");
    let after = all(|_| 14.0);
    let comparer = Comparer::new(&before, &after);
    let open = comparer.view(&blis, Metric::Tpot).row(&everything(Tier::All, &blis, Metric::Tpot), false);
    assert_eq!((open.mape.judgement, open.mape.interval), (Judgement::Open, None));
}

#[test]
fn every_point_that_only_one_side_scored_or_has_is_listed() {
    let a = snapshot_of(vec![
        sweep_of(1, &[(10.0, Some(11.0)), (10.0, None), (10.0, Some(11.0))]),
        sweep_of(2, &[(10.0, Some(11.0)), (10.0, Some(11.0))]),
    ]);
    let b = snapshot_of(vec![
        sweep_of(1, &[(10.0, None), (10.0, Some(11.0)), (10.0, Some(11.0)), (10.0, None)]),
        sweep_of(3, &[(10.0, None)]),
    ]);
    let lists = Comparer::new(&a, &b).lists();
    let points = |statuses: &[PointStatus]| {
        statuses.iter().map(|it| (it.concurrency, it.why.as_ref().map(|why| why.reason))).collect::<Vec<_>>()
    };
    assert_eq!(points(&lists.newly_failing), [(1, Some(Reason::RunError))]);
    assert_eq!(points(&lists.newly_scored), [(2, Some(Reason::RunError))]);
    let sided = |list: &[OneSided]| {
        list.iter()
            .map(|it| (it.sweep.to_string(), it.whole_sweep, it.concurrencies.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(sided(&lists.only_in_a), [("0000000000000002".to_owned(), true, vec![1, 2])]);
    assert_eq!(
        sided(&lists.only_in_b),
        [("0000000000000001".to_owned(), false, vec![8]), ("0000000000000003".to_owned(), true, vec![1]),]
    );
}

#[test]
fn sweeps_are_listed_by_the_size_of_their_difference_and_unchanged_ones_are_not() {
    let of = |factors: [f64; 3]| {
        let sweeps = (1..)
            .zip(factors)
            .map(|(number, factor)| sweep_of(number, &[(10.0, Some(10.0 * factor)), (20.0, Some(20.0))]));
        snapshot_of(sweeps.collect())
    };
    let (a, b) = (of([1.0, 1.0, 1.3]), of([1.1, 1.0, 1.7]));
    let comparison = compare(&a, &b);
    let tpot = comparison.sweeps.iter().filter(|sweep| sweep.metric == Metric::Tpot);
    let found: Vec<(&str, usize)> = tpot.map(|it| (&it.sweep.as_str()[15..], it.points.len())).collect();
    assert_eq!(found, [("3", 1), ("1", 1)]);
    let first = &comparison.sweeps[0];
    assert_eq!(
        (first.points[0].concurrency, first.title.as_str()),
        (1, "gpt-oss-120b h200 vllm fp4 tp4 1k1k")
    );
    assert!((first.points[0].delta - 40.0).abs() < 1e-9);
}

#[test]
fn other_rules_are_said_first_and_nothing_is_judged() {
    let a = summary();
    let mut b = a.clone();
    b.rules = RuleBook::current(&Grading { a: 9.0, ..b.grading });
    let comparison = compare(&a, &b);
    assert!(matches!(comparison.comparability, Comparability::OtherRules { .. }));
    assert!(comparison.comparability.sentence().unwrap().contains("different scoring rules"));
    assert!(comparison.rows.is_empty() && comparison.sweeps.is_empty());
    assert_eq!(comparison.facts.sentences(), ["The scoring rules differ."]);
}

#[test]
fn snapshots_of_definitions_that_nobody_here_knows_are_not_judged() {
    let mut a = summary();
    a.rules.rules.definitions += 1;
    let comparison = compare(&a, &a);
    assert_eq!(comparison.comparability, Comparability::UnknownRules { definitions: 2 });
    assert!(comparison.comparability.sentence().unwrap().contains("version 2 of the definitions"));
    assert!(comparison.rows.is_empty() && comparison.sweeps.is_empty());
    assert_eq!(compare(&summary(), &a).comparability, comparison.comparability);
}

#[test]
fn the_facts_say_which_input_differs() {
    let a = summary();
    assert_eq!(compare(&a, &a).facts.sentences(), ["Both snapshots were made from the same inputs."]);
    let mut b = a.clone();
    b.simulators[1].settings = SettingsProfile::Defaults;
    let sentence = "Only one input differs. blis: settings profile (recorded → defaults).";
    assert_eq!(compare(&a, &b).facts.sentences(), [sentence]);
    b.simulators[0].version = "0.13.0".to_owned();
    b.sweeps[0].points[0].tpot_ms = Millis::new(1.0).unwrap();
    assert_eq!(
        compare(&a, &b).facts.sentences(),
        [
            "Measured again: 1 of 21 common points.",
            "aic: version (0.12.0 → 0.13.0).",
            "blis: settings profile (recorded → defaults).",
        ]
    );
    b.simulators.remove(0);
    let comparison = compare(&a, &b);
    assert_eq!(comparison.facts.simulators[0].differs, ["only in A"]);
    assert!(comparison.rows.iter().all(|row| row.of.estimator == estimator("blis")));
    b.simulators.clear();
    assert_eq!(compare(&a, &b).comparability, Comparability::NoCommonEstimator);
}

#[test]
fn a_comparison_survives_its_file() {
    let comparison = compare(&summary(), &snapshot_of(vec![sweep_of(1, &[(10.0, Some(11.0))])]));
    let text = serde_json::to_string(&comparison).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), comparison);
}

/// The comparison in the other direction, as it must come out.
fn mirrored(comparison: Comparison) -> Comparison {
    let Comparison { a, b, comparability, mut facts, mut rows, mut sweeps, lists } = comparison;
    for row in &mut rows {
        std::mem::swap(&mut row.all_a, &mut row.all_b);
        for change in
            [&mut row.signed_mean, &mut row.mape, &mut row.shape, &mut row.at_lowest, &mut row.at_highest]
        {
            mirror(change);
        }
    }
    for sweep in &mut sweeps {
        for change in [&mut sweep.signed_mean, &mut sweep.mape, &mut sweep.shape] {
            mirror(change);
        }
        for point in &mut sweep.points {
            std::mem::swap(&mut point.a, &mut point.b);
            point.delta = -point.delta;
        }
    }
    for simulator in &mut facts.simulators {
        std::mem::swap(&mut simulator.a, &mut simulator.b);
    }
    let Lists { newly_failing, newly_scored, only_in_a, only_in_b } = lists;
    let lists = Lists {
        newly_failing: newly_scored,
        newly_scored: newly_failing,
        only_in_a: only_in_b,
        only_in_b: only_in_a,
    };
    Comparison { a: b, b: a, comparability, facts, rows, sweeps, lists }
}

fn mirror(change: &mut Change) {
    std::mem::swap(&mut change.a, &mut change.b);
    std::mem::swap(&mut change.all_a, &mut change.all_b);
    change.delta = change.delta.map(|delta| -delta);
    change.interval = change.interval.map(|Interval { low, high }| Interval { low: -high, high: -low });
    change.judgement = match change.judgement {
        Judgement::Better => Judgement::Worse,
        Judgement::Worse => Judgement::Better,
        other => other,
    };
    if let Some(why) = &mut change.why {
        for part in [&mut why.simulator, &mut why.remeasured, &mut why.coverage, &mut why.total] {
            *part = -*part;
        }
    }
}

/// Two snapshots that share some sweeps and points; ids by position, a missing sweep has no points.
fn two_snapshots() -> impl Strategy<Value = (Summary, Summary)> {
    let latency = || 0.1..1000.0_f64;
    let side = move || prop::option::weighted(0.9, (latency(), prop::option::weighted(0.9, latency())));
    let points = prop::collection::vec((side(), side(), any::<bool>()), 0..5);
    let verdict = || prop::sample::select(Verdict::ALL.to_vec());
    prop::collection::vec((points, verdict(), verdict()), 0..10).prop_map(|sweeps| {
        let mut both = (Vec::new(), Vec::new());
        for (number, (points, verdict_a, verdict_b)) in (0_u64..).zip(sweeps) {
            let family = if number % 2 == 0 { "kimi" } else { "gpt-oss" };
            let builder = |verdict| sweep(number).family(family).verdict(verdict);
            let mut builders = (builder(verdict_a), builder(verdict_b));
            for (index, (a, b, remeasured)) in (0_u32..).zip(points) {
                let add = |builder: crate::testing::SweepBuilder, measured: f64, predicted: Option<f64>| {
                    let outcome =
                        predicted.map_or_else(|| not_scored(Reason::Timeout), |tpot| scored(tpot, tpot));
                    builder.measured(1 << index, measured * 10.0, measured).outcome("blis", outcome)
                };
                if let Some((measured, predicted)) = a {
                    builders.0 = add(builders.0, measured, predicted);
                }
                if let Some((measured, predicted)) = b {
                    let measured = a.filter(|_| !remeasured).map_or(measured, |(measured, _)| measured);
                    builders.1 = add(builders.1, measured, predicted);
                }
            }
            for (sweeps, builder) in [(&mut both.0, builders.0), (&mut both.1, builders.1)] {
                let sweep = builder.build();
                if !sweep.points.is_empty() {
                    sweeps.push(sweep);
                }
            }
        }
        (snapshot_of(both.0), snapshot_of(both.1))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_snapshot_does_not_differ_from_itself((a, _) in two_snapshots()) {
        let comparison = compare(&a, &a);
        prop_assert!(comparison.sweeps.is_empty());
        prop_assert_eq!(&comparison.lists, &Lists::default());
        for row in &comparison.rows {
            for change in [row.signed_mean, row.mape, row.shape, row.at_lowest, row.at_highest] {
                prop_assert_eq!(change.a, change.all_a);
                prop_assert_eq!(change.delta.is_some(), change.a.is_some());
                prop_assert!(change.delta.is_none_or(|delta| delta == 0.0));
                prop_assert!(matches!(change.judgement, Judgement::Same | Judgement::Absent));
                if let Some(why) = change.why {
                    prop_assert_eq!((why.simulator, why.remeasured, why.coverage, why.total), (0.0, 0.0, 0.0, 0.0));
                }
            }
        }
    }

    #[test]
    fn the_other_direction_is_the_exact_negative((a, b) in two_snapshots()) {
        prop_assert_eq!(compare(&b, &a), mirrored(compare(&a, &b)));
    }

    #[test]
    fn the_parts_add_up_to_the_difference_of_the_whole_sets((a, b) in two_snapshots()) {
        let comparison = compare(&a, &b);
        for row in &comparison.rows {
            for change in [row.signed_mean, row.mape, row.shape, row.at_lowest, row.at_highest] {
                let (Some(all_a), Some(all_b)) = (change.all_a, change.all_b) else {
                    prop_assert!(change.why.is_none());
                    continue;
                };
                prop_assert_eq!(change.why.is_some(), change.delta.is_some());
                if let Some(why) = change.why {
                    prop_assert_eq!(why.simulator + why.remeasured + why.coverage, why.total);
                    let scale = 1.0_f64.max(all_a.abs()).max(all_b.abs()).max(why.simulator.abs());
                    prop_assert!((why.total - (all_b - all_a)).abs() < 1e-9 * scale, "{:?} {:?}", why, change);
                }
            }
        }
    }

    #[test]
    fn no_order_of_the_input_changes_a_comparison((a, b) in two_snapshots()) {
        let expected = compare(&a, &b);
        let (mut a, mut b) = (a, b);
        for summary in [&mut a, &mut b] {
            summary.sweeps.reverse();
            summary.sweeps.iter_mut().for_each(|sweep| sweep.points.reverse());
        }
        prop_assert_eq!(compare(&a, &b), expected);
    }

    #[test]
    fn every_point_of_both_is_common_or_listed((a, b) in two_snapshots()) {
        let comparison = compare(&a, &b);
        prop_assume!(comparison.comparability.is_comparable());
        let scored = |summary: &Summary| {
            let points = summary.sweeps.iter().flat_map(|sweep| &sweep.points);
            points.filter(|it| matches!(it.predictions.get(&estimator("blis")), Some(Outcome::Scored(_)))).count() as u64
        };
        let key = everything(Tier::All, &estimator("blis"), Metric::Tpot);
        let row = comparison.rows.iter().find(|row| row.of == key).unwrap();
        prop_assert_eq!((row.all_a.points, row.all_b.points), (scored(&a), scored(&b)));
        let scored_alone = |list: &[OneSided], summary: &Summary| {
            let alone = summary.sweeps.iter().flat_map(|sweep| sweep.points.iter().map(move |point| (sweep, point)));
            alone.filter(|(sweep, point)| {
                let listed = list.iter().any(|it| it.sweep == sweep.id && it.concurrencies.contains(&point.concurrency));
                listed && matches!(point.predictions.get(&estimator("blis")), Some(Outcome::Scored(_)))
            }).count() as u64
        };
        let lists = &comparison.lists;
        let blis = |list: &[PointStatus]| list.iter().filter(|it| it.estimator == estimator("blis")).count() as u64;
        prop_assert_eq!(row.common.points + blis(&lists.newly_failing) + scored_alone(&lists.only_in_a, &a), scored(&a));
        prop_assert_eq!(row.common.points + blis(&lists.newly_scored) + scored_alone(&lists.only_in_b, &b), scored(&b));
    }
}
