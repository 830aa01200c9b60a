//! The loop that owns the output: it hands points to executors and takes their outcomes.
//!
//! At most `jobs` points are computed at a time, the costliest first, so that no long one is left
//! over for the end. The order in which outcomes come back is not determined; nothing depends on it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shared::outcome::OutcomeRecord;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{MissedTickBehavior, interval};

use super::executor::{Done, Effort, Executor, Task};
use super::signals::{Stop, Stops};
use crate::simulators::stopped;

/// How often the keeper is told what is under way.
const TICK: Duration = Duration::from_secs(1);

/// Who keeps what a dispatch computes.
pub trait Keeper {
    /// Why it cannot.
    type Error;

    /// Keeps an outcome.
    ///
    /// # Errors
    /// Ends the dispatch: there is no use in computing what cannot be kept.
    fn take(&mut self, done: Done) -> Result<(), Self::Error>;

    /// Is told, now and then, what is under way.
    fn tell(&mut self, running: &Running);
}

/// How a dispatch ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every task is done.
    Complete,
    /// It was asked to stop.
    Stopped,
}

/// The points that are being computed.
#[derive(Debug, Default)]
pub struct Running(BTreeMap<Id, Underway>);

/// A point that is being computed.
#[derive(Clone, Debug)]
pub struct Underway {
    /// What it will be done for.
    pub task: Task,
    /// Since when.
    pub since: Instant,
}

impl Running {
    /// The points that have been under way the longest, longest first.
    pub fn slowest(&self) -> impl Iterator<Item = &Underway> {
        let mut all: Vec<&Underway> = self.0.values().collect();
        all.sort_by_key(|underway| (underway.since, underway.task.index));
        all.into_iter()
    }

    /// The outcome of a task that did not come to its end by itself.
    fn failed(&mut self, error: JoinError) -> Option<Done> {
        let Underway { task, since } = self.0.remove(&error.id())?;
        let record = OutcomeRecord {
            sweep: task.request.sweep,
            concurrency: task.request.concurrency,
            estimator: task.simulator.identity().id.clone(),
            request: task.digest,
            outcome: stopped(error),
        };
        let effort = Effort { wall: since.elapsed(), attempts: 1, peak_memory: None };
        Some(Done { index: task.index, record, effort })
    }
}

/// Computes the tasks in their order, and hands each outcome to the keeper as it comes.
///
/// When it returns, however it ends, nothing is being computed any more, except in threads, which
/// cannot be stopped from outside.
///
/// # Errors
/// The first error of the keeper or of a task.
pub async fn dispatch<K: Keeper>(
    tasks: impl IntoIterator<Item = Result<Task, K::Error>>,
    executor: Executor,
    jobs: NonZeroUsize,
    stops: Stops,
    keeper: &mut K,
) -> Result<End, K::Error> {
    let mut set = JoinSet::new();
    let end = keep_busy(tasks.into_iter(), &Arc::new(executor), jobs, stops, keeper, &mut set).await;
    // A task that is dropped takes its child with it; the process must not end before that.
    set.shutdown().await;
    end
}

async fn keep_busy<K: Keeper>(
    mut tasks: impl Iterator<Item = Result<Task, K::Error>>,
    executor: &Arc<Executor>,
    jobs: NonZeroUsize,
    mut stops: Stops,
    keeper: &mut K,
    set: &mut JoinSet<Done>,
) -> Result<End, K::Error> {
    let mut running = Running::default();
    let mut listening = true;
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let stop = *stops.borrow();
        while stop == Stop::No && set.len() < jobs.get() {
            let Some(task) = tasks.next() else { break };
            let task = task?;
            let executor = Arc::clone(executor);
            let underway = Underway { task: task.clone(), since: Instant::now() };
            let handle = set.spawn(async move { executor.execute(task).await });
            running.0.insert(handle.id(), underway);
        }
        if stop == Stop::Now {
            return Ok(End::Stopped);
        }
        tokio::select! {
            joined = set.join_next_with_id() => match joined {
                Some(Ok((id, done))) => {
                    running.0.remove(&id);
                    keeper.take(done)?;
                }
                // An estimator's panic is an outcome too.
                Some(Err(error)) => if let Some(done) = running.failed(error) {
                    keeper.take(done)?;
                },
                None if stop == Stop::No => return Ok(End::Complete),
                None => return Ok(End::Stopped),
            },
            _ = ticks.tick() => keeper.tell(&running),
            changed = stops.changed(), if listening => listening = changed.is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use shared::outcome::{Outcome, Reason, SimulatorIdentity};
    use shared::plan::PointRequest;
    use tokio::sync::watch;

    use super::*;
    use crate::simulators::{Answer, Simulator, not_scored};
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
                not_scored(Reason::UnsupportedModel, "slow").into()
            })
        }
    }

    /// Keeps by a closure.
    struct By<F>(F);

    impl<E, F: FnMut(Done) -> Result<(), E>> Keeper for By<F> {
        type Error = E;

        fn take(&mut self, done: Done) -> Result<(), E> {
            self.0(done)
        }

        fn tell(&mut self, running: &Running) {
            assert!(running.slowest().count() <= 4);
        }
    }

    async fn dispatched<E>(
        simulator: &Arc<Slow>,
        at_a_time: usize,
        stops: Stops,
        take: impl FnMut(Done) -> Result<(), E>,
    ) -> Result<End, E> {
        let jobs = NonZeroUsize::new(at_a_time).unwrap();
        dispatch(tasks(simulator, 30), Executor::default(), jobs, stops, &mut By(take)).await
    }

    fn tasks<E>(simulator: &Arc<Slow>, count: usize) -> Vec<Result<Task, E>> {
        let task = |index| {
            let request = testing::request(u32::try_from(index).unwrap());
            let digest = super::super::work::digest(&request).unwrap();
            Ok(Task { index, request, digest, simulator: Arc::clone(simulator) as Arc<dyn Simulator> })
        };
        (0..count).map(task).collect()
    }

    #[tokio::test]
    async fn every_task_is_done_once_and_no_more_than_jobs_at_a_time() {
        let simulator = Slow::new();
        let (_keep, stops) = watch::channel(Stop::No);
        let mut seen = BTreeSet::new();
        let end = dispatched(&simulator, 4, stops, |done| {
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
        let end = dispatched(&simulator, 3, stops, |_| {
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
        let mut taken = 0;
        let end = dispatched(&simulator, 3, stops, |_| {
            taken += 1;
            stop.send(Stop::Now).map_err(|_| ())
        });
        assert_eq!(end.await, Ok(End::Stopped));
        assert_eq!(taken, 1);
    }

    #[tokio::test]
    async fn what_cannot_be_kept_ends_the_dispatch() {
        let simulator = Slow::new();
        let (_keep, stops) = watch::channel(Stop::No);
        let end = dispatched(&simulator, 3, stops, |_| Err("full"));
        assert_eq!(end.await, Err("full"));
    }
}
