//! What was deployed and how it was loaded: layouts, speculation, workloads, and the resolved engine
//! settings that a simulator is given.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a model is laid out over GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parallelism {
    /// Tensor-parallel size of one replica.
    pub tp: u32,
    /// Pipeline stages.
    pub pp: u32,
    /// Data-parallel replicas of the attention layers.
    pub dp: u32,
    /// GPUs over which the experts are spread; 1: experts are split by tensor parallelism.
    pub ep: u32,
    /// Whether attention is replicated per data-parallel rank while the experts are shared.
    pub dp_attention: bool,
}

impl Parallelism {
    /// A layout of `tp` GPUs and nothing else.
    #[must_use]
    pub fn tensor(tp: u32) -> Self {
        Self { tp, pp: 1, dp: 1, ep: 1, dp_attention: false }
    }

    /// The number of GPUs of the deployment.
    #[must_use]
    pub fn gpus(self) -> u32 {
        self.tp.saturating_mul(self.pp).saturating_mul(self.dp)
    }
}

impl fmt::Display for Parallelism {
    /// `tp8`, `tp2 dp2 ep4`: the parts that are not 1, tensor parallelism always.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "tp{}", self.tp)?;
        for (name, size) in [("pp", self.pp), ("dp", self.dp), ("ep", self.ep)] {
            if size > 1 {
                write!(formatter, " {name}{size}")?;
            }
        }
        Ok(())
    }
}

/// Speculative decoding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Speculation {
    /// `none`, `mtp`, …
    pub method: String,
    /// Draft tokens per step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
}

impl Speculation {
    /// No speculative decoding.
    #[must_use]
    pub fn none() -> Self {
        Self { method: "none".to_owned(), tokens: None }
    }

    /// Whether anything is speculated.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.method == "none"
    }
}

/// A deployment as far as a simulator may know it, without its engine settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deployment {
    /// The model's name in the catalog, such as `gpt-oss-120b`.
    pub model: String,
    /// The GPU's name, such as `h200`.
    pub hardware: String,
    /// The engine, such as `vllm`.
    pub framework: String,
    /// The engine's version, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    /// The precision of the weights, such as `fp8`.
    pub precision: String,
    /// The layout over GPUs.
    pub parallelism: Parallelism,
    /// Speculative decoding.
    pub spec: Speculation,
}

/// The client's load: see `docs/workload.md`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Workload {
    /// Input length, in tokens: the upper end of the drawn range.
    pub isl: u32,
    /// Output length, in tokens: the upper end of the drawn range.
    pub osl: u32,
    /// The lower end of the drawn range as a share of the upper end.
    pub range_ratio: f64,
    /// Requests sent per unit of concurrency: 10 for the InferenceX client.
    pub prompts_per_concurrency: u32,
    /// Tokens of each prompt that the client's chat template adds: the lengths are drawn for the rest.
    #[serde(default, skip_serializing_if = "crate::sweep::is_zero")]
    pub template_tokens: u32,
}

impl Workload {
    /// How many requests the client sends at a concurrency.
    #[must_use]
    pub fn requests(self, concurrency: u32) -> u32 {
        self.prompts_per_concurrency.saturating_mul(concurrency)
    }
}

impl Workload {
    /// `1k1k`, `8k1k`, or the plain numbers with `:` when a length is not a multiple of 1024.
    #[must_use]
    pub fn label(isl: u32, osl: u32) -> String {
        let whole = |length: u32| length >= 1024 && length.is_multiple_of(1024);
        if whole(isl) && whole(osl) {
            format!("{}k{}k", isl / 1024, osl / 1024)
        } else {
            format!("{isl}:{osl}")
        }
    }
}

/// Engine settings with every value known, per data-parallel rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineSettings {
    /// The most requests in one step.
    pub max_num_seqs: u32,
    /// The most tokens in one step.
    pub max_num_batched_tokens: u32,
    /// Tokens per KV block.
    pub block_size: u32,
    /// Whether KV blocks of equal prefixes are shared.
    pub enable_prefix_caching: bool,
    /// The longest sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_model_len: Option<u32>,
    /// The share of the GPU's memory that the engine may use.
    pub gpu_memory_utilization: f64,
    /// Whether experts are spread over the GPUs of the deployment.
    pub enable_expert_parallel: bool,
    /// The size of the KV pool, in tokens, when the engine's log says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv_tokens: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_shows_the_parts_that_matter() {
        assert_eq!(Parallelism::tensor(8).to_string(), "tp8");
        let layout = Parallelism { tp: 2, pp: 1, dp: 2, ep: 4, dp_attention: true };
        assert_eq!(layout.to_string(), "tp2 dp2 ep4");
        assert_eq!(layout.gpus(), 4);
    }

    #[test]
    fn a_workload_label_cannot_stand_for_two_workloads() {
        assert_eq!(Workload::label(1024, 8192), "1k8k");
        assert_eq!(Workload::label(8000, 1000), "8000:1000");
        assert_eq!(Workload::label(8192, 256), "8192:256");
    }
}
