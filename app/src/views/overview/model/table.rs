//! The two tables: a row per group and a total, each figure as the text that is shown.

use shared::format;
use shared::metric::Metric;
use shared::outcome::OutcomeCounts;
use shared::summary::{AggregateKey, Figures, Grade, GroupBy, Summary};

use super::choice::{Choice, tier_name};
use super::compare::Shown;
use super::typeset;

/// A column of both tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Sweeps with a scored point.
    Sweeps,
    /// Scored points.
    Points,
    /// Mean signed error.
    Signed,
    /// Mean absolute error.
    Mape,
    /// Mean absolute shape error.
    Shape,
    /// Points of the shape error.
    ShapePoints,
    /// Mean signed error at each sweep's lowest concurrency.
    AtLowest,
    /// Mean signed error at each sweep's highest concurrency.
    AtHighest,
    /// The grade of the mean absolute error.
    Grade,
}

impl Column {
    /// Every column, from left to right.
    pub const ALL: [Self; 9] = [
        Self::Sweeps,
        Self::Points,
        Self::Signed,
        Self::Mape,
        Self::Shape,
        Self::ShapePoints,
        Self::AtLowest,
        Self::AtHighest,
        Self::Grade,
    ];

    /// As tests and style sheets know it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Sweeps => "sweeps",
            Self::Points => "points",
            Self::Signed => "signed_mean",
            Self::Mape => "mape",
            Self::Shape => "shape",
            Self::ShapePoints => "shape_points",
            Self::AtLowest => "at_lowest",
            Self::AtHighest => "at_highest",
            Self::Grade => "grade",
        }
    }

    /// The header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sweeps => "Sweeps",
            Self::Points => "Points",
            Self::Signed => "Signed mean",
            Self::Mape => "MAPE",
            Self::Shape => "Shape",
            Self::ShapePoints => "Shape points",
            Self::AtLowest => "At lowest\u{a0}c",
            Self::AtHighest => "At highest\u{a0}c",
            Self::Grade => "Grade",
        }
    }

    /// The unit under the header.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Sweeps | Self::Points | Self::ShapePoints => "n",
            Self::Signed | Self::Mape | Self::Shape | Self::AtLowest | Self::AtHighest => "%",
            Self::Grade => "A–F",
        }
    }

    /// The unit under the header when two runs are compared.
    pub fn unit_of_both(self) -> &'static str {
        match self {
            Self::Sweeps | Self::Points | Self::ShapePoints => "n in both",
            Self::Signed | Self::Mape | Self::Shape | Self::AtLowest | Self::AtHighest => "%, Δ in points",
            Self::Grade => "A–F",
        }
    }

    /// What it is, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Sweeps => "Sweeps with at least one scored point: a sweep is a deployment and a workload",
            Self::Points => "Scored points: a point is one measured concurrency of a sweep",
            Self::Signed => "Mean signed error over points; above 0 the simulator says slower than measured",
            Self::Mape => "Mean absolute error over points",
            Self::Shape => {
                "Mean absolute error of the curve's shape: growth over the sweep's lowest concurrency, \
                 predicted against measured"
            }
            Self::ShapePoints => {
                "Points the shape error is taken over: all but each sweep's lowest concurrency"
            }
            Self::AtLowest => "Signed error at each sweep's lowest scored concurrency, mean over sweeps",
            Self::AtHighest => "Signed error at each sweep's highest scored concurrency, mean over sweeps",
            Self::Grade => "The grade of the MAPE by this snapshot's thresholds",
        }
    }
}

/// A figure as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// The figure in full, with its n.
    pub title: String,
    /// A second, smaller line.
    pub small: Option<String>,
    /// The grade, in the column of grades.
    pub grade: Option<Grade>,
    /// A's figure, when two runs are compared; the text is then B's.
    pub before: Option<Before>,
    /// How far B's figure is from A's.
    pub delta: Option<Delta>,
}

/// A's figure beside B's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The text.
    pub text: String,
    /// The grade, in the column of grades.
    pub grade: Option<Grade>,
}

/// A difference as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta {
    /// Arrow, sign and size.
    pub text: String,
    /// What may be said of it.
    pub shown: Shown,
    /// Its 95 % interval.
    pub interval: Option<String>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The group's key.
    pub key: String,
    /// The cells, in the order of [`Column::ALL`].
    pub cells: Vec<Cell>,
    /// Why nothing is scored, where nothing is.
    pub empty: Option<String>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The metric.
    pub metric: Metric,
    /// The groups, in the order of the snapshot.
    pub rows: Vec<Row>,
    /// Everything in the tier.
    pub total: Option<Row>,
}

/// Both tables of a snapshot.
pub fn both(summary: &Summary, choice: &Choice) -> [Table; 2] {
    Metric::ALL.map(|metric| one(summary, choice, metric))
}

