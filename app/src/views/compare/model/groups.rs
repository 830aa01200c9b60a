//! The groups of two runs: how each error changed, and where the change comes from.

use shared::compare::{Change, Row, Why};
use shared::format;
use shared::metric::Metric;
use shared::summary::GroupBy;

use super::{Only, Order, size};
use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name};
use crate::views::overview::model::capitalised;
use crate::views::overview::model::column::Column;
use crate::views::overview::model::compare::Compared;

/// The columns of the changes: those of the Overview that say how large an error is, and what it rests on.
const COLUMNS: [Column; 7] = [
    Column::Points,
    Column::Mape,
    Column::Shape,
    Column::Signed,
    Column::AtLowest,
    Column::AtHighest,
    Column::Grade,
];

/// The key of a part, its name, its size, and what it is.
type Part = (&'static str, &'static str, fn(&Why) -> f64, &'static str);

/// The key of a figure, its name, and how it changed.
type Changed = (&'static str, &'static str, fn(&Row) -> &Change);

/// What a change is made of.
static PARTS: [Part; 4] = [
    ("simulator", "Simulator", |why| why.simulator, "New predictions of the same measurements"),
    ("remeasured", "Measured again", |why| why.remeasured, "New measurements of the same points"),
    ("coverage", "Coverage", |why| why.coverage, "Points that only one of the runs scored"),
    (
        "total",
        "All of A → all of B",
        |why| why.total,
        "The sum of the three: B over all its points − A over all its points",
    ),
];

/// How the errors of each group changed, over the points that both runs scored.
pub fn changes(compared: &Compared, metric: Metric, only: Only, order: Order) -> Grid {
    let by = compared.question().by;
    let head =
        |column: Column| Head::new(column.key(), column.name(), column.unit_of_both(), column.meaning());
    let line = |row: &Row| {
        let cells = COLUMNS.map(|column| Item::from(compared.cell(column, row)));
        line(row, cells.into())
    };
    Grid {
        key: match metric {
            Metric::Tpot => "changes-tpot",
            Metric::Ttft => "changes-ttft",
        },
        title: metric.name().to_owned(),
        about: format!("A → B by {}, over the points that both scored", by.name()),
        columns: std::iter::once(group(by)).chain(COLUMNS.map(head)).collect(),
        rows: chosen(compared, metric, only, order).into_iter().map(line).collect(),
        total: compared.total(metric).map(line),
    }
}

/// Where the difference of each group between the two whole runs comes from.
pub fn parts(compared: &Compared, metric: Metric, only: Only, order: Order) -> Grid {
    let figures: [Changed; 2] = [("mape", "MAPE", |row| &row.mape), ("shape", "Shape", |row| &row.shape)];
    let heads = figures.iter().flat_map(|(key, figure, _)| {
        PARTS.iter().map(move |(part, title, _, meaning)| {
            Head::new(format!("{key}-{part}"), format!("{figure}: {title}"), "points of %", meaning)
        })
    });
    let line = |row: &Row| {
        let cells = figures.iter().flat_map(|(_, _, change)| {
            let change = change(row);
            PARTS.iter().map(move |(part, title, value, _)| cell(change, part, title, *value))
        });
        line(row, cells.collect())
    };
    Grid {
        key: match metric {
            Metric::Tpot => "parts-tpot",
            Metric::Ttft => "parts-ttft",
        },
        title: format!("Where the change of {} comes from", metric.name()),
        about: "simulator + measured again + coverage = all of B − all of A".to_owned(),
        columns: std::iter::once(group(compared.question().by)).chain(heads).collect(),
        rows: chosen(compared, metric, only, order).into_iter().map(line).collect(),
        total: compared.total(metric).map(line),
    }
}

/// How many groups are shown.
pub fn count(compared: &Compared, metric: Metric, only: Only) -> usize {
    shown(compared, metric, only).count()
}

fn cell(change: &Change, part: &str, title: &str, value: fn(&Why) -> f64) -> Item {
    let shown = format::points;
    let item = Item::number(change.why.as_ref().map(value), shown, &format!("percentage points: {title}"));
    item.marked(if part == "total" { Mark::Strong } else { Mark::Plain })
}

fn group(by: GroupBy) -> Head {
    Head::new("group", capitalised(by.name()), "", "")
}

fn line(row: &Row, cells: Vec<Item>) -> Line {
    let shown = if row.of.by == GroupBy::All { "Total".to_owned() } else { name(&row.of.key) };
    Line { key: row.of.key.clone(), name: shown, link: None, cells }
}

/// The groups that are shown.
fn shown(compared: &Compared, metric: Metric, only: Only) -> impl Iterator<Item = &Row> {
    compared.groups(metric).filter(move |row| only.takes_judged(judged(row)))
}

/// The same in their order.
fn chosen(compared: &Compared, metric: Metric, only: Only, order: Order) -> Vec<&Row> {
    let mut rows: Vec<&Row> = shown(compared, metric, only).collect();
    if order == Order::Size {
        rows.sort_by(|one, other| size(judged(other)).total_cmp(&size(judged(one))));
    }
    rows
}

/// The changes that decide whether a group is better or worse.
fn judged(row: &Row) -> [&Change; 2] {
    [&row.mape, &row.shape]
}
