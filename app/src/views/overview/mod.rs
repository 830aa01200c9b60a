//! The Overview: how accurate is this run, and what changed against another one? Tables only.

mod controls;
mod coverage;
mod failure;
mod foot;
mod guide;
mod model;
mod notices;
mod runs;
mod state;
mod tables;

use leptos::prelude::*;

use model::lead::{self, Piece};
use state::Overview as State;

/// The view.
#[component]
pub fn Overview() -> impl IntoView {
    let state = State::start();
    provide_context(state);

    let heading = move || {
        let a = state.name(state.a)?;
        let b = state.name(state.b).filter(|_| state.compares());
        Some(b.map_or_else(|| lead::heading(&a), |b| lead::heading_of_both(&a, &b)))
    };
    Effect::new(move |_| {
        if let Some(heading) = heading() {
            document().set_title(&format!("{heading} · BLIS accuracy dashboard"));
        }
    });
    let lead = move || {
        state
            .answer()
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.into_any(),
                Piece::Figure(text) => view! { <strong>{text}</strong> }.into_any(),
            })
            .collect_view()
    };

    view! {
        <div class="title">
            <h1>{move || heading().unwrap_or_else(|| "BLIS accuracy dashboard".to_owned())}</h1>
            <p class="lead">{lead}</p>
        </div>
        <runs::Runs/>
        <notices::Notices/>
        <controls::Controls/>
        <tables::Tables/>
        <coverage::CoveragePanel/>
        <guide::Guide/>
        <foot::Foot/>
    }
    .into_any()
}
