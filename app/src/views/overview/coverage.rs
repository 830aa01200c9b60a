//! What became of every row and point, folded under a line.

use leptos::prelude::*;

use super::model::coverage;
use super::state::Overview;

/// The line, and under it each loss with its reason.
#[component]
pub fn CoveragePanel() -> impl IntoView {
    let Overview { a, choice, .. } = expect_context::<Overview>();
    let shown = move || Some((a.shown.get()?, choice.get()?));

    let list = |title: &'static str, lines: Vec<String>| {
        let lines = lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view();
        view! {
            <div>
                <h3>{title}</h3>
                <ul>{lines}</ul>
            </div>
        }
    };
    let body = move || {
        let (shown, choice) = shown()?;
        let summary = &shown.summary;
        let not_scored = coverage::not_scored(summary, &choice);
        Some(view! {
            <div class="panel-body columns">
                {(!not_scored.is_empty()).then(|| list("Points not scored, by reason", not_scored))}
                {list("Rows of the source", coverage::rows(summary))}
                {list("Sweeps by verdict", coverage::verdicts(summary))}
            </div>
        })
    };
    let line = move || shown().map(|(shown, choice)| coverage::line(&shown.summary, &choice));

    view! {
        <Show when=move || shown().is_some()>
            <details class="panel coverage">
                <summary>
                    <strong>"Coverage"</strong>
                    <span>{line}</span>
                </summary>
                {body}
            </details>
        </Show>
    }
    .into_any()
}
