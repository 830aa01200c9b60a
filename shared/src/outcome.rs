//! `outcomes.v1`: exactly one outcome per point and estimator.
//!
//! A file of outcomes is JSON lines: first an [`OutcomesHeader`], then one [`OutcomeRecord`] an
//! item. While a run goes on the file is an append-only journal; when the run is complete it is
//! rewritten in the plan's order, so that its bytes do not depend on how the work was spread. What
//! does depend on it (wall time, peak memory, attempts, cache hits) stands in a file beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::{EstimatorId, SweepId};
use crate::metric::Metric;
use crate::millis::Millis;

/// What became of one point with one estimator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The estimator answered.
    Scored(Prediction),
    /// It did not, and why.
    NotScored(NotScored),
}

/// An estimator's answer for one point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prediction {
    /// Predicted mean TTFT, in milliseconds.
    pub ttft_ms: Millis,
    /// Predicted mean TPOT, in milliseconds.
    pub tpot_ms: Millis,
    /// Requests completed in the replay; none for an estimate without a replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<u32>,
    /// What the means were taken from.
    #[serde(default, skip_serializing_if = "Basis::is_per_request")]
    pub basis: Basis,
}

impl Prediction {
    /// The predicted latency of a metric.
    #[must_use]
    pub fn get(&self, metric: Metric) -> Millis {
        match metric {
            Metric::Tpot => self.tpot_ms,
            Metric::Ttft => self.ttft_ms,
        }
    }
}

/// What the means of a prediction were taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Every request of the replay, by the client's formulas.
    #[default]
    PerRequest,
    /// An aggregate of the simulator's own.
    Aggregate,
    /// A closed formula: no requests were replayed.
    Estimate,
    /// A published ratio to the measured anchor.
    PublishedRatio,
}

impl Basis {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_per_request(&self) -> bool {
        *self == Self::PerRequest
    }
}

/// Why a point has no prediction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotScored {
    /// The kind of reason.
    pub reason: Reason,
    /// What exactly, for a reader.
    pub detail: String,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Speculative decoding, and no acceptance rate is known.
    NoAcceptanceRate,
    /// The point has no usable measurement.
    NoMeasurement,
    /// The estimator does not model the engine.
    UnsupportedFramework,
    /// The estimator does not model the model.
    UnsupportedModel,
    /// The estimator does not model the GPU.
    UnsupportedHardware,
    /// The estimator does not model the layout, or the model does not fit.
    UnsupportedLayout,
    /// The estimator failed.
    RunError,
    /// The estimator took too long.
    Timeout,
    /// The replay did not complete every request.
    IncompleteRun,
    /// The estimator answered something that cannot be true.
    BadResult,
    /// The published predictions do not contain the point.
    NotPublished,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 11] = [
        Self::NoAcceptanceRate,
        Self::NoMeasurement,
        Self::UnsupportedFramework,
        Self::UnsupportedModel,
        Self::UnsupportedHardware,
        Self::UnsupportedLayout,
        Self::RunError,
        Self::Timeout,
        Self::IncompleteRun,
        Self::BadResult,
        Self::NotPublished,
    ];

    /// As it stands in files and reports.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::NoAcceptanceRate => "no_acceptance_rate",
            Self::NoMeasurement => "no_measurement",
            Self::UnsupportedFramework => "unsupported_framework",
            Self::UnsupportedModel => "unsupported_model",
            Self::UnsupportedHardware => "unsupported_hardware",
            Self::UnsupportedLayout => "unsupported_layout",
            Self::RunError => "run_error",
            Self::Timeout => "timeout",
            Self::IncompleteRun => "incomplete_run",
            Self::BadResult => "bad_result",
            Self::NotPublished => "not_published",
        }
    }
}

/// What an estimator is, exactly: part of every request digest's meaning and of every snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulatorIdentity {
    /// The estimator's id.
    pub id: EstimatorId,
    /// Its name as people write it.
    pub name: String,
    /// How it is driven: `roofline`, `published`, `blis`, `command`, …
    pub kind: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The digest of its binary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary_sha256: Option<Digest>,
    /// Whether it is a release; a published or built-in estimator is.
    pub release: bool,
    /// The data it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<SimulatorData>,
    /// Which engine settings it is given.
    pub settings: SettingsProfile,
}

impl SimulatorIdentity {
    /// The version of an estimator whose source does not say one.
    pub const UNVERSIONED: &str = "unversioned";

    /// Name and version as people write them; only the name when no version is known.
    #[must_use]
    pub fn title(&self) -> String {
        title(&self.name, &self.version)
    }
}

