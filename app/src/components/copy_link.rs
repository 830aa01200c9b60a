//! Copies the address of what is on the screen.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icon::Icon;
use crate::browser;

#[derive(Clone, PartialEq, Eq)]
enum State {
    Idle,
    Copied,
    /// The browser does not let the page write to the clipboard: here is the address to copy by hand.
    ByHand(String),
}

/// The button. Where the clipboard is out of reach it shows the address in a field.
#[component]
pub fn CopyLink() -> impl IntoView {
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
    let by_hand = move || match state.get() {
        State::ByHand(address) => Some(view! {
            <input
                class="address"
                readonly
                aria-label="The link, to copy"
                value=address
                on:focus=move |event| {
                    event_target::<web_sys::HtmlInputElement>(&event).select();
                }
            />
        }),
        _ => None,
    };
    view! {
        {by_hand}
        <button type="button" class="button" on:click=copy>
            {move || if state.get() == State::Copied { Icon::Tick.draw() } else { Icon::Link.draw() }}
            <span class="wide-only">{move || if state.get() == State::Copied { "Copied" } else { "Copy link" }}</span>
            <span class="unseen narrow-only">"Copy link"</span>
        </button>
        <span class="unseen" role="status">
            {move || match state.get() {
                State::Idle => "",
                State::Copied => "Link copied",
                State::ByHand(_) => "The link stands in the field before the button",
            }}
        </span>
    }
    .into_any()
}
