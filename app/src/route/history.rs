//! The browser's side of the route: the address bar and its history.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::Route;
use super::query::{self, LinkProblem};
use crate::dom;

/// The route as a signal that the address bar follows, and that follows Back and Forward.
#[derive(Clone, Copy)]
pub struct Navigator {
    route: RwSignal<Route>,
    problems: RwSignal<Vec<LinkProblem>>,
}

impl Navigator {
    /// Reads the address bar and listens to Back and Forward from now on.
    pub fn start() -> Self {
        let (route, problems) = query::parse(&search());
        let navigator = Self { route: RwSignal::new(route), problems: RwSignal::new(problems) };
        dom::on_window("popstate", move |_| {
            let (route, problems) = query::parse(&search());
            navigator.problems.set(problems);
            navigator.route.set(route);
        });
        navigator
    }

    /// The route.
    pub fn route(self) -> ReadSignal<Route> {
        self.route.read_only()
    }

    /// What could not be followed in the link that led here; empty after the reader's next choice.
    pub fn problems(self) -> ReadSignal<Vec<LinkProblem>> {
        self.problems.read_only()
    }

    /// A choice of the reader's: a new entry in the history.
    pub fn go(self, change: impl FnOnce(&mut Route)) {
        let before = self.route.get_untracked();
        let mut after = before.clone();
        change(&mut after);
        if after != before {
            write_address(&after, false);
            self.problems.set(Vec::new());
            self.route.set(after);
        }
    }

    /// Something in the link that only the data could show to be wrong.
    pub fn report(self, problem: LinkProblem) {
        self.problems.update(|problems| problems.push(problem));
    }

    /// Writes what follows from the data into the address, without a new entry in the history.
    pub fn settle(self, change: impl FnOnce(&mut Route)) {
        let before = self.route.get_untracked();
        let mut after = before.clone();
        change(&mut after);
        write_address(&after, true);
        if after != before {
            self.route.set(after);
        }
    }
}

fn search() -> String {
    window().location().search().unwrap_or_default()
}

/// The path is kept: a query alone would be resolved against `<base>`.
fn write_address(route: &Route, replace: bool) {
    let location = window().location();
    let address = format!("{}{}", location.pathname().unwrap_or_default(), query::print(route));
    let Ok(history) = window().history() else { return };
    // Browsers refuse more than some hundred changes in half a minute; the page itself still follows.
    let _refused = if replace {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    };
}
