//! The request list of the InferenceX client: how long each prompt and each answer of a benchmark
//! point is, drawn exactly as the client draws it.
//!
//! A simulator that replays a point needs these very lengths, in this order; a list with the same
//! distribution is not the same workload. docs/workload.md explains the procedure and its limits.

mod client;
mod numpy;

pub use client::{
    ClientParameters, DEFAULT_RANGE_RATIO, MAX_REQUESTS, PROMPTS_PER_CONCURRENCY, RequestList, SEED,
    WorkloadError,
};
pub use numpy::NumpyLegacy;
