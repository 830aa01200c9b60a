//! Method: what the words mean, by which thresholds this snapshot was scored, and where to read more.

pub mod model;

use shared::tier::Tier;

use super::grid;
use super::scene::Scene;
use crate::components::card::list_card;
use crate::dom::{Node, element};
use crate::views::overview::model::choice::{tier_meaning, tier_name};
use crate::views::overview::model::glossary::DEFINITIONS;

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let term = |(term, meaning): (&str, &str)| {
        element("div").child(element("dt").child(term)).child(element("dd").child(meaning))
    };
    let tiers = Tier::ALL.map(|tier| (tier_name(tier), tier_meaning(tier)));
    let terms = DEFINITIONS.into_iter().chain(tiers).chain(model::MORE_DEFINITIONS);
    let glossary = element("dl").class("glossary").children(terms.map(term));
    let page = |page: model::Page| {
        let link = element("a").attr("href", &page.address()).attr("rel", "noopener").child(page.title);
        element("li").child(link)
    };
    let source = model::measurements(&scene.a).into_iter().map(|(name, value)| {
        element("div").child(element("dt").child(name)).child(element("dd").child(value))
    });
    let source = element("dl").class("glossary source").children(source);
    let pages = element("ul").children(model::PAGES.map(page));
    let tables = [model::thresholds(&scene.a), model::estimators(&scene.a)];
    vec![
        list_card("glossary", "What the words mean", "").child(glossary).into(),
        element("div").class("tables").children(tables.map(|table| grid::draw(table, false))).into(),
        list_card("source", "Where the measurements come from", "").child(source).into(),
        list_card("pages", "Where to read more", "").child(pages).into(),
    ]
}
