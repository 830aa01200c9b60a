//! The rows of the list. Only those in sight and some around them are in the page, however many there are.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::HtmlElement;

use super::model::column::Column;
use super::model::row::Row;
use super::model::window::Sight;
use super::{Shelf, detail};
use crate::browser::pause;
use crate::dom::{Element, element};
use crate::views::figure::Figure;
use crate::views::grid::model::Item;

/// How high a row is as long as none has been measured, in pixels.
const USUAL_ROW: f64 = 44.0;

/// A part of the page with the owner of what follows signals in it.
struct Drawn {
    element: HtmlElement,
    owner: Owner,
}

impl Drawn {
    fn new(home: &Owner, draw: impl FnOnce() -> Element) -> Self {
        let owner = home.child();
        let element = owner.with(|| untrack(draw)).browser();
        Self { element, owner }
    }

    fn remove(self) {
        self.owner.cleanup();
        self.element.remove();
    }
}

/// The rows that are drawn.
pub struct Rows {
    shelf: Shelf,
    scroll: HtmlElement,
    body: web_sys::Element,
    /// What stands for the rows above and below.
    above: Element,
    below: Element,
    end: HtmlElement,
    home: Owner,
    drawn: RefCell<BTreeMap<usize, Drawn>>,
    /// The points of the opened sweep, with its place in the run.
    detail: RefCell<Option<(usize, Drawn)>>,
    row_height: Cell<f64>,
    detail_height: Cell<f64>,
}

impl Rows {
    /// The rows in the body of a table that scrolls.
    pub fn new(shelf: &Shelf, scroll: &Element, body: Element) -> Self {
        let gap = || element("td").attr("colspan", &Column::ALL.len().to_string());
        let (above, below) = (gap(), gap());
        let row = |gap: &Element| element("tr").class("gap").attr("aria-hidden", "true").child(gap.clone());
        let end = row(&below);
        let body = body.child(row(&above)).child(end.clone());
        Self {
            shelf: shelf.clone(),
            scroll: scroll.browser(),
            body: body.browser(),
            above,
            below,
            end: end.browser(),
            home: Owner::current().unwrap_or_default(),
            drawn: RefCell::default(),
            detail: RefCell::default(),
            row_height: Cell::new(USUAL_ROW),
            detail_height: Cell::new(0.0),
        }
    }

    /// Draws another list, from its beginning.
    pub fn renew(&self) {
        let before = self.drawn.take();
        before.into_values().for_each(Drawn::remove);
        self.close();
        self.scroll.set_scroll_top(0);
        self.draw();
    }

    /// Draws the opened sweep's points, and brings them into sight.
    pub fn show_opened(self: &Rc<Self>) {
        self.draw();
        let rows = Rc::clone(self);
        spawn_local(async move {
            // Until it is in the page, the list has no size and does not scroll.
            pause(0).await;
            rows.bring_into_sight();
        });
    }

    fn bring_into_sight(&self) {
        if self.shelf.found.try_get_untracked().is_none() {
            return;
        }
        let Some((_, Some(position))) = untrack(|| self.shelf.opened()) else { return self.draw() };
        let sight = self.sight(None);
        let offset = sight.offset(position);
        if offset < sight.top || offset + sight.row > sight.top + sight.height {
            self.scroll.set_scroll_top(rounded(offset));
        }
        self.draw();
        let (place, seen) = (self.scroll.get_bounding_client_rect(), document().document_element());
        let seen = seen.map_or(0, |page| page.client_height());
        if place.bottom() < 0.0 || place.top() > f64::from(seen) {
            self.scroll.scroll_into_view();
        }
    }

    fn sight(&self, open: Option<usize>) -> Sight {
        let seen = f64::from(self.scroll.client_height());
        // It has no height before it is in the page.
        let height = if seen > 0.0 { seen } else { 800.0 };
        Sight {
            top: f64::from(self.scroll.scroll_top()),
            height,
            row: self.row_height.get(),
            open: open.map(|open| (open, self.detail_height.get())),
        }
    }

