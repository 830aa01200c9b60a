//! `roofline`: the built-in baseline that any simulator should beat.
//!
//! A closed loop against a batching engine ([`engine`]) whose steps cost what arithmetic, memory and links allow at best
//! ([`cost`], [`layout`], [`kv`]), from public facts alone ([`crate::reference`]): nothing is fitted to any measurement. What it
//! leaves out and how far off it is stand in docs/roofline.md.

pub mod cost;
pub mod engine;
pub mod kv;
pub mod layout;

use std::sync::Arc;

use shared::id::EstimatorId;
use shared::outcome::{Outcome, Reason, SettingsProfile, SimulatorData, SimulatorIdentity};
use shared::plan::PointRequest;

use crate::reference::{Checkpoint, Hardware, Model, Reference};

use super::{Answer, Means, Simulator, in_process, not_scored, request_list, speculation};
use engine::{Limits, Replay, ReplayError, Request};
use layout::{KvSettings, Layout, Machine};

/// How it is driven, as its identity says.
pub const KIND: &str = "roofline";

/// The version of the method: raised whenever an answer changes for equal facts.
pub const VERSION: &str = "1";

/// Seconds of one core per generated token, for ordering work (measured: docs/performance.md).
const SECONDS_PER_TOKEN: f64 = 3e-8;

/// A replay counts in seconds.
const MILLIS_PER_SECOND: f64 = 1e3;

/// The roofline simulator.
#[derive(Clone, Debug)]
pub struct Roofline {
    identity: SimulatorIdentity,
    reference: Arc<Reference>,
}

impl Roofline {
    /// The simulator on these facts, given engine settings of this profile.
    #[must_use]
    pub fn new(id: EstimatorId, reference: Arc<Reference>, settings: SettingsProfile) -> Self {
        let facts = SimulatorData::digested("models.toml, hardware.toml", reference.facts_digest().clone());
        let identity = SimulatorIdentity {
            id,
            name: "Roofline".to_owned(),
            kind: KIND.to_owned(),
            version: VERSION.to_owned(),
            commit: None,
            binary_sha256: None,
            release: reference.is_built_in(),
            data: vec![facts],
            settings,
        };
        Self { identity, reference }
    }
}

impl Simulator for Roofline {
    fn identity(&self) -> &SimulatorIdentity {
        &self.identity
    }

    fn cost(&self, request: &PointRequest) -> f64 {
        let requests = f64::from(request.workload.prompts_per_concurrency) * f64::from(request.concurrency);
        requests * f64::from(request.workload.osl) * SECONDS_PER_TOKEN
    }

    fn is_worth_caching(&self) -> bool {
        false
    }

    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
        let reference = Arc::clone(&self.reference);
        let request = request.clone();
        in_process(move || answer(&reference, &request).unwrap_or_else(|refusal| refusal))
    }
}

/// The prediction, or as an error the outcome that says why there is none.
fn answer(reference: &Reference, request: &PointRequest) -> Result<Outcome, Outcome> {
    let (model, checkpoint, hardware) = facts(reference, request)?;
    let parallelism = request.deployment.parallelism;
    let layout = Layout {
        tensor: parallelism.tp,
        pipeline: parallelism.pp,
        data: parallelism.dp,
        expert: parallelism.ep,
    };
    let machine = Machine { model, checkpoint, hardware, layout };
    let unsupported = |detail| not_scored(Reason::UnsupportedLayout, detail);
    let cost = machine.cost_model().map_err(unsupported)?;
    let engine = request.engine;
    let kv = machine
        .kv_pool(KvSettings {
            block_size: engine.block_size,
            memory_share: engine.gpu_memory_utilization,
            recorded_tokens: engine.kv_tokens,
        })
        .map_err(unsupported)?;
    let limits = Limits {
        ranks: parallelism.dp as usize,
        max_sequences: engine.max_num_seqs as usize,
        max_tokens: engine.max_num_batched_tokens,
        kv,
    };
    let requests = requests(request)?;
    let replay =
        engine::replay(&cost, &limits, &requests, request.concurrency as usize).map_err(|error| {
            let reason = match error {
                ReplayError::RequestTooLong { .. } => Reason::UnsupportedLayout,
                ReplayError::EmptyRequest { .. } | ReplayError::ZeroLimit(_) => Reason::RunError,
            };
            not_scored(reason, error.to_string())
        })?;
    prediction(&replay, &requests)
}

/// The facts about what was deployed.
fn facts<'a>(
    reference: &'a Reference,
    request: &PointRequest,
) -> Result<(&'a Model, &'a Checkpoint, &'a Hardware), Outcome> {
    let deployment = &request.deployment;
    if deployment.framework != "vllm" {
        let detail = format!("only vLLM's scheduler is modelled, not `{}`", deployment.framework);
        return Err(not_scored(Reason::UnsupportedFramework, detail));
    }
    if let Some(reason) = speculation(request) {
        let detail = format!("speculative decoding (`{}`) is not modelled", deployment.spec.method);
        return Err(not_scored(reason, detail));
    }
    let model = reference.model(&deployment.model).ok_or_else(|| {
        let detail = format!("models.toml has no facts about `{}`", deployment.model);
        not_scored(Reason::UnsupportedModel, detail)
    })?;
    let checkpoint = model.checkpoint(&deployment.precision).ok_or_else(|| {
        let detail =
            format!("models.toml has no `{}` checkpoint of `{}`", deployment.precision, deployment.model);
        not_scored(Reason::UnsupportedModel, detail)
    })?;
    let hardware = reference.hardware(&deployment.hardware).ok_or_else(|| {
        let detail = format!("hardware.toml has no facts about `{}`", deployment.hardware);
        not_scored(Reason::UnsupportedHardware, detail)
    })?;
    Ok((model, checkpoint, hardware))
}

/// The client's requests.
fn requests(request: &PointRequest) -> Result<Vec<Request>, Outcome> {
    let list = request_list(request)?;
    Ok(list.requests().map(|(input, output)| Request { input, output }).collect())
}

/// The client's two means, from the rows of a replay.
fn prediction(replay: &Replay, requests: &[Request]) -> Result<Outcome, Outcome> {
    let mut means = Means::default();
    for (row, request) in replay.rows.iter().zip(requests) {
        means.add(row.first - row.sent, row.last - row.first, request.output);
    }
    means.prediction(MILLIS_PER_SECOND).map(Outcome::Scored)
}

#[cfg(test)]
mod tests;
