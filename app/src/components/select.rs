//! A choice among a few, as the browser's own menu.

use leptos::prelude::*;

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What stands in the address.
    pub key: String,
    /// What people read.
    pub name: String,
}

/// A labelled menu.
#[component]
pub fn Select(
    /// The element's id.
    id: &'static str,
    /// What is chosen.
    label: &'static str,
    /// The choices.
    #[prop(into)]
    choices: Signal<Vec<Choice>>,
    /// The key of the current choice.
    #[prop(into)]
    chosen: Signal<String>,
    /// Called with the key of the reader's choice.
    #[prop(into)]
    on_choose: Callback<String>,
) -> impl IntoView {
    let options = move || {
        choices
            .get()
            .into_iter()
            .map(|Choice { key, name }| {
                let value = key.clone();
                view! { <option value=value selected=move || chosen.get() == key>{name}</option> }
            })
            .collect_view()
    };
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <select
                id=id
                prop:value=move || {
                    choices.track();
                    chosen.get()
                }
                on:change=move |event| on_choose.run(event_target_value(&event))
            >
                {options}
            </select>
        </div>
    }
    .into_any()
}
