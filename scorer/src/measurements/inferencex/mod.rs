//! Rows of the InferenceX database, in whatever way they came: from the dump, from the API, or from a
//! restored Postgres.
//!
//! A source turns what it has into [`Fields`], makes [`ConfigRow`]s, [`ResultRow`]s and [`RunRow`]s of
//! them, and gives them to a [`Collector`] in any order. The collector says which server logs it
//! [`wants`](Collector::wants_log); their facts come from
//! [`LogScanner`](super::engine_log::LogScanner). [`Collector::finish`] then selects what becomes a
//! corpus, and accounts for every row. Nothing that only one of the three sources knows gets into the
//! sweeps, so the same rows give the same sweeps, rows and digest.

mod attempt;
mod candidate;
mod collector;
mod deployment;
mod digest;
mod error;
mod fields;
mod joined;
mod metrics;
mod misfit;
mod point;
mod reason;
mod rows;
mod select;
mod sweep;
mod window;

pub use collector::{Collector, Wanted};
pub use error::CollectError;
pub use fields::{Fields, RowError, RowFault, of_json};
pub use metrics::Metrics;
pub use reason::ALL as REASONS;
pub use rows::{ConfigRow, ResultRow, RunRow};
pub use select::{LATEST_VERSIONS, SelectionOptions, SourceFacts};

#[cfg(test)]
pub(super) mod tests;
