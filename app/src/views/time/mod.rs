//! Time: the history of the figures over the runs of the index, and whether the site is fresh.

pub mod fetching;
pub mod model;

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use shared::format;
use shared::index::{Index, IndexEntry};
use shared::metric::Metric;

use self::fetching::{Progress, missing};
use self::model::groups::{self, Choice as GroupChoice, Past};
use self::model::state::{self, Message, Nights};
use self::model::{headline, series, title};
use super::figure::Figure;
use super::grid;
use super::scene::Scene;
use crate::browser;
use crate::components::notice::{Weight, headline_and, notice};
use crate::components::select::{Choice, select};
use crate::data::Load;
use crate::dom::{Element, Node, element, nothing};
use crate::route::history::Navigator;

/// How many runs are loaded for the figures of their groups when the reader asks, the newest first.
const RUNS_AT_ONCE: usize = 12;

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let archive = scene.archive;
    archive.need();
    let scene = Rc::new(scene.clone());
    let state = {
        let scene = Rc::clone(&scene);
        move |nights: &Option<Nights>| {
            let newest = scene.index.snapshots.first();
            let messages =
                nights.iter().flat_map(|nights| state::messages(newest, nights, &browser::now_text()));
            messages.map(|message| draw_message(&message).into()).collect()
        }
    };
    let body = move |index: &Option<Result<Arc<Index>, String>>| match index {
        None => vec![element("p").class("soft").child("Loading…").into()],
        Some(Err(why)) => {
            let text =
                format!("The figures of the index could not be read: {why}. Reload the page to try again.");
            vec![notice(Weight::Failure, [element("p").child(text)]).into()]
        }
        Some(Ok(index)) => runs(&scene, index),
    };
    vec![
        element("div").class("notices").live(move || archive.nights(), state).into(),
        element("div").class("stack").live(move || archive.index(), body).into(),
    ]
}

fn draw_message(Message { weight, headline, text }: &Message) -> Element {
    notice(*weight, [headline_and(headline, format!(" {text}"))])
}

/// The tables of the runs that are like the one that is shown.
fn runs(scene: &Rc<Scene>, index: &Index) -> Vec<Node> {
    let tier = scene.choice.tier;
    let all = series(&index.snapshots, &scene.entry);
    let link = |entry: &IndexEntry| scene.link_to_run(&entry.id);
    let lead = element("p").class("lead").child(format!(
        "{}. Runs of other simulators or other engine settings have no common history with them.",
        title(&scene.entry, all.len())
    ));
    let tables = element("div")
        .class("tables wide")
        .child(grid::draw(headline::trends(&all, tier), false))
        .child(by_group(scene, all.iter().map(|entry| (*entry).clone()).collect()))
        .child(grid::draw(headline::runs(&all, tier, &link), false));
    vec![lead.into(), tables.into()]
}

/// The figures of every group, which are in the snapshots: loaded when the reader asks.
fn by_group(scene: &Rc<Scene>, entries: Vec<IndexEntry>) -> Element {
    let history = scene.archive.history;
    let entries = Arc::new(entries);
    let pasts = {
        let entries = Arc::clone(&entries);
        Memo::new(move |_| history.of(&entries))
    };
    let (navigator, route) = (scene.navigator, scene.navigator.route());
    let metric = Memo::new(move |_| route.with(|route| metric_of(route.more("metric"))));
    let figure =
        Memo::new(move |_| route.with(|route| Figure::from_key(route.more("figure")).unwrap_or_default()));
    let missing = {
        let entries = Arc::clone(&entries);
        move || pasts.with(|pasts| missing(&entries, pasts))
    };
    let load = {
        let missing = missing.clone();
        move |_: web_sys::Event| {
            let mut wanted = untrack(&missing);
            wanted.truncate(RUNS_AT_ONCE);
            history.load(wanted);
        }
    };
    let total = entries.len();
    let left = Memo::new(move |_| missing().len());
    let button_text = move || {
        let next = format::counted(left.get().min(RUNS_AT_ONCE) as u64, "run");
        if left.get() == total {
            format!("Load the figures by group of the newest {next}")
        } else {
            format!("Load {next} more")
        }
    };
    let progress = move || pasts.with(|pasts| Progress::of(pasts));
    let button = element("button")
        .attr("type", "button")
        .class("button")
        .live_flag("hidden", move || left.get() == 0)
        .live_flag("disabled", move || progress().is_busy())
        .on("click", load)
        .live_text(button_text);
    let progress = element("span").class("soft").attr("role", "status").live_text(move || progress().text());
    let controls = element("div")
        .class("controls")
        .child(choice_of_metric(navigator, metric))
        .child(choice_of_figure(navigator, figure))
        .child(button)
        .child(progress);
    let scene = Rc::clone(scene);
    let shown = move || (pasts.get(), metric.get(), figure.get());
    let table = move |(pasts, metric, figure): &(Vec<Option<Load<Past>>>, Metric, Figure)| {
        let loaded: Vec<Option<Arc<Past>>> = pasts.iter().map(|past| past.as_ref()?.ready()).collect();
        let runs = entries.iter().zip(&loaded).filter_map(|(entry, past)| Some((entry, past.as_deref()?)));
        let runs: Vec<(&IndexEntry, &Past)> = runs.collect();
        if runs.is_empty() {
            return nothing();
        }
        let choice =
            GroupChoice { by: scene.choice.by, tier: scene.choice.tier, metric: *metric, figure: *figure };
        vec![grid::draw(groups::table(&runs, choice), false).into()]
    };
    let heading = element("h2").child("By group");
    element("section").class("stack").child(heading).child(controls).child(element("div").live(shown, table))
}

/// The metric of a key; TTFT, which needs watching most, where there is none.
fn metric_of(key: &str) -> Metric {
    Metric::ALL.into_iter().find(|metric| metric.key() == key).unwrap_or(Metric::Ttft)
}

fn choice_of_metric(navigator: Navigator, metric: Memo<Metric>) -> Element {
    let choice = |metric: Metric| Choice { key: metric.key().to_owned(), name: metric.name().to_owned() };
    let chosen = Memo::new(move |_| metric.get().key().to_owned());
    let choose = move |key: String| navigator.go(|route| route.set_more("metric", &key, Metric::Ttft.key()));
    select("metric", "Metric", move || Metric::ALL.map(choice).to_vec(), chosen, choose)
}

fn choice_of_figure(navigator: Navigator, figure: Memo<Figure>) -> Element {
    let choice = |figure: Figure| Choice { key: figure.key().to_owned(), name: figure.name().to_owned() };
    let chosen = Memo::new(move |_| figure.get().key().to_owned());
    let choose =
        move |key: String| navigator.go(|route| route.set_more("figure", &key, Figure::default().key()));
    select("figure", "Figure", move || Figure::ALL.map(choice).to_vec(), chosen, choose)
}
