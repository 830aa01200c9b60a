//! The judge of a sweep: how far its run can be reproduced, and why not further.
//!
//! Source: `docs/scoring.md`, "Verdict and tier". A point has an *arguments line* when the origin of
//! any of its settings is `passed` or `resolved`: an engine's log gives both, and without a log every
//! setting is `absent`.

use std::collections::{BTreeMap, BTreeSet};

use crate::setting::{ADMISSION_SETTINGS, Origin};
use crate::summary::VerdictCount;
use crate::sweep::{LengthCheck, Point, Sweep};
use crate::tier::Verdict;

/// The verdict of a sweep by its settings and lengths, with a short sentence for each thing that
/// keeps it from `EXACT`. The sweep's own `verdict` field is not looked at.
#[must_use]
pub fn judge<T>(sweep: &Sweep<T>) -> (Verdict, Vec<String>) {
    let points = sweep.points.len();
    let logged = sweep.points.iter().filter(|point| has_arguments_line(sweep, point)).count();
    if logged == 0 {
        let reasons = vec!["no engine arguments line at any point: settings unknown".to_owned()];
        return (Verdict::NotReproducible, reasons);
    }
    let mut reasons = Vec::new();
    let mut count = |missing: usize, what: &str| {
        if missing > 0 {
            let noun = if points == 1 { "point" } else { "points" };
            reasons.push(format!("{what} at {missing} of {points} {noun}"));
        }
    };
    count(points - logged, "no engine arguments line");
    for name in ADMISSION_SETTINGS {
        let missing = sweep.points.iter().filter(|point| !is_passed(sweep, point, name)).count();
        count(missing, &format!("{name} not passed"));
    }
    let lengths =
        |wanted: fn(&LengthCheck) -> bool| sweep.points.iter().filter(|point| wanted(&point.lengths)).count();
    count(lengths(|check| *check == LengthCheck::Unknown), "sent lengths not verified");
    count(lengths(|check| matches!(check, LengthCheck::Different(_))), "sent lengths are not the client's");
    let verdict = if reasons.is_empty() { Verdict::Exact } else { Verdict::Partial };
    (verdict, reasons)
}

fn has_arguments_line<T>(sweep: &Sweep<T>, point: &Point<T>) -> bool {
    // A setting of the point hides the sweep's of the same name.
    let own = point.settings.values();
    let common = sweep.settings.iter().filter(|(name, _)| !point.settings.contains_key(*name));
    own.chain(common.map(|(_, setting)| setting)).any(|setting| setting.origin != Origin::Absent)
}

fn is_passed<T>(sweep: &Sweep<T>, point: &Point<T>, name: &str) -> bool {
    sweep.setting(point, name).is_some_and(|setting| setting.origin == Origin::Passed)
}

/// By admission setting, the `PARTIAL` sweeps in which some point did not pass it. Every setting is
/// listed, also with 0.
#[must_use]
pub fn unpassed<T>(sweeps: &[Sweep<T>]) -> BTreeMap<String, u64> {
    let partial = || sweeps.iter().filter(|sweep| sweep.verdict == Verdict::Partial);
    let unpassed_in =
        |sweep: &Sweep<T>, name| !sweep.points.iter().all(|point| is_passed(sweep, point, name));
    ADMISSION_SETTINGS
        .into_iter()
        .map(|name| (name.to_owned(), partial().filter(|sweep| unpassed_in(sweep, name)).count() as u64))
        .collect()
}

