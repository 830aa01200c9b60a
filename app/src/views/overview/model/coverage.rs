//! What became of every row and point, in a line and in a list; and what a reader has to know before
//! the figures.

use shared::format;
use shared::outcome::{OutcomeCounts, Reason};
use shared::outline::{Outline, VerdictCount};
use shared::tier::Tier;

use super::choice::{self, Choice, tier_name};
use super::table;
use crate::route::Route;

/// The line: scored, not scored, in all.
pub fn line(outline: &Outline, choice: &Choice) -> String {
    let all = &outline.coverage;
    let none = OutcomeCounts::default();
    let counts = counts(outline, choice).unwrap_or(&none);
    format!(
        "{} scored · {} not scored · {} in {}",
        format::count(counts.scored),
        format::count(counts.not_scored),
        format::counted(all.points, "point"),
        format::counted(all.sweeps, "sweep"),
    )
}

fn counts<'a>(outline: &'a Outline, choice: &Choice) -> Option<&'a OutcomeCounts> {
    let mut estimators = outline.coverage.estimators.iter();
    estimators.find(|(estimator, _)| *estimator == choice.estimator).map(|(_, counts)| counts)
}

/// The points that were not scored, by reason.
pub fn not_scored(outline: &Outline, choice: &Choice) -> Vec<String> {
    let reason = |(reason, count): (&Reason, &u64)| {
        format!("{}: {}", reason.key().replace('_', " "), format::counted(*count, "point"))
    };
    counts(outline, choice).map(|counts| counts.reasons.iter().map(reason).collect()).unwrap_or_default()
}

/// The rows of the source, from read to kept.
pub fn rows(outline: &Outline) -> Vec<String> {
    let all = &outline.coverage;
    let (read, kept) = (format::counted(all.rows_read, "row"), format::count(all.rows_kept));
    let skipped = |(reason, count): &(String, u64)| {
        format!("{}: {} skipped", reason.replace('_', " "), format::count(*count))
    };
    std::iter::once(format!("{read} read, {kept} kept")).chain(all.rows_skipped.iter().map(skipped)).collect()
}

/// The sweeps by verdict.
pub fn verdicts(outline: &Outline) -> Vec<String> {
    let one = |count: &VerdictCount| {
        format!(
            "{}: {} with {}",
            count.verdict.name(),
            format::counted(count.sweeps, "sweep"),
            format::counted(count.points, "point")
        )
    };
    outline.verdicts.iter().map(one).collect()
}

/// Whether the corpus has any sweep of a tier, scored or not.
fn has_sweeps(outline: &Outline, tier: Tier) -> bool {
    outline.verdicts.iter().any(|count| tier.contains(count.verdict) && count.sweeps > 0)
}

/// What has to be known before the figures of this tier are read; the first part is the headline.
pub fn tier_notice(route: &Route, outline: &Outline, choice: &Choice) -> Option<(String, String)> {
    let approximate =
        "All (approximate) includes sweeps whose engine settings are not known. No conclusion rests on it.";
    if choice.tier == Tier::All {
        let why = if route.tier.is_some() {
            "This is the approximate tier.".to_owned()
        } else if !has_sweeps(outline, Tier::MeasuredOrResolved) {
            format!(
                "“{}” is empty: no sweep of this snapshot is EXACT or PARTIAL. Showing all sweeps instead.",
                tier_name(Tier::MeasuredOrResolved)
            )
        } else {
            format!(
                "“{}” is empty: none of its points is scored by this estimator. Showing all sweeps instead.",
                tier_name(Tier::MeasuredOrResolved)
            )
        };
        return Some((why, approximate.to_owned()));
    }
    let total = choice::total(outline, choice.tier, &choice.estimator, shared::metric::Metric::Tpot)?;
    (total.points == 0).then(|| {
        let key = shared::aggregate::everything(choice.tier, &choice.estimator, shared::metric::Metric::Tpot);
        (
            format!("“{}” has no scored point in this snapshot.", tier_name(choice.tier)),
            format!("Why: {}. Choose another tier to see figures.", table::why_empty(outline, &key)),
        )
    })
}

/// That the site is stale, or that a newer run exists.
pub fn age_notice(newest: &str, shown_is_newest: bool, now: &str) -> Option<String> {
    let days = format::days_between(newest, now)?;
    if days > format::STALE_AFTER_DAYS {
        Some(format!(
            "The newest snapshot is {} old. Either neither the simulator nor the measurements have been \
             released anew since, or the nightly run has stopped.",
            format::age(days)
        ))
    } else if shown_is_newest {
        None
    } else {
        Some("A newer run than this one is available.".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn choice(route: &Route, summary: &Outline) -> Choice {
        Choice::of(route, summary)
    }

    #[test]
    fn the_line_and_the_lists_say_what_the_snapshot_counts() {
        let summary = testing::outline(&testing::mixed());
        let choice = choice(&Route::default(), &summary);
        assert_eq!(line(&summary, &choice), "5 scored · 4 not scored · 9 points in 3 sweeps");
        assert_eq!(not_scored(&summary, &choice), ["timeout: 4 points"]);
        assert_eq!(rows(&summary), ["5 rows read, 3 kept", "other framework: 2 skipped"]);
        assert_eq!(verdicts(&summary)[1], "PARTIAL: 2 sweeps with 6 points");
    }

    #[test]
    fn the_approximate_tier_always_carries_its_caution_and_a_fallback_says_why() {
        let right = [Some(1.0); 3];
        let mixed = testing::outline(&testing::mixed());
        let default = Route::default();
        assert_eq!(tier_notice(&default, &mixed, &choice(&default, &mixed)), None);
        let all = Route { tier: Some(Tier::All), ..Route::default() };
        let (why, text) = tier_notice(&all, &mixed, &choice(&all, &mixed)).unwrap();
        assert_eq!(why, "This is the approximate tier.");
        assert!(text.ends_with("No conclusion rests on it."));

        let unknown = || testing::sweep('a', "llama", "NOT_REPRODUCIBLE", right, right);
        let none = testing::outline(&testing::summary(vec![unknown()]));
        let (why, _) = tier_notice(&default, &none, &choice(&default, &none)).unwrap();
        assert!(why.contains("no sweep of this snapshot is EXACT or PARTIAL"), "{why}");
        let failed = testing::sweep('b', "llama", "PARTIAL", [None; 3], right);
        let failed = testing::outline(&testing::summary(vec![unknown(), failed]));
        let (why, _) = tier_notice(&default, &failed, &choice(&default, &failed)).unwrap();
        assert!(why.contains("none of its points is scored"), "{why}");
    }

    #[test]
    fn a_chosen_tier_without_figures_says_so() {
        let summary = testing::outline(&testing::mixed());
        let strict = Route { tier: Some(Tier::Strict), ..Route::default() };
        let (headline, text) = tier_notice(&strict, &summary, &choice(&strict, &summary)).unwrap();
        assert_eq!(headline, "“Strict” has no scored point in this snapshot.");
        assert!(text.contains("no sweep in “Strict”"), "{text}");
    }

    #[test]
    fn a_snapshot_is_stale_after_eight_days_and_an_older_one_points_to_the_newest() {
        let made = "2026-11-30T08:00:00Z";
        assert_eq!(age_notice(made, true, "2026-12-08T07:00:00Z"), None);
        let stale = age_notice(made, true, "2026-12-09T07:00:00Z").unwrap();
        assert!(stale.starts_with("The newest snapshot is 9 days old."), "{stale}");
        assert!(age_notice(made, false, "2026-12-01T07:00:00Z").unwrap().contains("newer run"));
    }
}
