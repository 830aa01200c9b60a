//! Sweeps: every sweep with its points, looked for, sorted and opened.

mod curve;
mod detail;
mod list;
pub mod model;
mod rows;

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::format;
use shared::outcome::Outcome;
use shared::sweep::Sweep;

use self::model::column::Column;
use self::model::filter::{self, Filter};
use self::model::order::Order;
use self::model::row::{self, Row};
use super::export;
use super::export::model::Sheet;
use super::scene::Scene;
use crate::browser;
use crate::components::select::{Choice, select};
use crate::dom::{Element, Node, element, follow, nothing, value_of};

/// How long a reader must have stopped typing before what was found is summed up, in milliseconds.
const STILL_MS: i32 = 250;

/// What the parts of the view share.
#[derive(Clone)]
struct Shelf {
    scene: Rc<Scene>,
    /// Every sweep of the run.
    rows: Arc<Vec<Row>>,
    /// The places of the listed ones among them, in order.
    found: Memo<Arc<Vec<usize>>>,
    order: Memo<Order>,
    /// What the reader has typed and chosen.
    find: Memo<String>,
    only: Memo<String>,
    /// The id of the sweep that is opened, and the concurrency of the point that a link is about; or nothing.
    sweep: Memo<String>,
    point: Memo<String>,
}

impl Shelf {
    fn new(scene: &Scene) -> Self {
        let route = scene.navigator.route();
        let more =
            move |name: &'static str| Memo::new(move |_| route.with(|route| route.more(name).to_owned()));
        let rows = Arc::new(row::all(&scene.a, &scene.choice.estimator));
        let (find, only) = (more("find"), more("only"));
        let order =
            Memo::new(move |_| route.with(|route| Order::from_key(route.more("order")).unwrap_or_default()));
        let found = {
            let (rows, tier) = (Arc::clone(&rows), scene.choice.tier);
            Memo::new(move |_| {
                let filter = find.with(|find| only.with(|only| Filter::new(find, only)));
                let mut found = filter.rows(&rows, tier);
                order.get().sort(&mut found);
                Arc::new(found.iter().map(|row| row.place).collect::<Vec<_>>())
            })
        };
        let scene = Rc::new(scene.clone());
        Self { scene, rows, found, order, find, only, sweep: more("sweep"), point: more("point") }
    }

    /// The listed rows.
    fn listed(&self) -> Vec<&Row> {
        self.found.with(|found| found.iter().filter_map(|place| self.rows.get(*place)).collect())
    }

    /// The sweep of a row.
    fn sweep_at(&self, place: usize) -> Option<&Sweep<Outcome>> {
        self.scene.a.sweeps.get(place)
    }

    /// The place of the opened sweep in the run, and its position in the list.
    fn opened(&self) -> Option<(usize, Option<usize>)> {
        let place = self.sweep.with(|id| self.rows.iter().position(|row| row.id.as_str() == id))?;
        Some((place, self.found.with(|found| found.iter().position(|listed| *listed == place))))
    }

    /// Opens a sweep, or closes it.
    fn toggle(&self, row: &Row) {
        let is_open = self.sweep.with_untracked(|id| row.id.as_str() == id);
        let id = if is_open { "" } else { row.id.as_str() };
        self.scene.navigator.go(|route| {
            route.set_more("sweep", id, "");
            route.set_more("point", "", "");
        });
    }
}

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let shelf = Shelf::new(scene);
    let spoken = {
        let found = shelf.found;
        move || format!("{} found", format::counted(found.with(|found| found.len()) as u64, "sweep"))
    };
    vec![
        controls(&shelf).into(),
        element("p").class("unseen").attr("role", "status").live_text(spoken).into(),
        lead(&shelf).into(),
        element("div").class("stack").live(unlisted(&shelf), draw_unlisted(&shelf)).into(),
        list::list(&shelf).into(),
    ]
}

/// The field and the menus that narrow the list.
fn controls(shelf: &Shelf) -> Element {
    let Shelf { find, only, .. } = *shelf;
    let navigator = shelf.scene.navigator;
    let is_unfiltered = move || only.with(String::is_empty) && find.with(String::is_empty);
    let field = element("input")
        .attr("id", "find")
        .attr("type", "search")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("maxlength", "100")
        .attr("placeholder", "minimax b200 tpot-mape>50")
        .attr("aria-describedby", "find-help")
        .live_property("value", move || find.get().into())
        .on("input", move |event| {
            let typed = value_of(&event);
            // Not an entry in the history for every letter.
            navigator.settle(|route| {
                route.set_more("find", &typed, "");
                route.set_more("sweep", "", "");
            });
        });
    let help = "Words, or conditions on a column such as engine:0.18, points<5, ttft-signed>=20";
    let find = element("div")
        .class("field find")
        .child(element("label").attr("for", "find").child("Find sweeps"))
        .child(field)
        .child(element("small").class("soft").attr("id", "find-help").child(help));
    let clear = element("button")
        .attr("type", "button")
        .class("button quiet")
        .live_flag("hidden", is_unfiltered)
        .on("click", move |_| {
            navigator.go(|route| {
                route.set_more("find", "", "");
                route.set_more("only", "", "");
            });
        })
        .child("Clear filters");
    let tier = shelf.scene.choice.tier;
    let in_tier: Vec<&Row> = shelf.rows.iter().filter(|row| row.tier <= tier).collect();
    element("section")
        .class("controls")
        .attr("aria-label", "Which sweeps are listed")
        .child(find)
        .children(Column::WORDS.map(|column| facet(shelf, &in_tier, column)))
        .child(clear)
}

