//! Sweeps: every sweep with its points.

pub mod model;

use std::rc::Rc;

use leptos::prelude::*;
use shared::tier::Tier;

use super::grid;
use super::scene::Scene;
use crate::dom::{Element, Node, element, nothing, value_of};
use crate::views::overview::model::choice::Choice;

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let route = scene.navigator.route();
    let text = Memo::new(move |_| route.with(|route| route.more("find").to_owned()));
    let asked = Memo::new(move |_| route.with(|route| route.more("sweep").to_owned()));
    let shown = move || (text.get(), asked.get());
    let scene = Rc::new(scene.clone());
    let body = {
        let scene = Rc::clone(&scene);
        move |(text, asked): &(String, String)| sweeps(&scene, text, asked)
    };
    let spoken = {
        let scene = Rc::clone(&scene);
        move || {
            let count = model::found(&scene.a, &scene.choice, &text.get()).len() as u64;
            format!("{} found", shared::format::counted(count, "sweep"))
        }
    };
    vec![
        search(&scene, text).into(),
        element("p").class("unseen").attr("role", "status").live_text(spoken).into(),
        element("div").class("tables wide").live(shown, body).into(),
    ]
}

/// The field to narrow the list.
fn search(scene: &Scene, text: Memo<String>) -> Element {
    let navigator = scene.navigator;
    let field = element("input")
        .attr("id", "find")
        .attr("type", "search")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("maxlength", "100")
        .attr("placeholder", "minimax b200 fp8")
        .live_property("value", move || text.get().into())
        .on("input", move |event| {
            let typed = value_of(&event);
            // Not an entry in the history for every letter.
            navigator.settle(|route| {
                route.set_more("find", &typed, "");
                route.set_more("sweep", "", "");
            });
        });
    let label = element("label").attr("for", "find").child("Find sweeps by words");
    element("div").class("controls").child(element("div").class("field find").child(label).child(field))
}

fn sweeps(scene: &Rc<Scene>, text: &str, asked: &str) -> Vec<Node> {
    let a = &scene.a;
    // Whoever followed a link to a sweep wants to see it, whatever its tier.
    let (text, tier) = if asked.is_empty() { (text, scene.choice.tier) } else { (asked, Tier::All) };
    let choice = &Choice { tier, ..scene.choice.clone() };
    let found = model::found(a, choice, text);
    let lead = element("p").class("lead").child(model::lead(a, choice, &found, text));
    let points = {
        let scene = Rc::clone(scene);
        let ids: Vec<_> = found.iter().map(|sweep| sweep.id.clone()).collect();
        move |place: usize| -> Vec<Node> {
            let Scene { a, choice, .. } = scene.as_ref();
            let sweep = ids.get(place).and_then(|id| a.sweeps.iter().find(|sweep| sweep.id == *id));
            sweep
                .map(|sweep| grid::draw(model::points(a, sweep, &choice.estimator), false).into())
                .into_iter()
                .collect()
        }
    };
    let table =
        grid::draw_with_details(model::table(a, choice, &found), choice.intervals, Rc::new(points.clone()));
    // A sweep that a link led to is shown with its points at once.
    let opened = if asked.is_empty() { nothing() } else { points(0) };
    let all = (!asked.is_empty()).then(|| {
        let navigator = scene.navigator;
        let show = move |_: web_sys::Event| navigator.go(|route| route.set_more("sweep", "", ""));
        element("p").child(
            element("button")
                .attr("type", "button")
                .class("button")
                .on("click", show)
                .child("Show all sweeps"),
        )
    });
    let nodes = [Some(lead), all, Some(table)];
    nodes.into_iter().flatten().map(Node::from).chain(opened).collect()
}
