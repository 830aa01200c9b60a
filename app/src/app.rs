//! The frame around every view: the bar at the top, the main column, the foot.

use leptos::mount::mount_to_renderer;
use leptos::prelude::document;
use web_sys::{Event, HtmlElement};

use crate::components::copy_link::copy_link;
use crate::components::theme::theme_switch;
use crate::data::Library;
use crate::dom::{Element, element, svg};
use crate::route::history::Navigator;
use crate::views::overview::overview;

/// Starts the Overview.
pub fn start() {
    start_with(overview);
}

/// Starts a page in the element that index.html has for it; `view` fills the main column.
pub fn start_with(view: impl FnOnce(Element, Navigator, Library) -> Element + 'static) {
    let Some(root) = document().get_element_by_id("app") else { return };
    let frame = Element::of(root.clone());
    let draw = || {
        page(frame, view);
    };
    // Leptos gives the reactive system its root and its executor; there is nothing else for it to mount.
    mount_to_renderer(&root, draw).forget();
}

/// The page.
fn page(root: Element, view: impl FnOnce(Element, Navigator, Library) -> Element) -> Element {
    let navigator = Navigator::start();
    let library = Library::open();

    let main = element("main").class("main").attr("id", "main").attr("tabindex", "-1");
    let figures: HtmlElement = main.browser();
    let skip = move |event: Event| {
        // Followed as a link it would be resolved against <base> and lose the query.
        event.prevent_default();
        let _unfocusable = figures.focus();
    };
    let bar = element("div").class("bar-inner").child(brand()).with(copy_link).child(theme_switch());
    root.child(
        element("a").class("skip").attr("href", "#main").on("click", skip).child("Skip to the figures"),
    )
    .child(element("header").class("bar").child(bar).children(views()))
    .child(main.with(|main| view(main, navigator, library)))
}

/// The links to all views: index.html has them, so that they are there at once, and app/boot.js keeps their addresses.
fn views() -> Option<Element> {
    document().get_element_by_id("views").map(Element::of)
}

fn brand() -> Element {
    let tile = svg("rect").class("brand-tile").attr("width", "28").attr("height", "28").attr("rx", "7");
    let mark = svg("path")
        .class("brand-mark")
        .attr("d", "M6 19.5c4 0 5.500-11 9-11s3.500 5 7 5M6 14.500c4 0 6 5.500 9.500 5.500");
    let sign = svg("svg")
        .attr("viewBox", "0 0 28 28")
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
        .child(tile)
        .child(mark);
    let name = element("span").child("BLIS accuracy dashboard");
    element("a").class("brand").attr("href", "./").child(sign).child(name)
}
