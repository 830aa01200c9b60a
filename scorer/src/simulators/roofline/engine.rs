//! The closed loop: a client that keeps a fixed number of requests under way, and an engine that batches them step by step.
//!
//! The client is InferenceX's: requests in index order, `concurrency` at once, the next one the moment another completes. The
//! engine schedules as vLLM's V1 scheduler does: running requests first and in order, then waiting ones first come, first served,
//! within a token budget and a number of sequences; a request enters only when its whole prompt fits the KV cache; when a
//! running one cannot grow, the youngest is preempted, drops its KV and computes it again later.

use std::collections::VecDeque;

use super::cost::{CostModel, StepLoad};
use super::kv::KvPool;

/// One request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Prompt tokens.
    pub input: u32,
    /// Tokens to generate.
    pub output: u32,
}

/// What bounds the engine, per data-parallel rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Data-parallel ranks; request `i` goes to rank `i mod ranks`.
    pub ranks: usize,
    /// The most requests in one step.
    pub max_sequences: usize,
    /// The most tokens in one step.
    pub max_tokens: u32,
    /// The KV cache.
    pub kv: KvPool,
}

/// When a request was sent, answered first and answered last, in seconds since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// The client sent it.
    pub sent: f64,
    /// The end of the step that produced its first token.
    pub first: f64,
    /// The end of the step that produced its last token.
    pub last: f64,
}

/// A finished replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// One row per request, in index order.
    pub rows: Vec<Row>,
    /// Steps that the engine took.
    pub steps: u64,
    /// Tokens whose KV was computed, including again after a preemption.
    pub computed_tokens: u64,
    /// Times that a request lost its KV.
    pub preemptions: u64,
}

/// A replay that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// No tokens to read or to write.
    #[error("request {index} has an empty input or output: every request needs at least one token of each")]
    EmptyRequest {
        /// The request.
        index: usize,
    },
    /// One request alone is too long for the KV cache.
    #[error(
        "request {index} of {tokens} tokens needs {needed} bytes of KV cache per GPU and there are {available}"
    )]
    RequestTooLong {
        /// The request.
        index: usize,
        /// Its input and output.
        tokens: u64,
        /// What it needs.
        needed: u64,
        /// What there is.
        available: u64,
    },
    /// A limit is 0, so nothing can run.
    #[error("{0} is 0: nothing could run")]
    ZeroLimit(&'static str),
}

/// Replays the requests.
///
/// # Errors
/// When a limit is 0, a request is empty, or one is too long for the KV cache by itself.
pub fn replay(
    cost: &CostModel,
    limits: &Limits,
    requests: &[Request],
    concurrency: usize,
) -> Result<Replay, ReplayError> {
    check(limits, requests, concurrency)?;
    let mut ranks: Vec<Rank> = (0..limits.ranks).map(|_| Rank::new(limits)).collect();
    let mut loads = vec![StepLoad::default(); limits.ranks];
    let mut rows = vec![Row::default(); requests.len()];
    let mut now = 0.0;
    let mut client = Client { requests, next: 0 };
    for _ in 0..concurrency {
        client.send(&mut ranks, &mut rows, now);
    }
    let mut unfinished = requests.len();
    let mut steps = 0;
    let mut completed = 0;
    while unfinished > 0 {
        for (rank, load) in ranks.iter_mut().zip(&mut loads) {
            *load = rank.schedule(cost, limits);
        }
        now += cost.step_seconds(&loads);
        steps += 1;
        for rank in &mut ranks {
            completed += rank.advance(&mut rows, now);
        }
        unfinished -= completed;
        for _ in 0..std::mem::take(&mut completed) {
            client.send(&mut ranks, &mut rows, now);
        }
    }
    Ok(Replay {
        rows,
        steps,
        computed_tokens: ranks.iter().map(|rank| rank.computed_tokens).sum(),
        preemptions: ranks.iter().map(|rank| rank.preemptions).sum(),
    })
}

fn check(limits: &Limits, requests: &[Request], concurrency: usize) -> Result<(), ReplayError> {
    let positive = [
        ("the number of ranks", limits.ranks > 0),
        ("max_num_seqs", limits.max_sequences > 0),
        ("max_num_batched_tokens", limits.max_tokens > 0),
        ("block_size", limits.kv.block_size > 0),
        ("the concurrency", concurrency > 0),
    ];
    if let Some((name, _)) = positive.into_iter().find(|(_, positive)| !positive) {
        return Err(ReplayError::ZeroLimit(name));
    }
    for (index, request) in requests.iter().enumerate() {
        if request.input == 0 || request.output == 0 {
            return Err(ReplayError::EmptyRequest { index });
        }
        let length = request.input.checked_add(request.output);
        let needed = length.map_or(u64::MAX, |length| limits.kv.held_bytes(length));
        if needed > limits.kv.capacity_bytes {
            let tokens = u64::from(request.input) + u64::from(request.output);
            return Err(ReplayError::RequestTooLong {
                index,
                tokens,
                needed,
                available: limits.kv.capacity_bytes,
            });
        }
    }
    Ok(())
}

/// The requests that the client has not sent yet.
struct Client<'a> {
    requests: &'a [Request],
    next: usize,
}

impl Client<'_> {
    /// Sends the next request, if there is one.
    fn send(&mut self, ranks: &mut [Rank], rows: &mut [Row], now: f64) {
        let index = self.next;
        let Some(request) = self.requests.get(index) else { return };
        self.next += 1;
        rows[index].sent = now;
        let rank = index % ranks.len();
        ranks[rank].waiting.push_back(Sequence::new(index, *request));
    }
}

