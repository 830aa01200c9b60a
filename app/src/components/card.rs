//! A card of its own for something that is no table.

use crate::dom::{Element, element};

/// The card with its heading, and what it is about; empty: the heading says it. `key` is what tests know it by.
pub fn list_card(key: &str, title: &str, about: &str) -> Element {
    let about = (!about.is_empty()).then(|| element("p").class("soft").child(about));
    element("section")
        .class("card list")
        .attr("data-list", key)
        .child(element("h2").child(title))
        .children(about)
}
