//! The program of all views but the Overview: the same runs, controls and messages, and below them one view that is
//! computed here from the points of the snapshots.

pub mod view;

use leptos::prelude::*;
use shared::id::SnapshotId;
use shared::index::IndexEntry;

use self::view::View;
use crate::app;
use crate::data::failure::Failure;
use crate::data::whole::Wholes;
use crate::data::{Library, Load};
use crate::dom::{Element, Node, element, follow, nothing};
use crate::message::Check;
use crate::route::history::Navigator;
use crate::views::overview::failure::failure_notice;
use crate::views::overview::model::choice::Choice;
use crate::views::overview::state::{Overview, Run};
use crate::views::overview::{controls, foot, notices, runs};
use crate::views::scene::Scene;
use crate::views::time::fetching::Archive;
use crate::views::{compare, coverage, estimators, method, sweeps, time, verify};

/// Starts the explorer.
pub fn start() {
    app::start_with(explore);
}

/// The main column.
fn explore(main: Element, navigator: Navigator, library: Library) -> Element {
    // Compare compares by itself, down to the points.
    let state = Overview::start(navigator, library, false);
    let wholes = Wholes::open();
    let failed =
        Memo::new(move |_| state.failed() || [state.a, state.b].into_iter().any(|run| is_lost(wholes, run)));
    for run in [state.a, state.b] {
        follow(move || {
            if let Some(entry) = run.entry.get() {
                wholes.need(&entry.id);
            }
        });
    }
    let view = view_of(navigator);
    follow(move || document().set_title(&format!("{} · BLIS accuracy dashboard", view.get().title())));
    let archive = Archive::open();
    let scene = Memo::new(move |_| scene(state, wholes, archive, view.get()));
    let draw = |(scene, failed): &(Option<Scene>, bool)| match scene {
        Some(scene) => draw(scene),
        None if *failed => nothing(),
        None => vec![element("div").class("bone table").into()],
    };
    let title = element("div")
        .class("title")
        .child(element("h1").live_text(move || view.get().title().to_owned()))
        .child(element("p").class("lead short").live_text(move || view.get().question().to_owned()));
    let busy = move || scene.with(Option::is_none) && !failed.get();
    let content = element("div")
        .class("stack view")
        .live_state("aria-busy", busy)
        .live(move || (scene.get(), failed.get()), draw);
    main.child(title)
        .child(runs::runs(state))
        .child(notices::notices(state))
        .with(|main| whole_failure(main, state, wholes, state.a))
        .with(|main| whole_failure(main, state, wholes, state.b))
        .child(controls::controls(state))
        .child(content)
        .child(checks(state))
        .child(foot::foot(state))
}

/// The view of the address.
fn view_of(navigator: Navigator) -> Memo<View> {
    Memo::new(move |_| {
        navigator.route().with(|route| View::from_key(route.more("view")).unwrap_or(View::Compare))
    })
}

/// All that a view is drawn from, once it is loaded.
fn scene(state: Overview, wholes: Wholes, archive: Archive, view: View) -> Option<Scene> {
    let Overview { navigator, library, a, b, .. } = state;
    let index = library.index().with(Load::ready)?;
    let entry = a.entry.get()?;
    let outline = a.load(library)?.ready()?;
    let other = match b.entry.get() {
        Some(entry) => Some(wholes.get(&entry.id).ready()?),
        None => None,
    };
    let mut route = navigator.route().get();
    let choice = Choice::of(&route, &outline.outline);
    route.more = Default::default();
    let a = wholes.get(&entry.id).ready()?;
    Some(Scene { navigator, archive, view, index, entry, a, b: other, choice, route })
}

fn draw(scene: &Scene) -> Vec<Node> {
    // For every table in the view, which can be taken away with what it is about.
    provide_context(scene.clone());
    match scene.view {
        View::Compare => compare::view(scene),
        View::Sweeps => sweeps::view(scene),
        View::Coverage => coverage::view(scene),
        View::Estimators => estimators::view(scene),
        View::Time => time::view(scene),
        View::Method => method::view(scene),
    }
}

/// Whether the points of a run cannot be had.
fn is_lost(wholes: Wholes, run: Run) -> bool {
    run.entry.get().is_some_and(|entry| matches!(wholes.get(&entry.id), Load::Failed(_)))
}

/// A snapshot whose tables are there and whose points are not.
fn whole_failure(parent: Element, state: Overview, wholes: Wholes, run: Run) -> Element {
    let failure = move || -> Option<(SnapshotId, Failure)> {
        let id = run.entry.get()?.id;
        // Of a file of which not even the tables are there, their reader tells.
        run.load(state.library)?.ready()?;
        match wholes.get(&id) {
            Load::Failed(failure) => Some((id, failure)),
            _ => None,
        }
    };
    parent.live(failure, move |failure| {
        let notice = |(id, failure): &(SnapshotId, Failure)| -> Node {
            let id = id.clone();
            failure_notice(failure, move || wholes.load(id.clone())).into()
        };
        failure.iter().map(notice).collect()
    })
}

/// The accounts of checking the runs.
fn checks(state: Overview) -> Element {
    let Overview { library, a, b, .. } = state;
    let account = move |parent: Element, run: Run, name: &'static str| {
        parent.live(
            move || run.entry.get(),
            move |entry| {
                let panel = |entry: &IndexEntry| -> Node {
                    let id = entry.id.clone();
                    let check = move || -> Check { library.check(&id) };
                    verify::panel(name, entry.clone(), check).into()
                };
                entry.iter().map(panel).collect()
            },
        )
    };
    let stack = element("div").class("stack");
    account(account(stack, a, "Run A"), b, "Run B")
}
