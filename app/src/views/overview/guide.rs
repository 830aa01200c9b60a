//! How to read this, in plain language; folded away once it has been read.

use leptos::prelude::*;
use shared::tier::Tier;

use super::model::choice::{tier_meaning, tier_name};
use super::model::glossary::DEFINITIONS;
use super::model::table::limits;
use super::state::Overview;
use crate::browser;
use crate::dom::{Element, element};

const STORED: &str = "guide";
const READ: &str = "read";

/// The box under the tables.
pub fn panel(state: Overview) -> Element {
    let open = RwSignal::new(browser::remembered(STORED).as_deref() != Some(READ));
    let dismiss = move |_| {
        browser::remember(STORED, READ);
        open.set(false);
    };
    let limits = move || {
        let limits = state.scene.with(|scene| scene.as_ref().map(|scene| limits(&scene.a.outline)));
        limits.unwrap_or_default()
    };
    let entry = |(term, meaning): (&str, &str)| {
        element("div").child(element("dt").child(term)).child(element("dd").child(meaning))
    };
    let grade = element("div")
        .child(element("dt").child("Grade"))
        .child(element("dd").child("By the MAPE: ").live_text(limits));
    let glossary = element("dl")
        .class("glossary")
        .children(DEFINITIONS.map(entry))
        .child(grade)
        .children(Tier::ALL.map(|tier| entry((tier_name(tier), tier_meaning(tier)))));
    let button =
        element("button").attr("type", "button").class("button").on("click", dismiss).child("Got it");
    let body = element("div")
        .class("panel-body")
        .child(glossary)
        .child(element("div").class("guide-foot").child(button));
    element("details")
        .class("panel guide")
        .live_property("open", move || open.get().into())
        .child(element("summary").child(element("strong").child("How to read this")))
        .child(body)
}
