//! How AIConfigurator's tables name what was deployed: for AIConfigurator itself, and for who takes its durations from it.

use serde::Serialize;
use shared::deployment::Parallelism;
use shared::outcome::{Outcome, Reason};
use shared::plan::PointRequest;

use crate::reference::{AiconfiguratorCheckpoint, AiconfiguratorSystem, Reference};
use crate::simulators::{not_scored, speculation};

/// A model and a GPU by their names there.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The model in its quantised form.
    pub checkpoint: &'a AiconfiguratorCheckpoint,
    /// The GPU in its server.
    pub system: &'a AiconfiguratorSystem,
}

impl<'a> Names<'a> {
    /// The names of a point.
    ///
    /// # Errors
    /// The outcome of a point that cannot be asked: of another engine, speculating, or of a model or GPU without a name.
    pub fn of(request: &PointRequest, reference: &'a Reference) -> Result<Self, Outcome> {
        let deployment = &request.deployment;
        if deployment.framework != "vllm" {
            let detail = format!("it is asked for vLLM only, and this is `{}`", deployment.framework);
            return Err(not_scored(Reason::UnsupportedFramework, detail));
        }
        if let Some(reason) = speculation(request) {
            let detail = format!("speculative decoding (`{}`) is not asked for", deployment.spec.method);
            return Err(not_scored(reason, detail));
        }
        let checkpoint = reference
            .aiconfigurator_checkpoint(&deployment.model, &deployment.precision)
            .ok_or_else(|| {
                let (model, precision) = (&deployment.model, &deployment.precision);
                let detail = format!("aiconfigurator.toml has no checkpoint of `{model}` in `{precision}`");
                not_scored(Reason::UnsupportedModel, detail)
            })?;
        let system = reference.aiconfigurator_system(&deployment.hardware).ok_or_else(|| {
            let detail = format!("aiconfigurator.toml has no system for `{}`", deployment.hardware);
            not_scored(Reason::UnsupportedHardware, detail)
        })?;
        Ok(Self { checkpoint, system })
    }
}

/// How the experts lie on the GPUs of one pipeline stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ExpertLayout {
    /// How many ways each expert is split.
    pub moe_tp_size: u32,
    /// How many ways the experts are spread.
    pub moe_ep_size: u32,
}

impl ExpertLayout {
    /// `ep` ways by expert, the rest by tensor.
    ///
    /// # Errors
    /// The outcome of a point whose GPUs cannot be parted so.
    pub fn of(parallelism: Parallelism) -> Result<Self, Outcome> {
        let gpus = parallelism.tp.saturating_mul(parallelism.dp);
        let ep = parallelism.ep;
        if ep == 0 || !gpus.is_multiple_of(ep) {
            let detail = format!("{gpus} GPUs cannot be {ep} ways expert-parallel ({parallelism})");
            return Err(not_scored(Reason::UnsupportedLayout, detail));
        }
        Ok(Self { moe_tp_size: gpus / ep, moe_ep_size: ep })
    }
}
