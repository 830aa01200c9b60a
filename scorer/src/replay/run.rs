//! Running a plan, or a shard of it: what is missing in the journal is computed and added.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use shared::id::EstimatorId;
use shared::outcome::{OutcomeCounts, OutcomeRecord, OutcomesHeader, ScorerIdentity};
use shared::plan::Plan;
use shared::schema::FileKind;

use super::cache::{Cache, RunCache};
use super::dispatcher::{Keeper, Running, dispatch};
use super::executor::{Done, Executor, Task};
use super::journal::{Journal, JournalError};
use super::plan::{PlanError, check};
use super::progress::RunProgress;
use super::shard::Shard;
use super::signals::{self, Stop, Teller};
use super::work::{self, ItemKey, Requests};
use crate::console::Console;
use crate::exit::{ExitCode, Failure};
use crate::simulators::{Simulator, Simulators};

/// How a plan is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many points are computed at a time.
    pub jobs: NonZeroUsize,
    /// Which part of the plan; none: all of it.
    pub shard: Option<Shard>,
    /// Where answers are kept from one run to the next; none: nowhere.
    pub cache: Option<Cache>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd {
    /// Items that the run is about.
    pub items: usize,
    /// Items of which there is an outcome now.
    pub done: usize,
    /// Of these, how many were in the journal before.
    pub resumed: usize,
    /// Of the others, how many the cache had.
    pub cached: usize,
    /// The outcomes by estimator.
    pub counts: BTreeMap<EstimatorId, OutcomeCounts>,
}

impl RunEnd {
    /// Whether every item has its outcome.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.done == self.items
    }
}

/// A run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan is not whole.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal has an outcome that it cannot have.
    #[error("the journal has an outcome twice, or one that is not in this plan or shard: {0}")]
    Foreign(ItemKey),
    /// The runtime for threads and signals does not start.
    #[error("the system does not give the threads that a run needs")]
    Runtime(#[source] std::io::Error),
    /// A digest cannot be taken.
    #[error("a request cannot be written as JSON")]
    Digest(#[source] serde_json::Error),
}

impl Failure for RunError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Plan(error) => error.exit_code(),
            Self::Journal(error) => error.exit_code(),
            Self::Foreign(_) => ExitCode::InputInvalid,
            Self::Runtime(_) | Self::Digest(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Plan(error) => error.advice(),
            Self::Journal(error) => error.advice(),
            Self::Foreign(_) => Some("run the plan again, into another file".to_owned()),
            Self::Runtime(_) | Self::Digest(_) => None,
        }
    }
}

/// Runs a plan with its simulators, in the order of the plan's identities, into `output`.
///
/// An incomplete end means that a signal came; what was done is saved, and the same call goes on.
///
/// # Errors
/// When the plan or the journal cannot be used. A point that cannot be predicted is no error.
pub fn run(
    plan: &Plan,
    simulators: &Simulators,
    output: &Path,
    options: &RunOptions,
    scorer: ScorerIdentity,
    console: &Console,
) -> Result<RunEnd, RunError> {
    check(plan)?;
    let items = &plan.body.items;
    let selected = options.shard.map_or_else(|| (0..items.len()).collect(), |shard| shard.select(items));
    let header = OutcomesHeader {
        schema: FileKind::Outcomes.schema().to_owned(),
        plan: plan.digest.clone(),
        corpus: plan.body.corpus.clone(),
        items: items.len() as u64,
        shard: options.shard.map(|shard| shard.to_string()),
        scorer,
        simulators: plan.body.simulators.clone(),
    };
    let (journal, found) = Journal::open(output, &header)?;
    let mut state = State::new(plan, selected);
    for record in found {
        state.put(record)?;
    }
    let resumed = state.done();
    if resumed > 0 {
        console.status(&format!(
            "{}: going on, {resumed} of {} points are there already",
            output.display(),
            state.records.len()
        ));
    }
    let (state, cached) = compute(plan, simulators, options, journal, state, console)?;
    Ok(RunEnd { items: state.records.len(), done: state.done(), resumed, cached, counts: state.counts() })
}

/// The outcomes of the selected items so far, by their place in the plan.
struct State<'plan> {
    plan: &'plan Plan,
    records: BTreeMap<usize, Option<OutcomeRecord>>,
}

impl<'plan> State<'plan> {
    fn new(plan: &'plan Plan, selected: Vec<usize>) -> Self {
        Self { plan, records: selected.into_iter().map(|index| (index, None)).collect() }
    }

    fn put(&mut self, record: OutcomeRecord) -> Result<(), RunError> {
        let key = ItemKey::of_record(&record);
        let items = &self.plan.body.items;
        let place = items.binary_search_by(|item| {
            (&item.sweep, item.concurrency, &item.estimator).cmp(&(
                &key.sweep,
                key.concurrency,
                &key.estimator,
            ))
        });
        match place.ok().and_then(|index| self.records.get_mut(&index)) {
            Some(slot @ None) => {
                *slot = Some(record);
                Ok(())
            }
            _ => Err(RunError::Foreign(key)),
        }
    }

