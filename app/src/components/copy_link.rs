//! Copies the address of what is on the screen.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icon::Icon;
use crate::browser;
use crate::dom::{Element, element, field_of, nothing};

#[derive(Clone, PartialEq, Eq)]
enum State {
    Idle,
    Copied,
    /// The browser does not let the page write to the clipboard: here is the address to copy by hand.
    ByHand(String),
}

/// The button. Where the clipboard is out of reach it shows the address in a field.
pub fn copy_link(parent: Element) -> Element {
    let state = RwSignal::new(State::Idle);
    let copy = move |_| {
        spawn_local(async move {
            let address = browser::address();
            if browser::copy(&address).await {
                state.set(State::Copied);
                browser::pause(2500).await;
                state.set(State::Idle);
            } else {
                state.set(State::ByHand(address));
            }
        });
    };
    let copied = move || state.get() == State::Copied;
    let icon = |copied: &bool| vec![if *copied { Icon::Tick } else { Icon::Link }.draw().into()];
    let name = move || if copied() { "Copied" } else { "Copy link" }.to_owned();
    let button = element("button")
        .attr("type", "button")
        .class("button")
        .on("click", copy)
        .live(copied, icon)
        .child(element("span").class("wide-only").live_text(name))
        .child(element("span").class("unseen narrow-only").child("Copy link"));
    let spoken = move || {
        let text = match state.get() {
            State::Idle => "",
            State::Copied => "Link copied",
            State::ByHand(_) => "The link stands in the field before the button",
        };
        text.to_owned()
    };
    parent
        .live(move || state.get(), by_hand)
        .child(button)
        .child(element("span").class("unseen").attr("role", "status").live_text(spoken))
}

fn by_hand(state: &State) -> Vec<crate::dom::Node> {
    let State::ByHand(address) = state else { return nothing() };
    let field = element("input")
        .class("address")
        .attr("readonly", "")
        .attr("aria-label", "The link, to copy")
        .attr("value", address)
        .on("focus", |event| field_of(&event).select());
    vec![field.into()]
}
