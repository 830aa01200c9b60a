//! A file that is not there, and what the reader can do about it.

use crate::components::notice::{Weight, notice};
use crate::data::failure::Failure;
use crate::dom::{Element, element};

/// Says what failed; `retry` is offered where trying again can help.
pub fn failure_notice(failure: &Failure, retry: impl Fn() + 'static) -> Element {
    let weight = if *failure == Failure::NoData { Weight::Information } else { Weight::Failure };
    let again = failure.can_retry().then(|| {
        let button = element("button").attr("type", "button").class("button").on("click", move |_| retry());
        element("p").child(button.child("Try again"))
    });
    let title = element("h2").child(failure.title());
    let text = element("p").child(failure.text());
    let content = [Some(title), Some(text), again];
    element("div").attr("role", "alert").child(notice(weight, content.into_iter().flatten()))
}