/// A request inside the engine.
#[derive(Clone, Copy, Debug)]
struct Sequence {
    /// Its index.
    request: usize,
    /// Prompt and generated tokens so far.
    length: u32,
    /// Those whose KV is in the cache.
    computed: u32,
    /// Tokens of this step.
    scheduled: u32,
    /// Tokens that fit the blocks it holds beyond `computed`.
    room: u32,
    /// Tokens still to generate.
    left: u32,
    /// Whether it has generated its first token.
    answered: bool,
    /// KV bytes it holds.
    held: u64,
}

impl Sequence {
    fn new(index: usize, request: Request) -> Self {
        Self {
            request: index,
            length: request.input,
            computed: 0,
            scheduled: 0,
            room: 0,
            left: request.output,
            answered: false,
            held: 0,
        }
    }
}

/// One data-parallel rank of the engine.
struct Rank {
    running: Vec<Sequence>,
    waiting: VecDeque<Sequence>,
    free: u64,
    computed_tokens: u64,
    preemptions: u64,
}

impl Rank {
    fn new(limits: &Limits) -> Self {
        Self {
            running: Vec::new(),
            waiting: VecDeque::new(),
            free: limits.kv.capacity_bytes,
            computed_tokens: 0,
            preemptions: 0,
        }
    }

    /// Decides what the next step computes.
    fn schedule(&mut self, cost: &CostModel, limits: &Limits) -> StepLoad {
        let mut load = StepLoad::default();
        let mut budget = limits.max_tokens;
        let preempted = self.schedule_running(cost, limits, &mut load, &mut budget);
        if !preempted {
            self.schedule_waiting(cost, limits, &mut load, &mut budget);
        }
        self.computed_tokens += load.tokens;
        load
    }

    /// Gives running requests their tokens, oldest first; true when one was preempted.
    fn schedule_running(
        &mut self,
        cost: &CostModel,
        limits: &Limits,
        load: &mut StepLoad,
        budget: &mut u32,
    ) -> bool {
        let mut preempted = false;
        let mut index = 0;
        while index < self.running.len() && *budget > 0 {
            let sequence = self.running[index];
            let tokens = (sequence.length - sequence.computed).min(*budget);
            if tokens > sequence.room {
                let needed = limits.kv.held_bytes(sequence.computed + tokens) - sequence.held;
                while needed > self.free && index < self.running.len() {
                    self.preempt_youngest();
                    preempted = true;
                }
                if index == self.running.len() {
                    break;
                }
                self.running[index].held += needed;
                self.free -= needed;
                self.running[index].room = room_after(limits, sequence.computed + tokens, tokens);
            }
            let sequence = &mut self.running[index];
            sequence.scheduled = tokens;
            load.add(&cost.reaches, sequence.computed, tokens, sequence.computed + tokens == sequence.length);
            *budget -= tokens;
            index += 1;
        }
        preempted
    }

    /// Lets waiting requests in, in order, while there is room.
    fn schedule_waiting(&mut self, cost: &CostModel, limits: &Limits, load: &mut StepLoad, budget: &mut u32) {
        while *budget > 0 && self.running.len() < limits.max_sequences {
            let Some(mut sequence) = self.waiting.front().copied() else { break };
            if limits.kv.held_bytes(sequence.length) > self.free {
                break;
            }
            let tokens = sequence.length.min(*budget);
            sequence.scheduled = tokens;
            sequence.held = limits.kv.held_bytes(tokens);
            sequence.room = room_after(limits, tokens, tokens);
            self.free -= sequence.held;
            load.add(&cost.reaches, 0, tokens, tokens == sequence.length);
            *budget -= tokens;
            self.running.push(sequence);
            self.waiting.pop_front();
        }
    }

    /// The youngest running request gives its KV back and waits in front of all others.
    fn preempt_youngest(&mut self) {
        if let Some(mut sequence) = self.running.pop() {
            self.free += sequence.held;
            self.preemptions += 1;
            sequence.held = 0;
            sequence.room = 0;
            sequence.computed = 0;
            sequence.scheduled = 0;
            self.waiting.push_front(sequence);
        }
    }

    /// Books what the step has computed, at its end; returns how many requests completed.
    fn advance(&mut self, rows: &mut [Row], now: f64) -> usize {
        let before = self.running.len();
        let free = &mut self.free;
        self.running.retain_mut(|sequence| {
            sequence.computed += sequence.scheduled;
            sequence.room -= sequence.scheduled;
            sequence.scheduled = 0;
            if sequence.computed < sequence.length {
                return true;
            }
            if !sequence.answered {
                sequence.answered = true;
                rows[sequence.request].first = now;
            }
            sequence.length += 1;
            sequence.left -= 1;
            if sequence.left > 0 {
                return true;
            }
            rows[sequence.request].last = now;
            *free += sequence.held;
            false
        });
        before - self.running.len()
    }
}

/// Tokens that fit the blocks of a sequence of `length` beyond it, plus the `tokens` about to be computed.
fn room_after(limits: &Limits, length: u32, tokens: u32) -> u32 {
    let block = limits.kv.block_size;
    let spare = length.div_ceil(block).saturating_mul(block).saturating_sub(length);
    spare.saturating_add(tokens)
}

#[cfg(test)]
mod tests;