fn one(summary: &Summary, choice: &Choice, metric: Metric) -> Table {
    let of_group = |key: &AggregateKey, by: GroupBy| {
        key.by == by && key.tier == choice.tier && key.metric == metric && key.estimator == choice.estimator
    };
    let rows_by = |by: GroupBy| {
        summary
            .aggregates
            .iter()
            .filter(move |aggregate| of_group(&aggregate.of, by))
            .map(|aggregate| row(summary, choice, &aggregate.of, &aggregate.figures))
    };
    Table { metric, rows: rows_by(choice.by).collect(), total: rows_by(GroupBy::All).next() }
}

fn row(summary: &Summary, choice: &Choice, key: &AggregateKey, figures: &Figures) -> Row {
    let cells = Column::ALL.into_iter().map(|column| cell(column, figures, summary, choice)).collect();
    let empty = (figures.points == 0).then(|| why_empty(summary, key));
    Row { key: key.key.clone(), cells, empty }
}

fn cell(column: Column, figures: &Figures, summary: &Summary, choice: &Choice) -> Cell {
    let points = || over(figures.points, figures.sweeps);
    let interval = |interval, text: fn(_) -> String| {
        choice.intervals.then(|| match interval {
            Some(_) => typeset(&text(interval)),
            None if figures.points == 0 => String::new(),
            None => format!("< {} sweeps", summary.rules.rules.bootstrap_min_sweeps),
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
            title: grade_title(figures, summary),
            grade: figures.grade,
            ..Cell::default()
        },
    }
}

fn over(points: u64, sweeps: u64) -> String {
    format!("over {} in {}", format::counted(points, "point"), format::counted(sweeps, "sweep"))
}

/// A figure in full precision with its unit and n.
pub fn full(column: Column, value: Option<f64>, over: &str) -> String {
    match value {
        Some(_) => typeset(&format!("{} {} % {over}", column.name(), format::full(value))),
        None => format!("{}: not defined {over}", column.name()),
    }
}

fn grade_title(figures: &Figures, summary: &Summary) -> String {
    match figures.grade {
        Some(grade) => format!(
            "Grade {} of MAPE {} %; {}",
            grade.letter(),
            format::percent(figures.mape),
            limits(summary)
        ),
        None => "No grade without a scored point".to_owned(),
    }
}

/// The thresholds of a snapshot's grades.
pub fn limits(summary: &Summary) -> String {
    let grading = &summary.grading;
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
pub fn why_empty(summary: &Summary, key: &AggregateKey) -> String {
    let mut counts = OutcomeCounts::default();
    let members = summary.sweeps.iter().filter(|sweep| key.contains(*sweep));
    for outcome in
        members.flat_map(|sweep| &sweep.points).filter_map(|point| point.predictions.get(&key.estimator))
    {
        counts.count(outcome);
    }
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
        let [tpot, ttft] = both(&testing::mixed(), &choice(Tier::All, false));
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
        let [tpot, _] = both(&testing::mixed(), &choice(Tier::MeasuredOrResolved, false));
        let [_, kimi, llama] = &tpot.rows[..] else { panic!("three families") };
        assert_eq!(texts(kimi), ["0", "0", "–", "–", "–", "0", "–", "–", "–"]);
        assert_eq!(kimi.empty.as_deref(), Some("3 points not scored: 3 timeout"));
        assert_eq!(llama.empty.as_deref(), Some("no sweep in “Measured or resolved”"));
        assert_eq!(tpot.rows[0].empty, None);
    }

    #[test]
    fn points_that_were_not_scored_are_counted_in_their_row() {
        let [tpot, _] = both(&testing::mixed(), &choice(Tier::All, false));
        assert_eq!(tpot.rows[0].cells[1].small, None);
        assert_eq!(tpot.rows[2].cells[1].small.as_deref(), Some("1 not scored"));
    }

    #[test]
    fn titles_carry_full_precision_and_n() {
        let [tpot, _] = both(&testing::mixed(), &choice(Tier::All, false));
        let title = &tpot.rows[0].cells[2].title;
        assert!(title.starts_with("Signed mean 5"), "{title}");
        assert!(title.ends_with(" % over 3 points in 1 sweep"), "{title}");
    }

    #[test]
    fn an_interval_needs_five_sweeps_and_says_so() {
        let few = testing::mixed();
        let [tpot, _] = both(&few, &choice(Tier::All, true));
        assert_eq!(tpot.rows[0].cells[3].small.as_deref(), Some("< 5 sweeps"));
        let ratios = |by: f64| [Some(by), Some(by * 1.1), Some(by * 0.9)];
        let sweeps = ('0'..='5').zip([1.0, 1.1, 0.9, 1.2, 0.8, 1.3]);
        let many = sweeps.map(|(id, by)| testing::sweep(id, "llama", "PARTIAL", ratios(by), ratios(1.0)));
        let [tpot, _] = both(&testing::summary(many.collect()), &choice(Tier::All, true));
        let interval = tpot.rows[0].cells[3].small.clone().unwrap();
        assert!(interval.contains(" to "), "{interval}");
        let [tpot, _] = both(&few, &choice(Tier::All, false));
        assert_eq!(tpot.rows[0].cells[3].small, None);
    }
}
