//! The dashboard: a single page that shows snapshots and compares any two of them.
//!
//! | module | subject |
//! | --- | --- |
//! | [`route`] | what the reader has chosen, as it stands in the address |
//! | [`data`] | the site's files: fetched, decoded, checked |
//! | [`views`] | what is shown, one folder a view: a pure model, and components that draw it |
//! | [`components`] | widgets that know nothing of snapshots |
//! | [`app`] | the frame around every view |
//! | [`browser`] | the few things the page asks of the browser |
//!
//! No figure is computed here: all come from a snapshot or from `shared`.

mod app;
mod browser;
mod components;
mod data;
mod route;
#[cfg(test)]
mod testing;
mod views;

use leptos::prelude::document;
use wasm_bindgen::JsCast;

fn main() {
    let Some(root) = document().get_element_by_id("app") else { return };
    leptos::mount::mount_to(root.unchecked_into(), app::App).forget();
}
