//! `last-failure.v1`: that the newest night failed, and in which of its stages.
//!
//! It stands in `data/state/` beside the note of what was published last, and tells a site whose figures are
//! old because nothing has changed from one whose newest night failed. It has no text of the failure:
//! that names files and servers, and belongs into the log of whoever ran it.

use serde::{Deserialize, Serialize};

/// A stage of a night, in the order in which they follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The newest releases are looked for.
    Resolve,
    /// The simulator is built.
    Build,
    /// The measurements are read.
    Ingest,
    /// The work is frozen.
    Plan,
    /// The points are replayed.
    Run,
    /// The outcomes of shards are joined.
    Merge,
    /// The snapshot is made.
    Summarize,
    /// Everything is proven, and held against the snapshot before.
    Validate,
    /// The snapshot is published.
    Publish,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 9] = [
        Self::Resolve,
        Self::Build,
        Self::Ingest,
        Self::Plan,
        Self::Run,
        Self::Merge,
        Self::Summarize,
        Self::Validate,
        Self::Publish,
    ];

    /// As it stands in files and on the command line.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Build => "build",
            Self::Ingest => "ingest",
            Self::Plan => "plan",
            Self::Run => "run",
            Self::Merge => "merge",
            Self::Summarize => "summarize",
            Self::Validate => "validate",
            Self::Publish => "publish",
        }
    }

    /// The stage of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.key() == key)
    }
}

/// The night that failed last. Another one that fails in the same way changes nothing; the file is gone once a later one succeeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastFailure {
    /// `last-failure.v1`.
    pub schema: String,
    /// Since when nights fail there, RFC 3339 in UTC.
    pub since: String,
    /// Where it failed.
    pub stage: Stage,
    /// The exit code that it ended with, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// What the exit code means.
    pub meaning: String,
    /// The simulator's release, if the night came so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulator: Option<String>,
    /// The measurements' release, if the night came so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measurements: Option<String>,
}

impl LastFailure {
    /// Whether both are failures of the same stage, in the same way, of the same releases.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let bare = |failure: &Self| Self { since: String::new(), ..failure.clone() };
        bare(self) == bare(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_found_by_its_key_which_is_what_files_say() {
        for stage in Stage::ALL {
            assert_eq!(Stage::from_key(stage.key()), Some(stage));
            assert_eq!(serde_json::to_value(stage).unwrap(), stage.key());
        }
        assert_eq!(Stage::from_key("sleep"), None);
    }

    #[test]
    fn failures_are_alike_whenever_they_happened() {
        let failure = |since: &str, stage| LastFailure {
            schema: "last-failure.v1".to_owned(),
            since: since.to_owned(),
            stage,
            exit_code: Some(3),
            meaning: "an input is missing".to_owned(),
            simulator: None,
            measurements: None,
        };
        let first = failure("2026-11-29T00:00:00Z", Stage::Resolve);
        assert!(first.is_like(&failure("2026-11-30T00:00:00Z", Stage::Resolve)));
        assert!(!first.is_like(&failure("2026-11-29T00:00:00Z", Stage::Run)));
    }

    #[test]
    fn the_stages_follow_each_other() {
        assert!(Stage::ALL.is_sorted());
    }
}
