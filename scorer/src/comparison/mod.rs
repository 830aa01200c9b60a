//! Two snapshots compared, as people and programs read it.
//!
//! Every number is computed by [`shared::compare`] and [`shared::gate`]; here they become a document
//! for text and Markdown ([`document`]), a comment on a pull request ([`comment`]), a table ([`csv`]), annotations ([`github`]) and a
//! list of tests ([`junit`]). JSON is the model itself.

pub mod comment;
pub mod csv;
pub mod document;
pub mod github;
pub mod junit;
mod lookup;

use schemars::JsonSchema;
use serde::Serialize;
use shared::compare::Comparison;
use shared::gate::{Decision, Gate};

pub use lookup::{LookupError, find, snapshot};

use crate::exit::ExitCode;

/// The value of [`Compared::schema`].
pub const SCHEMA: &str = "comparison.v1";

/// A comparison, and the gate's decision when it was asked for: what `--format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Compared {
    /// `comparison.v1`.
    pub schema: &'static str,
    /// The comparison.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// How a command ends that asked for a decision.
#[must_use]
pub fn exit_code(decision: Decision) -> ExitCode {
    match decision {
        Decision::Pass => ExitCode::Success,
        Decision::Regression => ExitCode::Regression,
        Decision::CoverageLost => ExitCode::CoverageLost,
        Decision::NotComparable => ExitCode::NotComparable,
    }
}
