//! What became of every row and point, folded under a line.

use leptos::prelude::*;

use super::model::{compare, coverage};
use super::state::{Overview, Scene};
use crate::data::Snapshot;

/// The line, and under it each loss with its reason.
#[component]
pub fn CoveragePanel() -> impl IntoView {
    let Overview { scene, .. } = expect_context::<Overview>();
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
    // Long lists are only drawn for whoever opens the panel.
    let open = RwSignal::new(false);
    let lines = move || {
        scene.with(|scene| {
            let Scene { a, b, choice, compared } = scene.as_ref()?;
            let line = |snapshot: &Snapshot| coverage::line(&snapshot.summary, choice);
            let a = if b.is_some() { format!("A: {}", line(a)) } else { line(a) };
            let b = b.as_deref().map(|b| format!("B: {}", line(b)));
            let changes = compared.as_deref().map(compare::line);
            let draw = |line: String| view! { <span>{line}</span> };
            Some([Some(a), b, changes].into_iter().flatten().map(draw).collect_view())
        })
    };
    let body = move || {
        scene.with(|scene| {
            let Scene { a, choice, compared, .. } = scene.as_ref()?;
            let changes = compared.as_deref().map(compare::lists).unwrap_or_default();
            let not_scored = coverage::not_scored(&a.summary, choice);
            let lists = [
                ("Points not scored, by reason", not_scored),
                ("Rows of the source", coverage::rows(&a.summary)),
                ("Sweeps by verdict", coverage::verdicts(&a.summary)),
            ];
            let lists = changes.into_iter().chain(lists).filter(|(_, lines)| !lines.is_empty());
            Some(lists.map(|(title, lines)| list(title, lines)).collect_view())
        })
    };

    view! {
        <Show when=move || scene.with(Option::is_some)>
            <details
                class="panel coverage"
                on:toggle=move |event| {
                    open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
                }
            >
                <summary>
                    <strong>"Coverage"</strong>
                    {lines}
                </summary>
                {move || open.get().then(|| view! { <div class="panel-body columns">{body}</div> })}
            </details>
        </Show>
    }
    .into_any()
}
