//! Messages in the flow of the page.

use leptos::prelude::*;

use super::icon::Icon;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Good to know.
    Information,
    /// Changes how the figures are to be read.
    Caution,
    /// Something failed.
    Failure,
}

impl Weight {
    fn class(self) -> &'static str {
        match self {
            Self::Information => "notice information",
            Self::Caution => "notice caution",
            Self::Failure => "notice failure",
        }
    }

    fn icon(self) -> Icon {
        match self {
            Self::Information => Icon::Information,
            Self::Caution | Self::Failure => Icon::Warning,
        }
    }
}

/// A message, with whatever belongs under it.
#[component]
pub fn Notice(
    /// How much it matters.
    weight: Weight,
    /// The message.
    children: Children,
) -> impl IntoView {
    view! {
        <div class=weight.class()>
            {weight.icon().draw()}
            <div class="notice-text">{children()}</div>
        </div>
    }
    .into_any()
}
