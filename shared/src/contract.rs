//! How any program can be a simulator: one request a line on its stdin, one answer a line on its stdout.
//!
//! `docs/simulator-contract.md` is for those who write one. A field is never given another meaning; a
//! version that needs that has another `schema`.

use serde::{Deserialize, Serialize};

use crate::millis::Millis;
use crate::outcome::Reason;
use crate::plan::PointRequest;

/// The value of the `schema` field of every request.
pub const REQUEST_SCHEMA: &str = "simulator-request.v1";

/// The value of the `schema` field of every answer.
pub const ANSWER_SCHEMA: &str = "simulator-answer.v1";

/// One line that a simulator reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SimulatorRequest {
    /// `simulator-request.v1`.
    pub schema: String,
    /// The request's name, which the answer repeats.
    pub id: String,
    /// What was deployed, how it was loaded, and the engine's settings.
    pub point: PointRequest,
    /// The client's requests in the order in which it sends them: input and output length, in tokens.
    /// At most `point.concurrency` of them are in flight; when one is complete, the next is sent.
    pub requests: Vec<(u32, u32)>,
}

/// One line that a simulator prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SimulatorAnswer {
    /// `simulator-answer.v1`.
    pub schema: String,
    /// The `id` of the request that is answered.
    pub id: String,
    /// What the simulator says.
    pub answer: Answer,
}

/// What a simulator says about a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// It replayed every request: one row each, in any order. The scorer computes the means.
    Rows(Vec<RequestRow>),
    /// It replayed every request and tells only its means.
    Means(ReplayMeans),
    /// It did not replay the requests.
    Estimate(EstimatedMeans),
    /// It cannot predict the point.
    NotScored(Refusal),
}

/// One replayed request.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RequestRow {
    /// Its place in `requests`, counted from 0.
    pub request: u32,
    /// Input tokens, as they were asked for.
    pub input_tokens: u32,
    /// Output tokens, as they were asked for.
    pub output_tokens: u32,
    /// From sending the request to its first token, in milliseconds.
    pub ttft_ms: Millis,
    /// From sending the request to its last token, in milliseconds.
    pub e2e_ms: Millis,
}

/// The means of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReplayMeans {
    /// Mean time to first token, in milliseconds.
    pub ttft_ms: Millis,
    /// Mean time per output token after the first, in milliseconds.
    pub tpot_ms: Millis,
    /// Requests that were completed.
    pub completed: u32,
}

/// The means of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EstimatedMeans {
    /// Mean time to first token, in milliseconds.
    pub ttft_ms: Millis,
    /// Mean time per output token after the first, in milliseconds.
    pub tpot_ms: Millis,
}

/// Why a simulator cannot predict a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The kind of reason.
    pub reason: RefusalReason,
    /// What exactly, for a reader.
    pub detail: String,
}

/// The kinds of reasons that a simulator may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// Speculative decoding, and no acceptance rate is known.
    NoAcceptanceRate,
    /// It does not model the engine.
    UnsupportedFramework,
    /// It does not model the model.
    UnsupportedModel,
    /// It does not model the GPU.
    UnsupportedHardware,
    /// It does not model the layout, or the model does not fit.
    UnsupportedLayout,
    /// It failed.
    RunError,
    /// It did not complete every request.
    IncompleteRun,
}

impl From<RefusalReason> for Reason {
    fn from(reason: RefusalReason) -> Self {
        match reason {
            RefusalReason::NoAcceptanceRate => Self::NoAcceptanceRate,
            RefusalReason::UnsupportedFramework => Self::UnsupportedFramework,
            RefusalReason::UnsupportedModel => Self::UnsupportedModel,
            RefusalReason::UnsupportedHardware => Self::UnsupportedHardware,
            RefusalReason::UnsupportedLayout => Self::UnsupportedLayout,
            RefusalReason::RunError => Self::RunError,
            RefusalReason::IncompleteRun => Self::IncompleteRun,
        }
    }
}
