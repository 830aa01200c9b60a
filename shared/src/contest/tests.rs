use proptest::prelude::*;

use super::*;
use crate::outcome::Reason;
use crate::summary::{Figures, Interval};
use crate::testing::{estimator, not_scored, scored, snapshot_of, sweep};
use crate::tier::Verdict;

const NAMES: [&str; 3] = ["aic", "blis", "roofline"];

/// A snapshot of sweeps whose measured TPOT is 10 ms at every point; `None` is not scored.
fn snapshot(sweeps: &[(Verdict, Vec<[Option<f64>; 3]>)]) -> Summary {
    let sweeps = sweeps.iter().zip(1..).map(|((verdict, points), number)| {
        let mut builder = sweep(number).verdict(*verdict);
        for (predicted, concurrency) in points.iter().zip(1..) {
            builder = builder.measured(concurrency, 100.0, 10.0);
            for (name, tpot) in NAMES.into_iter().zip(predicted) {
                let outcome = tpot.map_or_else(|| not_scored(Reason::Timeout), |tpot| scored(100.0, tpot));
                builder = builder.outcome(name, outcome);
            }
        }
        builder.build()
    });
    let mut summary = snapshot_of(sweeps.collect());
    let template = summary.simulators[0].clone();
    summary.simulators = NAMES
        .map(|name| {
            let kind = if name == "roofline" { "roofline" } else { "command" };
            crate::outcome::SimulatorIdentity {
                id: estimator(name),
                kind: kind.to_owned(),
                ..template.clone()
            }
        })
        .into();
    summary
}

fn three() -> Summary {
    snapshot(&[
        // aic is off by 10 and 30, blis by 20 and 20 (a tie), the roofline by 50 and 50.
        (Verdict::Partial, vec![[Some(11.0), Some(12.0), Some(5.0)], [Some(13.0), Some(8.0), Some(5.0)]]),
        // The second point is not blis's: nobody is judged by it.
        (Verdict::Partial, vec![[Some(10.0), Some(14.0), Some(5.0)], [Some(90.0), None, Some(5.0)]]),
        (Verdict::NotReproducible, vec![[Some(19.0), Some(10.0), Some(5.0)]]),
    ])
}

fn figures(table: &Table) -> Vec<(u64, Option<f64>, u64, u64)> {
    let of = |standing: &Standing| {
        let mape = standing.figures.mape.map(|mape| (mape * 1e6).round() / 1e6);
        (standing.scored, mape, standing.wins, standing.shared)
    };
    table.standings.iter().map(of).collect()
}

#[test]
fn figures_are_over_the_points_that_every_estimator_scored() {
    let summary = three();
    let contest = Contest::new(&summary);
    let table = contest.table(Tier::MeasuredOrResolved, Metric::Tpot, false);
    assert_eq!((table.sweeps, table.points, table.common_sweeps, table.common_points), (2, 4, 2, 3));
    // aic (10 + 30 + 0) / 3, blis (20 + 20 + 40) / 3; aic scored the fourth point, and it counts for nobody.
    assert_eq!(
        figures(&table),
        [(4, Some(13.333_333), 1, 1), (3, Some(26.666_667), 0, 1), (4, Some(50.0), 0, 0)]
    );
    assert_eq!(table.shared, 1);
    let all = contest.table(Tier::All, Metric::Tpot, false);
    assert_eq!(figures(&all), [(5, Some(32.5), 1, 1), (4, Some(20.0), 1, 1), (5, Some(50.0), 0, 0)]);
    let strict = contest.table(Tier::Strict, Metric::Tpot, true);
    assert_eq!(figures(&strict), [(0, None, 0, 0); 3]);
    assert_eq!(strict.standings[0].skill, None);
}

#[test]
fn skill_is_the_share_of_the_rooflines_error_that_is_done_away_with() {
    let summary = three();
    let contest = Contest::new(&summary);
    assert_eq!(contest.reference(), Some(&estimator("roofline")));
    let table = contest.table(Tier::All, Metric::Tpot, false);
    let skill = |place: usize| table.standings[place].skill.map(|skill| (skill.value * 1e6).round() / 1e6);
    // 1 − 32.5/50, 1 − 20/50, and the roofline over itself.
    assert_eq!([skill(0), skill(1), skill(2)], [Some(0.35), Some(0.6), Some(0.0)]);
    // Constant curves against a constant measurement: the roofline has no shape error to do away with.
    assert_eq!(table.standings[1].shape_skill, None);
    let mut without = summary.clone();
    without.simulators.pop();
    let contest = Contest::new(&without);
    assert_eq!(contest.reference(), None);
    assert!(contest.table(Tier::All, Metric::Tpot, true).standings.iter().all(|one| one.skill.is_none()));
}

