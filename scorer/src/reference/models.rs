//! `models.toml`: the dimensions of a model, how its layers attend, and its checkpoints' number formats.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use serde::Deserialize;

use super::formats::{Math, NumberFormat};
use super::values::{Names, Positive, Text};

/// The file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelsFile {
    pub(super) model: Vec<Model>,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name in the catalog.
    pub name: Text,
    /// Where the dimensions are from.
    pub source: Text,
    /// Transformer layers.
    pub layers: NonZeroU32,
    /// Width of the residual stream.
    pub hidden: NonZeroU32,
    /// Rows of the embedding, and of the separate unembedding.
    pub vocabulary: NonZeroU32,
    /// The projections around attention.
    pub attention: Attention,
    /// What the layers attend to; the counts add up to `layers`.
    pub layer_kind: Vec<LayerKind>,
    /// The layers with a dense feed-forward part.
    #[serde(default)]
    pub dense: Option<Dense>,
    /// The layers with experts.
    #[serde(default)]
    pub experts: Option<Experts>,
    /// What the publisher states.
    pub published: Published,
    /// The quantised forms.
    pub checkpoint: Vec<Checkpoint>,
}

/// The projections around attention, and what one cached entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Attention {
    /// Grouped-query attention: a key and a value per KV head.
    GroupedQuery {
        /// Query heads.
        heads: NonZeroU32,
        /// Key and value heads.
        kv_heads: NonZeroU32,
        /// Dimension of a head.
        head_dim: NonZeroU32,
    },
    /// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): one latent vector per token.
    Latent {
        /// Query heads.
        heads: NonZeroU32,
        /// Rank of the query's compression.
        query_rank: NonZeroU32,
        /// Rank of the key and value latent.
        kv_rank: NonZeroU32,
        /// Dimension of a head's key without position.
        nope_dim: NonZeroU32,
        /// Dimension of the shared key with position.
        rope_dim: NonZeroU32,
        /// Dimension of a head's value.
        value_dim: NonZeroU32,
    },
    /// Attention of DeepSeek-V4: one vector per token that is key and value of every head.
    Compressed {
        /// Query heads.
        heads: NonZeroU32,
        /// Dimension of a head, and of the cached vector.
        head_dim: NonZeroU32,
        /// Rank of the query's compression.
        query_rank: NonZeroU32,
        /// Groups of heads in the output projection.
        output_groups: NonZeroU32,
        /// Rank of each group's output.
        output_rank: NonZeroU32,
    },
}

impl Attention {
    /// Query heads.
    #[must_use]
    pub fn heads(&self) -> u32 {
        match self {
            Self::GroupedQuery { heads, .. }
            | Self::Latent { heads, .. }
            | Self::Compressed { heads, .. } => heads.get(),
        }
    }
}

/// Layers that attend alike.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerKind {
    /// How many.
    pub count: NonZeroU32,
    /// The latest tokens that are attended to one by one; none: no such window.
    #[serde(default)]
    pub window: Option<NonZeroU32>,
    /// Attention to the whole sequence; none: only the window.
    #[serde(default)]
    pub long_range: Option<LongRange>,
}

/// Attention to the whole sequence.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongRange {
    /// Tokens per cached entry.
    pub compression: NonZeroU32,
    /// The most entries that a query attends to; none: all.
    #[serde(default)]
    pub top_k: Option<NonZeroU32>,
    /// Heads of the index that chooses them; without one, nothing is chosen.
    #[serde(default)]
    pub index_heads: Option<NonZeroU32>,
    /// Dimension of the index's key, one per entry.
    #[serde(default)]
    pub index_dim: Option<NonZeroU32>,
}

/// Layers with a dense feed-forward part: gate, up and down.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dense {
    /// How many.
    pub layers: NonZeroU32,
    /// Width of the feed-forward part.
    pub intermediate: NonZeroU32,
}

