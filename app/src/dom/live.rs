//! What follows signals.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::{Owner, RenderEffect, document, on_cleanup, untrack};

use super::element::Node;

/// Runs at once, and again whenever a signal changes that it has read, as long as the part of the page is
/// there in which it was begun.
pub fn follow(effect: impl FnMut() + 'static) {
    follow_boxed(Box::new(effect));
}

fn follow_boxed(mut effect: Box<dyn FnMut()>) {
    let running = RenderEffect::new(move |_: Option<()>| effect());
    on_cleanup(move || drop(running));
}

/// No content.
pub fn nothing() -> Vec<Node> {
    Vec::new()
}

/// Content at the end of `parent` that is drawn anew whenever `source` gives another value.
pub(super) fn redraw<T: PartialEq + 'static>(
    parent: &web_sys::Element,
    source: impl Fn() -> T + 'static,
    draw: impl Fn(&T) -> Vec<Node> + 'static,
) {
    let current: Rc<RefCell<Option<T>>> = Rc::default();
    let next = {
        let current = Rc::clone(&current);
        move || {
            let next = Some(source());
            let differs = *current.borrow() != next;
            if differs {
                current.replace(next);
            }
            differs
        }
    };
    let draw = move || current.borrow().as_ref().map_or_else(nothing, &draw);
    redraw_boxed(parent, Box::new(next), Box::new(draw));
}

/// What is drawn, with the owner of what follows signals in it.
struct Drawn {
    nodes: Vec<Node>,
    owner: Owner,
}

impl Drawn {
    fn remove(self) {
        self.owner.cleanup();
        for node in &self.nodes {
            node.remove();
        }
    }
}

fn redraw_boxed(parent: &web_sys::Element, next: Box<dyn Fn() -> bool>, draw: Box<dyn Fn() -> Vec<Node>>) {
    let end: web_sys::Node = document().create_comment("").into();
    // A new node has no place where it could not be.
    let _infallible = parent.append_child(&end);
    // The effect's own owner forgets everything at each run, also at one that draws nothing.
    let home = Owner::current().unwrap_or_default();
    let mut drawn: Option<Drawn> = None;
    follow(move || {
        if !next() {
            return;
        }
        if let Some(before) = drawn.take() {
            before.remove();
        }
        let owner = home.child();
        let nodes = owner.with(|| untrack(&draw));
        for node in &nodes {
            node.insert_before(&end);
        }
        drawn = Some(Drawn { nodes, owner });
    });
}
