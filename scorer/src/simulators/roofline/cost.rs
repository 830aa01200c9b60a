//! What one engine step costs: the greater of its arithmetic and its memory traffic, plus its collectives.
//!
//! A step is described by a few sums over its batch ([`StepLoad`]), a machine by how much one unit of each sum costs
//! ([`CostModel`], made by [`super::layout`]). Everything is `+ − × ÷ min max`, so the bits are the same on every machine.
//! Formulas and sources: docs/roofline.md.

/// The most distinct limits on how far attention looks back.
pub const MAX_REACHES: usize = 4;

/// A limit that no sequence reaches: attention to everything.
pub const UNLIMITED: u32 = u32::MAX;

/// What one GPU of a deployment does per unit of work. Times are in seconds, traffic in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct CostModel {
    /// Bytes of memory traffic per second.
    pub memory_bytes_per_second: f64,
    /// Weights that every step reads: attention, dense and shared parts, routers.
    pub step_weight_bytes: f64,
    /// The unembedding, read by steps that sample.
    pub head_weight_bytes: f64,
    /// Arithmetic of those weights per token.
    pub token_seconds: f64,
    /// Arithmetic of the unembedding per sampled token.
    pub head_seconds: f64,
    /// Routed experts.
    pub experts: Option<ExpertCost>,
    /// Attention, one entry per distinct limit on how far it looks back.
    pub reaches: Vec<ReachCost>,
    /// KV bytes written per token.
    pub kv_write_bytes: f64,
    /// Collectives per token of the rank.
    pub collective_seconds: f64,
}

/// Routed experts as one GPU sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpertCost {
    /// Experts of a layer.
    pub count: u32,
    /// Experts that a token uses.
    pub active: u32,
    /// Bytes of all experts that the GPU holds, over all layers.
    pub held_bytes: f64,
    /// Arithmetic per token of the whole deployment.
    pub token_seconds: f64,
}

/// Attention up to some distance. A query over a context of `n` tokens, itself included, costs `min(n, reach)` units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachCost {
    /// The distance, in tokens.
    pub reach: u32,
    /// Arithmetic per unit of a query that stands alone (decoding).
    pub decode_seconds: f64,
    /// Arithmetic per unit of a query within a chunk (prefill).
    pub prefill_seconds: f64,
    /// KV bytes read per unit of a query that stands alone.
    pub decode_bytes: f64,
    /// KV bytes read per unit of the context before a chunk, once per chunk.
    pub context_bytes: f64,
}

/// Sums over the batch of one rank in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepLoad {
    /// Tokens.
    pub tokens: u64,
    /// Tokens after which one is sampled.
    pub sampled: u64,
    /// Per reach, units of queries that stand alone.
    pub decode: [u64; MAX_REACHES],
    /// Per reach, units of queries within chunks.
    pub prefill: [u64; MAX_REACHES],
    /// Per reach, units of context before chunks.
    pub context: [u64; MAX_REACHES],
}

impl StepLoad {
    /// Adds `tokens` of one request whose first `context` tokens are already in the KV cache.
    #[inline]
    pub fn add(&mut self, reaches: &[ReachCost], context: u32, tokens: u32, samples: bool) {
        self.tokens += u64::from(tokens);
        self.sampled += u64::from(samples);
        if tokens == 1 {
            let length = context + 1;
            for (sum, cost) in self.decode.iter_mut().zip(reaches) {
                *sum += u64::from(length.min(cost.reach));
            }
        } else {
            for (index, cost) in reaches.iter().enumerate().take(MAX_REACHES) {
                self.prefill[index] += causal_units(context, tokens, cost.reach);
                self.context[index] += u64::from(context.min(cost.reach));
            }
        }
    }
}

/// `Σ min(context + j, reach)` for `j = 1 … tokens`: the units of a chunk under a causal mask.
#[must_use]
pub fn causal_units(context: u32, tokens: u32, reach: u32) -> u64 {
    let [context, tokens, reach] = [context, tokens, reach].map(u64::from);
    let rising = reach.saturating_sub(context).min(tokens);
    rising * context + rising * (rising + 1) / 2 + (tokens - rising) * reach
}

