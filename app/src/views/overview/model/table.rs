//! The two tables of one run: a row per group and a total, each figure as the text that is shown.

use shared::format;
use shared::metric::Metric;
use shared::outcome::OutcomeCounts;
use shared::outline::Outline;
use shared::summary::{AggregateKey, Figures, GroupBy};

use super::cell::{Cell, Row, Table};
use super::choice::{Choice, tier_name};
use super::column::{Column, full};
use super::typeset;

/// Both tables of a snapshot.
pub fn both(outline: &Outline, choice: &Choice) -> [Table; 2] {
    Metric::ALL.map(|metric| one(outline, choice, metric))
}

fn one(outline: &Outline, choice: &Choice, metric: Metric) -> Table {
    let of_group = |key: &AggregateKey, by: GroupBy| {
        key.by == by && key.tier == choice.tier && key.metric == metric && key.estimator == choice.estimator
    };
    let rows_by = |by: GroupBy| {
        outline
            .aggregates
            .iter()
            .filter(move |aggregate| of_group(&aggregate.of, by))
            .map(|aggregate| row(outline, choice, &aggregate.of, &aggregate.figures))
    };
    Table { metric, rows: rows_by(choice.by).collect(), total: rows_by(GroupBy::All).next() }
}

fn row(outline: &Outline, choice: &Choice, key: &AggregateKey, figures: &Figures) -> Row {
    let cells = Column::ALL.into_iter().map(|column| cell(column, figures, outline, choice)).collect();
    let empty = (figures.points == 0).then(|| why_empty(outline, key));
    Row { key: key.key.clone(), cells, empty }
}

fn cell(column: Column, figures: &Figures, outline: &Outline, choice: &Choice) -> Cell {
    let points = || over(figures.points, figures.sweeps);
    let interval = |interval, text: fn(_) -> String| {
        choice.intervals.then(|| match interval {
            Some(_) => typeset(&text(interval)),
            None if figures.points == 0 => String::new(),
            None => format!("< {} sweeps", outline.bootstrap_min_sweeps),
        })
    };
    match column {
        Column::Sweeps => Cell { text: format::count(figures.sweeps), ..Cell::default() },
        Column::Points => Cell {
            text: format::count(figures.points),
            title: format!(
                "{} scored, {} not scored",
                format::counted(figures.points, "point"),
                format::count(figures.not_scored)
            ),
            small: (figures.not_scored > 0)
                .then(|| format!("{} not scored", format::count(figures.not_scored))),
            ..Cell::default()
        },
        Column::Signed => Cell {
            text: typeset(&format::signed_percent(figures.signed_mean)),
            title: full(column, figures.signed_mean, &points()),
            small: interval(figures.signed_interval, format::signed_interval),
            ..Cell::default()
        },
        Column::Mape => Cell {
            text: format::percent(figures.mape),
            title: full(column, figures.mape, &points()),
            small: interval(figures.mape_interval, format::interval),
            ..Cell::default()
        },
        Column::Shape => Cell {
            text: format::percent(figures.shape),
            title: full(
                column,
                figures.shape,
                &format!("over {}", format::counted(figures.shape_points, "point")),
            ),
            small: interval(figures.shape_interval, format::interval),
            ..Cell::default()
        },
        Column::ShapePoints => Cell { text: format::count(figures.shape_points), ..Cell::default() },
        Column::AtLowest | Column::AtHighest => {
            let value = if column == Column::AtLowest { figures.at_lowest } else { figures.at_highest };
            Cell {
                text: typeset(&format::signed_percent(value)),
                title: full(column, value, &format!("over {}", format::counted(figures.sweeps, "sweep"))),
                ..Cell::default()
            }
        }
        Column::Grade => Cell {
            text: figures.grade.map_or_else(|| format::NONE.to_owned(), |grade| grade.letter().to_owned()),
            title: grade_title(figures, outline),
            grade: figures.grade,
            ..Cell::default()
        },
    }
}

fn over(points: u64, sweeps: u64) -> String {
    format!("over {} in {}", format::counted(points, "point"), format::counted(sweeps, "sweep"))
}

fn grade_title(figures: &Figures, outline: &Outline) -> String {
    match figures.grade {
        Some(grade) => format!(
            "Grade {} of MAPE {} %; {}",
            grade.letter(),
            format::percent(figures.mape),
            limits(outline)
        ),
        None => "No grade without a scored point".to_owned(),
    }
}

/// The thresholds of a snapshot's grades.
pub fn limits(outline: &Outline) -> String {
    let grading = &outline.grading;
    let limit = |letter: &str, limit: f64| format!("{letter} ≤ {} %", format::full(Some(limit)));
    let limits = [
        limit("A", grading.a),
        limit("B", grading.b),
        limit("C", grading.c),
        limit("D", grading.d),
        "F above".to_owned(),
    ];
    limits.join(" · ")
}

