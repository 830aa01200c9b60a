//! The sweeps of a run with their points, as plain texts.

use shared::aggregate::{self, SweepErrors};
use shared::error::signed_error;
use shared::format;
use shared::grade;
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::outcome::{Outcome, Prediction};
use shared::summary::{Figures, Grade, Summary};
use shared::sweep::{Point, Sweep};

use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name, reason};
use crate::views::overview::model::cell::Cell;
use crate::views::overview::model::choice::{Choice, tier_name};
use crate::views::overview::model::typeset;

/// The sweeps of the tier in which every word of the text occurs, whatever its case; a sweep's id is one of its words.
pub fn found<'s>(summary: &'s Summary, choice: &Choice, text: &str) -> Vec<&'s Sweep<Outcome>> {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let has_words = |sweep: &&Sweep<Outcome>| {
        let Sweep { id, family, engine_version, verdict, .. } = *sweep;
        let engine = engine_version.as_deref().unwrap_or_default();
        let all = format!("{} {family} {engine} {} {id}", sweep.title(), verdict.name()).to_lowercase();
        words.iter().all(|word| all.contains(word))
    };
    let in_tier = summary.sweeps.iter().filter(|sweep| choice.tier.contains(sweep.verdict));
    let mut found: Vec<&Sweep<Outcome>> = in_tier.filter(has_words).collect();
    found.sort_by_cached_key(|sweep| (sweep.title(), sweep.id.clone()));
    found
}

/// The figures of all of them together.
fn together(summary: &Summary, choice: &Choice, sweeps: &[&Sweep<Outcome>], metric: Metric) -> Figures {
    let key = aggregate::everything(choice.tier, &choice.estimator, metric);
    aggregate::figures(&key, sweeps, &summary.rules.rules, &summary.grading)
}

