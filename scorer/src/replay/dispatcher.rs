//! The loop that owns the output: it hands points to executors and takes their outcomes.
//!
//! At most `jobs` points are computed at a time, the costliest first, so that no long one is left
//! over for the end. The order in which outcomes come back is not determined; nothing depends on it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shared::digest::Digest;
use shared::outcome::{OutcomeRecord, Reason};
use shared::plan::PointRequest;
use tokio::task::JoinSet;

use super::signals::{Stop, Stops};
use crate::simulators::{Simulator, not_scored, stopped};

/// One point that is to be computed.
#[derive(Clone, Debug)]
pub struct Task {
    /// The item's place in the plan.
    pub index: usize,
    /// What is asked.
    pub request: PointRequest,
    /// The request's digest.
    pub digest: Digest,
    /// Who is asked.
    pub simulator: Arc<dyn Simulator>,
}

/// One point that was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The item's place in the plan.
    pub index: usize,
    /// Its outcome.
    pub record: OutcomeRecord,
    /// How long it took.
    pub wall: Duration,
}

/// How a dispatch ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every task is done.
    Complete,
    /// It was asked to stop.
    Stopped,
}

/// Computes the tasks in their order, and calls `take` with each outcome as it comes.
///
/// # Errors
/// The first error of `take` or of a task ends the dispatch: there is no use in computing what cannot
/// be kept.
pub async fn dispatch<E>(
    tasks: impl IntoIterator<Item = Result<Task, E>>,
    jobs: NonZeroUsize,
    mut stops: Stops,
    mut take: impl FnMut(Done) -> Result<(), E>,
) -> Result<End, E> {
    let mut tasks = tasks.into_iter();
    let mut running = JoinSet::new();
    let mut listening = true;
    loop {
        let stop = *stops.borrow();
        while stop == Stop::No && running.len() < jobs.get() {
            let Some(task) = tasks.next() else { break };
            running.spawn(execute(task?));
        }
        if stop == Stop::Now {
            running.abort_all();
            return Ok(End::Stopped);
        }
        tokio::select! {
            joined = running.join_next() => match joined {
                // An executor catches what the estimator does, and is aborted only above.
                Some(Err(_)) => {}
                Some(Ok(done)) => take(done)?,
                None if stop == Stop::No => return Ok(End::Complete),
                None => return Ok(End::Stopped),
            },
            changed = stops.changed(), if listening => listening = changed.is_ok(),
        }
    }
}

/// Asks the simulator, in a task of its own, so that its panic is an outcome too.
async fn execute(task: Task) -> Done {
    let Task { index, request, digest, simulator } = task;
    let sweep = request.sweep.clone();
    let concurrency = request.concurrency;
    let estimator = simulator.identity().id.clone();
    let start = Instant::now();
    // A set of one: when this task is aborted, the set is dropped and aborts the inner task.
    let mut inner = JoinSet::new();
    inner.spawn(async move { simulator.predict(&request).await });
    let outcome = match inner.join_next().await {
        Some(Ok(outcome)) => outcome,
        Some(Err(failed)) => stopped(failed),
        None => not_scored(Reason::RunError, "the estimator did not start"),
    };
    let wall = start.elapsed();
    Done { index, record: OutcomeRecord { sweep, concurrency, estimator, request: digest, outcome }, wall }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use shared::outcome::{Outcome, SimulatorIdentity};
    use tokio::sync::watch;

    use super::*;
    use crate::simulators::Answer;
    use crate::testing;

    /// Waits a moment, counts how many wait at once, and panics at concurrency 13.
    #[derive(Debug)]
    struct Slow {
        identity: SimulatorIdentity,
        running: AtomicUsize,
        most: AtomicUsize,
    }

    impl Slow {
        fn new() -> Arc<Self> {
            let identity = testing::identity("slow");
            Arc::new(Self { identity, running: AtomicUsize::new(0), most: AtomicUsize::new(0) })
        }
    }

    impl Simulator for Slow {
        fn identity(&self) -> &SimulatorIdentity {
            &self.identity
        }

        fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
            Box::pin(async move {
                let now = self.running.fetch_add(1, Ordering::SeqCst) + 1;
                self.most.fetch_max(now, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(5)).await;
                self.running.fetch_sub(1, Ordering::SeqCst);
                assert_ne!(request.concurrency, 13, "an unlucky number");
                not_scored(Reason::UnsupportedModel, "slow")
            })
        }
    }

    fn tasks<E>(simulator: &Arc<Slow>, count: usize) -> Vec<Result<Task, E>> {
        let task = |index| {
            let request = testing::request(u32::try_from(index).unwrap());
            let digest = super::super::work::digest(&request).unwrap();
            Ok(Task { index, request, digest, simulator: Arc::clone(simulator) as Arc<dyn Simulator> })
        };
        (0..count).map(task).collect()
    }

    fn jobs(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[tokio::test]
    async fn every_task_is_done_once_and_no_more_than_jobs_at_a_time() {
        let simulator = Slow::new();
        let (_keep, stops) = watch::channel(Stop::No);
        let mut seen = BTreeSet::new();
        let end = dispatch(tasks(&simulator, 30), jobs(4), stops, |done| {
            assert!(seen.insert(done.index), "{} came twice", done.index);
            if done.record.concurrency == 13 {
                let Outcome::NotScored(why) = &done.record.outcome else { panic!("scored") };
                assert_eq!(why.reason, Reason::RunError);
                assert!(why.detail.contains("an unlucky number"), "{}", why.detail);
            }
            Ok::<_, ()>(())
        });
        assert_eq!(end.await, Ok(End::Complete));
        assert_eq!(seen.len(), 30);
        assert_eq!(simulator.most.load(Ordering::SeqCst), 4);
    }

    #[tokio::test]
    async fn the_first_stop_saves_what_is_under_way_and_starts_nothing_new() {
        let simulator = Slow::new();
        let (stop, stops) = watch::channel(Stop::No);
        let mut taken = 0;
        let end = dispatch(tasks(&simulator, 30), jobs(3), stops, |_| {
            taken += 1;
            stop.send(Stop::Drain).map_err(|_| ())
        });
        assert_eq!(end.await, Ok(End::Stopped));
        assert!((3..=5).contains(&taken), "{taken}");
    }

    #[tokio::test]
    async fn the_second_stop_gives_up_what_is_under_way() {
        let simulator = Slow::new();
        let (stop, stops) = watch::channel(Stop::No);
        stop.send(Stop::Now).unwrap();
        let end = dispatch(tasks(&simulator, 30), jobs(3), stops, |_| Err(()));
        assert_eq!(end.await, Ok(End::Stopped));
    }

    #[tokio::test]
    async fn what_cannot_be_kept_ends_the_dispatch() {
        let simulator = Slow::new();
        let (_keep, stops) = watch::channel(Stop::No);
        let end = dispatch(tasks(&simulator, 30), jobs(3), stops, |_| Err("full"));
        assert_eq!(end.await, Err("full"));
    }
}