/// Sweeps, points and families of every verdict, best first, also of those without a sweep.
#[must_use]
pub fn counts<T>(sweeps: &[Sweep<T>]) -> Vec<VerdictCount> {
    Verdict::ALL
        .into_iter()
        .map(|verdict| {
            let mut count = VerdictCount { verdict, sweeps: 0, points: 0, families: Vec::new() };
            let mut families = BTreeSet::new();
            for sweep in sweeps.iter().filter(|sweep| sweep.verdict == verdict) {
                count.sweeps += 1;
                count.points += sweep.points.len() as u64;
                families.insert(sweep.family.as_str());
            }
            count.families = families.into_iter().map(str::to_owned).collect();
            count
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::setting::Setting;
    use crate::testing::sweep;

    fn three_points() -> Sweep<Outcome> {
        let builder = sweep(1).measured(1, 10.0, 5.0).measured(2, 11.0, 6.0).measured(4, 12.0, 7.0);
        let mut sweep = builder.passed().build();
        for point in &mut sweep.points {
            point.lengths = LengthCheck::Verified("sum 1".to_owned());
        }
        sweep
    }

    #[test]
    fn everything_passed_and_verified_is_exact() {
        assert_eq!(judge(&three_points()), (Verdict::Exact, Vec::new()));
        let mut hoisted = three_points();
        hoisted.hoist_settings();
        assert!(hoisted.points[0].settings.is_empty());
        assert_eq!(judge(&hoisted), (Verdict::Exact, Vec::new()));
    }

    #[test]
    fn one_thing_missing_at_one_point_is_partial_and_named() {
        let mut sweep = three_points();
        sweep.points[1].settings.insert("block_size".to_owned(), Setting::resolved(16_u32));
        assert_eq!(
            judge(&sweep),
            (Verdict::Partial, vec!["block_size not passed at 1 of 3 points".to_owned()])
        );

        let mut sweep = three_points();
        sweep.points[2].lengths = LengthCheck::Unknown;
        assert_eq!(
            judge(&sweep),
            (Verdict::Partial, vec!["sent lengths not verified at 1 of 3 points".to_owned()])
        );

        let mut sweep = three_points();
        sweep.points[2].lengths = LengthCheck::Different("sum 2".to_owned());
        assert_eq!(
            judge(&sweep),
            (Verdict::Partial, vec!["sent lengths are not the client's at 1 of 3 points".to_owned()])
        );
    }

    #[test]
    fn a_log_at_some_points_only_is_partial() {
        let mut sweep = three_points();
        for setting in sweep.points[0].settings.values_mut() {
            *setting = Setting::absent();
        }
        let (verdict, reasons) = judge(&sweep);
        assert_eq!(verdict, Verdict::Partial);
        assert_eq!(reasons[0], "no engine arguments line at 1 of 3 points");
        assert_eq!(reasons[1], "block_size not passed at 1 of 3 points");
        assert_eq!(reasons.len(), 5);
    }

    #[test]
    fn a_log_that_passed_nothing_is_partial_and_no_log_is_not_reproducible() {
        let mut sweep = three_points();
        for point in &mut sweep.points {
            point.settings.clear();
        }
        sweep.settings.insert("block_size".to_owned(), Setting::absent());
        let (verdict, reasons) = judge(&sweep);
        assert_eq!((verdict, reasons.len()), (Verdict::NotReproducible, 1));
        sweep.settings.insert("max_num_seqs".to_owned(), Setting::resolved(1024_u32));
        assert_eq!(judge(&sweep).0, Verdict::Partial);
    }

    #[test]
    fn a_sweep_without_points_is_not_reproducible() {
        assert_eq!(judge(&sweep(1).build()).0, Verdict::NotReproducible);
    }

    #[test]
    fn a_setting_unpassed_at_any_point_counts_the_partial_sweep_once() {
        let mut partial = three_points();
        partial.verdict = Verdict::Partial;
        partial.points[0].settings.remove("max_num_seqs");
        partial.points[1].settings.remove("max_num_seqs");
        let not_reproducible = sweep(2).measured(1, 1.0, 1.0).build();
        let sweeps = [partial, not_reproducible];
        let unpassed = unpassed(&sweeps);
        assert_eq!(unpassed.len(), 4);
        assert_eq!((unpassed["max_num_seqs"], unpassed["block_size"]), (1, 0));
        let counts = counts(&sweeps);
        assert_eq!(
            counts.iter().map(|count| (count.sweeps, count.points)).collect::<Vec<_>>(),
            [(0, 0), (1, 3), (1, 1)]
        );
        assert_eq!(counts[1].families, ["gpt-oss"]);
    }
}