/// The answer in a sentence: how far the estimator is off in these sweeps, and how much that rests on.
pub fn lead(summary: &Summary, choice: &Choice, sweeps: &[&Sweep<Outcome>], text: &str) -> String {
    let which =
        if text.trim().is_empty() { String::new() } else { format!(" with “{}”", name(text.trim())) };
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

/// The table of these sweeps.
pub fn table(summary: &Summary, choice: &Choice, sweeps: &[&Sweep<Outcome>]) -> Grid {
    let line = |sweep: &&Sweep<Outcome>| {
        let figures = Metric::ALL.map(|metric| SweepErrors::of(sweep, &choice.estimator, metric).figures());
        let engine = sweep.engine_version.as_deref().map_or_else(|| format::NONE.to_owned(), name);
        let facts = [
            Item::words(name(&sweep.family)),
            Item::words(name(&sweep.hardware)),
            Item::words(engine),
            Item::words(sweep.verdict.name().replace('_', " "))
                .titled(name(&sweep.verdict_reasons.join("; "))),
        ];
        let cells = facts
            .into_iter()
            .chain(counted(&figures[0]))
            .chain(figures.iter().flat_map(|figures| errors(figures, summary)));
        Line { key: sweep.id.to_string(), name: name(&sweep.title()), link: None, cells: cells.collect() }
    };
    let total = {
        let figures = Metric::ALL.map(|metric| together(summary, choice, sweeps, metric));
        let facts = [(); 4].map(|()| Item::default());
        let cells = facts
            .into_iter()
            .chain(counted(&figures[0]))
            .chain(figures.iter().flat_map(|figures| errors(figures, summary)));
        Line { key: "all".to_owned(), name: "All of these".to_owned(), link: None, cells: cells.collect() }
    };
    let heads = Metric::ALL.into_iter().flat_map(|metric| {
        let (key, name) = (metric.key(), metric.name());
        [
            Head::new(
                format!("{key}-mape"),
                format!("{name} MAPE"),
                "%",
                "Mean absolute error over the scored points",
            ),
            Head::new(
                format!("{key}-signed"),
                format!("{name} signed"),
                "%",
                "Mean signed error: above 0 the simulator says slower",
            ),
            Head::new(
                format!("{key}-shape"),
                format!("{name} shape"),
                "%",
                "Mean absolute error of the curve's shape",
            ),
            Head::new(format!("{key}-grade"), format!("{name} grade"), "A–F", "The grade of the MAPE"),
        ]
    });
    let columns = [
        Head::new("sweep", "Sweep", "", "A deployment and a workload over its concurrencies"),
        Head::new("family", "Family", "", "The model's family"),
        Head::new("hardware", "Hardware", "", "The GPU"),
        Head::new("engine", "Engine version", "", "When it is known"),
        Head::new("verdict", "Verdict", "", "How far the measured run can be reproduced"),
        Head::new("points", "Points", "n scored", "Scored points; below, those that are not"),
    ];
    Grid {
        key: "sweeps",
        title: format::counted(sweeps.len() as u64, "sweep"),
        about: format!("estimator {}", choice.estimator),
        columns: columns.into_iter().chain(heads).collect(),
        rows: sweeps.iter().map(line).collect(),
        total: Some(total),
    }
}

fn counted(figures: &Figures) -> [Item; 1] {
    let missing =
        (figures.not_scored > 0).then(|| format!("{} not scored", format::count(figures.not_scored)));
    [Item::count(figures.points).with_small(missing)]
}

fn errors(figures: &Figures, summary: &Summary) -> [Item; 4] {
    let over = format!("% over {}", format::counted(figures.points, "point"));
    let shape_over = format!("% over {}", format::counted(figures.shape_points, "point"));
    [
        Item::number(figures.mape, format::percent, &over).marked(Mark::Strong),
        Item::number(figures.signed_mean, format::signed_percent, &over),
        Item::number(figures.shape, format::percent, &shape_over),
        graded(figures.mape.map(|mape| grade::of(mape, &summary.grading))),
    ]
}

fn graded(grade: Option<Grade>) -> Item {
    let text = grade.map_or(format::NONE, Grade::letter).to_owned();
    Item::from(Cell { text, grade, ..Cell::default() })
}

/// The points of a sweep.
pub fn points(summary: &Summary, sweep: &Sweep<Outcome>, estimator: &EstimatorId) -> Grid {
    let heads = Metric::ALL.into_iter().flat_map(|metric| {
        let (key, name) = (metric.key(), metric.name());
        [
            Head::new(format!("{key}-measured"), format!("{name} measured"), "ms", "The client's mean"),
            Head::new(
                format!("{key}-predicted"),
                format!("{name} predicted"),
                "ms",
                "What the estimator says",
            ),
            Head::new(format!("{key}-error"), format!("{name} error"), "%", "Signed error"),
            Head::new(format!("{key}-grade"), "Grade", "A–F", "The grade of the absolute error"),
        ]
    });
    let why = Head::new("why", "Why not scored", "", "");
    Grid {
        key: "points",
        title: format!("Points of {}", name(&sweep.title())),
        about: format!("sweep {}", sweep.id),
        columns: std::iter::once(Head::new("concurrency", "c", "", "Requests in flight"))
            .chain(heads)
            .chain([why])
            .collect(),
        rows: sweep.points.iter().map(|point| self::point(summary, point, estimator)).collect(),
        total: None,
    }
}

fn point(summary: &Summary, point: &Point<Outcome>, estimator: &EstimatorId) -> Line {
    let (prediction, why): (Option<&Prediction>, String) = match point.predictions.get(estimator) {
        Some(Outcome::Scored(prediction)) => (Some(prediction), String::new()),
        Some(Outcome::NotScored(why)) if why.detail.is_empty() => (None, reason(why.reason.key())),
        Some(Outcome::NotScored(why)) => {
            (None, format!("{}: {}", reason(why.reason.key()), name(&why.detail)))
        }
        None => (None, "no outcome".to_owned()),
    };
    let of = |metric: Metric| {
        let measured = point.measured(metric);
        let predicted = prediction.map(|prediction| prediction.get(metric));
        let error = predicted.map(|predicted| signed_error(predicted, measured));
        let latency = |value: Option<f64>| value.map_or_else(|| format::NONE.to_owned(), format::latency);
        [
            Item::number(Some(measured.get()), latency, "ms"),
            Item::number(predicted.map(shared::millis::Millis::get), latency, "ms"),
            Item::number(error, format::signed_percent, "%").marked(Mark::Strong),
            graded(error.map(|error| grade::of(error, &summary.grading))),
        ]
    };
    let cells = Metric::ALL.into_iter().flat_map(of).chain([Item::words(why)]);
    Line {
        key: point.concurrency.to_string(),
        name: point.concurrency.to_string(),
        link: None,
        cells: cells.collect(),
    }
}

#[cfg(test)]
mod tests {
    use shared::summary::GroupBy;
    use shared::tier::Tier;

    use super::*;
    use crate::testing;

    fn choice(tier: Tier) -> Choice {
        Choice { estimator: EstimatorId::new("sim").unwrap(), tier, by: GroupBy::Family, intervals: false }
    }

    fn texts(line: &Line) -> Vec<&str> {
        line.cells.iter().map(|item| item.cell.text.as_str()).collect()
    }

    #[test]
    fn every_word_must_occur_and_the_tier_counts() {
        let summary = testing::mixed();
        let count = |tier, text| found(&summary, &choice(tier), text).len();
        assert_eq!((count(Tier::All, ""), count(Tier::MeasuredOrResolved, "")), (3, 2));
        assert_eq!(count(Tier::All, "KIMI h200"), 1);
        assert_eq!(count(Tier::All, "kimi h100"), 0);
        assert_eq!(count(Tier::All, "cccccccccccccccc"), 1);
    }

    #[test]
    fn the_sentence_and_the_last_row_are_about_what_was_found() {
        let summary = testing::mixed();
        let (choice, text) = (choice(Tier::All), "gpt-oss");
        let sweeps = found(&summary, &choice, text);
        assert_eq!(
            lead(&summary, &choice, &sweeps, text),
            "1 sweep with “gpt-oss” in “All (approximate)”, 3 of 3 points scored by sim: off TPOT by 21.7 % (grade C, \
             too few sweeps for an interval), signed +5.0 %; TTFT by 21.7 % (grade C, too few sweeps for an interval), \
             signed +5.0 %."
        );
        let grid = table(&summary, &choice, &sweeps);
        assert_eq!(texts(&grid.rows[0])[4..], texts(grid.total.as_ref().unwrap())[4..]);
        let none = found(&summary, &choice, "kimi");
        assert!(
            lead(&summary, &choice, &none, "kimi")
                .ends_with("none of 3 points is scored by sim, so nothing can be said.")
        );
    }

    #[test]
    fn a_point_shows_both_latencies_its_error_and_why_it_is_not_scored() {
        let summary = testing::mixed();
        let grid = points(&summary, &summary.sweeps[0], &choice(Tier::All).estimator);
        assert_eq!(texts(&grid.rows[1])[..4], ["20.00", "26.00", "+30.0", "C"]);
        let grid = points(&summary, &summary.sweeps[1], &choice(Tier::All).estimator);
        assert_eq!(texts(&grid.rows[0]), ["10.00", "–", "–", "–", "100.0", "–", "–", "–", "timeout: 900 s"]);
    }
}
