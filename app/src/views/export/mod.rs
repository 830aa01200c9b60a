//! Takes what is on the screen away: as a file, or on the clipboard.

pub mod model;

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use self::model::{Format, Sheet};
use super::scene::Scene;
use crate::browser;
use crate::dom::{Element, element};
use crate::views::grid::model::Grid;
use crate::views::overview::model::choice::tier_name;

/// What tables of a scene are about, for the head of a file; `more` is what only these tables know, by name.
pub fn facts(scene: &Scene, more: (&str, &str)) -> Vec<(String, String)> {
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let b = scene.b.as_ref().map(|b| fact("Run B", b.run.id.as_str()));
    let more = (!more.1.is_empty()).then(|| fact(more.0, more.1));
    let rest = [
        fact("Estimator", scene.choice.estimator.as_str()),
        fact("Tier", tier_name(scene.choice.tier)),
        fact("Measurements", &scene.entry.measurements),
        fact("Rounding", "as on the page; full precision is in the run's summary.json and points.csv"),
        fact("Address", &browser::address()),
    ];
    [fact("View", scene.view.title()), fact("Run A", scene.a.run.id.as_str())]
        .into_iter()
        .chain(b)
        .chain(more)
        .chain(rest)
        .collect()
}

/// The buttons that take a table of the scene around it away; none outside a scene.
pub fn of_grid(grid: &Rc<Grid>) -> Option<Element> {
    let scene = use_context::<Scene>()?;
    let grid = Rc::clone(grid);
    let about = grid.about.clone();
    Some(menu(grid.key, move || facts(&scene, ("About", &about)), move || vec![Sheet::of(&grid)]))
}

/// The buttons that take tables away. `name` begins the file's name.
pub fn menu(
    name: &'static str,
    facts: impl Fn() -> Vec<(String, String)> + 'static,
    sheets: impl Fn() -> Vec<Sheet> + 'static,
) -> Element {
    let said = RwSignal::new("");
    let write: Rc<dyn Fn(Format) -> String> = Rc::new(move |format| format.write(&facts(), &sheets()));
    let download = |format: Format| {
        let write = Rc::clone(&write);
        let save = move |_| {
            let file = format!("{name}.{}", format.extension());
            let done = browser::save(&file, format.media_type(), &write(format));
            said.set(if done { "The file is being saved" } else { "The browser did not save the file" });
        };
        button(format.name(), save).attr("aria-label", &format!("Save as {}", format.name()))
    };
    let buttons = Format::ALL.map(download);
    let copy = move |_| {
        let text = write(Format::Markdown);
        spawn_local(async move {
            let done = browser::copy(&text).await;
            let words = if done { "Copied as Markdown" } else { "The browser does not let this page copy" };
            // The table may be gone by now.
            let _gone = said.try_set(words);
        });
    };
    let summary = element("summary").class("button small").child("Export");
    element("details")
        .class("export")
        .child(summary)
        .children(buttons)
        .child(button("Copy", copy).attr("aria-label", "Copy as Markdown"))
        .child(element("span").class("said").attr("role", "status").live_text(move || said.get().to_owned()))
}

fn button(name: &str, act: impl FnMut(web_sys::Event) + 'static) -> Element {
    element("button").attr("type", "button").class("button small").on("click", act).child(name)
}
