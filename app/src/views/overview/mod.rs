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

use model::lead::Piece;
use state::Overview as State;

/// The view.
#[component]
pub fn Overview() -> impl IntoView {
    let state = State::start();
    provide_context(state);

    let heading = Memo::new(move |_| state.heading());
    let both = move || state.navigator.route().with(|route| route.versus.is_some());
    Effect::new(move |_| {
        if let Some(heading) = heading.get() {
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
            <h1>{move || heading.get().unwrap_or_else(|| "BLIS accuracy dashboard".to_owned())}</h1>
            <p class="lead" class:both=both>{lead}</p>
        </div>
        <runs::Runs/>
        <notices::Notices/>
        <controls::Controls/>
        <tables::Tables/>
        // What is below the tables would have to make room for them.
        <Show when=move || state.scene.with(Option::is_some) || state.failed()>
            <coverage::CoveragePanel/>
            <guide::Guide/>
            <foot::Foot/>
        </Show>
    }
    .into_any()
}