/// Why a group has no scored point in the tier.
pub fn why_empty(outline: &Outline, key: &AggregateKey) -> String {
    let counts = outline.counts(key);
    if counts.not_scored == 0 {
        return format!("no sweep in “{}”", tier_name(key.tier));
    }
    format!("{} not scored: {}", format::counted(counts.not_scored, "point"), reasons(&counts))
}

/// The reasons with their counts: `8 unsupported model, 4 timeout`.
pub fn reasons(counts: &OutcomeCounts) -> String {
    let reasons: Vec<String> = counts
        .reasons
        .iter()
        .map(|(reason, count)| format!("{} {}", format::count(*count), reason.key().replace('_', " ")))
        .collect();
    reasons.join(", ")
}

#[cfg(test)]
mod tests {
    use shared::id::EstimatorId;
    use shared::tier::Tier;

    use super::*;
    use crate::testing;

    fn choice(tier: Tier, intervals: bool) -> Choice {
        let estimator = EstimatorId::new("sim").unwrap();
        Choice { estimator, tier, by: GroupBy::Family, intervals }
    }

    fn texts(row: &Row) -> Vec<&str> {
        row.cells.iter().map(|cell| cell.text.as_str()).collect()
    }

    #[test]
    fn a_row_shows_the_figures_of_its_group_and_the_total_those_of_the_tier() {
        let [tpot, ttft] = both(&testing::outline(&testing::mixed()), &choice(Tier::All, false));
        let keys: Vec<&str> = tpot.rows.iter().map(|row| row.key.as_str()).collect();
        assert_eq!(keys, ["gpt-oss", "kimi", "llama"]);
        // Errors +10, +30, −25; growth against the first point 18.2 % too much and 31.8 % too little.
        let expected = ["1", "3", "+5.0", "21.7", "25.0", "2", "+10.0", "−25.0", "C"];
        assert_eq!(texts(&tpot.rows[0]), expected);
        assert_eq!(texts(&ttft.rows[0]), expected, "both metrics are off alike");
        // Over five points: (10 + 30 + 25 + 100 + 100) / 5.
        assert_eq!(texts(tpot.total.as_ref().unwrap())[..4], ["2", "5", "+43.0", "53.0"]);
    }

    #[test]
    fn a_group_without_a_scored_point_is_shown_with_the_reason() {
        let [tpot, _] = both(&testing::outline(&testing::mixed()), &choice(Tier::MeasuredOrResolved, false));
        let [_, kimi, llama] = &tpot.rows[..] else { panic!("three families") };
        assert_eq!(texts(kimi), ["0", "0", "–", "–", "–", "0", "–", "–", "–"]);
        assert_eq!(kimi.empty.as_deref(), Some("3 points not scored: 3 timeout"));
        assert_eq!(llama.empty.as_deref(), Some("no sweep in “Measured or resolved”"));
        assert_eq!(tpot.rows[0].empty, None);
    }

    #[test]
    fn points_that_were_not_scored_are_counted_in_their_row() {
        let [tpot, _] = both(&testing::outline(&testing::mixed()), &choice(Tier::All, false));
        assert_eq!(tpot.rows[0].cells[1].small, None);
        assert_eq!(tpot.rows[2].cells[1].small.as_deref(), Some("1 not scored"));
    }

    #[test]
    fn titles_carry_full_precision_and_n() {
        let [tpot, _] = both(&testing::outline(&testing::mixed()), &choice(Tier::All, false));
        let title = &tpot.rows[0].cells[2].title;
        assert!(title.starts_with("Signed mean 5"), "{title}");
        assert!(title.ends_with(" % over 3 points in 1 sweep"), "{title}");
    }

    #[test]
    fn an_interval_needs_five_sweeps_and_says_so() {
        let few = testing::outline(&testing::mixed());
        let [tpot, _] = both(&few, &choice(Tier::All, true));
        assert_eq!(tpot.rows[0].cells[3].small.as_deref(), Some("< 5 sweeps"));
        let ratios = |by: f64| [Some(by), Some(by * 1.1), Some(by * 0.9)];
        let sweeps = ('0'..='5').zip([1.0, 1.1, 0.9, 1.2, 0.8, 1.3]);
        let many = sweeps.map(|(id, by)| testing::sweep(id, "llama", "PARTIAL", ratios(by), ratios(1.0)));
        let [tpot, _] = both(&testing::outline(&testing::summary(many.collect())), &choice(Tier::All, true));
        let interval = tpot.rows[0].cells[3].small.clone().unwrap();
        assert!(interval.contains(" to "), "{interval}");
        let [tpot, _] = both(&few, &choice(Tier::All, false));
        assert_eq!(tpot.rows[0].cells[3].small, None);
    }
}
