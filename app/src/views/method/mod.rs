//! Method: what the words mean, by which thresholds this snapshot was scored, and where to read more.

pub mod model;

use shared::tier::Tier;

use super::grid;
use super::scene::Scene;
use crate::dom::{Element, Node, element};
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
    let tables = [model::thresholds(&scene.a), model::estimators(&scene.a)];
    vec![
        section("glossary", "What the words mean", glossary).into(),
        element("div").class("tables").children(tables.map(|table| grid::draw(table, false))).into(),
        section(
            "source",
            "Where the measurements come from",
            element("dl").class("glossary source").children(source),
        )
        .into(),
        section("pages", "Where to read more", element("ul").children(model::PAGES.map(page))).into(),
    ]
}

fn section(key: &str, title: &str, content: Element) -> Element {
    element("section")
        .class("card list")
        .attr("data-list", key)
        .child(element("h2").child(title))
        .child(content)
}
