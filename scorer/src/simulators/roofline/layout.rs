//! From facts to costs: what one GPU of a layout holds, computes, reads and sends.
//!
//! Formulas and sources: docs/roofline.md.

use crate::reference::{
    Attention, Checkpoint, Component, Hardware, LayerKind, Math, Model, NumberFormat, Parameters, Positive,
    index_heads_on_one_of, kv_heads_on_one_of,
};

use super::cost::{CostModel, ExpertCost, MAX_REACHES, ReachCost, UNLIMITED, touched_share};
use super::kv::{KvPool, KvWindow};

/// Activations on the links, and the weights of routers.
const UNQUANTISED: NumberFormat = NumberFormat::Bf16;

/// How a model is spread over GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Tensor-parallel size of one attention replica.
    pub tensor: u32,
    /// Pipeline stages.
    pub pipeline: u32,
    /// Attention replicas, in lock step.
    pub data: u32,
    /// GPUs that the experts are spread over; 1: every expert is split over the tensor-parallel group.
    pub expert: u32,
}

/// Facts and layout of one deployment.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its quantised form.
    pub checkpoint: &'a Checkpoint,
    /// The GPU.
    pub hardware: &'a Hardware,
    /// The layout.
    pub layout: Layout,
}

/// What the engine's KV cache is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KvSettings {
    /// Tokens per block.
    pub block_size: u32,
    /// The share of the memory that the engine may use.
    pub memory_share: f64,
    /// Tokens that the engine's log says fit.
    pub recorded_tokens: Option<u64>,
}

