//! Draws the tables of the views.

pub mod model;

use std::rc::Rc;

use leptos::prelude::*;
use shared::format;

use self::model::{Grid, Head, Item, Line, Mark};
use crate::dom::{Element, Node, element, nothing, svg};
use crate::views::export;
use crate::views::overview::tables::fill;

/// How many rows are drawn at once; whoever wants the others asks for them.
const FIRST_ROWS: usize = 60;

/// What belongs under a row, by the row's place, for whoever opens it.
pub type Details = Rc<dyn Fn(usize) -> Vec<Node>>;

/// A table in a card of its own.
pub fn draw(grid: Grid, intervals: bool) -> Element {
    card(grid, intervals, None)
}

/// A table of which every row can be opened.
pub fn draw_with_details(grid: Grid, intervals: bool, details: &Details) -> Element {
    card(grid, intervals, Some(details))
}

fn card(grid: Grid, intervals: bool, details: Option<&Details>) -> Element {
    let title = element("h2").child(grid.title.as_str());
    let head = element("div").class("card-head").child(title).child(element("p").child(grid.about.as_str()));
    let table = table(&grid);
    let rows = grid.rows.len();
    let all = RwSignal::new(rows <= FIRST_ROWS);
    let grid = Rc::new(grid);
    let head = head.children(export::of_grid(&grid));
    let body = {
        let (grid, details) = (Rc::clone(&grid), details.cloned());
        let draw = move |all: &bool| {
            let shown = if *all { grid.rows.len() } else { FIRST_ROWS };
            let lines = grid.rows.iter().enumerate().take(shown);
            let rows = lines.flat_map(|(place, line)| row(&grid, place, line, intervals, details.as_ref()));
            rows.map(Node::from).collect()
        };
        element("tbody").live(move || all.get(), draw)
    };
    let total = grid.total.iter().map(|line| cells(&grid, line, name_cell(line, None), intervals));
    let table = table.child(body).child(element("tfoot").children(total));
    let scroll = element("div")
        .class("scroll")
        .attr("role", "region")
        .attr("aria-label", &grid.title)
        .attr("tabindex", "0")
        .child(table);
    element("div").class("card").attr("data-grid", grid.key).child(head).child(scroll).live(
        move || all.get(),
        move |is_all| if *is_all { nothing() } else { vec![show_all(rows, all).into()] },
    )
}

fn show_all(rows: usize, all: RwSignal<bool>) -> Element {
    let text = format!("Show all {}", format::counted(rows as u64, "row"));
    let button = element("button")
        .attr("type", "button")
        .class("button quiet")
        .on("click", move |_| all.set(true))
        .child(text);
    element("p").class("card-foot").child(button)
}

/// The table with its heads. An empty one says so.
fn table(grid: &Grid) -> Element {
    let caption = if grid.rows.is_empty() {
        element("caption").class("none").child("Nothing to show here.")
    } else {
        element("caption").class("unseen").child(format!("{}: {}", grid.title, grid.about))
    };
    let heads = element("tr").children(grid.columns.iter().map(head));
    element("table")
        .class("figures sheet")
        .attr("aria-label", &grid.title)
        .child(caption)
        .child(element("thead").child(heads))
}

fn head(Head { key, name, unit, meaning }: &Head) -> Element {
    let cell =
        element("th").attr("scope", "col").attr("data-column", key).title(meaning).child(name.as_str());
    if unit.is_empty() { cell } else { cell.child(" ").child(element("small").child(unit.as_str())) }
}

/// A row, and under it the one that can be opened.
fn row(grid: &Grid, place: usize, line: &Line, intervals: bool, details: Option<&Details>) -> Vec<Element> {
    let Some(details) = details else {
        return vec![cells(grid, line, name_cell(line, None), intervals)];
    };
    let open = RwSignal::new(false);
    let details = Rc::clone(details);
    let content = element("td")
        .attr("colspan", &grid.columns.len().to_string())
        .live(move || open.get(), move |open| if *open { details(place) } else { nothing() });
    let under = element("tr").class("under").live_flag("hidden", move || !open.get()).child(content);
    vec![cells(grid, line, name_cell(line, Some(open)), intervals), under]
}

/// The head of a row; with a button where the row can be opened.
fn name_cell(line: &Line, open: Option<RwSignal<bool>>) -> Element {
    let name = |parent: Element| match &line.link {
        Some(link) => parent.child(element("a").attr("href", link).child(line.name.as_str())),
        None => parent.child(line.name.as_str()),
    };
    let head = element("th").attr("scope", "row");
    let Some(open) = open else { return name(head) };
    let toggle = element("button")
        .attr("type", "button")
        .class("button quiet toggle")
        .attr("aria-label", &format!("Points of {}", line.name))
        .live_state("aria-expanded", move || open.get())
        .on("click", move |_| open.update(|open| *open = !*open));
    head.child(element("div").class("openable").child(toggle).with(name))
}

fn cells(grid: &Grid, line: &Line, head: Element, intervals: bool) -> Element {
    let columns = grid.columns.iter().skip(1);
    let cell = |(head, item): (&Head, &Item)| {
        let shown = element("td").attr("data-column", &head.key);
        let shown = match item.mark {
            Mark::Plain => shown,
            Mark::Strong => shown.class("key"),
            Mark::Best => shown.class("best"),
            Mark::Quiet => shown.class("soft"),
            Mark::Words => shown.class("words"),
        };
        let shown = shown.children(item.curve.iter().map(|heights| curve(heights)));
        fill(shown, &item.cell, intervals)
    };
    element("tr").attr("data-key", &line.key).child(head).children(columns.zip(&line.cells).map(cell))
}

/// A line through places in a drawing.
pub fn polyline<'p>(places: impl Iterator<Item = &'p (f64, f64)>) -> Element {
    let points: Vec<String> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    svg("polyline").attr("points", &points.join(" "))
}

/// A small curve without a scale: the numbers beside it say what it is about.
fn curve(curve: &[Option<u16>]) -> Element {
    const WIDTH: f64 = 120.0;
    const HEIGHT: f64 = 28.0;
    const EDGE: f64 = 3.0;
    let last = curve.len().saturating_sub(1).max(1) as f64;
    let at = |place: usize, height: u16| {
        let x = EDGE + (WIDTH - 2.0 * EDGE) * place as f64 / last;
        let y = EDGE + (HEIGHT - 2.0 * EDGE) * (1.0 - f64::from(height) / 1000.0);
        (x, y)
    };
    let places: Vec<Option<(f64, f64)>> =
        curve.iter().enumerate().map(|(place, height)| height.map(|height| at(place, height))).collect();
    let line = |part: &[Option<(f64, f64)>]| polyline(part.iter().flatten());
    let lines = places.split(Option::is_none).filter(|part| part.len() > 1).map(line);
    let newest = places.iter().rev().flatten().next().map(|(x, y)| {
        svg("circle").attr("cx", &format!("{x:.1}")).attr("cy", &format!("{y:.1}")).attr("r", "2.5")
    });
    svg("svg")
        .class("spark")
        .attr("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"))
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
        .children(lines)
        .children(newest)
}
