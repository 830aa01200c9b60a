//! `summary.v1`: the snapshot. Every figure in [`Summary::aggregates`] can be computed again from
//! [`Summary::sweeps`], and the page does so.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::corpus::{MeasurementSource, RowAccount, Selection};
use crate::digest::Digest;
use crate::id::{EstimatorId, SnapshotId};
use crate::metric::Metric;
use crate::outcome::{Outcome, OutcomeCounts, ScorerIdentity, SimulatorIdentity};
use crate::rules::{Grading, RuleBook};
use crate::sweep::Sweep;
use crate::tier::{Tier, Verdict};

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// `summary.v1`.
    pub schema: String,
    /// Which run it is.
    pub run: Run,
    /// The estimators, by id.
    pub simulators: Vec<SimulatorIdentity>,
    /// Where the measurements come from.
    pub measurements: MeasurementSource,
    /// The digest of the corpus file.
    pub corpus: Digest,
    /// How sweeps were selected.
    pub selection: Selection,
    /// The rules of scoring.
    pub rules: RuleBook,
    /// The thresholds of the grades.
    pub grading: Grading,
    /// From rows read to points scored.
    pub coverage: Coverage,
    /// Sweeps and families by verdict, best verdict first.
    pub verdicts: Vec<VerdictCount>,
    /// By admission setting: the `PARTIAL` sweeps in which some point did not pass it.
    pub unpassed: BTreeMap<String, u64>,
    /// The figures, by group, key, tier, estimator and metric.
    pub aggregates: Vec<Aggregate>,
    /// The sweeps with their points, by id.
    pub sweeps: Vec<Sweep<Outcome>>,
}

/// Which run a snapshot is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The snapshot's id.
    pub id: SnapshotId,
    /// When it was made, RFC 3339 in UTC.
    pub generated_at: String,
    /// Whether simulator and data are releases.
    pub label: Label,
    /// The estimator that the snapshot is about.
    pub primary: EstimatorId,
    /// The program that made it.
    pub scorer: ScorerIdentity,
    /// How to compute one sweep again; `{sweep}` stands for its id.
    pub repro: String,
}

/// Whether a snapshot's figures may be called the simulator's accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// Simulator and data are releases.
    Released,
    /// One of them is not: never published.
    Experimental,
}

impl Label {
    /// Both labels.
    pub const ALL: [Self; 2] = [Self::Released, Self::Experimental];

    /// The label as one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Released => "released",
            Self::Experimental => "experimental",
        }
    }
}

/// From rows read to points scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// What became of every row of the source.
    pub rows: RowAccount,
    /// Sweeps in the corpus.
    pub sweeps: u64,
    /// Points in the corpus.
    pub points: u64,
    /// What became of every point, by estimator.
    pub estimators: BTreeMap<EstimatorId, OutcomeCounts>,
}

/// The sweeps of one verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerdictCount {
    /// The verdict.
    pub verdict: Verdict,
    /// Its sweeps.
    pub sweeps: u64,
    /// Their points.
    pub points: u64,
    /// The families among them, sorted.
    pub families: Vec<String>,
}

/// What sweeps are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// One group of everything, whose key is `all`.
    All,
    /// The model's family.
    Family,
    /// The model.
    Model,
    /// The GPU.
    Hardware,
    /// Input and output length.
    Workload,
    /// The precision of the weights.
    Precision,
    /// The layout over GPUs.
    Parallelism,
    /// The engine's version.
    EngineVersion,
    /// The smallest tier that contains the sweep.
    Tier,
}

impl GroupBy {
    /// Every grouping, in the order of the aggregates.
    pub const ALL: [Self; 9] = [
        Self::All,
        Self::Family,
        Self::Model,
        Self::Hardware,
        Self::Workload,
        Self::Precision,
        Self::Parallelism,
        Self::EngineVersion,
        Self::Tier,
    ];

    /// As it stands in files, keys and URLs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Family => "family",
            Self::Model => "model",
            Self::Hardware => "hardware",
            Self::Workload => "workload",
            Self::Precision => "precision",
            Self::Parallelism => "parallelism",
            Self::EngineVersion => "engine_version",
            Self::Tier => "tier",
        }
    }

    /// The grouping of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.key() == key)
    }

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "everything",
            Self::Family => "family",
            Self::Model => "model",
            Self::Hardware => "hardware",
            Self::Workload => "workload",
            Self::Precision => "precision",
            Self::Parallelism => "parallelism",
            Self::EngineVersion => "engine version",
            Self::Tier => "tier",
        }
    }
}

/// Which set of points a figure is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AggregateKey {
    /// The grouping.
    pub by: GroupBy,
    /// The group.
    pub key: String,
    /// The tier.
    pub tier: Tier,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The metric.
    pub metric: Metric,
}

/// The figures of one set of points. Errors are in percent, shares between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Aggregate {
    /// Which set of points.
    pub of: AggregateKey,
    /// Its figures.
    pub figures: Figures,
}

/// The figures of design "Scoring: Errors". What is undefined is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Sweeps with a scored point.
    pub sweeps: u64,
    /// Scored points.
    pub points: u64,
    /// Points that were not scored.
    pub not_scored: u64,
    /// Scored points other than their sweep's anchor.
    pub shape_points: u64,
    /// Mean absolute error over points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mape: Option<f64>,
    /// Mean signed error over points; positive: the estimator says slower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_mean: Option<f64>,
    /// Mean absolute shape error over shape points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<f64>,
    /// Mean signed shape error over shape points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_shape: Option<f64>,
    /// Mean over sweeps of the signed error at the lowest scored concurrency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_lowest: Option<f64>,
    /// Mean over sweeps of the signed error at the highest scored concurrency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_highest: Option<f64>,
    /// Median absolute error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// 90th percentile of the absolute error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p90: Option<f64>,
    /// Share of points whose signed error is above 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_over: Option<f64>,
    /// `1 − |signed mean| / MAPE`: 1 when errors cancel out, 0 when all go one way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancellation: Option<f64>,
    /// 95 % interval of the MAPE; none below five sweeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mape_interval: Option<Interval>,
    /// 95 % interval of the signed mean; none below five sweeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_interval: Option<Interval>,
    /// 95 % interval of the shape error; none below five sweeps with a shape point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape_interval: Option<Interval>,
    /// The grade of the MAPE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
}

/// An interval, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A grade of an absolute error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Grade {
    /// The best.
    A,
    /// Good.
    B,
    /// Fair.
    C,
    /// Poor.
    D,
    /// Worse than any threshold.
    F,
}

impl Grade {
    /// Every grade, best first.
    pub const ALL: [Self; 5] = [Self::A, Self::B, Self::C, Self::D, Self::F];

    /// The grade as one letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::F => "F",
        }
    }
}