    /// Draws the rows that are in sight now.
    pub fn draw(&self) {
        // A list that has been left may still hear that it was scrolled.
        let Some(found) = self.shelf.found.try_get_untracked() else { return };
        let opened = untrack(|| self.shelf.opened());
        let open = opened.and_then(|(_, position)| position);
        let range = self.sight(open).rows(found.len());
        let mut drawn = self.drawn.borrow_mut();
        let gone: Vec<usize> = drawn.keys().copied().filter(|position| !range.contains(position)).collect();
        gone.into_iter().filter_map(|position| drawn.remove(&position)).for_each(Drawn::remove);
        self.draw_detail(
            opened.filter(|_| open.is_some_and(|open| range.contains(&open))).map(|(place, _)| place),
        );
        let mut next = self.end.clone();
        for position in range.clone().rev() {
            if open == Some(position)
                && let Some((_, detail)) = self.detail.borrow().as_ref()
            {
                self.insert(&detail.element, &next);
                next = detail.element.clone();
            }
            let Some(row) = found.get(position).and_then(|place| self.shelf.rows.get(*place)) else {
                continue;
            };
            let known = drawn.entry(position).or_insert_with(|| {
                let new = Drawn::new(&self.home, || draw_row(&self.shelf, row, position));
                self.insert(&new.element, &next);
                new
            });
            next = known.element.clone();
        }
        self.measure(&drawn);
        let sight = self.sight(open);
        let gap = |gap: &Element, height: f64| {
            gap.clone().attr("height", &rounded(height).to_string());
        };
        gap(&self.above, sight.offset(range.start));
        gap(&self.below, sight.offset(found.len()) - sight.offset(range.end));
    }

    fn insert(&self, new: &HtmlElement, before: &HtmlElement) {
        let is_there = new.next_sibling().is_some_and(|next| next.is_same_node(Some(before)));
        if !is_there {
            // The other one is in the body.
            let _infallible = self.body.insert_before(new, Some(before));
        }
    }

    /// Takes the heights of what is drawn, once it has any.
    fn measure(&self, drawn: &BTreeMap<usize, Drawn>) {
        let height =
            |element: &HtmlElement| Some(f64::from(element.offset_height())).filter(|height| *height > 0.0);
        if let Some(row) = drawn.values().next().and_then(|row| height(&row.element)) {
            self.row_height.set(row);
        }
        if let Some(detail) = self.detail.borrow().as_ref().and_then(|(_, detail)| height(&detail.element)) {
            self.detail_height.set(detail);
        }
    }

    /// Has the points of this sweep drawn, and no others.
    fn draw_detail(&self, place: Option<usize>) {
        if self.detail.borrow().as_ref().map(|(known, _)| *known) == place {
            return;
        }
        self.close();
        let new = place.map(|place| (place, Drawn::new(&self.home, || draw_under(&self.shelf, place))));
        self.detail.replace(new);
    }

    fn close(&self) {
        if let Some((_, before)) = self.detail.take() {
            before.remove();
        }
    }
}

/// A height as the browser takes it.
#[expect(clippy::cast_possible_truncation, reason = "no table is two thousand million pixels high")]
fn rounded(height: f64) -> i32 {
    height.round() as i32
}

/// The row under an opened one.
fn draw_under(shelf: &Shelf, place: usize) -> Element {
    let cell =
        element("td").attr("colspan", &Column::ALL.len().to_string()).child(detail::detail(shelf, place));
    element("tr").class("under").child(cell)
}

fn draw_row(shelf: &Shelf, row: &Row, position: usize) -> Element {
    let grading = &shelf.scene.a.grading;
    let columns = Column::ALL.into_iter().skip(1);
    let is_open = {
        let (id, sweep) = (row.id.clone(), shelf.sweep);
        move || sweep.with(|open| open == id.as_str())
    };
    let toggle = {
        let (shelf, place) = (shelf.clone(), row.place);
        move |_| {
            if let Some(row) = shelf.rows.get(place) {
                shelf.toggle(row);
            }
        }
    };
    let model = row.word(Column::Model).unwrap_or_default();
    let button = element("button")
        .attr("type", "button")
        .class("button quiet toggle")
        .attr("aria-label", &format!("Points of {}", row.title()))
        .live_state("aria-expanded", is_open)
        .on("click", toggle);
    let name = element("bdi").class("name").title(&row.title()).child(model);
    let head =
        element("th").attr("scope", "row").child(element("div").class("openable").child(button).child(name));
    element("tr")
        .attr("data-key", row.id.as_str())
        .attr("aria-rowindex", &(position + 2).to_string())
        .child(head)
        .children(columns.map(|column| draw_cell(column, &row.item(column, grading))))
}

fn draw_cell(column: Column, Item { cell, .. }: &Item) -> Element {
    let shown = element("td").attr("data-column", column.key());
    let shown = match column {
        Column::Error(_, Figure::Mape) => shown.class("key"),
        _ if column.is_words() => shown.class("words"),
        _ => shown,
    };
    let title = if cell.title.is_empty() { &cell.text } else { &cell.title };
    let value = element("span").class("value").child(cell.text.as_str());
    let beside = cell.small.iter().map(|small| {
        let class = match column {
            Column::Error(..) => format!("beside grade grade-{}", small.to_lowercase()),
            _ => "beside soft".to_owned(),
        };
        element("small").class(&class).child(small.as_str())
    });
    shown.title(title).child(value).child(" ").children(beside)
}
