//! Icons, drawn for this page. Each is decoration: the words beside it carry the meaning.

use crate::dom::{Element, svg};

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Two arrows, one each way.
    Swap,
    /// Two links of a chain.
    Link,
    /// A sun.
    Light,
    /// A moon.
    Dark,
    /// A screen.
    System,
    /// A tick.
    Tick,
    /// A cross.
    Cross,
    /// A triangle that points down.
    Open,
    /// An exclamation mark in a triangle.
    Warning,
    /// An i in a circle.
    Information,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Swap => "M3 5.5h9.5m-3-3 3 3-3 3M13 10.5H3.5m3-3-3 3 3 3",
            Self::Link => {
                "M6.5 9.5 9.5 6.5M7 4.5l1.2-1.2a2.9 2.9 0 0 1 4.5 4.2L11.5 9M9 11.5l-1.2 1.2a2.9 2.9 0 0 1-4.5-4.2L4.5 7"
            }
            Self::Light => {
                "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3"
            }
            Self::Dark => "M13.5 9.7A6 6 0 0 1 6.3 2.5a6 6 0 1 0 7.2 7.2Z",
            Self::System => "M2 3h12v8H2zM6 14h4M8 11v3",
            Self::Tick => "m3 8.5 3.2 3.2L13 4.8",
            Self::Cross => "m4 4 8 8m0-8-8 8",
            Self::Open => "m4 6 4 4 4-4",
            Self::Warning => "M8 2 1.5 13.5h13L8 2Zm0 4.5v3.2m0 1.7v.1",
            Self::Information => "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8Zm0 5.4v4M8 4.7v.1",
        }
    }

    /// Draws it, hidden from assistive technology.
    pub fn draw(self) -> Element {
        svg("svg")
            .class("icon")
            .attr("viewBox", "0 0 16 16")
            .attr("aria-hidden", "true")
            .attr("focusable", "false")
            .child(svg("path").attr("d", self.path()))
    }
}
