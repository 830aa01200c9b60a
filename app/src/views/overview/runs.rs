//! The two runs: which they are, what they are made of, and whether they say the truth.

use leptos::prelude::*;
use shared::format;
use shared::id::SnapshotId;
use shared::summary::Label;

use super::model::facts;
use super::state::{Overview, Run};
use crate::components::icon::Icon;
use crate::components::picker::{Entry, Names, picker};
use crate::data::{Library, Load};
use crate::dom::{Element, Node, element};
use crate::message::Check;

/// Both runs side by side, with the button that swaps them.
pub fn runs(state: Overview) -> Element {
    let Overview { navigator, library, b, .. } = state;
    let swap = move |_| {
        navigator.go(|route| {
            if route.versus.is_some() {
                std::mem::swap(&mut route.run, &mut route.versus);
            }
        });
    };
    let swap = element("button")
        .attr("type", "button")
        .class("button swap")
        .title("Swap A and B")
        .live_flag("disabled", move || b.entry.with(Option::is_none))
        .on("click", swap)
        .child(Icon::Swap.draw())
        .child(element("span").class("unseen").child("Swap A and B"));
    element("section")
        .class("runs")
        .attr("aria-label", "Runs")
        .live_flag("hidden", move || library.index().with(|index| matches!(index, Load::Failed(_))))
        .child(run_a(state))
        .child(swap)
        .child(run_b(state))
}

fn run_a(state: Overview) -> Element {
    let Overview { navigator, library, a, .. } = state;
    let entries = move || entries(library);
    let choose = move |key: String| {
        if let Ok(id) = SnapshotId::new(key) {
            navigator.go(|route| route.run = Some(id));
        }
    };
    let picker = picker(Names { id: "run-a", label: "Run (A)" }, entries, key(a), choose);
    element("div").class("run").child(picker).children(described(state, a))
}

fn run_b(state: Overview) -> Element {
    let Overview { navigator, library, b, .. } = state;
    let with_none = move || {
        let none = Entry { key: String::new(), title: "None".to_owned(), detail: "Show one run".to_owned() };
        std::iter::once(none).chain(entries(library)).collect()
    };
    let choose = move |key: String| navigator.go(|route| route.versus = SnapshotId::new(key).ok());
    let picker = picker(Names { id: "run-b", label: "Compare against (B)" }, with_none, key(b), choose);
    let none = "Choose a second run to see, for every figure, what it says and how far it differs, over the \
                points that both runs scored.";
    let describe = move |is_chosen: &bool| {
        if *is_chosen { described(state, b) } else { vec![element("p").class("run-none").child(none).into()] }
    };
    element("div").class("run").child(picker).live(move || b.entry.with(Option::is_some), describe)
}

fn entries(library: Library) -> Vec<Entry> {
    let index = library.index().with(Load::ready);
    index.iter().flat_map(|index| &index.snapshots).map(facts::entry).collect()
}

/// The key of a run in the lists.
fn key(run: Run) -> Memo<String> {
    Memo::new(move |_| {
        run.entry.with(|entry| entry.as_ref().map(|entry| entry.id.to_string()).unwrap_or_default())
    })
}

/// The facts of a run, its label, and what checking it has shown.
fn described(state: Overview, run: Run) -> Vec<Node> {
    let Overview { library, now, .. } = state;
    let facts = move || {
        run.entry.with(|entry| {
            entry.iter().flat_map(|entry| now.with_value(|now| facts::of(entry, now))).collect::<Vec<_>>()
        })
    };
    let fact = |fact: &facts::Fact| {
        let value = element("dd").child(fact.value.as_str());
        element("div").title(&fact.title).child(element("dt").child(fact.name)).child(value).into()
    };
    let label = move || run.entry.with(|entry| entry.as_ref().map(|entry| entry.label));
    let check = move || {
        let is_there = matches!(run.load(library), Some(Load::Loading | Load::Ready(_)));
        let id = run.entry.with(|entry| entry.as_ref().map(|entry| entry.id.clone())).filter(|_| is_there)?;
        Some(library.check(&id))
    };
    let spoken = move || match check() {
        Some(Check::Verified { .. }) => "Snapshot verified".to_owned(),
        Some(Check::Differs(_)) => "The snapshot differs from what it should be".to_owned(),
        _ => String::new(),
    };
    let run_state = element("div")
        .class("run-state")
        .live(label, |label| label.map(draw_label).into_iter().collect())
        .live(check, |check| check.iter().map(chip).collect())
        .child(element("span").class("unseen").attr("role", "status").live_text(spoken));
    let facts = element("dl").class("facts").live(facts, move |facts| facts.iter().map(fact).collect());
    vec![facts.into(), run_state.into()]
}

fn draw_label(label: Label) -> Node {
    let (name, meaning) = facts::label(label);
    let class = if label == Label::Released { "chip" } else { "chip caution" };
    element("span").class(class).title(meaning).child(name).into()
}

/// Whether the snapshot says the truth.
fn chip(check: &Check) -> Node {
    let chip = element("span");
    let spinner = || element("span").class("spinner");
    let chip = match check {
        Check::Waiting => chip.class("chip").child(spinner()).child("checking"),
        Check::Running { done, of } => {
            let progress =
                format!("checking: {} of {}", format::count(*done as u64), format::count(*of as u64));
            chip.class("chip").child(spinner()).child(progress)
        }
        Check::Verified { figures } => {
            let title = format!(
                "The file's SHA-256 is the one in the index, and all {} sets of figures, computed again \
                 in this browser from the points in the file, are the same to the last bit",
                format::count(*figures as u64)
            );
            chip.class("chip good").title(&title).child(Icon::Tick.draw()).child("verified")
        }
        Check::Differs(difference) => {
            chip.class("chip bad").child(Icon::Cross.draw()).child(format!("differs: {difference}"))
        }
        Check::Failed(why) => {
            chip.class("chip caution").child(Icon::Warning.draw()).child(format!("not checked: {why}"))
        }
    };
    chip.into()
}
