//! One element type for every tag.

use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};
use web_sys::Event;

use super::listen;
use super::live::{self, follow};

const SVG: &str = "http://www.w3.org/2000/svg";

/// An element that is being put together.
#[derive(Clone, Debug)]
pub struct Element(web_sys::Element);

/// What an element contains: an element or a text.
#[derive(Clone, Debug)]
pub struct Node(web_sys::Node);

/// A new HTML element.
pub fn element(tag: &'static str) -> Element {
    // Only a tag that is no name is refused, and every tag is a literal.
    Element(document().create_element(tag).unwrap_throw())
}

/// A new SVG element.
pub fn svg(tag: &'static str) -> Element {
    // As above.
    Element(document().create_element_ns(Some(SVG), tag).unwrap_throw())
}

impl Element {
    /// An element that is in the page already.
    pub fn of(element: web_sys::Element) -> Self {
        Self(element)
    }

    /// The element as the browser knows it, to call what only this kind of element has.
    pub fn browser<T: JsCast>(&self) -> T {
        self.0.clone().unchecked_into()
    }

    /// Sets an attribute.
    pub fn attr(self, name: &str, value: &str) -> Self {
        // Only a name that is none is refused, and every name is a literal.
        let _infallible = self.0.set_attribute(name, value);
        self
    }

    /// Sets the classes.
    pub fn class(self, names: &str) -> Self {
        self.attr("class", names)
    }

    /// Sets the title, which a reader sees who points at the element.
    pub fn title(self, title: &str) -> Self {
        self.attr("title", title)
    }

    /// Appends an element or a text.
    pub fn child(self, child: impl Into<Node>) -> Self {
        self.append(&child.into());
        self
    }

    /// Appends elements or texts.
    pub fn children(self, children: impl IntoIterator<Item = impl Into<Node>>) -> Self {
        for child in children {
            self.append(&child.into());
        }
        self
    }

    /// Lets a component add to the element.
    pub fn with(self, component: impl FnOnce(Self) -> Self) -> Self {
        component(self)
    }

    /// An attribute that follows signals; none: it is not there.
    pub fn live_attr(self, name: &'static str, value: impl Fn() -> Option<String> + 'static) -> Self {
        let element = self.0.clone();
        follow(move || {
            // As in `attr`.
            let _infallible = match value() {
                Some(value) => element.set_attribute(name, &value),
                None => element.remove_attribute(name),
            };
        });
        self
    }

    /// An attribute without a value that is there or not, by signals.
    pub fn live_flag(self, name: &'static str, is_set: impl Fn() -> bool + 'static) -> Self {
        self.live_attr(name, move || is_set().then(String::new))
    }

    /// An ARIA state that is true or false, by signals.
    pub fn live_state(self, name: &'static str, is_true: impl Fn() -> bool + 'static) -> Self {
        self.live_attr(name, move || Some(is_true().to_string()))
    }

    /// A class that the element has or not, by signals.
    pub fn live_class(self, name: &'static str, has: impl Fn() -> bool + 'static) -> Self {
        let classes = self.0.class_list();
        follow(move || {
            // Only a name that is none is refused.
            let _infallible = classes.toggle_with_force(name, has());
        });
        self
    }

    /// A property that follows signals, such as the value that a reader can change.
    pub fn live_property(self, name: &'static str, value: impl Fn() -> JsValue + 'static) -> Self {
        let element = self.0.clone();
        follow(move || {
            // An element is an object that can be written to.
            let _infallible = js_sys::Reflect::set(&element, &JsValue::from_str(name), &value());
        });
        self
    }

    /// A text that follows signals.
    pub fn live_text(self, text: impl Fn() -> String + 'static) -> Self {
        let node = document().create_text_node("");
        self.append(&Node(node.clone().into()));
        let mut last = String::new();
        follow(move || {
            let next = text();
            // A live region is read aloud at every change, also to the same text.
            if next != last {
                node.set_data(&next);
                last = next;
            }
        });
        self
    }

    /// Content that is drawn anew whenever `source`, which follows signals, gives another value.
    pub fn live<T: PartialEq + 'static>(
        self,
        source: impl Fn() -> T + 'static,
        draw: impl Fn(&T) -> Vec<Node> + 'static,
    ) -> Self {
        live::redraw(&self.0, source, draw);
        self
    }

    /// Listens to an event.
    pub fn on(self, event: &'static str, handler: impl FnMut(Event) + 'static) -> Self {
        listen(&self.0, event, handler);
        self
    }

    fn append(&self, child: &Node) {
        // A new node has no place where it could not be.
        let _infallible = self.0.append_child(&child.0);
    }
}

impl Node {
    /// Puts the node before another one, which has a parent.
    pub(super) fn insert_before(&self, other: &web_sys::Node) {
        if let Some(parent) = other.parent_node() {
            // The two are not inside one another.
            let _infallible = parent.insert_before(&self.0, Some(other));
        }
    }

    /// Takes the node out of the page.
    pub(super) fn remove(&self) {
        if let Some(parent) = self.0.parent_node() {
            // It was found there.
            let _infallible = parent.remove_child(&self.0);
        }
    }
}

impl From<Element> for Node {
    fn from(element: Element) -> Self {
        Self(element.0.into())
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self(document().create_text_node(text).into())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}
