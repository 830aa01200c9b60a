//! What the reader has to know before the figures: a link that could not be followed, an approximate
//! or empty tier, a stale site, a file that is not there.

use leptos::prelude::*;
use shared::id::SnapshotId;

use super::failure::failure_notice;
use super::model::coverage;
use super::state::{Overview, Run, Scene};
use crate::components::notice::{Weight, headline_and, notice};
use crate::data::Load;
use crate::data::failure::Failure;
use crate::dom::{Element, Node, element, nothing};
use crate::message::Check;
use crate::route::query::LinkProblem;

/// The messages above the tables.
pub fn notices(state: Overview) -> Element {
    element("div")
        .class("notices")
        .with(|parent| troubles(parent, state))
        .with(|parent| cautions(parent, state))
}

/// What went wrong: with the link, with loading, with a snapshot.
fn troubles(parent: Element, state: Overview) -> Element {
    let Overview { navigator, library, a, b, .. } = state;
    let index_failure = move || match library.index().get() {
        Load::Failed(failure) => Some(failure),
        _ => None,
    };
    let index_notice = move |failure: &Option<Failure>| {
        failure.iter().map(|failure| failure_notice(failure, move || library.load_index()).into()).collect()
    };
    parent
        .live(move || navigator.problems().get(), |problems| link_notice(problems))
        .live(index_failure, index_notice)
        .with(|parent| run_failure(parent, state, a))
        .with(|parent| run_failure(parent, state, b))
        .with(|parent| distrust(parent, state, a, "run A"))
        .with(|parent| distrust(parent, state, b, "run B"))
}

fn link_notice(problems: &[LinkProblem]) -> Vec<Node> {
    if problems.is_empty() {
        return nothing();
    }
    let lines = problems.iter().map(|problem| element("p").child(problem.to_string()));
    vec![element("div").attr("role", "alert").child(notice(Weight::Caution, lines)).into()]
}

fn run_failure(parent: Element, Overview { library, .. }: Overview, run: Run) -> Element {
    let failure = move || match run.load(library) {
        Some(Load::Failed(failure)) => Some(failure),
        _ => None,
    };
    let again = move || {
        if let Some(entry) = run.entry.get_untracked() {
            library.load_snapshot(entry.id, entry.sha256);
        }
    };
    parent.live(failure, move |failure| {
        failure.iter().map(|failure| failure_notice(failure, again).into()).collect()
    })
}

fn distrust(parent: Element, Overview { library, .. }: Overview, run: Run, name: &'static str) -> Element {
    let difference = move || match library.check(&run.entry.get()?.id) {
        Check::Differs(difference) => Some(difference),
        _ => None,
    };
    let draw = move |difference: &String| -> Node {
        let headline = format!("Do not trust the figures of {name}.");
        let text = format!(" Its snapshot does not pass the check: {difference}.");
        notice(Weight::Failure, [headline_and(&headline, text)]).into()
    };
    parent.live(difference, move |difference| difference.iter().map(draw).collect())
}

/// What changes how the figures are to be read.
fn cautions(parent: Element, state: Overview) -> Element {
    let Overview { navigator, scene, .. } = state;
    let tier = move || {
        let route = navigator.route().get();
        scene.with(|scene| {
            let Scene { a, choice, .. } = scene.as_ref()?;
            coverage::tier_notice(&route, &a.outline, choice)
        })
    };
    let tier_notice = |notices: &Option<(String, String)>| {
        let draw = |(headline, text): &(String, String)| {
            notice(Weight::Caution, [headline_and(headline, format!(" {text}"))]).into()
        };
        notices.iter().map(draw).collect()
    };
    parent.with(|parent| comparison(parent, state)).with(|parent| age(parent, state)).live(tier, tier_notice)
}

/// That the site is stale, or that a newer run exists, and a way to it.
fn age(parent: Element, Overview { navigator, library, a, now, .. }: Overview) -> Element {
    // The words, and the newest run where another one is shown.
    let age = move || -> Option<(String, Option<SnapshotId>)> {
        let index = library.index().with(Load::ready)?;
        let newest = index.snapshots.first()?;
        let shown_is_newest = a.entry.get()?.id == newest.id;
        let text = now.with_value(|now| coverage::age_notice(&newest.generated_at, shown_is_newest, now))?;
        Some((text, (!shown_is_newest).then(|| newest.id.clone())))
    };
    let draw = move |(text, newest): &(String, Option<SnapshotId>)| -> Node {
        let button = newest.clone().map(|newest| {
            let show = move |_| navigator.go(|route| route.run = Some(newest.clone()));
            let button = element("button").attr("type", "button").class("button").on("click", show);
            element("p").child(button.child("Show the newest run"))
        });
        let text = element("p").child(text.as_str());
        notice(Weight::Information, std::iter::once(text).chain(button)).into()
    };
    parent.live(age, move |age| age.iter().map(draw).collect())
}

/// What differs between the two runs, or why they cannot be compared.
fn comparison(parent: Element, state: Overview) -> Element {
    let Overview { navigator, library, b, compares, scene, .. } = state;
    let facts = move || {
        // The room of the sentence is kept while B is on its way.
        let asked = compares && navigator.route().with(|route| route.versus.is_some());
        let failed = matches!(b.load(library), Some(Load::Failed(_))) || state.failed();
        (asked && !failed).then(|| {
            let compared = scene.with(|scene| scene.as_ref()?.compared.clone());
            compared.map_or(Ok("…".to_owned()), |compared| match &compared.obstacle {
                Some(obstacle) => Err(obstacle.clone()),
                None => Ok(compared.facts.clone()),
            })
        })
    };
    let draw = |facts: &Result<String, String>| -> Node {
        let (weight, text) = match facts {
            Ok(facts) => {
                (Weight::Information, headline_and("What differs between A and B: ", facts.as_str()))
            }
            Err(obstacle) => {
                let text = format!("{obstacle} The tables show A alone.");
                (Weight::Caution, headline_and("Not comparable. ", text))
            }
        };
        notice(weight, [text]).into()
    };
    parent.live(facts, move |facts| facts.iter().map(draw).collect())
}
