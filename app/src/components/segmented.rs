//! A choice among very few, all of them in sight: radio buttons that look like one switch.

use leptos::prelude::*;

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
    pub title: String,
}

/// A switch of radio buttons; the browser gives it the keyboard.
#[component]
pub fn Segmented(
    /// The radio group's name.
    name: &'static str,
    /// What is chosen.
    legend: &'static str,
    /// The segments.
    #[prop(into)]
    segments: Signal<Vec<Segment>>,
    /// The key of the current segment.
    #[prop(into)]
    chosen: Signal<&'static str>,
    /// Called with the key of the reader's choice.
    #[prop(into)]
    on_choose: Callback<&'static str>,
) -> impl IntoView {
    let draw = move |segment: Segment| {
        let Segment { key, name: text, count, title } = segment;
        view! {
            <label class="segment" title=title>
                <input
                    type="radio"
                    name=name
                    value=key
                    prop:checked=move || chosen.get() == key
                    on:change=move |_| on_choose.run(key)
                />
                <span>
                    {text}
                    <small class="count">{count}</small>
                </span>
            </label>
        }
    };
    view! {
        <fieldset class="field segmented">
            <legend>{legend}</legend>
            <div class="segments">{move || segments.get().into_iter().map(draw).collect_view()}</div>
        </fieldset>
    }
    .into_any()
}
