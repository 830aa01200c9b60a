//! The two runs: which they are, what they are made of, and whether they say the truth.

use leptos::prelude::*;
use shared::format;
use shared::id::SnapshotId;

use super::model::facts;
use super::state::{Overview, Run};
use crate::components::icon::Icon;
use crate::components::picker::{Entry, Picker};
use crate::data::Load;
use crate::data::check::Check;

/// Both runs side by side, with the button that swaps them.
#[component]
pub fn Runs() -> impl IntoView {
    let Overview { navigator, library, index, a, b, .. } = expect_context::<Overview>();

    let entries = Memo::new(move |_| {
        index.with(|index| {
            index.iter().flat_map(|index| &index.snapshots).map(facts::entry).collect::<Vec<Entry>>()
        })
    });
    let with_none = Memo::new(move |_| {
        let none = Entry { key: String::new(), title: "None".to_owned(), detail: "Show one run".to_owned() };
        std::iter::once(none).chain(entries.get()).collect::<Vec<Entry>>()
    });
    let key = |run: Run| {
        Memo::new(move |_| {
            run.entry.with(|entry| entry.as_ref().map(|entry| entry.id.to_string()).unwrap_or_default())
        })
    };
    let choose_a = move |key: String| {
        if let Ok(id) = SnapshotId::new(key) {
            navigator.go(|route| route.run = Some(id));
        }
    };
    let choose_b = move |key: String| navigator.go(|route| route.versus = SnapshotId::new(key).ok());
    let swap = move |_| {
        navigator.go(|route| {
            if route.versus.is_some() {
                std::mem::swap(&mut route.run, &mut route.versus);
            }
        });
    };
    let alone = move || b.entry.with(Option::is_none);

    view! {
        <section class="runs" aria-label="Runs" hidden=move || library.index().with(|index| matches!(index, Load::Failed(_)))>
            <div class="run">
                <Picker id="run-a" label="Run (A)" entries=entries chosen=key(a) on_choose=choose_a/>
                <Facts run=a/>
            </div>
            <button
                type="button"
                class="button swap"
                title="Swap A and B"
                disabled=alone
                on:click=swap
            >
                {Icon::Swap.draw()}
                <span class="unseen">"Swap A and B"</span>
            </button>
            <div class="run">
                <Picker id="run-b" label="Compare against (B)" entries=with_none chosen=key(b) on_choose=choose_b/>
                <Show
                    when=move || !alone()
                    fallback=|| {
                        view! {
                            <p class="run-none">
                                "Choose a second run to see, for every figure, what it says and how far it "
                                "differs, over the points that both runs scored."
                            </p>
                        }
                    }
                >
                    <Facts run=b/>
                </Show>
            </div>
        </section>
    }
    .into_any()
}

/// The facts of a run, its label, and what checking it has shown.
#[component]
fn Facts(
    /// The run.
    run: Run,
) -> impl IntoView {
    let Overview { library, now, .. } = expect_context::<Overview>();
    let facts = move || {
        let entry = run.entry.get()?;
        let facts = now.with_value(|now| facts::of(&entry, now));
        let draw = |fact: facts::Fact| {
            view! {
                <div title=fact.title>
                    <dt>{fact.name}</dt>
                    <dd>{fact.value}</dd>
                </div>
            }
        };
        Some(facts.into_iter().map(draw).collect_view())
    };
    let label = move || {
        let entry = run.entry.get()?;
        let (name, meaning) = facts::label(entry.label);
        let class = if entry.label == shared::summary::Label::Released { "chip" } else { "chip caution" };
        Some(view! { <span class=class title=meaning>{name}</span> })
    };
    let there = move || run.load.with(|load| matches!(load, Some(Load::Loading | Load::Ready(_))));
    let check = Memo::new(move |_| {
        run.entry.with(|entry| entry.as_ref().map_or(Check::Waiting, |entry| library.check(&entry.id)))
    });
    view! {
        <dl class="facts">{facts}</dl>
        <div class="run-state">{label} <Show when=there><CheckChip check/></Show></div>
    }
    .into_any()
}

/// Whether the snapshot says the truth.
#[component]
fn CheckChip(
    /// What checking has shown so far.
    check: Memo<Check>,
) -> impl IntoView {
    let chip = move || match check.get() {
        Check::Waiting => view! {
            <span class="chip"><span class="spinner"></span>"checking"</span>
        }
        .into_any(),
        Check::Running { done, of } => {
            let progress =
                format!("checking: {} of {}", format::count(done as u64), format::count(of as u64));
            view! { <span class="chip"><span class="spinner"></span>{progress}</span> }.into_any()
        }
        Check::Verified { figures } => {
            let title = format!(
                "The file's SHA-256 is the one in the index, and all {} sets of figures, computed again \
                 in this browser from the points in the file, are the same to the last bit",
                format::count(figures as u64)
            );
            view! { <span class="chip good" title=title>{Icon::Tick.draw()}"verified"</span> }.into_any()
        }
        Check::Differs(difference) => {
            view! { <span class="chip bad">{Icon::Cross.draw()}"differs: "{difference}</span> }.into_any()
        }
    };
    let spoken = move || match check.get() {
        Check::Verified { .. } => "Snapshot verified",
        Check::Differs(_) => "The snapshot differs from what it should be",
        _ => "",
    };
    view! {
        {chip}
        <span class="unseen" role="status">{spoken}</span>
    }
    .into_any()
}