/// An estimator's name and version as people write them.
pub(crate) fn title(name: &str, version: &str) -> String {
    if version == SimulatorIdentity::UNVERSIONED { name.to_owned() } else { format!("{name} {version}") }
}

/// Data that a simulator rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulatorData {
    /// What it is.
    pub name: String,
    /// Its release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Its commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The digest of its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
}

impl SimulatorData {
    /// Data known by their release.
    #[must_use]
    pub fn tagged(name: impl Into<String>, tag: impl Into<String>) -> Self {
        Self { name: name.into(), tag: Some(tag.into()), commit: None, sha256: None }
    }

    /// Data known by the digest of their bytes.
    #[must_use]
    pub fn digested(name: impl Into<String>, sha256: Digest) -> Self {
        Self { name: name.into(), tag: None, commit: None, sha256: Some(sha256) }
    }
}

/// Which engine settings a simulator is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SettingsProfile {
    /// Those of the run: passed, else resolved, else the engine's defaults.
    Recorded,
    /// The engine's defaults for every point.
    Defaults,
    /// Chosen by those who published the predictions.
    Published,
}

impl SettingsProfile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Recorded, Self::Defaults, Self::Published];

    /// As it stands in files and flags.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Defaults => "defaults",
            Self::Published => "published",
        }
    }
}

/// Which program made a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScorerIdentity {
    /// The scorer's version.
    pub version: String,
    /// The commit of the checkout it ran from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// How the commit is known.
    pub commit_source: CommitSource,
}

/// How a commit is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CommitSource {
    /// The checkout was found clean at that commit.
    Checked,
    /// Somebody said so.
    Asserted,
    /// It is not.
    Unknown,
}

impl CommitSource {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Checked, Self::Asserted, Self::Unknown];

    /// As it stands in files.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::Asserted => "asserted",
            Self::Unknown => "unknown",
        }
    }
}

/// The first line of a file of outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomesHeader {
    /// `outcomes.v1`.
    pub schema: String,
    /// The plan's digest.
    pub plan: Digest,
    /// The corpus's digest.
    pub corpus: Digest,
    /// The number of items in the plan.
    pub items: u64,
    /// Which shard of the plan the file holds; none: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The program that ran the plan.
    pub scorer: ScorerIdentity,
    /// The estimators, by id.
    pub simulators: Vec<SimulatorIdentity>,
}

/// One line of a file of outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeRecord {
    /// The sweep.
    pub sweep: SweepId,
    /// The concurrency.
    pub concurrency: u32,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The digest of the request that was answered.
    pub request: Digest,
    /// What became of it.
    pub outcome: Outcome,
}

/// Outcomes by estimator, counted: `scored + Σ reasons = points`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeCounts {
    /// Points scored.
    pub scored: u64,
    /// Points not scored.
    pub not_scored: u64,
    /// Points not scored, by reason.
    pub reasons: BTreeMap<Reason, u64>,
}

impl OutcomeCounts {
    /// Counts one more outcome.
    pub fn count(&mut self, outcome: &Outcome) {
        self.add(match outcome {
            Outcome::Scored(_) => None,
            Outcome::NotScored(why) => Some(why.reason),
        });
    }

    /// Counts one more point: scored, or not for a reason.
    pub fn add(&mut self, reason: Option<Reason>) {
        match reason {
            None => self.scored += 1,
            Some(reason) => {
                self.not_scored += 1;
                *self.reasons.entry(reason).or_default() += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;
    use crate::summary::{Grade, GroupBy, Label};
    use crate::tier::{Tier, Verdict};

    /// Keys as serde writes them, and as they are looked up without serde.
    fn keys<T: Copy + Serialize>(
        all: &[T],
        key: fn(T) -> &'static str,
    ) -> (serde_json::Value, serde_json::Value) {
        let keys: Vec<&str> = all.iter().map(|one| key(*one)).collect();
        (serde_json::to_value(all).unwrap(), serde_json::to_value(keys).unwrap())
    }

    #[test]
    fn every_key_is_the_one_in_the_files() {
        for (written, key) in [
            keys(&Reason::ALL, Reason::key),
            keys(&SettingsProfile::ALL, SettingsProfile::key),
            keys(&CommitSource::ALL, CommitSource::key),
            keys(&Metric::ALL, Metric::key),
            keys(&Grade::ALL, Grade::letter),
            keys(&GroupBy::ALL, GroupBy::key),
            keys(&Label::ALL, Label::name),
            keys(&Tier::ALL, Tier::key),
            keys(&Verdict::ALL, Verdict::name),
        ] {
            assert_eq!(written, key);
        }
    }
}
