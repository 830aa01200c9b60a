//! Types and arithmetic that the scorer and the dashboard share.
//!
//! Every number that a reader of the dashboard sees is computed here: natively when a snapshot is
//! made, and again in the browser when it is verified. The crate has no I/O, no async, no clock and
//! no randomness that is not seeded from its inputs, and it compiles to `wasm32`.
//!
//! The modules follow the flow of data:
//!
//! | module | subject |
//! | --- | --- |
//! | [`id`], [`digest`], [`millis`], [`schema`] | validated names, SHA-256, latencies, file kinds |
//! | [`deployment`], [`setting`], [`sweep`] | what was measured: deployments, settings with their origin, points |
//! | [`corpus`] | `corpus.v1`: sweeps of measured points, every input row accounted for |
//! | [`mod@unit`] | `unit.v1`: one sweep of a corpus, frozen, and the corpus that units make |
//! | [`plan`] | `plan.v1`: the frozen work list, with all that a simulator may see |
//! | [`outcome`] | `outcomes.v1`: one outcome per point and estimator |
//! | [`contract`] | what a simulator that is driven by lines is asked, and what it answers |
//! | [`rules`] | every parameter of the scoring, with its digest |
//! | [`summary`], [`outline`] | `summary.v1`: the snapshot, and what its tables need of it |
//! | [`index`] | `index.v1` and `last-run.v1` |
//! | [`night`] | `last-failure.v1`, and the stages of a night |
//! | [`error`], [`grade`], [`spike`] | the arithmetic of one point |
//! | [`verdict`], [`group`], [`coverage`] | what a sweep is worth, where it belongs, what became of every point |
//! | [`aggregate`], [`bootstrap`] | the figures of a set of points, with their intervals |
//! | [`assemble`](mod@assemble), [`snapshot_id`], [`verify`] | making a snapshot, naming it, and computing it again |
//! | [`report`] | the report that mirrors metricscore |
//! | [`compare`](mod@compare), [`gate`] | two snapshots side by side, and whether the second may be merged |
//! | [`contest`] | the estimators of a snapshot side by side, on the same points |
//! | [`format`](mod@format) | how numbers are shown |

pub mod aggregate;
pub mod assemble;
pub mod bootstrap;
pub mod compare;
pub mod contest;
pub mod contract;
pub mod corpus;
pub mod coverage;
pub mod deployment;
pub mod digest;
pub mod error;
pub mod format;
pub mod gate;
pub mod grade;
pub mod group;
pub mod id;
pub mod index;
pub mod metric;
pub mod millis;
pub mod night;
pub mod outcome;
pub mod outline;
pub mod plan;
pub mod report;
pub mod rules;
pub mod schema;
pub mod setting;
pub mod snapshot_id;
pub mod spike;
pub mod summary;
pub mod sweep;
#[cfg(test)]
mod testing;
pub mod tier;
pub mod unit;
pub mod verdict;
pub mod verify;
