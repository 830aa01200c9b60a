//! The two tables.

use leptos::prelude::Get;
use shared::metric::Metric;
use shared::summary::Grade;

use super::model::capitalised;
use super::model::cell::{Before, Cell, Delta, Row, Table};
use super::model::choice::{Choice, tier_name};
use super::model::column::Column;
use super::model::shown::Shown;
use super::state::{Overview, Scene};
use crate::dom::{Element, Node, element, nothing};

/// Both tables, or the room they will take.
pub fn tables(main: Element, state: Overview) -> Element {
    let scene = move || state.scene.get();
    let spoken = move || scene().map_or_else(String::new, |scene| spoken(&scene));
    let draw = |(scene, failed): &(Option<Scene>, bool)| match scene {
        Some(scene) => scene.tables.iter().map(|table| draw_table(scene, table).into()).collect(),
        None if *failed => nothing(),
        None => (0..2).map(|_| element("div").class("bone table").into()).collect(),
    };
    let tables = element("div")
        .class("tables")
        .live_class("wide", move || scene().is_some_and(|scene| scene.comparison().is_some()))
        .live_state("aria-busy", move || state.busy())
        .live(move || (scene(), state.failed()), draw);
    main.child(element("p").class("unseen").attr("role", "status").live_text(spoken)).child(tables)
}

/// What is shown, for the ear.
fn spoken(Scene { choice, tables, .. }: &Scene) -> String {
    let groups = tables.first().map_or(0, |table| table.rows.len());
    format!("{}, by {}: {groups} groups", tier_name(choice.tier), choice.by.name())
}

fn full_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Tpot => "time per output token",
        Metric::Ttft => "time to first token",
    }
}

/// One table.
fn draw_table(scene: &Scene, Table { metric, rows, total }: &Table) -> Element {
    let heading = match metric {
        Metric::Tpot => "tpot-heading",
        Metric::Ttft => "ttft-heading",
    };
    let compares = scene.comparison().is_some();
    let intervals = scene.choice.intervals;
    let about = format!(
        "{} · error against measured{}",
        full_name(*metric),
        if compares { " · A → B and their difference, over the points both scored" } else { "" }
    );
    let head = element("div")
        .class("card-head")
        .child(element("h2").attr("id", heading).child(metric.name()))
        .child(element("p").child(about));
    let header = element("tr")
        .child(element("th").attr("scope", "col").child(capitalised(scene.choice.by.name())))
        .children(Column::ALL.map(|column| draw_header(column, compares)));
    let table = element("table")
        .class("figures")
        .attr("data-metric", metric.key())
        .child(element("caption").class("unseen").child(caption(*metric, &scene.choice, compares)))
        .child(element("thead").child(header))
        .child(element("tbody").children(rows.iter().map(|row| draw_row(row, &row.key, intervals))))
        .child(element("tfoot").children(total.iter().map(|row| draw_row(row, "Total", intervals))));
    let scroll = element("div")
        .class("scroll")
        .attr("role", "region")
        .attr("aria-labelledby", heading)
        .attr("tabindex", "0")
        .child(table);
    element("div").class("card").child(head).child(scroll)
}

fn caption(metric: Metric, Choice { tier, by, estimator, .. }: &Choice, compares: bool) -> String {
    let runs = if compares { "run A to run B, " } else { "" };
    format!(
        "Errors of predicted against measured {} by {}, {runs}tier {}, estimator {estimator}; the last row is \
         the total.",
        metric.name(),
        by.name(),
        tier.name(),
    )
}

fn draw_header(column: Column, compares: bool) -> Element {
    let unit = if compares { column.unit_of_both() } else { column.unit() };
    element("th")
        .attr("scope", "col")
        .title(column.meaning())
        .child(column.name())
        .child(" ")
        .child(element("small").child(unit))
}

/// A row. Where nothing is scored, the reason takes the place of the figures after the two counts.
fn draw_row(row: &Row, name: &str, intervals: bool) -> Element {
    const COUNTS: usize = 2;
    let shown = if row.empty.is_some() { COUNTS } else { Column::ALL.len() };
    let cells = Column::ALL.into_iter().zip(&row.cells).take(shown);
    let reason = row.empty.iter().map(|why| {
        let rest = (Column::ALL.len() - COUNTS).to_string();
        element("td").class("empty-reason").attr("colspan", &rest).child(format!("– {why}"))
    });
    element("tr")
        .attr("data-key", &row.key)
        .child(element("th").attr("scope", "row").child(name))
        .children(cells.map(|(column, cell)| draw_cell(column, cell, intervals)))
        .children(reason)
}

fn draw_cell(column: Column, cell: &Cell, intervals: bool) -> Element {
    let shown = element("td").attr("data-column", column.key());
    let shown = if column == Column::Mape { shown.class("key") } else { shown };
    fill(shown, cell, intervals)
}

/// Puts what a cell says into its element.
pub fn fill(shown: Element, cell: &Cell, intervals: bool) -> Element {
    let Cell { text, title, small, grade, before, delta } = cell;
    let pair = element("span")
        .class("pair")
        .children(before.iter().flat_map(draw_before))
        .child(draw_value("value", text, *grade));
    shown
        .title(title)
        .child(pair)
        .children(delta.iter().flat_map(|delta| draw_delta(delta, intervals)))
        .children(small.iter().map(|small| draw_small(small)))
}

fn draw_before(Before { text, grade }: &Before) -> [Node; 3] {
    let to = element("span").class("to").attr("aria-hidden", "true").child("→");
    let spoken = element("span").class("unseen").child(" to ");
    [draw_value("before", text, *grade), to, spoken].map(Node::from)
}

fn draw_delta(Delta { text, shown, interval }: &Delta, intervals: bool) -> impl Iterator<Item = Element> {
    let delta = element("span").class(delta_class(*shown)).child(text.as_str());
    let interval = intervals.then(|| draw_small(interval));
    [delta, draw_small(shown.word())].into_iter().chain(interval)
}

fn draw_small(text: &str) -> Element {
    element("small").class("small soft").child(text)
}

fn draw_value(class: &str, text: &str, grade: Option<Grade>) -> Element {
    let class = grade.map_or_else(|| class.to_owned(), |grade| format!("{class} {}", grade_class(grade)));
    element("span").class(&class).child(text)
}

fn delta_class(shown: Shown) -> &'static str {
    match shown {
        Shown::Better => "delta better",
        Shown::Worse => "delta worse",
        Shown::Moved => "delta moved",
        Shown::Tiny | Shown::Same | Shown::Noise | Shown::Unsure | Shown::Open | Shown::Absent => {
            "delta quiet"
        }
    }
}

/// The colours of a grade; its letter stands inside.
fn grade_class(grade: Grade) -> &'static str {
    match grade {
        Grade::A => "grade grade-a",
        Grade::B => "grade grade-b",
        Grade::C => "grade grade-c",
        Grade::D => "grade grade-d",
        Grade::F => "grade grade-f",
    }
}
