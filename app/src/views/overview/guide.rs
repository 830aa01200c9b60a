//! How to read this, in plain language; folded away once it has been read.

use leptos::prelude::*;

use super::model::choice::tier_meaning;
use super::model::table::limits;
use super::state::Overview;
use crate::browser;
use shared::tier::Tier;

const STORED: &str = "guide";
const READ: &str = "read";

/// The box under the tables.
#[component]
pub fn Guide() -> impl IntoView {
    let Overview { scene, .. } = expect_context::<Overview>();
    let open = RwSignal::new(browser::remembered(STORED).as_deref() != Some(READ));
    let dismiss = move |_| {
        browser::remember(STORED, READ);
        open.set(false);
    };
    let limits = move || scene.with(|scene| scene.as_ref().map(|scene| limits(&scene.a.summary)));
    let definitions = [
        (
            "Point and sweep",
            "A point is one measured concurrency c: that many requests in flight against one deployment. A \
             sweep is a deployment and a workload over its concurrencies.",
        ),
        (
            "TPOT and TTFT",
            "Mean time per output token and mean time to first token, as the benchmark client measured them.",
        ),
        (
            "Signed mean",
            "Mean of 100 · (predicted / measured − 1). Above 0 the simulator says slower than measured, below \
             0 faster. Errors in both directions cancel out here.",
        ),
        (
            "MAPE",
            "Mean of the same errors without their sign: how far off a single prediction is, on average.",
        ),
        (
            "Shape",
            "How wrong the growth with concurrency is, whatever the level: predicted growth over the sweep's \
             lowest concurrency against measured growth. That lowest point is not counted.",
        ),
        (
            "At lowest c, at highest c",
            "Signed error at the two ends of each sweep: nearly idle and fully loaded.",
        ),
        (
            "95 % interval",
            "How far a figure would move had other sweeps been measured: a bootstrap over sweeps. Fewer than \
             five sweeps: none.",
        ),
        (
            "Compared with B",
            "Both runs over the points that both scored. Less MAPE or shape is better. A change whose interval \
             contains 0 may be chance: it stays grey and says so.",
        ),
    ];
    let tiers = Tier::ALL.map(|tier| (super::model::choice::tier_name(tier), tier_meaning(tier)));
    let draw = |(term, text): (&'static str, &'static str)| {
        view! {
            <div>
                <dt>{term}</dt>
                <dd>{text}</dd>
            </div>
        }
    };
    view! {
        <details class="panel guide" prop:open=move || open.get()>
            <summary><strong>"How to read this"</strong></summary>
            <div class="panel-body">
                <dl class="glossary">
                    {definitions.into_iter().map(draw).collect_view()}
                    <div>
                        <dt>"Grade"</dt>
                        <dd>"By the MAPE: "{limits}</dd>
                    </div>
                    {tiers.into_iter().map(draw).collect_view()}
                </dl>
                <div class="guide-foot">
                    <button type="button" class="button" on:click=dismiss>"Got it"</button>
                </div>
            </div>
        </details>
    }
    .into_any()
}
