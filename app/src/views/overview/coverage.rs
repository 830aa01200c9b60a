//! What became of every row and point, folded under a line.

use leptos::prelude::*;

use super::model::coverage;
use super::state::{Overview, Scene};
use crate::data::Snapshot;
use crate::dom::{Element, Node, element, nothing};
use crate::message::List;

/// The line, and under it each loss with its reason.
pub fn panel(state: Overview) -> Element {
    let scene = move || state.scene.get();
    // Long lists are only drawn for whoever opens the panel.
    let open = RwSignal::new(false);
    let body = move |open: &bool| {
        if !*open {
            return nothing();
        }
        let content = |scene: &Option<Scene>| scene.iter().flat_map(lists).map(draw_list).collect();
        vec![element("div").class("panel-body columns").live(scene, content).into()]
    };
    let line = |line: String| Node::from(element("span").child(line));
    let summary = element("summary")
        .child(element("strong").child("Coverage"))
        .live(scene, move |scene| scene.iter().flat_map(lines).map(line).collect());
    element("details")
        .class("panel coverage")
        .on("toggle", move |event| {
            open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
        })
        .child(summary)
        .live(move || open.get(), body)
}

fn lines(scene: &Scene) -> Vec<String> {
    let Scene { a, b, choice, compared, .. } = scene;
    let line = |snapshot: &Snapshot| coverage::line(&snapshot.outline, choice);
    let a = if b.is_some() { format!("A: {}", line(a)) } else { line(a) };
    let b = b.as_deref().map(|b| format!("B: {}", line(b)));
    let changes = compared.as_deref().map(|compared| compared.line.clone());
    [Some(a), b, changes].into_iter().flatten().filter(|line| !line.is_empty()).collect()
}

fn lists(scene: &Scene) -> Vec<List> {
    let Scene { a, choice, compared, .. } = scene;
    let changes = compared.as_deref().map(|compared| compared.lists.clone()).unwrap_or_default();
    let own = [
        List::new("Points not scored, by reason", coverage::not_scored(&a.outline, choice)),
        List::new("Rows of the source", coverage::rows(&a.outline)),
        List::new("Sweeps by verdict", coverage::verdicts(&a.outline)),
    ];
    changes.into_iter().chain(own).filter(|list| !list.lines.is_empty()).collect()
}

fn draw_list(List { title, lines }: List) -> Node {
    // It scrolls when it is long, so it takes the keyboard.
    let list = element("ul")
        .attr("tabindex", "0")
        .attr("aria-label", &title)
        .children(lines.into_iter().map(|line| element("li").child(line)));
    element("div").child(element("h3").child(title)).child(list).into()
}
