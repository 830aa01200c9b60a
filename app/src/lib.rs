//! The dashboard: a single page that shows snapshots and compares any two of them.
//!
//! Three programs are built of this crate: the page itself with the Overview (`app`); a web worker (`worker`) that the page
//! starts once its first tables are there, and that computes everything again and compares; and the explorer (`explore`),
//! which is loaded in place of the first for every other view. The Overview therefore carries neither the arithmetic nor the
//! reader of whole snapshots, and stays responsive meanwhile.
//!
//! | module | subject |
//! | --- | --- |
//! | `route` | what the reader has chosen, as it stands in the address |
//! | `data` | the site's files: fetched, decoded; and what the worker finds out about them |
//! | `views` | what is shown, one folder a view: a pure model, and functions that draw it |
//! | `components` | widgets that know nothing of snapshots |
//! | `dom` | the elements that all of these are made of |
//! | `app` | the frame around every view |
//! | `explore` | the program of all views but the Overview |
//! | `browser` | the few things the page asks of the browser |
//! | `message` | what the page and the worker tell each other |
//! | `comparing` | comparing two snapshots, in the worker and in the explorer |
//! | `pace` | long work in short stretches |
//! | `worker` | the program of the worker |
//!
//! No figure is computed here: all come from a snapshot or from `shared`.

pub mod app;
mod browser;
mod comparing;
mod components;
mod data;
mod dom;
pub mod explore;
mod message;
mod pace;
mod route;
#[cfg(test)]
mod testing;
mod views;
pub mod worker;
