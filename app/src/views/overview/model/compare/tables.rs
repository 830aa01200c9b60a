//! Both tables of two runs: each figure of A, of B, and their difference.

use shared::compare::{Change, Row as Figures};
use shared::format;
use shared::grade;
use shared::metric::Metric;
use shared::rules::Grading;
use shared::summary::Grade;

use super::Compared;
use crate::views::overview::model::cell::{Before, Cell, Delta, Row, Table};
use crate::views::overview::model::choice::tier_name;
use crate::views::overview::model::column::Column;
use crate::views::overview::model::shown::Shown;
use crate::views::overview::model::typeset;

/// Both tables.
pub fn both(compared: &Compared) -> [Table; 2] {
    let row = |figures: &Figures| row(figures, compared);
    Metric::ALL.map(|metric| Table {
        metric,
        rows: compared.groups(metric).map(row).collect(),
        total: compared.total(metric).map(row),
    })
}

fn row(figures: &Figures, compared: &Compared) -> Row {
    let cells = Column::ALL.into_iter().map(|column| cell(column, figures, &compared.grading)).collect();
    let empty = (figures.common.points == 0).then(|| {
        if figures.all_a.points == 0 && figures.all_b.points == 0 {
            format!("neither run has a scored point in “{}”", tier_name(compared.question.tier))
        } else {
            format!(
                "no point that both runs scored: A {}, B {}",
                format::count(figures.all_a.points),
                format::count(figures.all_b.points)
            )
        }
    });
    Row { key: figures.of.key.clone(), cells, empty }
}

/// A figure of both runs.
pub fn cell(column: Column, figures: &Figures, grading: &Grading) -> Cell {
    let (common, a, b) = (figures.common, figures.all_a, figures.all_b);
    let count = |common: u64, a: u64, b: u64| Cell {
        text: format::count(common),
        title: format!(
            "{} in both; A has {}, B has {}",
            format::count(common),
            format::count(a),
            format::count(b)
        ),
        small: (a != common || b != common)
            .then(|| format!("A {} · B {}", format::count(a), format::count(b))),
        ..Cell::default()
    };
    let over_points = || {
        let (points, sweeps) =
            (format::counted(common.points, "point"), format::counted(common.sweeps, "sweep"));
        format!("over {points} in {sweeps} that both scored")
    };
    let over = |n: u64, noun: &str| format!("over {} that both scored", format::counted(n, noun));
    match column {
        Column::Sweeps => count(common.sweeps, a.sweeps, b.sweeps),
        Column::Points => count(common.points, a.points, b.points),
        Column::ShapePoints => count(common.shape_points, a.shape_points, b.shape_points),
        Column::Signed => figure(column, &figures.signed_mean, &over_points()),
        Column::Mape => figure(column, &figures.mape, &over_points()),
        Column::Shape => figure(column, &figures.shape, &over(common.shape_points, "point")),
        Column::AtLowest => figure(column, &figures.at_lowest, &over(common.sweeps, "sweep")),
        Column::AtHighest => figure(column, &figures.at_highest, &over(common.sweeps, "sweep")),
        Column::Grade => grades(&figures.mape, grading),
    }
}

/// A figure of A, of B, and their difference.
fn figure(column: Column, change: &Change, over: &str) -> Cell {
    let is_error = matches!(column, Column::Mape | Column::Shape);
    let text =
        |value| typeset(&if is_error { format::percent(value) } else { format::signed_percent(value) });
    let shown = Shown::of(change);
    let delta = (shown != Shown::Absent).then(|| Delta {
        text: typeset(&format::points_with_arrow(change.delta)),
        shown,
        interval: match (change.interval, shown) {
            // Takes the room of the interval that is about to come.
            (None, Shown::Open) => "…".to_owned(),
            (interval, _) => typeset(&format::signed_interval(interval)),
        },
    });
    Cell {
        before: Some(Before { text: text(change.a), grade: None }),
        text: text(change.b),
        title: title(column, change, shown, over),
        delta,
        ..Cell::default()
    }
}

/// The change in full, and where the difference of the two whole runs comes from.
fn title(column: Column, change: &Change, shown: Shown, over: &str) -> String {
    let full = |value| typeset(&format::full(value));
    let difference = format!(
        "{} A {} %, B {} %, difference {} percentage points {over}: {}",
        column.name(),
        full(change.a),
        full(change.b),
        full(change.delta),
        shown.meaning(),
    );
    let Some(why) = change.why else { return difference };
    let part = |value| typeset(&format::points(Some(value)));
    format!(
        "{difference}. All of A against all of B {}: simulator {}, measured again {}, coverage {}",
        part(why.total),
        part(why.simulator),
        part(why.remeasured),
        part(why.coverage)
    )
}

fn grades(mape: &Change, grading: &Grading) -> Cell {
    let of = |value: Option<f64>| value.map(|value| grade::of(value, grading));
    let letter = |grade: Option<Grade>| {
        grade.map_or_else(|| format::NONE.to_owned(), |grade| grade.letter().to_owned())
    };
    let (a, b) = (of(mape.a), of(mape.b));
    Cell {
        before: Some(Before { text: letter(a), grade: a }),
        text: letter(b),
        title: format!("Grade of the MAPE over the common points: A {}, B {}", letter(a), letter(b)),
        grade: b,
        ..Cell::default()
    }
}
