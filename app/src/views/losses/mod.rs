//! Draws points that are missing, by reason.

pub mod model;

use std::rc::Rc;

use leptos::prelude::*;

use self::model::{Loss, Place};
use crate::dom::{Element, element, nothing};
use crate::views::scene::Links;

/// The losses, each to be opened down to its points; `link` leads to a sweep.
pub fn draw(losses: &[Loss], link: &Links) -> Element {
    if losses.is_empty() {
        return element("p").class("none").child("None.");
    }
    element("ul")
        .class("losses")
        .children(losses.iter().map(|loss| element("li").child(one(loss.clone(), Rc::clone(link)))))
}

fn one(loss: Loss, link: Links) -> Element {
    let summary = element("summary")
        .child(element("strong").child(loss.reason.as_str()))
        .child(element("span").class("soft").child(loss.extent.as_str()));
    let detail = (!loss.detail.is_empty()).then(|| element("p").child(loss.detail.as_str()));
    // Long lists are only drawn for whoever opens them.
    let open = RwSignal::new(false);
    let places = move |open: &bool| {
        if !*open {
            return nothing();
        }
        let place = |Place { sweep, title, points }: &Place| {
            let name = match sweep {
                Some(sweep) => element("a").attr("href", &link(sweep)).child(title.as_str()),
                None => element("span").child(title.as_str()),
            };
            element("li").child(name).child(" ").child(element("span").class("soft").child(points.as_str()))
        };
        // A long list scrolls, also by the keyboard.
        let list = element("ul").attr("tabindex", "0").attr("aria-label", loss.reason.as_str());
        vec![list.children(loss.places.iter().map(place)).into()]
    };
    element("details")
        .class("loss")
        .on("toggle", move |event| {
            open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
        })
        .child(summary)
        .children(detail)
        .live(move || open.get(), places)
}
