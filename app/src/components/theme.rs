//! Light, dark, or as the system says; remembered on this machine. `app/boot.js` applies what is
//! remembered before the first paint.

use leptos::prelude::*;

use super::icon::Icon;
use crate::browser;
use crate::dom::{Element, element};

const STORED: &str = "theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::System];

    fn key(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::System => "As the system",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }

    fn icon(self) -> Icon {
        match self {
            Self::System => Icon::System,
            Self::Light => Icon::Light,
            Self::Dark => Icon::Dark,
        }
    }

    fn remembered() -> Self {
        let stored = browser::remembered(STORED);
        Self::ALL.into_iter().find(|theme| Some(theme.key()) == stored.as_deref()).unwrap_or(Self::System)
    }

    fn apply(self) {
        browser::remember(STORED, self.key());
        let Some(root) = document().document_element() else { return };
        // Setting or removing an attribute of this name cannot fail.
        let _infallible = match self {
            Self::System => root.remove_attribute("data-theme"),
            Self::Light | Self::Dark => root.set_attribute("data-theme", self.key()),
        };
    }
}

/// The switch.
pub fn theme_switch() -> Element {
    let chosen = RwSignal::new(Theme::remembered());
    let draw = |theme: Theme| {
        let choose = move |_| {
            theme.apply();
            chosen.set(theme);
        };
        let radio = element("input")
            .attr("type", "radio")
            .attr("name", "theme")
            .attr("value", theme.key())
            .live_property("checked", move || (chosen.get() == theme).into())
            .on("change", choose);
        let name = element("span").class("unseen").child(theme.name());
        let text = element("span").child(theme.icon().draw()).child(name);
        element("label").class("segment").title(theme.name()).child(radio).child(text)
    };
    element("fieldset")
        .class("segmented theme")
        .child(element("legend").class("unseen").child("Colours"))
        .child(element("div").class("segments").children(Theme::ALL.map(draw)))
}
