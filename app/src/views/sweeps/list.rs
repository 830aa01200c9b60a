//! The list of sweeps: its head with the columns to sort by, and the rows.

use std::rc::Rc;

use leptos::prelude::*;
use shared::format;

use super::model::column::Column;
use super::model::order::Order;
use super::rows::Rows;
use super::{Shelf, take_away};
use crate::dom::{Element, element, follow, nothing, on_window_meanwhile};

/// The list in its card.
pub fn list(shelf: &Shelf) -> Element {
    let Shelf { found, .. } = *shelf;
    let count = move || found.with(|found| found.len());
    let title = element("h2")
        .attr("id", "sweeps-heading")
        .live_text(move || format::counted(count() as u64, "sweep"));
    let head = element("div")
        .class("card-head")
        .child(title)
        .child(element("p").child(format!("estimator {}", shelf.scene.choice.estimator)))
        .child(take_away(shelf));
    let caption = element("caption")
        .class("unseen")
        .child("Sweeps with the errors of their scored points. A row opens to its points.");
    let heads =
        element("tr").attr("aria-rowindex", "1").children(Column::ALL.map(|column| header(shelf, column)));
    let body = element("tbody");
    let table = element("table")
        .class("figures sheet sweeps")
        .attr("aria-labelledby", "sweeps-heading")
        .live_attr("aria-rowcount", move || Some((count() + 1).to_string()))
        .child(caption)
        .child(element("thead").child(heads))
        .child(body.clone());
    let scroll = element("div")
        .class("scroll")
        .attr("role", "region")
        .attr("aria-labelledby", "sweeps-heading")
        .attr("tabindex", "0")
        .child(table);
    let rows = Rc::new(Rows::new(shelf, &scroll, body));
    watch(&rows, shelf);
    let on_scroll = Rc::clone(&rows);
    let none = move |is_empty: &bool| {
        if *is_empty {
            vec![element("p").class("none").child("No sweep matches. Clear the filters to see all.").into()]
        } else {
            nothing()
        }
    };
    let scroll = scroll.on("scroll", move |_| on_scroll.draw());
    element("div")
        .class("card")
        .attr("data-grid", "sweeps")
        .child(head)
        .child(scroll)
        .live(move || count() == 0, none)
}

/// Draws the rows again when the list, the opened sweep or the window's size changes.
fn watch(rows: &Rc<Rows>, shelf: &Shelf) {
    let (listed, resized) = (Rc::clone(rows), Rc::downgrade(rows));
    let Shelf { found, sweep, .. } = *shelf;
    follow(move || {
        found.track();
        listed.renew();
    });
    let opened = Rc::clone(rows);
    follow(move || {
        sweep.track();
        opened.show_opened();
    });
    on_window_meanwhile("resize", move |_| {
        if let Some(rows) = resized.upgrade() {
            rows.draw();
        }
    });
}

/// The head of a column: a button that sorts.
fn header(shelf: &Shelf, column: Column) -> Element {
    let order = shelf.order;
    let navigator = shelf.scene.navigator;
    let sort = move |_| {
        let next = order.get_untracked().after_click(column);
        navigator.go(|route| route.set_more("order", &next.key(), &Order::default().key()));
    };
    let state = move || {
        let Order { column: by, descending } = order.get();
        (by == column).then(|| if descending { "descending" } else { "ascending" }.to_owned())
    };
    let unit = element("small").child(column.unit());
    let button = element("button")
        .attr("type", "button")
        .class("sort")
        .on("click", sort)
        .child(element("span").child(column.name()))
        .child(unit);
    element("th")
        .attr("scope", "col")
        .attr("data-column", column.key())
        .title(column.meaning())
        .live_attr("aria-sort", state)
        .child(button)
}
