//! A choice among a few, as the browser's own menu.

use leptos::prelude::*;

use crate::dom::{Element, Node, element, value_of};

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What stands in the address.
    pub key: String,
    /// What people read.
    pub name: String,
}

/// A labelled menu. `choices` and `chosen`, the key of the current choice, follow signals; `choose` is
/// called with the key of the reader's choice.
pub fn select(
    id: &'static str,
    label: &'static str,
    choices: impl Fn() -> Vec<Choice> + Copy + 'static,
    chosen: Memo<String>,
    choose: impl Fn(String) + 'static,
) -> Element {
    let option = |choice: &Choice| -> Node {
        element("option").attr("value", &choice.key).child(choice.name.as_str()).into()
    };
    let menu = element("select")
        .attr("id", id)
        .live(choices, move |choices| choices.iter().map(option).collect())
        .live_property("value", move || {
            // New options come without a choice.
            let _again = choices();
            chosen.get().into()
        })
        .on("change", move |event| choose(value_of(&event)));
    element("div").class("field").child(element("label").attr("for", id).child(label)).child(menu)
}
