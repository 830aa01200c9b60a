//! Light, dark, or as the system says; remembered on this machine. `app/boot.js` applies what is
//! remembered before the first paint.

use leptos::prelude::*;

use super::icon::Icon;
use crate::browser;

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
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let chosen = RwSignal::new(Theme::remembered());
    let choose = move |theme: Theme| {
        theme.apply();
        chosen.set(theme);
    };
    let draw = move |theme: Theme| {
        view! {
            <label class="segment" title=theme.name()>
                <input
                    type="radio"
                    name="theme"
                    value=theme.key()
                    prop:checked=move || chosen.get() == theme
                    on:change=move |_| choose(theme)
                />
                <span>{theme.icon().draw()}<span class="unseen">{theme.name()}</span></span>
            </label>
        }
    };
    view! {
        <fieldset class="segmented theme">
            <legend class="unseen">"Colours"</legend>
            <div class="segments">{Theme::ALL.into_iter().map(draw).collect_view()}</div>
        </fieldset>
    }
    .into_any()
}
