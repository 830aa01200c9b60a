//! Compare: what changed from run A to run B, why, and where, down to the points.

mod answer;
pub mod model;

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use shared::format;
use shared::metric::Metric;

use self::answer::{Answer, Opening};
use self::model::{Only, Order, groups, lists, sweeps};
use super::scene::Scene;
use super::{grid, losses};
use crate::components::card::list_card;
use crate::components::notice::{Weight, headline_and, notice};
use crate::components::segmented::{Names, Segment, segmented};
use crate::components::select::{Choice, select};
use crate::dom::{Element, Node, element, nothing};
use crate::route::history::Navigator;
use crate::views::overview::draw_piece;
use crate::views::overview::model::compare::Compared;

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let Some(b) = &scene.b else { return vec![choose_b(scene).into()] };
    let answer = answer::begin(scene, b);
    let route = scene.navigator.route();
    let only = Memo::new(move |_| route.with(|route| Only::from_key(route.more("only")).unwrap_or_default()));
    let order =
        Memo::new(move |_| route.with(|route| Order::from_key(route.more("order")).unwrap_or_default()));
    // What does not change when the intervals come is not drawn anew then, so that whatever is opened in it stays so.
    let opening = move || answer.with(|answer| Some(Arc::clone(&answer.as_ref()?.opening)));
    let comparable = move || answer.get().filter(|answer| answer.compared.is_comparable());
    let scene = Rc::new(scene.clone());
    let lead = |answer: &Option<Answer>| answer.iter().flat_map(lead).collect();
    let groups = move || (comparable(), only.get(), order.get());
    let draw_groups = {
        let intervals = scene.choice.intervals;
        move |(answer, only, order): &(Option<Answer>, Only, Order)| match answer {
            Some(answer) => group_tables(&answer.compared, *only, *order, intervals),
            None => nothing(),
        }
    };
    let sweeps = move || {
        let opening = opening().filter(|opening| opening.compared.is_comparable());
        (opening, only.get(), order.get())
    };
    let draw_sweeps = {
        let scene = Rc::clone(&scene);
        move |(opening, only, order): &(Option<Arc<Opening>>, Only, Order)| match opening {
            Some(opening) => vec![sweep_table(&scene, opening, *only, *order).into()],
            None => nothing(),
        }
    };
    let missing = {
        let scene = Rc::clone(&scene);
        move |opening: &Option<Arc<Opening>>| {
            opening.iter().flat_map(|opening| one_sided(&scene, opening)).collect()
        }
    };
    let controls = element("section")
        .class("controls")
        .attr("aria-label", "Which differences are shown")
        .child(which(scene.navigator, only))
        .child(sorted(scene.navigator, order));
    let spoken = move || answer.with(|answer| spoken(answer.as_ref(), only.get()));
    vec![
        element("div").class("notices").live(move || answer.get(), lead).into(),
        controls.into(),
        element("p").class("unseen").attr("role", "status").live_text(spoken).into(),
        element("div").class("tables wide").live(groups, draw_groups).live(sweeps, draw_sweeps).into(),
        element("div").class("stack").live(opening, missing).into(),
    ]
}

/// What to do where only one run is chosen.
fn choose_b(scene: &Scene) -> Element {
    let text = "Choose a second run above (Compare against) to see what changed from A to B.";
    let before = scene.run_before().map(|before| {
        let link = element("a")
            .class("button")
            .attr("href", &scene.link_to_comparison(&before.id, &scene.entry.id))
            .child(format!("What changed from {} to {}?", before.simulator, scene.entry.simulator));
        element("p").child(link)
    });
    let content = std::iter::once(element("p").child(text)).chain(before);
    notice(Weight::Information, content)
}

/// The sentence, and what went into the runs that differs; or why nothing is compared.
fn lead(answer: &Answer) -> Vec<Node> {
    let compared = &answer.compared;
    if let Some(obstacle) = compared.obstacle() {
        let rules = &answer.opening.rules;
        let items = rules.iter().map(|rule| element("li").child(rule.as_str()));
        let rules = (!rules.is_empty()).then(|| element("ul").children(items));
        let content = [Some(headline_and("Not comparable. ", obstacle)), rules];
        return vec![notice(Weight::Caution, content.into_iter().flatten()).into()];
    }
    let sentence = element("p").class("lead").children(compared.answer().iter().map(draw_piece));
    let facts = headline_and("What differs between A and B: ", compared.facts());
    vec![sentence.into(), notice(Weight::Information, [facts]).into()]
}

/// What is shown, for the ear.
fn spoken(answer: Option<&Answer>, only: Only) -> String {
    let Some(answer) = answer else { return "Comparing".to_owned() };
    let rows = |metric| {
        let count = groups::count(&answer.compared, metric, only);
        format!("{}: {}", metric.name(), format::counted(count as u64, "group"))
    };
    format!("{}: {}", only.name(), Metric::ALL.map(rows).join(", "))
}

fn which(navigator: Navigator, only: Memo<Only>) -> Element {
    let segment =
        |only: Only| Segment { key: only.key(), name: only.name(), count: String::new(), title: "" };
    let chosen = Memo::new(move |_| only.get().key().to_owned());
    let choose =
        move |key: &'static str| navigator.go(|route| route.set_more("only", key, Only::default().key()));
    segmented(
        Names { name: "only", legend: "Differences" },
        move || Only::ALL.map(segment).to_vec(),
        chosen,
        choose,
    )
}

fn sorted(navigator: Navigator, order: Memo<Order>) -> Element {
    let choice = |order: Order| Choice { key: order.key().to_owned(), name: order.name().to_owned() };
    let chosen = Memo::new(move |_| order.get().key().to_owned());
    let choose =
        move |key: String| navigator.go(|route| route.set_more("order", &key, Order::default().key()));
    select("order", "Order", move || Order::ALL.map(choice).to_vec(), chosen, choose)
}

/// The groups of both metrics: what changed, and where it comes from.
fn group_tables(compared: &Compared, only: Only, order: Order, intervals: bool) -> Vec<Node> {
    let grids = Metric::ALL
        .into_iter()
        .map(|metric| groups::changes(compared, metric, only, order))
        .chain(Metric::ALL.into_iter().map(|metric| groups::parts(compared, metric, only, order)));
    grids.map(|grid| grid::draw(grid, intervals).into()).collect()
}

/// The sweeps that differ, each to be opened to its points.
fn sweep_table(scene: &Scene, opening: &Opening, only: Only, order: Order) -> Element {
    let differences = sweeps::differences(&opening.sweeps, scene.choice.tier, only, order);
    let table = sweeps::table(&differences, only, &scene.links());
    let points = move |place: usize| -> Vec<Node> {
        let points = differences.get(place).map(|sweep| sweeps::points(sweep));
        points.map(|points| grid::draw(points, false).into()).into_iter().collect()
    };
    grid::draw_with_details(table, scene.choice.intervals, &(Rc::new(points) as grid::Details))
}

/// What only one of the runs scored or has.
fn one_sided(scene: &Scene, opening: &Opening) -> Vec<Node> {
    let lists = lists::all(opening.compared.lists(), scene.choice.tier);
    let links = scene.links();
    let list = |list: lists::List| -> Node {
        list_card(list.key, &list.title, list.meaning).child(losses::draw(&list.losses, &links)).into()
    };
    lists.into_iter().map(list).collect()
}