#[test]
fn a_sweep_says_whose_error_is_the_least() {
    let summary = three();
    let sweeps = Contest::new(&summary).sweeps(Tier::All, Metric::Tpot);
    let best: Vec<&[bool]> = sweeps.iter().map(|sweep| sweep.best.as_slice()).collect();
    assert_eq!(best, [&[true, true, false], &[true, false, false], &[false, true, false]]);
    assert_eq!(sweeps.iter().map(|sweep| sweep.points).collect::<Vec<_>>(), [2, 1, 1]);
    assert!((sweeps[0].mape[0] - 20.0).abs() < 1e-9);
}

#[test]
fn an_interval_of_skill_needs_five_sweeps_and_encloses_the_skill() {
    let sweeps = |count: usize| -> Vec<_> {
        let sweep = |index: usize| {
            let off = 10.0 + index as f64 / 10.0;
            (
                Verdict::Partial,
                vec![[Some(off + 1.0), Some(off), Some(5.0)], [Some(off), Some(off), Some(4.0)]],
            )
        };
        (0..count).map(sweep).collect()
    };
    let skill = |count, with_intervals| {
        let summary = snapshot(&sweeps(count));
        let table = Contest::new(&summary).table(Tier::All, Metric::Tpot, with_intervals);
        table.standings[1].skill.unwrap()
    };
    assert_eq!(skill(4, true).interval, None);
    assert_eq!(skill(9, false).interval, None);
    let Skill { value, interval } = skill(9, true);
    let Interval { low, high } = interval.unwrap();
    assert!(low < value && value < high && high < 1.0, "{low} {value} {high}");
}

fn any_snapshot() -> impl Strategy<Value = Summary> {
    let point = prop::array::uniform3(prop::option::weighted(0.8, 1.0..40.0_f64));
    let verdict = prop::sample::select(Verdict::ALL.to_vec());
    prop::collection::vec((verdict, prop::collection::vec(point, 1..5)), 0..12)
        .prop_map(|sweeps| snapshot(&sweeps))
}

proptest! {
    #[test]
    fn every_common_sweep_is_won_once_or_shared(summary in any_snapshot()) {
        let contest = Contest::new(&summary);
        for tier in Tier::ALL {
            let table = contest.table(tier, Metric::Tpot, false);
            let wins: u64 = table.standings.iter().map(|standing| standing.wins).sum();
            prop_assert_eq!(wins + table.shared, table.common_sweeps);
            prop_assert_eq!(contest.sweeps(tier, Metric::Tpot).len() as u64, table.common_sweeps);
            for standing in &table.standings {
                prop_assert_eq!(standing.figures.points, table.common_points);
                prop_assert!(table.common_points <= standing.scored && standing.scored <= table.points);
                prop_assert!(standing.skill.is_none_or(|skill| skill.value <= 1.0));
            }
        }
    }

    #[test]
    fn neither_the_order_of_the_sweeps_nor_of_the_estimators_changes_a_figure(summary in any_snapshot()) {
        let mut turned = summary.clone();
        turned.sweeps.reverse();
        turned.simulators.reverse();
        let (one, other) = (Contest::new(&summary), Contest::new(&turned));
        let mut table = other.table(Tier::All, Metric::Tpot, true);
        table.standings.reverse();
        prop_assert_eq!(one.table(Tier::All, Metric::Tpot, true), table);
    }

    #[test]
    fn intervals_change_no_other_figure(summary in any_snapshot()) {
        let contest = Contest::new(&summary);
        let bare = |with_intervals| {
            let mut table = contest.table(Tier::All, Metric::Tpot, with_intervals);
            for standing in &mut table.standings {
                let Figures { mape_interval, signed_interval, shape_interval, median, p90, .. } = &mut standing.figures;
                for interval in [mape_interval, signed_interval, shape_interval] {
                    *interval = None;
                }
                (*median, *p90) = (None, None);
                for skill in [&mut standing.skill, &mut standing.shape_skill].into_iter().flatten() {
                    skill.interval = None;
                }
            }
            table
        };
        prop_assert_eq!(bare(true), bare(false));
    }
}
