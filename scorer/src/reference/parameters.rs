//! Parameter counts, derived from a model's dimensions.
//!
//! Norms, biases, attention sinks and hyper-connections are left out: together they stay below 0.1 % of every model of the corpus.

use super::models::{Attention, LayerKind, Model};

/// Parameters of a model by part, over all layers, as one GPU of a tensor-parallel group of some size holds them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The projections around attention, compressors and indexes included.
    pub attention: f64,
    /// Dense feed-forward parts.
    pub dense: f64,
    /// The feed-forward part that every token uses beside its experts.
    pub shared: f64,
    /// The routers: never split.
    pub router: f64,
    /// One expert of every layer that has experts, undivided.
    pub expert: f64,
    /// The embedding; the unembedding has as many.
    pub embedding: f64,
}

impl Parameters {
    /// The parameters on one of `tp` GPUs that share the attention heads.
    ///
    /// Column- and row-parallel matrices are divided by `tp`; what feeds every head (latents, compressors, the key of an
    /// index) is on every GPU, and a KV head is on several GPUs where there are more GPUs than KV heads.
    #[must_use]
    pub fn on_one_of(model: &Model, tp: u32) -> Self {
        let width = f64::from(tp);
        let hidden = f64::from(model.hidden.get());
        let feed_forward = |intermediate: u32| 3.0 * hidden * f64::from(intermediate);
        let layers = f64::from(model.layers.get());
        let kinds: f64 =
            model.layer_kind.iter().map(|kind| f64::from(kind.count.get()) * of_kind(model, kind, tp)).sum();
        let experts = model.experts;
        let expert_layers = experts.map_or(0.0, |experts| f64::from(experts.layers.get()));
        Self {
            attention: layers * of_projections(model, tp) + kinds,
            dense: model.dense.map_or(0.0, |dense| {
                f64::from(dense.layers.get()) * feed_forward(dense.intermediate.get()) / width
            }),
            shared: experts
                .and_then(|experts| experts.shared_intermediate)
                .map_or(0.0, |intermediate| expert_layers * feed_forward(intermediate.get()) / width),
            router: experts.map_or(0.0, |experts| expert_layers * hidden * f64::from(experts.count.get())),
            expert: experts.map_or(0.0, |experts| expert_layers * feed_forward(experts.intermediate.get())),
            embedding: hidden * f64::from(model.vocabulary.get()) / width,
        }
    }

    /// All parameters of the model.
    #[must_use]
    pub fn total(model: &Model) -> f64 {
        let whole = Self::on_one_of(model, 1);
        let experts = model.experts.map_or(0.0, |experts| f64::from(experts.count.get()));
        whole.always_used() + experts * whole.expert + 2.0 * whole.embedding
    }

    /// The parameters that one token is multiplied with: the unembedding counts, the embedding (a look-up) does not.
    #[must_use]
    pub fn active(model: &Model) -> f64 {
        let whole = Self::on_one_of(model, 1);
        let experts = model.experts.map_or(0.0, |experts| f64::from(experts.active.get()));
        whole.always_used() + experts * whole.expert + whole.embedding
    }

    fn always_used(&self) -> f64 {
        self.attention + self.dense + self.shared + self.router
    }
}

/// One layer's projections of query, key, value and output.
fn of_projections(model: &Model, tp: u32) -> f64 {
    let width = f64::from(tp);
    let hidden = f64::from(model.hidden.get());
    match model.attention {
        Attention::GroupedQuery { heads, kv_heads, head_dim } => {
            let head_dim = f64::from(head_dim.get());
            let query = hidden * f64::from(heads.get()) * head_dim / width;
            2.0 * query + 2.0 * hidden * f64::from(kv_heads_on_one_of(kv_heads.get(), tp)) * head_dim
        }
        Attention::Latent { heads, query_rank, kv_rank, nope_dim, rope_dim, value_dim } => {
            let [heads, query_rank, kv_rank, nope, rope, value] =
                [heads, query_rank, kv_rank, nope_dim, rope_dim, value_dim].map(|size| f64::from(size.get()));
            let shared = hidden * (query_rank + kv_rank + rope);
            let of_heads = heads * (query_rank * (nope + rope) + kv_rank * (nope + value) + value * hidden);
            shared + of_heads / width
        }
        Attention::Compressed { heads, head_dim, query_rank, output_groups, output_rank } => {
            let [heads, head_dim, query_rank, groups, rank] =
                [heads, head_dim, query_rank, output_groups, output_rank].map(|size| f64::from(size.get()));
            let shared = hidden * (query_rank + head_dim);
            let of_heads = heads * head_dim * (query_rank + rank) + groups * rank * hidden;
            shared + of_heads / width
        }
    }
}

/// What one layer of a kind has beside its projections: the compressor of its entries, and its index.
fn of_kind(model: &Model, kind: &LayerKind, tp: u32) -> f64 {
    let Some(long) = kind.long_range else { return 0.0 };
    let hidden = f64::from(model.hidden.get());
    let index = long.index_heads.zip(long.index_dim).map(|(heads, dim)| (heads.get(), f64::from(dim.get())));
    match model.attention {
        Attention::GroupedQuery { .. } | Attention::Latent { .. } => index
            .map_or(0.0, |(heads, dim)| hidden * dim * (f64::from(index_heads_on_one_of(heads, tp)) + 1.0)),
        Attention::Compressed { head_dim, query_rank, .. } => {
            // A value and a gate per entry; four-to-one windows overlap, which doubles both (Compressor of the reference code).
            let overlap = if long.compression.get() == 4 { 2.0 } else { 1.0 };
            let compressor = |dim: f64| 2.0 * hidden * overlap * dim;
            let indexer = index.map_or(0.0, |(heads, dim)| {
                let heads = f64::from(heads);
                f64::from(query_rank.get()) * heads * dim + hidden * heads + compressor(dim)
            });
            compressor(f64::from(head_dim.get())) + indexer
        }
    }
}

/// KV heads that one of `tp` GPUs holds: at least one.
#[must_use]
pub fn kv_heads_on_one_of(kv_heads: u32, tp: u32) -> u32 {
    kv_heads.div_ceil(tp)
}

/// Index heads of grouped-query attention that one of `tp` GPUs works on: at least one.
#[must_use]
pub fn index_heads_on_one_of(heads: u32, tp: u32) -> u32 {
    heads.div_ceil(tp)
}
