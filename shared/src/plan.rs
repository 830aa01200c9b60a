//! `plan.v1`: the frozen work list.
//!
//! A plan carries all that a simulator may see (deployments, resolved engine settings, workloads)
//! and nothing that was measured, so a shard needs no other file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::deployment::{Deployment, EngineSettings, Workload};
use crate::digest::Digest;
use crate::id::{EstimatorId, SweepId};
use crate::outcome::{Prediction, SettingsProfile, SimulatorIdentity};

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// `plan.v1`.
    pub schema: String,
    /// The digest of all that follows.
    pub digest: Digest,
    /// What is planned.
    pub body: PlanBody,
}

/// What is planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanBody {
    /// The corpus's digest.
    pub corpus: Digest,
    /// The digest of the scoring rules.
    pub rules: Digest,
    /// Which engine settings the simulators are given.
    pub settings: SettingsProfile,
    /// The estimators, by id.
    pub simulators: Vec<SimulatorIdentity>,
    /// The sweeps, by id.
    pub sweeps: Vec<PlannedSweep>,
    /// The work list, by sweep, concurrency and estimator.
    pub items: Vec<PlanItem>,
}

/// A sweep as a simulator may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedSweep {
    /// The sweep's id.
    pub id: SweepId,
    /// What was deployed.
    pub deployment: Deployment,
    /// How it was loaded.
    pub workload: Workload,
    /// The points, by ascending concurrency.
    pub points: Vec<PlannedPoint>,
}

/// A point as a simulator may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedPoint {
    /// Requests in flight.
    pub concurrency: u32,
    /// The engine's settings.
    pub engine: EngineSettings,
    /// The mean acceptance length of speculative decoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_length: Option<f64>,
    /// Predictions that came with the corpus; only the published estimators read them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub published: BTreeMap<EstimatorId, Prediction>,
}

/// One unit of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanItem {
    /// The sweep.
    pub sweep: SweepId,
    /// The concurrency.
    pub concurrency: u32,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The estimated cost, in arbitrary units that are the same for all items of an estimator.
    pub cost: f64,
}

/// What a simulator is asked: everything that may bear on its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointRequest {
    /// The sweep's id, for logs and lookups.
    pub sweep: SweepId,
    /// What was deployed.
    pub deployment: Deployment,
    /// How it was loaded.
    pub workload: Workload,
    /// Requests in flight.
    pub concurrency: u32,
    /// The engine's settings.
    pub engine: EngineSettings,
    /// The mean acceptance length of speculative decoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_length: Option<f64>,
}
