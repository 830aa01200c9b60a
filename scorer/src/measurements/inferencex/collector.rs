//! Rows as they come, in any order, until all are there.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate;
use super::error::CollectError;
use super::joined::Joined;
use super::misfit::Misfit;
use super::rows::{ConfigRow, ResultRow, RunRow};
use super::select::{self, SelectionOptions, SourceFacts};
use crate::measurements::Ingested;
use crate::measurements::MOST_ROWS;
use crate::measurements::engine_log::LogFacts;
use crate::reference::Reference;

/// The most memory that facts of logs may take, in bytes: those of some thirty thousand logs.
const MOST_FACTS: usize = 96 << 20;

/// Whether the facts of a log are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A row that may become a point has this log.
    Yes,
    /// No row has it, or none that may become a point.
    No,
    /// Not all rows are there yet: scan it, to be on the safe side.
    Unknown,
}

/// Collects the rows of a source.
#[derive(Debug)]
pub struct Collector<'t> {
    reference: &'t Reference,
    configs: BTreeMap<i64, ConfigRow>,
    results: BTreeMap<i64, ResultRow>,
    runs: BTreeMap<i64, RunRow>,
    logs: BTreeMap<i64, LogFacts>,
    facts_size: usize,
    /// The logs that are wanted, once all configs and results are there.
    wanted: Option<BTreeSet<i64>>,
}

impl<'t> Collector<'t> {
    /// Begins.
    #[must_use]
    pub fn new(reference: &'t Reference) -> Self {
        Self {
            reference,
            configs: BTreeMap::new(),
            results: BTreeMap::new(),
            runs: BTreeMap::new(),
            logs: BTreeMap::new(),
            facts_size: 0,
            wanted: None,
        }
    }

    /// Takes a row of `configs`.
    ///
    /// # Errors
    /// When its id was there already, or there are too many rows.
    pub fn config(&mut self, row: ConfigRow) -> Result<(), CollectError> {
        insert(&mut self.configs, row.id, row, ConfigRow::TABLE)
    }

    /// Takes a row of `benchmark_results`.
    ///
    /// # Errors
    /// When its id was there already, or there are too many rows.
    pub fn result(&mut self, row: ResultRow) -> Result<(), CollectError> {
        insert(&mut self.results, row.id, row, ResultRow::TABLE)
    }

    /// Takes a row of `workflow_runs`.
    ///
    /// # Errors
    /// When its id was there already, or there are too many rows.
    pub fn run(&mut self, row: RunRow) -> Result<(), CollectError> {
        insert(&mut self.runs, row.id, row, RunRow::TABLE)
    }

    /// Says that every row of `configs` and `benchmark_results` was given, so that it is known which
    /// logs are wanted; those that were given before and are not are forgotten.
    ///
    /// # Errors
    /// When a result names a deployment that is not there, or one that may become a point cannot be read.
    pub fn rows_complete(&mut self) -> Result<(), CollectError> {
        let mut wanted = BTreeSet::new();
        for result in self.results.values() {
            let config = self.config_of(result)?;
            if candidate::judge(result, config, self.reference)?.is_ok() {
                wanted.extend(result.log);
            }
        }
        self.logs.retain(|log, _| wanted.contains(log));
        self.facts_size = self.logs.values().map(LogFacts::size).sum();
        self.wanted = Some(wanted);
        Ok(())
    }

    /// Whether the facts of a log are needed.
    #[must_use]
    pub fn wants_log(&self, log: i64) -> Wanted {
        match &self.wanted {
            None => Wanted::Unknown,
            Some(wanted) if wanted.contains(&log) => Wanted::Yes,
            Some(_) => Wanted::No,
        }
    }

    /// The logs that are wanted, by id; none before [`Self::rows_complete`].
    pub fn wanted_logs(&self) -> impl Iterator<Item = i64> {
        self.wanted.iter().flatten().copied()
    }

    /// Takes what a log says; of a log that is not wanted nothing is kept.
    ///
    /// # Errors
    /// When its id was there already, or the facts become too many.
    pub fn log(&mut self, log: i64, facts: LogFacts) -> Result<(), CollectError> {
        if self.wants_log(log) == Wanted::No {
            return Ok(());
        }
        self.facts_size += facts.size();
        if self.facts_size > MOST_FACTS {
            return Err(CollectError::TooManyFacts { limit: MOST_FACTS });
        }
        insert(&mut self.logs, log, facts, "server_logs")
    }

    /// Says that a log which was wanted is not there: its rows then have none.
    pub fn without_log(&mut self, log: i64) {
        if let Some(wanted) = &mut self.wanted {
            wanted.remove(&log);
        }
    }

    /// Makes the corpus of all rows.
    ///
    /// # Errors
    /// When rows name others that are not there, or no sweep is left.
    pub fn finish(
        mut self,
        source: SourceFacts,
        options: &SelectionOptions,
    ) -> Result<Ingested, CollectError> {
        if self.wanted.is_none() {
            self.rows_complete()?;
        }
        let mut rows = Vec::with_capacity(self.results.len());
        for result in self.results.values() {
            let config = self.config_of(result)?;
            let run = self.run_of(result)?;
            let log = match result.log.filter(|log| self.wants_log(*log) == Wanted::Yes) {
                None => None,
                Some(log) => {
                    let missing = CollectError::NoLog { row: result.id, log };
                    Some(self.logs.get(&log).ok_or(missing)?)
                }
            };
            let table = self.reference.inferencex();
            let misfit = log.and_then(|log| Misfit::of(result, config, log, table));
            rows.push(Joined { result, config, run, log, misfit });
        }
        select::corpus(&rows, source, options, self.reference)
    }

    fn config_of(&self, result: &ResultRow) -> Result<&ConfigRow, CollectError> {
        let missing = CollectError::NoConfig { row: result.id, config: result.config };
        self.configs.get(&result.config).ok_or(missing)
    }

    fn run_of(&self, result: &ResultRow) -> Result<Option<&RunRow>, CollectError> {
        let Some(run) = result.run else { return Ok(None) };
        let missing = CollectError::NoRun { row: result.id, run };
        self.runs.get(&run).map(Some).ok_or(missing)
    }
}

fn insert<T>(rows: &mut BTreeMap<i64, T>, id: i64, row: T, table: &'static str) -> Result<(), CollectError> {
    if rows.len() >= MOST_ROWS {
        return Err(CollectError::TooManyRows { table, limit: MOST_ROWS });
    }
    match rows.insert(id, row) {
        None => Ok(()),
        Some(_) => Err(CollectError::TwiceRow { table, id }),
    }
}
