//! What is said of the sweeps that are listed, in a sentence.

use shared::aggregate;
use shared::format;
use shared::metric::Metric;
use shared::outcome::Outcome;
use shared::summary::{Figures, Grade, Summary};
use shared::sweep::Sweep;

use crate::views::grid::model::name;
use crate::views::overview::model::choice::{Choice, tier_name};
use crate::views::overview::model::typeset;

/// The figures of all of them together.
fn together(summary: &Summary, choice: &Choice, sweeps: &[&Sweep<Outcome>], metric: Metric) -> Figures {
    let key = aggregate::everything(choice.tier, &choice.estimator, metric);
    aggregate::figures(&key, sweeps, &summary.rules.rules, &summary.grading)
}

/// The answer in a sentence: how far the estimator is off in these sweeps, and how much that rests on. `filters` says
/// how they were found; empty: they are all.
pub fn lead(summary: &Summary, choice: &Choice, sweeps: &[&Sweep<Outcome>], filters: &str) -> String {
    let which = if filters.is_empty() { String::new() } else { format!(" with {}", name(filters)) };
    let count = format::counted(sweeps.len() as u64, "sweep");
    let tier = tier_name(choice.tier);
    let figures = Metric::ALL.map(|metric| together(summary, choice, sweeps, metric));
    let [tpot, _] = &figures;
    let points = tpot.points + tpot.not_scored;
    if points == 0 {
        return format!("{count}{which} in “{tier}”.");
    }
    if tpot.points == 0 {
        let points = format::counted(points, "point");
        return format!(
            "{count}{which} in “{tier}”: none of {points} is scored by {}, so nothing can be said.",
            choice.estimator
        );
    }
    let off = |metric: Metric, figures: &Figures| {
        let grade = figures.grade.map_or("none", Grade::letter);
        let interval = figures.mape_interval.map_or_else(
            || "too few sweeps for an interval".to_owned(),
            |interval| format!("95 % interval {}", typeset(&format::interval(Some(interval)))),
        );
        format!(
            "{} by {} % (grade {grade}, {interval}), signed {} %",
            metric.name(),
            format::percent(figures.mape),
            typeset(&format::signed_percent(figures.signed_mean))
        )
    };
    let [tpot_off, ttft_off] = [off(Metric::Tpot, tpot), off(Metric::Ttft, &figures[1])];
    format!(
        "{count}{which} in “{tier}”, {} of {} scored by {}: off {tpot_off}; {ttft_off}.",
        format::count(tpot.points),
        format::counted(points, "point"),
        choice.estimator
    )
}

#[cfg(test)]
mod tests {
    use shared::id::EstimatorId;
    use shared::summary::GroupBy;
    use shared::tier::Tier;

    use super::*;
    use crate::testing;

    fn said(family: &str) -> String {
        let summary = testing::mixed();
        let choice = Choice {
            estimator: EstimatorId::new("sim").unwrap(),
            tier: Tier::All,
            by: GroupBy::Family,
            intervals: false,
        };
        let sweeps: Vec<_> = summary.sweeps.iter().filter(|sweep| sweep.family == family).collect();
        lead(&summary, &choice, &sweeps, &format!("text “{family}”"))
    }

    #[test]
    fn the_sentence_is_about_what_is_listed() {
        assert_eq!(
            said("gpt-oss"),
            "1 sweep with text “gpt-oss” in “All (approximate)”, 3 of 3 points scored by sim: off TPOT by 21.7 % (grade C, \
             too few sweeps for an interval), signed +5.0 %; TTFT by 21.7 % (grade C, too few sweeps for an interval), \
             signed +5.0 %."
        );
        assert!(said("kimi").ends_with("none of 3 points is scored by sim, so nothing can be said."));
        assert_eq!(said("vidur"), "0 sweeps with text “vidur” in “All (approximate)”.");
    }
}
