//! The contract behind which every estimator sits, and the estimators that are built in.
//!
//! An estimator turns a [`PointRequest`] into one [`Outcome`], which it wraps in a [`Reply`]. The answer is a future: an estimator
//! that runs another program waits for it, one that computes moves its work to a blocking thread
//! with [`in_process`]. It may depend on nothing but the request and the estimator's identity, since
//! outcomes are compared, merged and reused by these two.

pub mod aiconfigurator;
pub mod blis;
pub mod command;
pub mod config;
pub mod dynamo;
pub mod label;
pub mod means;
pub mod published;
pub mod python;
pub mod registry;
pub mod reply;
pub mod roofline;

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use shared::outcome::{NotScored, Outcome, Reason, SimulatorIdentity};
use shared::plan::PointRequest;

use crate::workload::RequestList;

pub use aiconfigurator::Aiconfigurator;
pub use blis::Blis;
pub use command::Command;
pub use config::Config;
pub use dynamo::Dynamo;
pub use label::Label;
pub use means::Means;
pub use published::Published;
pub use reply::{Reply, Standing};
pub use roofline::Roofline;

/// What [`Simulator::predict`] returns.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// What [`Simulator::rest`] returns.
pub type Rest<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// An estimator of serving latency.
pub trait Simulator: fmt::Debug + Send + Sync {
    /// What it is, exactly. Two estimators of equal identity answer equally.
    fn identity(&self) -> &SimulatorIdentity;

    /// The work that a point is expected to be, roughly in seconds of one core; it decides the order
    /// of the work and its spread over shards, never a result. It is finite and not negative.
    fn cost(&self, request: &PointRequest) -> f64 {
        modelled_cost(request)
    }

    /// Whether asking costs so much that answers are kept for other runs: not so for what only
    /// computes a moment.
    fn is_worth_caching(&self) -> bool {
        true
    }

    /// Predicts one point, or says why it cannot. A failure is an outcome, never an error.
    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a>;

    /// Lets go of what is kept between points, such as a program that stays. It may be asked again.
    fn rest(&self) -> Rest<'_> {
        Box::pin(std::future::ready(()))
    }
}

/// The estimators of a run, by id.
pub type Simulators = Vec<Arc<dyn Simulator>>;

/// The steps of the engine's loop that a replay goes through, at a microsecond each.
#[must_use]
pub fn modelled_cost(request: &PointRequest) -> f64 {
    let rounds = f64::from(request.workload.prompts_per_concurrency);
    let decode_steps = rounds * f64::from(request.workload.osl);
    let prefill_tokens = rounds * f64::from(request.concurrency) * f64::from(request.workload.isl);
    let prefill_steps = prefill_tokens / f64::from(request.engine.max_num_batched_tokens.max(1));
    (decode_steps + prefill_steps) * 1e-6
}

/// Computes an answer on a thread of the blocking pool, so that the loop that owns the output is
/// never held up. A panic there becomes a `run_error`.
pub fn in_process<'a>(compute: impl FnOnce() -> Outcome + Send + 'static) -> Answer<'a> {
    Box::pin(async move {
        match tokio::task::spawn_blocking(compute).await {
            Ok(outcome) => outcome.into(),
            Err(failed) => stopped(failed).into(),
        }
    })
}

/// Does what waits for files, or computes, on a thread of the blocking pool.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Outcome> + Send + 'static,
) -> Result<T, Outcome> {
    tokio::task::spawn_blocking(work).await.map_err(stopped)?
}

/// The outcome of an estimator whose task panicked or was cancelled.
#[must_use]
pub fn stopped(failed: tokio::task::JoinError) -> Outcome {
    let cause = match failed.try_into_panic() {
        Err(_) => "it was cancelled".to_owned(),
        Ok(payload) => {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            text.or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "it panicked".to_owned())
        }
    };
    not_scored(Reason::RunError, format!("the estimator stopped: {cause}"))
}

/// The requests that the client sends at a point.
///
/// # Errors
/// The outcome of a point whose requests the client cannot draw.
pub fn request_list(request: &PointRequest) -> Result<RequestList, Outcome> {
    RequestList::of_point(request).map_err(|error| {
        not_scored(Reason::RunError, format!("the client cannot draw its requests: {error}"))
    })
}

/// Why a point with speculative decoding is not scored by an estimator that does not model it; none for any
/// other point. Without an acceptance length nobody could.
#[must_use]
pub fn speculation(request: &PointRequest) -> Option<Reason> {
    match (request.deployment.spec.is_none(), request.acceptance_length) {
        (true, _) => None,
        (false, None) => Some(Reason::NoAcceptanceRate),
        (false, Some(_)) => Some(Reason::UnsupportedLayout),
    }
}

/// The outcome of a point that the system does not let be prepared.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn not_written(error: io::Error) -> Outcome {
    not_scored(Reason::RunError, format!("the point's files cannot be written: {error}"))
}

/// An outcome without a prediction.
#[must_use]
pub fn not_scored(reason: Reason, detail: impl Into<String>) -> Outcome {
    Outcome::NotScored(NotScored { reason, detail: detail.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_an_estimator_is_an_outcome() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let reply = runtime.block_on(in_process(|| panic!("no such layer")));
        let expected = not_scored(Reason::RunError, "the estimator stopped: no such layer");
        assert_eq!(reply.outcome, expected);
        assert_eq!(reply.standing, Standing::Circumstance);
    }
}
