//! What the reader has to know before the figures: a link that could not be followed, an approximate
//! or empty tier, a stale site, a file that is not there.

use leptos::prelude::*;

use super::failure::FailureNotice;
use super::model::coverage;
use super::state::{Overview, Run, Scene};
use crate::components::notice::{Notice, Weight};
use crate::data::Load;
use crate::data::check::Check;

/// The messages above the tables.
#[component]
pub fn Notices() -> impl IntoView {
    view! {
        <div class="notices">
            <Troubles/>
            <Cautions/>
        </div>
    }
    .into_any()
}

/// What went wrong: with the link, with loading, with a snapshot.
#[component]
fn Troubles() -> impl IntoView {
    let Overview { navigator, library, a, b, .. } = expect_context::<Overview>();

    let problems = move || {
        let problems = navigator.problems().get();
        (!problems.is_empty()).then(|| {
            let lines = problems.iter().map(|problem| view! { <p>{problem.to_string()}</p> }).collect_view();
            view! { <div role="alert"><Notice weight=Weight::Caution>{lines}</Notice></div> }
        })
    };
    let index_failure = move || match library.index().get() {
        Load::Failed(failure) => {
            Some(view! { <FailureNotice failure retry=move |()| library.load_index()/> })
        }
        _ => None,
    };
    let run_failure = move |run: Run| match run.load.get() {
        Some(Load::Failed(failure)) => {
            let again = move |()| {
                if let Some(entry) = run.entry.get_untracked() {
                    library.load_snapshot(entry.id);
                }
            };
            Some(view! { <FailureNotice failure retry=again/> })
        }
        _ => None,
    };
    let distrust = move |run: Run, name: &'static str| {
        let entry = run.entry.get()?;
        let Check::Differs(difference) = library.check(&entry.id) else { return None };
        Some(view! {
            <Notice weight=Weight::Failure>
                <p><strong>"Do not trust the figures of "{name}"."</strong>" Its snapshot does not pass the check: "{difference}"."</p>
            </Notice>
        })
    };

    view! {
        {problems}
        {index_failure}
        {move || run_failure(a)}
        {move || run_failure(b)}
        {move || distrust(a, "run A")}
        {move || distrust(b, "run B")}
    }
    .into_any()
}

/// What changes how the figures are to be read.
#[component]
fn Cautions() -> impl IntoView {
    let state = expect_context::<Overview>();
    let Overview { navigator, index, a, b, scene, now, .. } = state;

    let age = Memo::new(move |_| {
        let index = index.get()?;
        let newest = index.snapshots.first()?;
        let entry = a.entry.get()?;
        now.with_value(|now| coverage::age_notice(&newest.generated_at, entry.id == newest.id, now))
    });
    let age = move || {
        age.get().map(|text| {
            let newest = move |_| {
                if let Some(index) = index.get_untracked() {
                    navigator.go(|route| route.run = index.snapshots.first().map(|entry| entry.id.clone()));
                }
            };
            let elsewhere = index.with(|index| {
                let newest = index.as_ref().and_then(|index| index.snapshots.first());
                a.entry.with(|entry| entry.as_ref().map(|entry| &entry.id) != newest.map(|entry| &entry.id))
            });
            let button = elsewhere.then(|| {
                view! {
                    <p>
                        <button type="button" class="button" on:click=newest>"Show the newest run"</button>
                    </p>
                }
            });
            view! { <Notice weight=Weight::Information><p>{text}</p>{button}</Notice> }
        })
    };
    let tier = Memo::new(move |_| {
        let route = navigator.route().get();
        scene.with(|scene| {
            let Scene { a, choice, .. } = scene.as_ref()?;
            coverage::tier_notice(&route, &a.summary, choice)
        })
    });
    let tier = move || {
        tier.get().map(|(headline, text)| {
            view! {
                <Notice weight=Weight::Caution>
                    <p><strong>{headline}</strong>" "{text}</p>
                </Notice>
            }
        })
    };

    let facts = Memo::new(move |_| {
        // The room of the sentence is kept while B is on its way.
        let asked = navigator.route().with(|route| route.versus.is_some());
        let failed = b.load.with(|load| matches!(load, Some(Load::Failed(_)))) || state.failed();
        (asked && !failed).then(|| {
            let compared = scene.with(|scene| scene.as_ref()?.compared.clone());
            compared.map_or(Ok("…".to_owned()), |compared| match &compared.obstacle {
                Some(obstacle) => Err(obstacle.clone()),
                None => Ok(compared.facts.join(" ")),
            })
        })
    });
    let comparison = move || {
        facts.get().map(|facts| match facts {
            Err(obstacle) => view! {
                <Notice weight=Weight::Caution>
                    <p><strong>"Not comparable. "</strong>{obstacle}" The tables show A alone."</p>
                </Notice>
            }
            .into_any(),
            Ok(facts) => view! {
                <Notice weight=Weight::Information>
                    <p><strong>"What differs between A and B: "</strong>{facts}</p>
                </Notice>
            }
            .into_any(),
        })
    };
    view! {
        {comparison}
        {age}
        {tier}
    }
    .into_any()
}
