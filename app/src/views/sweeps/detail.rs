//! A sweep that is opened: its curves, its points, and everything that is known of it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::metric::Metric;
use wasm_bindgen::JsCast;
use web_sys::{Event, MouseEvent, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::model::{curve, facts, points};
use super::{Shelf, curve as drawing};
use crate::browser::{copy, pause};
use crate::dom::{Element, element, follow, nothing};
use crate::views::grid;
use crate::views::grid::model::{Grid, name};

/// Everything about the sweep at a place of the run.
pub fn detail(shelf: &Shelf, place: usize) -> Element {
    let Some(sweep) = shelf.sweep_at(place) else { return element("div") };
    let scene = &shelf.scene;
    let estimator = &scene.choice.estimator;
    let curves = Metric::ALL.map(|metric| drawing::draw(metric, &curve::of(sweep, estimator, metric)));
    let mut errors = points::errors(&scene.a, sweep, estimator);
    for line in &mut errors.rows {
        line.link = Some(scene.link_to_point(&sweep.id, &line.key));
    }
    let title = element("h2").child(element("bdi").child(name(&sweep.title())));
    let sources = facts::sources(sweep);
    let fact = |fact: facts::Fact| {
        let value = element("dd").child(element("bdi").child(fact.value));
        element("div").child(element("dt").child(fact.name)).child(value)
    };
    let shown = element("div")
        .class("detail")
        .child(title)
        .child(element("div").class("curves-row").children(curves))
        .child(points_table(shelf, errors))
        .child(element("dl").class("facts sources").children(sources.into_iter().map(fact)))
        .children(facts::command(&scene.a, sweep).map(|text| command(&text)));
    shown
        .child(grid::draw(facts::settings(sweep), false))
        .child(grid::draw(points::facts(sweep, estimator), false))
}

/// The points. The one that a link is about is marked and brought into sight.
fn points_table(shelf: &Shelf, errors: Grid) -> Element {
    let navigator = shelf.scene.navigator;
    // The link of a point is one for other pages; in this one only the mark changes.
    let mark = move |event: Event| {
        if event.dyn_ref().is_some_and(is_for_another_page) {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let link = target.and_then(|target| target.closest("a[href]").ok().flatten());
        let row = link.and_then(|link| link.closest("tr[data-key]").ok().flatten());
        if let Some(key) = row.and_then(|row| row.get_attribute("data-key")) {
            event.prevent_default();
            navigator.go(|route| route.set_more("point", &key, ""));
        }
    };
    let table = grid::draw(errors, false).on("click", mark);
    let (element, point) = (table.browser::<web_sys::Element>(), shelf.point);
    follow(move || {
        let point = point.get();
        let element = element.clone();
        spawn_local(async move {
            pause(0).await;
            show_point(&element, &point);
        });
    });
    table
}

/// Whether a click asks for another tab or window, or to save what the link leads to.
fn is_for_another_page(click: &MouseEvent) -> bool {
    click.ctrl_key() || click.meta_key() || click.shift_key() || click.alt_key()
}

fn show_point(table: &web_sys::Element, point: &str) {
    let Ok(rows) = table.query_selector_all("tbody tr[data-key]") else { return };
    for row in (0..rows.length()).filter_map(|place| rows.item(place)) {
        let row: web_sys::Element = row.unchecked_into();
        let is_it = row.get_attribute("data-key").as_deref() == Some(point);
        // Only a name that is none is refused.
        let _infallible = row.class_list().toggle_with_force("target", is_it);
        if is_it {
            let _infallible = row.set_attribute("aria-current", "true");
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            row.scroll_into_view_with_scroll_into_view_options(&options);
        } else {
            let _infallible = row.remove_attribute("aria-current");
        }
    }
}

/// The command that computes the sweep again, with a button that copies it.
fn command(text: &str) -> Element {
    let done = RwSignal::new(None::<bool>);
    let owned = text.to_owned();
    let act = move |_| {
        let text = owned.clone();
        spawn_local(async move {
            let copied = copy(&text).await;
            // The sweep may be closed by now.
            let _gone = done.try_set(Some(copied));
        });
    };
    let said = move |done: &Option<bool>| match done {
        Some(true) => vec!["Copied".into()],
        Some(false) => vec!["The browser does not let this page copy: select the text".into()],
        None => nothing(),
    };
    let button =
        element("button").attr("type", "button").class("button small").on("click", act).child("Copy command");
    let line = element("div")
        .class("command-head")
        .child(element("h3").child("Compute it again"))
        .child(button)
        .child(element("span").class("said").attr("role", "status").live(move || done.get(), said));
    let code = element("pre").class("command").attr("tabindex", "0").child(element("code").child(text));
    element("div").child(line).child(code)
}