    fn done(&self) -> usize {
        self.records.values().flatten().count()
    }

    /// The places of the items without an outcome, costliest first.
    fn missing(&self) -> Vec<usize> {
        let missing = self.records.iter().filter(|(_, record)| record.is_none());
        let mut missing: Vec<usize> = missing.map(|(index, _)| *index).collect();
        let cost = |index: usize| self.plan.body.items[index].cost;
        missing.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)).then(a.cmp(&b)));
        missing
    }

    fn counts(&self) -> BTreeMap<EstimatorId, OutcomeCounts> {
        let mut counts = BTreeMap::<EstimatorId, OutcomeCounts>::new();
        for record in self.records.values().flatten() {
            counts.entry(record.estimator.clone()).or_default().count(&record.outcome);
        }
        counts
    }
}

/// Computes what is missing, and replaces the journal by the complete file when nothing is. Also says
/// how many answers came from the cache.
fn compute<'run>(
    plan: &'run Plan,
    simulators: &Simulators,
    options: &RunOptions,
    journal: Journal,
    state: State<'run>,
    console: &'run Console,
) -> Result<(State<'run>, usize), RunError> {
    let missing = state.missing();
    let tasks = tasks(plan, simulators, &missing);
    let cost = missing.iter().map(|index| plan.body.items[*index].cost).sum();
    let mut progress = RunProgress::new(console, state.records.len(), cost);
    for record in state.records.values().flatten() {
        progress.found(&record.outcome);
    }
    let cache = options.cache.clone().map(|cache| RunCache::new(cache, simulators));
    let cache = cache.transpose().map_err(RunError::Digest)?.map(Arc::new);
    let mut recorder = Recorder { journal, state, progress, cached: 0 };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(options.jobs.get())
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    let ended = runtime.block_on(async {
        let stops = signals::listen();
        let executor = Executor::new(cache.clone());
        let work = async {
            let ended = dispatch(tasks, executor, options.jobs, stops.clone(), &mut recorder).await;
            if *stops.borrow() != Stop::Now {
                for simulator in simulators {
                    simulator.rest().await;
                }
            }
            ended
        };
        let mut teller = Teller::new(stops.clone(), console);
        let ended = tokio::select! {
            ended = work => ended,
            never = teller.follow() => match never {},
        };
        teller.catch_up();
        ended
    });
    // A computation cannot be interrupted from outside; the process does not wait for it.
    runtime.shutdown_background();
    let Recorder { journal, state, progress, cached } = recorder;
    drop(progress);
    if let Some(cache) = cache {
        tell_troubles(&cache, console);
    }
    ended?;
    let records: Vec<&OutcomeRecord> = state.records.values().flatten().collect();
    if records.len() == state.records.len() {
        journal.complete(&records)?;
    } else {
        journal.save()?;
    }
    Ok((state, cached))
}

/// Puts every outcome into the journal, and tells how far it is.
struct Recorder<'run> {
    journal: Journal,
    state: State<'run>,
    progress: RunProgress<'run>,
    cached: usize,
}

impl Keeper for Recorder<'_> {
    type Error = RunError;

    fn take(&mut self, done: Done) -> Result<(), RunError> {
        let Done { index, record, effort } = done;
        self.journal.append(&record, &effort)?;
        let cost = self.state.plan.body.items[index].cost;
        if effort.attempts == 0 {
            self.cached += 1;
            self.progress.cached(&record.outcome, cost);
        } else {
            self.progress.computed(&record.outcome, cost);
        }
        self.state.records.insert(index, Some(record));
        Ok(())
    }

    fn tell(&mut self, running: &Running) {
        self.progress.tell(running);
    }
}

fn tell_troubles(cache: &RunCache, console: &Console) {
    let troubles = cache.troubles();
    if let Some(first) = troubles.first {
        let count = troubles.count;
        console.warning(&format!("the cache failed {count} times, and the run did without it: {first}"));
    }
}

/// The tasks at some places of the plan, made as they are needed.
fn tasks<'run>(
    plan: &'run Plan,
    simulators: &'run Simulators,
    places: &'run [usize],
) -> impl Iterator<Item = Result<Task, RunError>> + 'run {
    let requests = Requests::new(&plan.body.sweeps);
    let by_id: BTreeMap<&EstimatorId, &Arc<dyn Simulator>> =
        simulators.iter().map(|simulator| (&simulator.identity().id, simulator)).collect();
    places.iter().map(move |&index| {
        let item = &plan.body.items[index];
        let request = requests.get(&item.sweep, item.concurrency);
        let (Some(request), Some(simulator)) = (request, by_id.get(&item.estimator)) else {
            return Err(PlanError::Dangling(ItemKey::of_item(item)).into());
        };
        let digest = work::digest(&request).map_err(RunError::Digest)?;
        Ok(Task { index, request, digest, simulator: Arc::clone(simulator) })
    })
}
