//! Tier, estimator, grouping, intervals.

use leptos::prelude::*;
use shared::format;
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::outline::Simulator;
use shared::summary::GroupBy;
use shared::tier::Tier;

use super::model::capitalised;
use super::model::choice::{self, tier_meaning, tier_name};
use super::state::{Overview, Scene};
use crate::components::segmented::{Names, Segment, segmented};
use crate::components::select::{Choice, select};
use crate::dom::{Element, element, is_checked};
use crate::route::Route;

/// The controls above the tables.
pub fn controls(state: Overview) -> Element {
    element("section")
        .class("controls")
        .attr("aria-label", "What is shown")
        .live_flag("hidden", move || state.failed())
        .child(tiers(state))
        .child(estimators(state))
        .child(groupings(state))
        .child(intervals(state))
}

fn tiers(Overview { navigator, scene, .. }: Overview) -> Element {
    let segment = move |tier: Tier| {
        let count = scene.with(|scene| {
            let Scene { a, choice, .. } = scene.as_ref()?;
            choice::total(&a.outline, tier, &choice.estimator, Metric::Tpot).map(|total| total.sweeps)
        });
        // The room of a count is kept while it is not known.
        let count = count.map_or_else(|| "…".to_owned(), format::count);
        Segment { key: tier.key(), name: tier_name(tier), count, title: tier_meaning(tier) }
    };
    let chosen = Memo::new(move |_| {
        let tier = scene.with(|scene| scene.as_ref().map(|scene| scene.choice.tier));
        tier.unwrap_or(Tier::MeasuredOrResolved).key().to_owned()
    });
    let choose = move |key: &'static str| navigator.go(|route| route.tier = Tier::from_key(key));
    segmented(Names { name: "tier", legend: "Tier" }, move || Tier::ALL.map(segment).to_vec(), chosen, choose)
}

fn estimators(Overview { navigator, scene, .. }: Overview) -> Element {
    let one = |simulator: &Simulator| Choice { key: simulator.id.to_string(), name: simulator.title() };
    let all = move |scene: &Scene| scene.a.outline.simulators.iter().map(one).collect();
    let choices = move || scene.with(|scene| scene.as_ref().map(all).unwrap_or_default());
    let chosen = Memo::new(move |_| {
        scene.with(|scene| scene.as_ref().map(|scene| scene.choice.estimator.to_string()).unwrap_or_default())
    });
    let choose = move |key: String| {
        let primary =
            scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.a.outline.primary.clone()));
        // The run's own simulator is the default; the run stands in the address.
        let chosen = EstimatorId::new(key).ok().filter(|id| Some(id) != primary.as_ref());
        navigator.go(|route| route.estimator = chosen);
    };
    select("estimator", "Estimator", choices, chosen, choose)
}

fn groupings(Overview { navigator, .. }: Overview) -> Element {
    let choice = |by: GroupBy| Choice { key: by.key().to_owned(), name: capitalised(by.name()) };
    let by = Memo::new(move |_| navigator.route().with(|route| route.by.key().to_owned()));
    let choose = move |key: String| {
        if let Some(by) = GroupBy::from_key(&key) {
            navigator.go(|route| route.by = by);
        }
    };
    select("by", "Group by", move || Route::GROUPINGS.map(choice).to_vec(), by, choose)
}

fn intervals(Overview { navigator, .. }: Overview) -> Element {
    let box_ = element("input")
        .attr("type", "checkbox")
        .live_property("checked", move || navigator.route().with(|route| route.intervals).into())
        .on("change", move |event| {
            let shown = is_checked(&event);
            navigator.go(|route| route.intervals = shown);
        });
    element("label").class("check").child(box_).child("95 % intervals")
}
