//! Where the figures come from: the snapshot's file and the program that made it.

use leptos::prelude::*;

use super::model::facts;
use super::state::Overview;
use crate::data::summary_file;

/// The lines under everything.
#[component]
pub fn Foot() -> impl IntoView {
    let Overview { scene, a, .. } = expect_context::<Overview>();
    let lines = move || {
        let made_by = scene.with(|scene| Some(facts::made_by(&scene.as_ref()?.a.summary)))?;
        let entry = a.entry.get()?;
        Some(view! {
            <span>"Snapshot "<a href=summary_file(&entry.id)>{entry.id.to_string()}</a></span>
            <span>"SHA-256 "<code>{entry.sha256.to_string()}</code></span>
            <span>{made_by}</span>
        })
    };
    view! { <footer class="foot">{lines}</footer> }.into_any()
}
