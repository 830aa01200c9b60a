//! From a corpus to one outcome per point and estimator.
//!
//! [`plan`](plan()) freezes the work, [`run`](run()) does it or a [`Shard`] of it, [`merge`](merge())
//! joins shards. Which shard is this machine's, a [cluster] can say. A plan carries all that an estimator may see, so that a run needs no other file, and
//! a file of outcomes names the plan, so that nothing is joined that does not belong together.
//!
//! In a run the [dispatcher] owns the output and the state, and executors compute points;
//! the [journal] is flushed after every point, so that a run that was killed goes on where it
//! stopped.

pub mod cache;
pub mod cluster;
pub mod dispatcher;
pub mod executor;
pub mod journal;
mod merge;
pub mod outcomes;
mod plan;
mod progress;
mod run;
pub mod settings;
mod shard;
mod signals;
mod work;

pub use merge::{MergeError, Merged, merge};
pub use plan::{PlanError, PlanOptions, check, named_sweeps, plan};
pub use run::{RunEnd, RunError, RunOptions, run};
pub use shard::{Shard, ShardError};
pub use signals::{Stop, Stops};
pub use work::{ItemKey, Requests, digest, named};
