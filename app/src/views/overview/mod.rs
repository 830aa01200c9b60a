//! The Overview: how accurate is this run, and what changed against another one? Tables only.

pub mod controls;
mod coverage;
pub mod failure;
pub mod foot;
mod guide;
pub mod model;
pub mod notices;
pub mod runs;
pub mod state;
pub mod tables;

use leptos::prelude::*;

use crate::data::Library;
use crate::dom::{Element, Node, element, follow, nothing};
use crate::route::history::Navigator;
use model::lead::Piece;
use state::Overview;

/// The view.
pub fn overview(main: Element, navigator: Navigator, library: Library) -> Element {
    let state = Overview::start(navigator, library, true);

    let heading = Memo::new(move |_| state.heading());
    follow(move || {
        if let Some(heading) = heading.get() {
            document().set_title(&format!("{heading} · BLIS accuracy dashboard"));
        }
    });
    let title = move || heading.get().unwrap_or_else(|| "BLIS accuracy dashboard".to_owned());
    let lead = element("p")
        .class("lead")
        .live_class("both", move || state.navigator.route().with(|route| route.versus.is_some()))
        .live(move || state.answer(), move |pieces| pieces.iter().map(draw_piece).collect());
    // What is below the tables would have to make room for them.
    let ready = move || (state.scene.with(Option::is_some), state.failed());
    let below = move |ready: &(bool, bool)| match ready {
        (true, _) => {
            vec![coverage::panel(state).into(), guide::panel(state).into(), foot::foot(state).into()]
        }
        (false, true) => vec![guide::panel(state).into(), foot::foot(state).into()],
        (false, false) => nothing(),
    };

    main.child(element("div").class("title").child(element("h1").live_text(title)).child(lead))
        .child(runs::runs(state))
        .child(notices::notices(state))
        .child(controls::controls(state))
        .with(|main| tables::tables(main, state))
        .live(ready, below)
}

/// A piece of a sentence.
pub fn draw_piece(piece: &Piece) -> Node {
    match piece {
        Piece::Text(text) => text.as_str().into(),
        Piece::Figure(text) => element("strong").child(text.as_str()).into(),
    }
}
