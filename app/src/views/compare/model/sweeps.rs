//! The sweeps that differ, down to their points.

use std::sync::Arc;

use shared::compare::{Change, PointDifference, SweepDifference};
use shared::format;
use shared::tier::Tier;

use super::{Only, Order, size};
use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name};
use crate::views::overview::model::cell::{Before, Cell};
use crate::views::overview::model::typeset;
use crate::views::scene::Links;

/// The heads of the table of sweeps.
fn columns() -> Vec<Head> {
    vec![
        Head::new("sweep", "Sweep", "", "A deployment and a workload over its concurrencies"),
        Head::new("metric", "Metric", "", "Time per output token, or time to first token"),
        Head::new("points", "Points", "n in both", "Points that both runs scored"),
        Head::new("mape", "MAPE", "%, A → B", "Mean absolute error over the points that both scored"),
        Head::new("mape-delta", "Δ MAPE", "points of %", "B − A: less is better"),
        Head::new("shape", "Shape", "%, A → B", "Mean absolute error of the curve's shape"),
        Head::new("shape-delta", "Δ shape", "points of %", "B − A: less is better"),
        Head::new(
            "noise",
            "Repeats",
            "± points of %",
            "What the repeats of the measurement leave open of TPOT",
        ),
    ]
}

/// The heads of the table of a sweep's points.
fn point_columns() -> Vec<Head> {
    vec![
        Head::new("concurrency", "c", "", "Requests in flight"),
        Head::new("a", "Error in A", "%", "Signed error in A: above 0 the simulator says slower"),
        Head::new("b", "Error in B", "%", "Signed error in B"),
        Head::new("delta", "Δ |error|", "points of %", "Change of the absolute error: less is better"),
    ]
}

/// The sweeps of a tier that differ in either metric.
pub fn differences(
    all: &[Arc<SweepDifference>],
    tier: Tier,
    only: Only,
    order: Order,
) -> Vec<Arc<SweepDifference>> {
    let is_shown =
        |sweep: &&Arc<SweepDifference>| sweep.tier <= tier && only.takes([&sweep.mape, &sweep.shape]);
    let mut shown: Vec<Arc<SweepDifference>> = all.iter().filter(is_shown).map(Arc::clone).collect();
    match order {
        Order::Size => shown.sort_by(|one, other| {
            size([&other.mape, &other.shape]).total_cmp(&size([&one.mape, &one.shape]))
        }),
        Order::Name => {
            shown.sort_by(|one, other| (&one.title, one.metric).cmp(&(&other.title, other.metric)));
        }
    }
    shown
}

/// The table of some sweeps, which lead to where they are shown.
pub fn table(differences: &[Arc<SweepDifference>], only: Only, links: &Links) -> Grid {
    Grid {
        key: "sweeps",
        title: "Sweep by sweep".to_owned(),
        about: tally(differences, only),
        columns: columns(),
        rows: differences.iter().map(|sweep| line(sweep, links)).collect(),
        total: None,
    }
}

/// How many sweeps differ, and which way.
fn tally(differences: &[Arc<SweepDifference>], only: Only) -> String {
    let count = format::counted(differences.len() as u64, "row");
    match only {
        Only::All => format!("{count}: every sweep and metric of which some point has another error in B"),
        Only::Worse => format!("{count}: sweeps of which MAPE or shape rose in B"),
        Only::Better => format!("{count}: sweeps of which MAPE or shape fell in B"),
    }
}

fn line(sweep: &SweepDifference, links: &Links) -> Line {
    let over = format!("over {} that both scored", format::counted(sweep.counts.points, "point"));
    let pair = |change: &Change| {
        let text = |value| typeset(&format::percent(value));
        let full = |value| typeset(&format::full(value));
        Item::from(Cell {
            before: Some(Before { text: text(change.a), grade: None }),
            text: text(change.b),
            title: format!("A {} %, B {} % {over}", full(change.a), full(change.b)),
            ..Cell::default()
        })
    };
    let noise = (sweep.noise > 0.0).then_some(sweep.noise);
    let cells = vec![
        Item::words(sweep.metric.name()),
        Item::count(sweep.counts.points),
        pair(&sweep.mape),
        delta(sweep.mape.delta, noise),
        pair(&sweep.shape),
        delta(sweep.shape.delta, None),
        Item::number(noise, format::percent, "percentage points, half the range of the repeats")
            .marked(Mark::Quiet),
    ];
    Line {
        key: format!("{}-{}", sweep.sweep, sweep.metric.key()),
        name: name(&sweep.title),
        link: Some(links(&sweep.sweep)),
        cells,
    }
}

/// A difference of one sweep: nobody can tell it from chance but for the range of the repeats.
fn delta(delta: Option<f64>, noise: Option<f64>) -> Item {
    let within = delta.zip(noise).is_some_and(|(delta, noise)| delta.abs() <= noise);
    let item = Item::number(delta, format::points_with_arrow, "percentage points");
    let word = if within {
        "within repeats"
    } else {
        match format::arrow(delta) {
            Some('▲') => "rose",
            Some('▼') => "fell",
            Some(_) => "under 0.05",
            None => "",
        }
    };
    item.with_small(Some(word.to_owned()).filter(|word| !word.is_empty())).marked(if within {
        Mark::Quiet
    } else {
        Mark::Plain
    })
}

fn point(point: &PointDifference) -> Line {
    let PointDifference { concurrency, a, b, delta } = *point;
    let error = |value| Item::number(Some(value), format::signed_percent, "%");
    let change = Item::number(Some(delta), format::points_with_arrow, "percentage points");
    Line {
        key: concurrency.to_string(),
        name: concurrency.to_string(),
        link: None,
        cells: vec![error(a), error(b), change],
    }
}

/// The table of a sweep's points that differ.
pub fn points(sweep: &SweepDifference) -> Grid {
    Grid {
        key: "points",
        title: format!("{} of {}", sweep.metric.name(), name(&sweep.title)),
        about: String::new(),
        columns: point_columns(),
        rows: sweep.points.iter().map(point).collect(),
        total: None,
    }
}
