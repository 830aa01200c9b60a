//! The page's elements, put together by hand.
//!
//! Leptos's own views are generic: every element, attribute and closure is a type of its own, for each of
//! which the compiler emits code: that was more than a third of the page's module. Here an element is a
//! [`web_sys::Element`] whatever its tag, and what follows a signal is a boxed closure in an effect of
//! Leptos's reactive system, so that one copy of the code serves every view.
//!
//! Text is only ever set as text, never as HTML.

mod element;
mod live;

pub use element::{Element, Node, element, svg};
pub use live::{follow, nothing};

use leptos::prelude::{StoredValue, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Event, EventTarget};

/// Listens to an event of the window for as long as the page lives.
pub fn on_window(event: &str, handler: impl FnMut(Event) + 'static) {
    listen(&window(), event, handler);
}

/// Listens to an event of the window as long as the part of the page is there in which this is called.
pub fn on_window_meanwhile(event: &'static str, handler: impl FnMut(Event) + 'static) {
    let handler: Closure<dyn FnMut(Event)> = Closure::new(handler);
    // Adding a function as a listener cannot fail.
    let _infallible = window().add_event_listener_with_callback(event, handler.as_ref().unchecked_ref());
    // The owner of what is drawn here drops it with everything else.
    StoredValue::new_local(Listening { event, handler });
}

/// An event of the window that is listened to.
struct Listening {
    event: &'static str,
    handler: Closure<dyn FnMut(Event)>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let handler = self.handler.as_ref().unchecked_ref();
        // Removing a function that listens cannot fail.
        let _infallible = window().remove_event_listener_with_callback(self.event, handler);
    }
}

/// Listens to an event of a target; the browser keeps the handler as long as the target.
pub fn listen(target: &EventTarget, event: &str, handler: impl FnMut(Event) + 'static) {
    listen_boxed(target, event, Box::new(handler));
}

fn listen_boxed(target: &EventTarget, event: &str, handler: Box<dyn FnMut(Event)>) {
    let handler = Closure::wrap(handler).into_js_value();
    // Adding a function as a listener cannot fail.
    let _infallible = target.add_event_listener_with_callback(event, handler.unchecked_ref());
}

/// The value of the field that an event comes from.
pub fn value_of(event: &Event) -> String {
    field_of(event).value()
}

/// Whether the box that an event comes from is ticked.
pub fn is_checked(event: &Event) -> bool {
    field_of(event).checked()
}

/// The field that an event comes from. A menu counts as one: it has its value in the same property.
pub fn field_of(event: &Event) -> web_sys::HtmlInputElement {
    leptos::prelude::event_target(event)
}
