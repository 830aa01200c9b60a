//! Where the figures come from: the snapshot's file and the program that made it.

use leptos::prelude::*;

use super::model::facts;
use super::state::Overview;
use crate::data::summary_file;
use crate::dom::{Element, element};

/// The lines under everything.
pub fn foot(state: Overview) -> Element {
    let Overview { scene, a, .. } = state;
    let source = move || {
        let made_by = scene.with(|scene| Some(facts::made_by(&scene.as_ref()?.a.outline)))?;
        Some((a.entry.get()?, made_by))
    };
    element("footer").class("foot").live(source, |lines| {
        lines
            .iter()
            .flat_map(|(entry, made_by)| {
                let link = element("a").attr("href", &summary_file(&entry.id)).child(entry.id.as_str());
                let digest = element("code").child(entry.sha256.as_str());
                [
                    element("span").child("Snapshot ").child(link),
                    element("span").child("SHA-256 ").child(digest),
                    element("span").child(made_by.as_str()),
                ]
            })
            .map(Into::into)
            .collect()
    })
}
