//! One point: from the cache when it is there, else by asking the estimator, again after an accident.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shared::digest::Digest;
use shared::outcome::OutcomeRecord;
use shared::plan::PointRequest;

use super::cache::RunCache;
use crate::simulators::{Reply, Simulator, Standing};

/// How often a point is asked at most, when what stopped it may pass.
const ATTEMPTS: u32 = 3;

/// The break before the second attempt; it is twice as long before the third.
const BREAK: Duration = Duration::from_millis(200);

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
    /// How it was come by.
    pub effort: Effort,
}

/// How an outcome was come by; nothing depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// How long it took, all attempts and breaks included.
    pub wall: Duration,
    /// How often the estimator was asked; 0 when the cache had the answer.
    pub attempts: u32,
    /// The most memory that was seen in use for it, in bytes.
    pub peak_memory: Option<u64>,
}

/// Computes points.
#[derive(Debug, Default)]
pub struct Executor {
    cache: Option<Arc<RunCache>>,
}

impl Executor {
    /// One that looks into a cache first, and keeps there what it learns.
    #[must_use]
    pub fn new(cache: Option<Arc<RunCache>>) -> Self {
        Self { cache }
    }

    /// Computes a point.
    pub async fn execute(&self, task: Task) -> Done {
        let start = Instant::now();
        let Task { index, request, digest, simulator } = task;
        let estimator = &simulator.identity().id;
        let cached = self.cache.as_ref().and_then(|cache| cache.get(estimator, &digest));
        let (attempts, reply) = match cached {
            Some(outcome) => (0, outcome.into()),
            None => ask(&*simulator, &request).await,
        };
        if let Some(cache) = &self.cache
            && attempts > 0
            && reply.standing == Standing::Fact
        {
            cache.put(estimator, &digest, &reply.outcome);
        }
        let Reply { outcome, peak_memory, .. } = reply;
        let record = OutcomeRecord {
            sweep: request.sweep,
            concurrency: request.concurrency,
            estimator: estimator.clone(),
            request: digest,
            outcome,
        };
        Done { index, record, effort: Effort { wall: start.elapsed(), attempts, peak_memory } }
    }
}

/// Asks until there is an answer or there were enough accidents, and says how often it asked.
async fn ask(simulator: &dyn Simulator, request: &PointRequest) -> (u32, Reply) {
    let mut attempts = 1;
    loop {
        let reply = simulator.predict(request).await;
        if reply.standing != Standing::Accident || attempts >= ATTEMPTS {
            return (attempts, reply);
        }
        tokio::time::sleep(BREAK * attempts).await;
        attempts += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use shared::outcome::{Reason, SimulatorIdentity};

    use super::*;
    use crate::simulators::{Answer, not_scored};
    use crate::testing;

    /// Has so many accidents before it answers.
    #[derive(Debug)]
    struct Clumsy {
        identity: SimulatorIdentity,
        accidents: u32,
        asked: AtomicU32,
        standing: Standing,
    }

    impl Simulator for Clumsy {
        fn identity(&self) -> &SimulatorIdentity {
            &self.identity
        }

        fn predict<'a>(&'a self, _: &'a PointRequest) -> Answer<'a> {
            let accident = self.asked.fetch_add(1, Ordering::SeqCst) < self.accidents;
            let mut reply = Reply::from(not_scored(Reason::UnsupportedModel, "answered"));
            if accident {
                reply = Reply::from(not_scored(Reason::RunError, "an accident"));
                reply.standing = self.standing;
            }
            Box::pin(std::future::ready(reply))
        }
    }

    async fn done(accidents: u32, standing: Standing) -> Done {
        let simulator =
            Clumsy { identity: testing::identity("clumsy"), accidents, asked: 0.into(), standing };
        let request = testing::request(4);
        let digest = super::super::work::digest(&request).unwrap();
        Executor::default().execute(Task { index: 7, request, digest, simulator: Arc::new(simulator) }).await
    }

    #[tokio::test]
    async fn an_accident_is_given_another_try_but_not_for_ever() {
        let answered = not_scored(Reason::UnsupportedModel, "answered");
        let second = done(1, Standing::Accident).await;
        assert_eq!((second.record.outcome, second.effort.attempts), (answered, 2));
        let never = done(99, Standing::Accident).await;
        let accident = not_scored(Reason::RunError, "an accident");
        assert_eq!((never.record.outcome, never.effort.attempts), (accident, 3));
    }

    #[tokio::test]
    async fn what_is_no_accident_is_asked_once() {
        assert_eq!(done(0, Standing::Accident).await.effort.attempts, 1);
        assert_eq!(done(99, Standing::Circumstance).await.effort.attempts, 1);
        assert_eq!(done(99, Standing::Fact).await.effort.attempts, 1);
    }
}
