//! A choice among very few, all of them in sight: radio buttons that look like one switch.

use leptos::prelude::*;

use crate::dom::{Element, Node, element};

/// One segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What stands in the address.
    pub key: &'static str,
    /// What people read.
    pub name: &'static str,
    /// A count beside the name.
    pub count: String,
    /// What it means.
    pub title: &'static str,
}

/// What a switch is called.
#[derive(Clone, Copy)]
pub struct Names {
    /// The radio group's name.
    pub name: &'static str,
    /// What is chosen.
    pub legend: &'static str,
}

/// A switch of radio buttons; the browser gives it the keyboard. `segments` and `chosen`, the key of the
/// current segment, follow signals; `choose` is called with the key of the reader's choice.
pub fn segmented(
    Names { name, legend }: Names,
    segments: impl Fn() -> Vec<Segment> + 'static,
    chosen: Memo<String>,
    choose: impl Fn(&'static str) + Copy + 'static,
) -> Element {
    let draw = move |segment: &Segment| -> Node {
        let key = segment.key;
        let radio = element("input")
            .attr("type", "radio")
            .attr("name", name)
            .attr("value", key)
            .live_property("checked", move || chosen.with(|chosen| chosen == key).into())
            .on("change", move |_| choose(key));
        let text = element("span")
            .child(segment.name)
            .child(element("small").class("count").child(segment.count.as_str()));
        element("label").class("segment").title(segment.title).child(radio).child(text).into()
    };
    let draw = move |segments: &Vec<Segment>| segments.iter().map(draw).collect();
    element("fieldset")
        .class("field segmented")
        .child(element("legend").child(legend))
        .child(element("div").class("segments").live(segments, draw))
}