/// The share of a layer's experts that at least one of `tokens` tokens uses, when each uses `active` of `count` evenly:
/// `1 − (1 − active/count)^tokens`.
///
/// The power is taken by repeated squaring, which rounds alike everywhere; a library's `powf` need not.
#[must_use]
pub fn touched_share(active: u32, count: u32, tokens: u64) -> f64 {
    let mut base = 1.0 - f64::from(active) / f64::from(count);
    let mut missed = 1.0;
    let mut exponent = tokens;
    while exponent > 0 {
        if exponent & 1 == 1 {
            missed *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    1.0 - missed
}

impl CostModel {
    /// How long a step takes whose ranks, in lock step, have these loads. Ranks without tokens wait.
    #[must_use]
    pub fn step_seconds(&self, loads: &[StepLoad]) -> f64 {
        let everywhere: u64 = loads.iter().map(|load| load.tokens).sum();
        let (expert_bytes, expert_seconds) = self.experts.map_or((0.0, 0.0), |experts| {
            let share = touched_share(experts.active, experts.count, everywhere);
            (share * experts.held_bytes, everywhere as f64 * experts.token_seconds)
        });
        loads.iter().filter(|load| load.tokens > 0).fold(0.0, |slowest: f64, load| {
            let arithmetic = self.arithmetic_seconds(load) + expert_seconds;
            let traffic = (self.traffic_bytes(load) + expert_bytes) / self.memory_bytes_per_second;
            slowest.max(arithmetic.max(traffic) + load.tokens as f64 * self.collective_seconds)
        })
    }

    /// Arithmetic of a rank, without routed experts.
    fn arithmetic_seconds(&self, load: &StepLoad) -> f64 {
        let attention: f64 = self.reaches.iter().enumerate().fold(0.0, |sum, (index, cost)| {
            sum + load.decode[index] as f64 * cost.decode_seconds
                + load.prefill[index] as f64 * cost.prefill_seconds
        });
        load.tokens as f64 * self.token_seconds + load.sampled as f64 * self.head_seconds + attention
    }

    /// Memory traffic of a rank, without routed experts.
    fn traffic_bytes(&self, load: &StepLoad) -> f64 {
        let head = if load.sampled > 0 { self.head_weight_bytes } else { 0.0 };
        let attention: f64 = self.reaches.iter().enumerate().fold(0.0, |sum, (index, cost)| {
            sum + load.decode[index] as f64 * cost.decode_bytes
                + load.context[index] as f64 * cost.context_bytes
        });
        self.step_weight_bytes + head + attention + load.tokens as f64 * self.kv_write_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_units_of_a_chunk_are_the_sum_over_its_queries() {
        for (context, tokens, reach) in
            [(0, 1, 5), (0, 5, 5), (3, 9, 5), (7, 4, 5), (0, 3, UNLIMITED), (8191, 2048, 8200)]
        {
            let sum: u64 = (1..=tokens).map(|query| u64::from((context + query).min(reach))).sum();
            assert_eq!(causal_units(context, tokens, reach), sum, "{context} {tokens} {reach}");
        }
    }

    #[test]
    fn touched_experts_follow_the_occupancy_formula() {
        assert!((touched_share(4, 128, 1) - 0.03125).abs() < 1e-15);
        assert!((touched_share(4, 128, 3) - (1.0 - 0.968_75 * 0.968_75 * 0.968_75)).abs() < 1e-15);
        assert_eq!(touched_share(8, 8, 1), 1.0);
        assert_eq!(touched_share(8, 256, 0), 0.0);
        assert_eq!(touched_share(8, 256, 1_000_000), 1.0);
        // python3: 1 - (1 - 8/256)**100 = 0.9582011...
        assert!((touched_share(8, 256, 100) - (1.0 - (1.0f64 - 8.0 / 256.0).powi(100))).abs() < 1e-12);
    }

    #[test]
    fn a_chunk_split_in_two_has_the_same_units() {
        let whole = causal_units(100, 900, 512);
        assert_eq!(causal_units(100, 300, 512) + causal_units(400, 600, 512), whole);
    }
}
