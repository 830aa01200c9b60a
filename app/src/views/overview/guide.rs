//! How to read this, in plain language; folded away once it has been read.

use leptos::prelude::*;
use shared::tier::Tier;

use super::model::choice::{tier_meaning, tier_name};
use super::model::table::limits;
use super::state::Overview;
use crate::browser;
use crate::dom::{Element, element};

const STORED: &str = "guide";
const READ: &str = "read";

const DEFINITIONS: [(&str, &str); 8] = [
    (
        "Point and sweep",
        "A point is one measured concurrency c: that many requests in flight against one deployment. A \
         sweep is a deployment and a workload over its concurrencies.",
    ),
    (
        "TPOT and TTFT",
        "Mean time per output token and mean time to first token, as the benchmark client measured them.",
    ),
    (
        "Signed mean",
        "Mean of 100 · (predicted / measured − 1). Above 0 the simulator says slower than measured, below \
         0 faster. Errors in both directions cancel out here.",
    ),
    ("MAPE", "Mean of the same errors without their sign: how far off a single prediction is, on average."),
    (
        "Shape",
        "How wrong the growth with concurrency is, whatever the level: predicted growth over the sweep's \
         lowest concurrency against measured growth. That lowest point is not counted.",
    ),
    (
        "At lowest c, at highest c",
        "Signed error at the two ends of each sweep: nearly idle and fully loaded.",
    ),
    (
        "95 % interval",
        "How far a figure would move had other sweeps been measured: a bootstrap over sweeps. Fewer than \
         five sweeps: none.",
    ),
    (
        "Compared with B",
        "Both runs over the points that both scored. Less MAPE or shape is better. A change whose interval \
         contains 0 may be chance: it stays grey and says so.",
    ),
];

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
