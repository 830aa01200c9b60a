//! The two latencies that are scored.

use serde::{Deserialize, Serialize};

/// A scored latency: the client's mean over the measured requests of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Mean time per output token: `(latency − TTFT) / (output tokens − 1)` of each request.
    Tpot,
    /// Mean time to first token.
    Ttft,
}

impl Metric {
    /// Both, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Tpot, Self::Ttft];

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tpot => "TPOT",
            Self::Ttft => "TTFT",
        }
    }

    /// As it stands in files, keys and URLs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Tpot => "tpot",
            Self::Ttft => "ttft",
        }
    }
}
