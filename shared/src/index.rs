//! `index.v1`, the list of snapshots, and `last-run.v1`, what was published last.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::{EstimatorId, SnapshotId};
use crate::metric::Metric;
use crate::summary::Label;
use crate::tier::Tier;

/// The list of snapshots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Index {
    /// `index.v1`.
    pub schema: String,
    /// The snapshots, newest first; of equal age the greater id first.
    pub snapshots: Vec<IndexEntry>,
}

/// One snapshot in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexEntry {
    /// Its id: the directory below `data/snapshots/`.
    pub id: SnapshotId,
    /// When it was made, RFC 3339 in UTC.
    pub generated_at: String,
    /// Whether simulator and data are releases.
    pub label: Label,
    /// The primary estimator.
    pub primary: EstimatorId,
    /// The primary estimator's name and version, as people write them.
    pub simulator: String,
    /// Which engine settings the primary estimator was given.
    pub settings: crate::outcome::SettingsProfile,
    /// The measurements' release or kind, as people write it.
    pub measurements: String,
    /// Sweeps in the corpus.
    pub sweeps: u64,
    /// Points in the corpus.
    pub points: u64,
    /// Points that the primary estimator scored.
    pub scored: u64,
    /// The primary estimator's figures over everything.
    pub headline: Vec<Headline>,
    /// The digest of `summary.json`.
    pub sha256: Digest,
    /// The size of `summary.json`.
    pub bytes: u64,
}

impl IndexEntry {
    /// Whether both runs are of one simulator with one profile of engine settings: the figures of others have no common
    /// history.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.primary == other.primary && self.settings == other.settings
    }
}

/// One headline figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Headline {
    /// The tier.
    pub tier: Tier,
    /// The metric.
    pub metric: Metric,
    /// Scored points.
    pub points: u64,
    /// Mean absolute error, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mape: Option<f64>,
    /// Mean absolute shape error, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<f64>,
}

/// What was published last: when neither release has changed, there is nothing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastRun {
    /// `last-run.v1`.
    pub schema: String,
    /// The simulator's name, version and settings profile.
    pub simulator: String,
    /// The measurements' release.
    pub measurements: String,
    /// The snapshot that was made of them.
    pub snapshot: SnapshotId,
}
