//! Messages in the flow of the page.

use super::icon::Icon;
use crate::dom::{Element, Node, element};

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

/// A line that begins in bold.
pub fn headline_and(headline: &str, text: impl Into<Node>) -> Element {
    element("p").child(element("strong").child(headline)).child(text)
}

/// A message, with whatever belongs under it.
pub fn notice(weight: Weight, content: impl IntoIterator<Item = impl Into<Node>>) -> Element {
    element("div")
        .class(weight.class())
        .child(weight.icon().draw())
        .child(element("div").class("notice-text").children(content))
}