/// Layers with experts: gate, up and down each.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experts {
    /// How many layers.
    pub layers: NonZeroU32,
    /// Experts per layer that are chosen from.
    pub count: NonZeroU32,
    /// Experts per token.
    pub active: NonZeroU32,
    /// Width of an expert.
    pub intermediate: NonZeroU32,
    /// Width of the part that every token uses; none: there is none.
    #[serde(default)]
    pub shared_intermediate: Option<NonZeroU32>,
}

/// What the publisher states, to check the formulas against.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// All parameters, in 10⁹.
    pub total_billion: Positive,
    /// Parameters per token, in 10⁹.
    #[serde(default)]
    pub active_billion: Option<Positive>,
    /// How far formula and statement may be apart, as a share: the publisher's rounding.
    pub tolerance: Positive,
    /// Where it is stated.
    pub source: Text,
}

/// One quantised form of a model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The precision's name in the corpus.
    pub precision: Text,
    /// The public repository.
    pub repository: Text,
    /// The projections around attention.
    pub attention: Component,
    /// Dense and shared feed-forward parts.
    pub dense: Component,
    /// Routed experts.
    #[serde(default)]
    pub experts: Option<Component>,
    /// Embedding and unembedding.
    pub head: Component,
    /// Format of the KV cache when none is passed.
    pub kv: NumberFormat,
    /// Bytes of one cached entry per layer where it mixes formats; none: dimension × `kv`.
    #[serde(default)]
    pub kv_entry_bytes: Option<Positive>,
    /// Bytes of one index key where it carries scales; none: dimension × `kv`.
    #[serde(default)]
    pub index_entry_bytes: Option<Positive>,
    /// Where it is from.
    pub source: Text,
}

/// How a part's weights are stored and multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// How a weight is stored.
    pub weights: NumberFormat,
    /// The arithmetic.
    pub math: Math,
}

impl ModelsFile {
    /// What the types do not say.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let mut names = Names::default();
        for model in &self.model {
            let entry = format!("model `{}`", model.name.as_str());
            names.add(&model.name, &entry)?;
            model.check().map_err(|problem| (entry, problem))?;
        }
        Ok(())
    }
}

impl Model {
    fn check(&self) -> Result<(), String> {
        let layers = self.layers.get();
        let kinds: u32 = self.layer_kind.iter().map(|kind| kind.count.get()).fold(0, u32::saturating_add);
        if kinds != layers {
            return Err(format!(
                "its layer kinds count {kinds} layers, but it has {layers}: correct one of them"
            ));
        }
        let dense = self.dense.map_or(0, |dense| dense.layers.get());
        let routed = self.experts.map_or(0, |experts| experts.layers.get());
        if dense.saturating_add(routed) != layers {
            return Err(format!(
                "{dense} dense and {routed} expert layers do not make {layers}: correct one of them"
            ));
        }
        if self.experts.is_some_and(|experts| experts.active > experts.count) {
            return Err("has fewer experts than a token uses: correct `count` or `active`".to_owned());
        }
        for kind in &self.layer_kind {
            if kind.window.is_none() && kind.long_range.is_none() {
                return Err(
                    "has a layer kind without `window` and `long_range`: such layers attend to nothing"
                        .to_owned(),
                );
            }
            if let Some(long) = kind.long_range
                && (long.index_heads.is_some() != long.index_dim.is_some()
                    || long.top_k.is_some() != long.index_dim.is_some())
            {
                return Err("`top_k`, `index_heads` and `index_dim` belong together: give all three or none"
                    .to_owned());
            }
        }
        let mut precisions = BTreeSet::new();
        for checkpoint in &self.checkpoint {
            let precision = checkpoint.precision.as_str();
            if !precisions.insert(precision) {
                return Err(format!("has two checkpoints of precision `{precision}`: keep one"));
            }
            if checkpoint.experts.is_some() != self.experts.is_some() {
                return Err(format!(
                    "checkpoint `{precision}` says `experts` and the model does not, or the reverse"
                ));
            }
        }
        Ok(())
    }

    /// The checkpoint of a precision.
    #[must_use]
    pub fn checkpoint(&self, precision: &str) -> Option<&Checkpoint> {
        self.checkpoint.iter().find(|checkpoint| checkpoint.precision.as_str() == precision)
    }
}
