//! What became of every row and point, folded under a line.

use leptos::prelude::*;

use super::model::{compare, coverage};
use super::state::Overview;

/// The line, and under it each loss with its reason.
#[component]
pub fn CoveragePanel() -> impl IntoView {
    let state = expect_context::<Overview>();
    let Overview { a, b, choice, .. } = state;
    let shown = move || Some((a.shown.get()?, choice.get()?));

    let list = |title: &'static str, lines: Vec<String>| {
        let lines = lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view();
        view! {
            <div>
                <h3>{title}</h3>
                // It scrolls when it is long, so it takes the keyboard.
                <ul tabindex="0" aria-label=title>{lines}</ul>
            </div>
        }
    };
    let body = move || {
        let (shown, choice) = shown()?;
        let summary = &shown.summary;
        let not_scored = coverage::not_scored(summary, &choice);
        Some(view! {
            {(!not_scored.is_empty()).then(|| list("Points not scored, by reason", not_scored))}
            {list("Rows of the source", coverage::rows(summary))}
            {list("Sweeps by verdict", coverage::verdicts(summary))}
        })
    };
    let line = move || shown().map(|(shown, choice)| coverage::line(&shown.summary, &choice));
    let line_b = move || {
        let (shown, choice) = (b.shown.get()?, choice.get()?);
        Some(view! { <span>"B: "{coverage::line(&shown.summary, &choice)}</span> })
    };
    // Long lists are only drawn for whoever opens the panel.
    let open = RwSignal::new(false);
    let changes = move || Some(compare::line(&*state.compared()?));
    let lists = move || {
        let lists = compare::lists(&*state.compared()?);
        Some(lists.into_iter().map(|(title, lines)| list(title, lines)).collect_view())
    };

    view! {
        <Show when=move || shown().is_some()>
            <details
                class="panel coverage"
                on:toggle=move |event| {
                    open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
                }
            >
                <summary>
                    <strong>"Coverage"</strong>
                    <span>{move || b.shown.with(Option::is_some).then_some("A: ")} {line}</span>
                    {line_b}
                    <span>{changes}</span>
                </summary>
                {move || open.get().then(|| view! { <div class="panel-body columns">{lists} {body}</div> })}
            </details>
        </Show>
    }
    .into_any()
}