impl Machine<'_> {
    /// Costs per unit of work on each GPU.
    ///
    /// # Errors
    /// A text that says why the layout cannot be expressed.
    pub fn cost_model(&self) -> Result<CostModel, String> {
        self.check_layout()?;
        let held = Parameters::on_one_of(self.model, self.layout.tensor);
        let reaches = self.reaches()?;
        Ok(CostModel {
            memory_bytes_per_second: self.hardware.memory_gb_s.get() * 1e9,
            step_weight_bytes: self.step_weight_bytes(&held),
            head_weight_bytes: held.embedding * self.checkpoint.head.weights.bytes(),
            token_seconds: self.multiply(held.attention, self.checkpoint.attention)
                + self.multiply(held.dense + held.shared, self.checkpoint.dense)
                + 2.0 * held.router / self.hardware.peak(Math::Bf16),
            head_seconds: self.multiply(held.embedding, self.checkpoint.head),
            experts: self.expert_cost(&held),
            reaches,
            kv_write_bytes: self
                .sum_over_kinds(|kind| self.window_entry_bytes(kind) + self.long_entry_bytes(kind)),
            collective_seconds: self.collective_seconds(),
        })
    }

    /// The KV cache of one rank: what the log recorded where that is comparable, else the memory that weights leave.
    ///
    /// vLLM prints the tokens of hybrid caches as `concurrency × max_model_len`, so a recorded number only bounds the sum of
    /// sequence lengths when every layer keeps every token.
    ///
    /// # Errors
    /// A text that says that the weights do not fit, or that a setting is impossible.
    pub fn kv_pool(&self, settings: KvSettings) -> Result<KvPool, String> {
        if settings.block_size == 0 {
            return Err("a block_size of 0 holds no tokens".to_owned());
        }
        if !(settings.memory_share > 0.0 && settings.memory_share <= 1.0) {
            return Err(format!("a gpu_memory_utilization of {} is not a share", settings.memory_share));
        }
        let block = f64::from(settings.block_size);
        let block_bytes = self.sum_over_kinds(|kind| block * self.long_entry_bytes(kind));
        let windows = self.model.layer_kind.iter().filter_map(|kind| {
            let blocks = u64::from(kind.window?.get().div_ceil(settings.block_size)) + 1;
            let bytes = f64::from(kind.count.get()) * block * self.window_entry_bytes(kind);
            Some(KvWindow { blocks, block_bytes: whole_bytes(bytes) })
        });
        let windows: Vec<KvWindow> = windows.collect();
        let block_bytes = whole_bytes(block_bytes);
        let every_token_kept =
            windows.is_empty() && self.model.layer_kind.iter().all(|kind| compression(kind) == 1.0);
        let capacity_bytes = match settings.recorded_tokens {
            Some(tokens) if every_token_kept => {
                (tokens / u64::from(settings.block_size)).saturating_mul(block_bytes)
            }
            _ => self.memory_left(settings.memory_share)?,
        };
        Ok(KvPool { capacity_bytes, block_size: settings.block_size, block_bytes, windows })
    }

    /// Bytes that the weights leave of the engine's share of the memory.
    fn memory_left(&self, share: f64) -> Result<u64, String> {
        let held = Parameters::on_one_of(self.model, self.layout.tensor);
        let experts = self.expert_cost(&held).map_or(0.0, |experts| experts.held_bytes);
        let weights = self.step_weight_bytes(&held)
            + experts
            + 2.0 * held.embedding * self.checkpoint.head.weights.bytes();
        let usable = self.hardware.memory_bytes() * share;
        if weights < usable {
            return Ok(whole_bytes(usable - weights));
        }
        Err(format!(
            "{} in {} needs {:.1} GB of weights per GPU and {} lets the engine use {:.1} GB of each",
            self.model.name.as_str(),
            self.checkpoint.precision.as_str(),
            weights / 1e9,
            self.hardware.name.as_str(),
            usable / 1e9
        ))
    }

    fn check_layout(&self) -> Result<(), String> {
        let Layout { tensor, pipeline, data, expert } = self.layout;
        let gpus = u64::from(tensor) * u64::from(data);
        let heads = self.model.attention.heads();
        if tensor == 0 || pipeline == 0 || data == 0 || expert == 0 {
            return Err("a parallel size of 0 describes no deployment".to_owned());
        }
        if pipeline > 1 {
            return Err(format!("pipeline parallelism (pp {pipeline}) is not modelled"));
        }
        if gpus > u64::from(self.hardware.node_gpus.get()) {
            return Err(format!(
                "{gpus} GPUs are more than the {} of one node, and only links within a node are modelled",
                self.hardware.node_gpus
            ));
        }
        if !heads.is_multiple_of(tensor) {
            return Err(format!("{heads} attention heads cannot be divided over tp {tensor}"));
        }
        match self.model.attention {
            Attention::GroupedQuery { kv_heads, .. }
                if !kv_heads.get().is_multiple_of(tensor) && !tensor.is_multiple_of(kv_heads.get()) =>
            {
                return Err(format!("{kv_heads} KV heads cannot be divided over tp {tensor}"));
            }
            Attention::Compressed { output_groups, .. } if !output_groups.get().is_multiple_of(tensor) => {
                return Err(format!("{output_groups} output groups cannot be divided over tp {tensor}"));
            }
            _ => {}
        }
        let Some(experts) = self.model.experts else {
            return if data == 1 && expert == 1 {
                Ok(())
            } else {
                Err("data or expert parallelism of a model without experts is not modelled".to_owned())
            };
        };
        if expert == 1 && data == 1 {
            return Ok(());
        }
        if u64::from(expert) != gpus {
            return Err(format!(
                "ep {expert} over tp {tensor} × dp {data}: experts are modelled spread over all {gpus} GPUs, or split by tensor parallelism without dp"
            ));
        }
        if !experts.count.get().is_multiple_of(expert) {
            return Err(format!("{} experts cannot be spread evenly over ep {expert}", experts.count));
        }
        Ok(())
    }

    /// Weights that every step reads.
    fn step_weight_bytes(&self, held: &Parameters) -> f64 {
        held.attention * self.checkpoint.attention.weights.bytes()
            + (held.dense + held.shared) * self.checkpoint.dense.weights.bytes()
            + held.router * UNQUANTISED.bytes()
    }

    fn expert_cost(&self, held: &Parameters) -> Option<ExpertCost> {
        let experts = self.model.experts?;
        let component = self.checkpoint.experts?;
        let gpus = f64::from(self.layout.tensor) * f64::from(self.layout.data);
        let count = f64::from(experts.count.get());
        let active = f64::from(experts.active.get());
        Some(ExpertCost {
            count: experts.count.get(),
            active: experts.active.get(),
            held_bytes: count * held.expert * component.weights.bytes() / gpus,
            token_seconds: self.multiply(active * held.expert, component) / gpus,
        })
    }

    /// Attention, summed over layer kinds by how far each part looks back.
    fn reaches(&self) -> Result<Vec<ReachCost>, String> {
        let mut reaches: Vec<ReachCost> = Vec::new();
        for kind in &self.model.layer_kind {
            for part in self.reaches_of(kind) {
                match reaches.iter_mut().find(|known| known.reach == part.reach) {
                    Some(known) => {
                        known.decode_seconds += part.decode_seconds;
                        known.prefill_seconds += part.prefill_seconds;
                        known.decode_bytes += part.decode_bytes;
                        known.context_bytes += part.context_bytes;
                    }
                    None => reaches.push(part),
                }
            }
        }
        if reaches.len() > MAX_REACHES {
            return Err(format!(
                "{} kinds of attention spans are more than the {MAX_REACHES} that are modelled",
                reaches.len()
            ));
        }
        Ok(reaches)
    }

    fn reaches_of(&self, kind: &LayerKind) -> Vec<ReachCost> {
        let layers = f64::from(kind.count.get());
        let (decode, prefill) = self.attention_seconds_per_entry();
        let mut parts = Vec::new();
        if let Some(window) = kind.window {
            let bytes = layers * self.window_entry_bytes(kind);
            parts.push(ReachCost {
                reach: window.get(),
                decode_seconds: layers * decode,
                prefill_seconds: layers * prefill,
                decode_bytes: bytes,
                context_bytes: bytes,
            });
        }
        let Some(long) = kind.long_range else { return parts };
        let per_token = layers / compression(kind);
        let entry = self.entry_bytes();
        // Different queries of a chunk choose different entries, so a chunk reads its whole context once.
        parts.push(ReachCost {
            reach: long
                .top_k
                .map_or(UNLIMITED, |entries| entries.get().saturating_mul(long.compression.get())),
            decode_seconds: per_token * decode,
            prefill_seconds: per_token * prefill,
            decode_bytes: per_token * entry,
            context_bytes: 0.0,
        });
        let index = per_token * self.index_seconds_per_entry(kind);
        let index_bytes = per_token * self.index_entry_bytes(kind);
        parts.push(ReachCost {
            reach: UNLIMITED,
            decode_seconds: index,
            prefill_seconds: index,
            decode_bytes: index_bytes,
            context_bytes: per_token * entry + index_bytes,
        });
        parts
    }

    /// Arithmetic of one query with one entry in one layer, alone and within a chunk: scores and weighted values of the heads
    /// that the GPU has. Alone, latent attention multiplies with the latent itself; within a chunk, with its expansion.
    fn attention_seconds_per_entry(&self) -> (f64, f64) {
        let heads = f64::from(self.model.attention.heads()) / f64::from(self.layout.tensor);
        let (alone, within) = match self.model.attention {
            Attention::GroupedQuery { head_dim, .. } | Attention::Compressed { head_dim, .. } => {
                let both = 2.0 * f64::from(head_dim.get());
                (both, both)
            }
            Attention::Latent { kv_rank, nope_dim, rope_dim, value_dim, .. } => {
                let [latent, nope, rope, value] =
                    [kv_rank, nope_dim, rope_dim, value_dim].map(|size| f64::from(size.get()));
                (2.0 * latent + rope, nope + rope + value)
            }
        };
        let seconds = |dimensions: f64| 2.0 * heads * dimensions / self.hardware.peak(Math::Bf16);
        (seconds(alone), seconds(within))
    }

    fn index_seconds_per_entry(&self, kind: &LayerKind) -> f64 {
        let Some((heads, dim)) = kind.long_range.and_then(|long| long.index_heads.zip(long.index_dim)) else {
            return 0.0;
        };
        let heads = match self.model.attention {
            Attention::GroupedQuery { .. } => index_heads_on_one_of(heads.get(), self.layout.tensor),
            Attention::Latent { .. } | Attention::Compressed { .. } => heads.get(),
        };
        2.0 * f64::from(heads) * f64::from(dim.get()) / self.hardware.peak(Math::Bf16)
    }

    /// Bytes of one entry in one layer on one GPU.
    fn entry_bytes(&self) -> f64 {
        let number = self.checkpoint.kv.bytes();
        let whole = self.checkpoint.kv_entry_bytes.map(Positive::get);
        match self.model.attention {
            Attention::GroupedQuery { kv_heads, head_dim, .. } => {
                let heads = f64::from(kv_heads_on_one_of(kv_heads.get(), self.layout.tensor));
                2.0 * heads * f64::from(head_dim.get()) * number
            }
            Attention::Latent { kv_rank, rope_dim, .. } => {
                whole.unwrap_or((f64::from(kv_rank.get()) + f64::from(rope_dim.get())) * number)
            }
            Attention::Compressed { head_dim, .. } => whole.unwrap_or(f64::from(head_dim.get()) * number),
        }
    }

    fn index_entry_bytes(&self, kind: &LayerKind) -> f64 {
        let Some(dim) = kind.long_range.and_then(|long| long.index_dim) else { return 0.0 };
        self.checkpoint
            .index_entry_bytes
            .map_or_else(|| f64::from(dim.get()) * self.checkpoint.kv.bytes(), Positive::get)
    }

    /// Bytes per token that a layer keeps of the window.
    fn window_entry_bytes(&self, kind: &LayerKind) -> f64 {
        if kind.window.is_some() { self.entry_bytes() } else { 0.0 }
    }

    /// Bytes per token that a layer keeps of the whole sequence.
    fn long_entry_bytes(&self, kind: &LayerKind) -> f64 {
        kind.long_range
            .map_or(0.0, |_| (self.entry_bytes() + self.index_entry_bytes(kind)) / compression(kind))
    }

    fn sum_over_kinds(&self, bytes: impl Fn(&LayerKind) -> f64) -> f64 {
        self.model.layer_kind.iter().map(|kind| f64::from(kind.count.get()) * bytes(kind)).sum()
    }

    /// Collectives of one token: bandwidth-optimal, and not overlapped with anything.
    fn collective_seconds(&self) -> f64 {
        let Layout { tensor, data, expert, .. } = self.layout;
        let width = f64::from(tensor);
        let layers = f64::from(self.model.layers.get());
        let vector = f64::from(self.model.hidden.get()) * UNQUANTISED.bytes();
        let expert_layers = self.model.experts.map_or(0.0, |experts| f64::from(experts.layers.get()));
        let all_reduce = 2.0 * (width - 1.0) / width * vector;
        let bytes = if data == 1 {
            2.0 * layers * all_reduce
        } else {
            // The all-reduce of a layer with experts is cut in two around the exchange; each GPU exchanges its share of tokens.
            let active = self.model.experts.map_or(0, |experts| u64::from(experts.active.get()));
            let destinations = f64::from(expert - 1) * touched_share(1, expert, active);
            let exchange = 2.0 * destinations * vector / width;
            (2.0 * layers - expert_layers) * all_reduce + expert_layers * exchange
        };
        bytes / (self.hardware.link_gb_s.get() * 1e9)
    }

    fn multiply(&self, parameters: f64, component: Component) -> f64 {
        2.0 * parameters / self.hardware.peak(component.math)
    }
}

/// Tokens per entry of a layer's long-range attention.
fn compression(kind: &LayerKind) -> f64 {
    kind.long_range.map_or(1.0, |long| f64::from(long.compression.get()))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bytes of one GPU: finite, not negative, below 2^53"
)]
fn whole_bytes(bytes: f64) -> u64 {
    bytes.floor() as u64
}

#[cfg(test)]
mod tests;
