//! Tier, estimator, grouping, intervals.

use leptos::prelude::*;
use shared::format;
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::outcome::SimulatorIdentity;
use shared::summary::GroupBy;
use shared::tier::Tier;

use super::model::choice::{self, tier_meaning, tier_name};
use super::state::{Overview, Scene};
use crate::components::segmented::{Segment, Segmented};
use crate::components::select::{Choice, Select};
use crate::route::Route;

/// The controls above the tables.
#[component]
pub fn Controls() -> impl IntoView {
    let state = expect_context::<Overview>();
    let Overview { navigator, scene, .. } = state;

    let tiers = Memo::new(move |_| {
        let segment = |tier: Tier| {
            let count = scene.with(|scene| {
                let Scene { a, choice, .. } = scene.as_ref()?;
                choice::total(&a.summary, tier, &choice.estimator, Metric::Tpot).map(|total| total.sweeps)
            });
            // The room of a count is kept while it is not known.
            let count = count.map_or_else(|| "…".to_owned(), format::count);
            Segment { key: tier.key(), name: tier_name(tier), count, title: tier_meaning(tier).to_owned() }
        };
        Tier::ALL.map(segment).to_vec()
    });
    let tier = Memo::new(move |_| {
        scene.with(|scene| scene.as_ref().map_or(Tier::MeasuredOrResolved, |scene| scene.choice.tier)).key()
    });
    let choose_tier = move |key: &'static str| navigator.go(|route| route.tier = Tier::from_key(key));

    let estimators = Memo::new(move |_| {
        let one =
            |simulator: &SimulatorIdentity| Choice { key: simulator.id.to_string(), name: simulator.title() };
        let all = |scene: &Scene| scene.a.summary.simulators.iter().map(one).collect();
        scene.with(|scene| scene.as_ref().map(all).unwrap_or_default())
    });
    let estimator = Memo::new(move |_| {
        scene.with(|scene| scene.as_ref().map(|scene| scene.choice.estimator.to_string()).unwrap_or_default())
    });
    let choose_estimator = move |key: String| {
        let primary =
            scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.a.summary.run.primary.clone()));
        // The run's own simulator is the default; the run stands in the address.
        let chosen = EstimatorId::new(key).ok().filter(|id| Some(id) != primary.as_ref());
        navigator.go(|route| route.estimator = chosen);
    };

    let groupings: Vec<Choice> = Route::GROUPINGS
        .into_iter()
        .map(|by| Choice { key: by.key().to_owned(), name: capitalised(by.name()) })
        .collect();
    let by = Memo::new(move |_| navigator.route().with(|route| route.by.key().to_owned()));
    let choose_by = move |key: String| {
        if let Some(by) = GroupBy::from_key(&key) {
            navigator.go(|route| route.by = by);
        }
    };

    view! {
        <section class="controls" aria-label="What is shown" hidden=move || state.failed()>
            <Segmented name="tier" legend="Tier" segments=tiers chosen=tier on_choose=choose_tier/>
            <Select id="estimator" label="Estimator" choices=estimators chosen=estimator on_choose=choose_estimator/>
            <Select id="by" label="Group by" choices=groupings chosen=by on_choose=choose_by/>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || navigator.route().with(|route| route.intervals)
                    on:change=move |event| {
                        let shown = event_target_checked(&event);
                        navigator.go(|route| route.intervals = shown);
                    }
                />
                "95 % intervals"
            </label>
        </section>
    }
    .into_any()
}

/// `Engine version`.
pub fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
