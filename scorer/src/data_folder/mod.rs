//! The data folder of a site: where its files stand, and what its list says of a snapshot.
//!
//! Publishing writes it, validating holds it against its snapshots, comparing finds snapshots in it and the
//! site takes it over.

mod entry;
mod layout;

pub use entry::{entry, last_run, newest_first, simulator_words};
pub use layout::{Layout, POINTS, SUMMARY, UNFINISHED, unfinished};