/// The menu of a column's values in the rows of the tier.
fn facet(shelf: &Shelf, in_tier: &[&Row], column: Column) -> Element {
    let only = shelf.only;
    let navigator = shelf.scene.navigator;
    let any = Choice { key: String::new(), name: "Any".to_owned() };
    let value = |(value, count): (String, u64)| Choice {
        name: format!("{value} ({})", format::count(count)),
        key: value,
    };
    let choices: Vec<Choice> =
        std::iter::once(any).chain(filter::values(in_tier, column).into_iter().map(value)).collect();
    let choices = StoredValue::new(choices);
    let chosen = Memo::new(move |_| {
        let facets = only.with(|only| filter::facets(only));
        facets.into_iter().find(|facet| facet.column == column).map(|facet| facet.value).unwrap_or_default()
    });
    let choose = move |value: String| {
        let value = (!value.is_empty()).then_some(value.as_str());
        let changed = only.with_untracked(|only| filter::with_facet(only, column, value));
        navigator.go(|route| {
            route.set_more("only", &changed, "");
            route.set_more("sweep", "", "");
        });
    };
    select(column.key(), column.name(), move || choices.get_value(), chosen, choose)
}

/// The answer in a sentence, once the reader has stopped typing: intervals take a while.
fn lead(shelf: &Shelf) -> Element {
    let said = RwSignal::new(String::new());
    let shelf = shelf.clone();
    let latest = StoredValue::new(0_u32);
    follow(move || {
        shelf.found.track();
        let turn = latest.get_value().wrapping_add(1);
        latest.set_value(turn);
        let first = turn == 1;
        let shelf = shelf.clone();
        spawn_local(async move {
            browser::pause(if first { 0 } else { STILL_MS }).await;
            // A view that has been left has no value any more.
            if latest.try_get_value() == Some(turn) {
                let scene = &shelf.scene;
                let sweeps: Vec<_> =
                    untrack(|| shelf.listed()).iter().filter_map(|row| shelf.sweep_at(row.place)).collect();
                let filters = untrack(|| model::filters(&shelf.find.get(), &shelf.only.get()));
                said.set(model::lead::lead(&scene.a, &scene.choice, &sweeps, &filters));
            }
        });
    });
    element("p").class("lead found").live_text(move || said.get())
}

/// The opened sweep when the list does not have it: a link leads to it all the same.
fn unlisted(shelf: &Shelf) -> impl Fn() -> Option<usize> + 'static {
    let shelf = shelf.clone();
    move || match shelf.opened() {
        Some((place, None)) => Some(place),
        _ => None,
    }
}

fn draw_unlisted(shelf: &Shelf) -> impl Fn(&Option<usize>) -> Vec<Node> + 'static {
    let shelf = shelf.clone();
    move |place| {
        let Some(place) = *place else { return nothing() };
        let navigator = shelf.scene.navigator;
        let show = move |_: web_sys::Event| {
            navigator.go(|route| {
                for name in ["find", "only", "sweep", "point"] {
                    route.set_more(name, "", "");
                }
            });
        };
        let button = element("button")
            .attr("type", "button")
            .class("button")
            .on("click", show)
            .child("Show all sweeps");
        let why =
            "The list below does not have this sweep: it is outside the tier, or a filter leaves it out. ";
        let note = element("p").child(why).child(button);
        vec![element("div").class("card opened").child(note).child(detail::detail(&shelf, place)).into()]
    }
}

/// The buttons that take the list away.
fn take_away(shelf: &Shelf) -> Element {
    let (facts, sheets) = (shelf.clone(), shelf.clone());
    let filters = move || untrack(|| model::filters(&facts.find.get(), &facts.only.get()));
    let scene = Rc::clone(&shelf.scene);
    let facts = move || export::facts(&scene, ("Filters", &filters()));
    let sheets = move || {
        let rows = untrack(|| sheets.listed());
        vec![Sheet::of(&model::table(&rows, &sheets.scene.a.grading))]
    };
    export::menu("sweeps", facts, sheets)
}
