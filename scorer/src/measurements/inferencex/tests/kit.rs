//! A small database whose rows a test changes.

use shared::corpus::{Corpus, SourceKind};

use super::super::{CollectError, Collector, ConfigRow, Metrics, ResultRow, RunRow};
use super::super::{SelectionOptions, SourceFacts};
use crate::measurements::Ingested;
use crate::measurements::engine_log::{LogFacts, LogScanner};
use crate::reference::Reference;

/// The concurrencies of a sweep, fewer than which is none.
pub const CONCURRENCIES: [u32; 3] = [1, 4, 16];

pub struct Database {
    pub configs: Vec<ConfigRow>,
    pub results: Vec<ResultRow>,
    pub runs: Vec<RunRow>,
    /// By id.
    pub logs: Vec<(i64, String)>,
}

pub fn config(id: i64) -> ConfigRow {
    ConfigRow {
        id,
        hardware: "h200".to_owned(),
        framework: "vllm".to_owned(),
        model: "gptoss120b".to_owned(),
        precision: "fp4".to_owned(),
        spec_method: "none".to_owned(),
        disagg: false,
        is_multinode: false,
        tp: 2,
        ep: 1,
        dp_attention: false,
        fault: None,
    }
}

pub fn result(id: i64, concurrency: u32) -> ResultRow {
    ResultRow {
        id,
        run: Some(1),
        config: 1,
        benchmark_type: "single_turn".to_owned(),
        date: "2026-09-01".to_owned(),
        isl: Some(1024),
        osl: Some(1024),
        concurrency,
        image: Some("vllm/vllm-openai:v0.22.0".to_owned()),
        metrics: Metrics {
            mean_ttft: Some(0.03 * f64::from(concurrency)),
            mean_tpot: Some(0.004 + 0.001 * f64::from(concurrency)),
            ..Metrics::default()
        },
        failed: false,
        log: Some(id),
        offloaded: false,
        fingerprint: None,
        fault: None,
    }
}

/// The log of a server with these arguments.
pub fn log(arguments: &str) -> String {
    format!(
        "(APIServer pid=1) INFO 09-20 01:00:00 [x.py:1] non-default args: {{'model': 'm', {arguments}}}\n\
         (EngineCore pid=2) INFO 09-20 01:01:00 [y.py:2] GPU KV cache size: 2,500,000 tokens\n"
    )
}

impl Database {
    /// One sweep of three concurrencies, each with the log of a server that passed all four settings.
    pub fn new() -> Self {
        let mut database =
            Self { configs: vec![config(1)], results: Vec::new(), runs: Vec::new(), logs: Vec::new() };
        database.runs.push(RunRow { id: 1, github_run: 30_000_000_001, attempt: 1 });
        database.sweep(101, |_| ());
        database
    }

    /// Adds the results of a sweep, from an id on, each changed in the same way.
    pub fn sweep(&mut self, first: i64, change: impl Fn(&mut ResultRow)) {
        for (id, concurrency) in (first..).zip(CONCURRENCIES) {
            let mut result = result(id, concurrency);
            change(&mut result);
            self.results.push(result);
            let arguments = format!(
                "'tensor_parallel_size': 2, 'max_num_seqs': {concurrency}, 'max_num_batched_tokens': 8192, 'block_size': 16, \
                 'enable_prefix_caching': False"
            );
            self.logs.push((id, log(&arguments)));
        }
    }

    pub fn facts(log: &str) -> LogFacts {
        let mut scanner = LogScanner::default();
        scanner.push(log.as_bytes());
        scanner.finish()
    }

    pub fn ingest(&self) -> Result<Ingested, CollectError> {
        self.ingest_with(&SelectionOptions::default())
    }

    pub fn ingest_with(&self, options: &SelectionOptions) -> Result<Ingested, CollectError> {
        let reference = Reference::embedded().unwrap();
        let mut collector = Collector::new(&reference);
        self.configs.iter().try_for_each(|row| collector.config(row.clone()))?;
        self.results.iter().try_for_each(|row| collector.result(row.clone()))?;
        collector.rows_complete()?;
        for (id, log) in &self.logs {
            collector.log(*id, Self::facts(log))?;
        }
        self.runs.iter().try_for_each(|row| collector.run(*row))?;
        collector.finish(source(), options)
    }

    pub fn corpus(&self) -> Corpus {
        self.ingest().unwrap().corpus
    }

    /// How many rows are left out for each reason.
    pub fn skipped(&self, options: &SelectionOptions) -> Vec<(String, u64)> {
        let corpus = self.ingest_with(options).unwrap().corpus;
        let problems = crate::validate::corpus_problems(&corpus);
        assert!(problems.is_empty(), "{problems:?}");
        corpus.rows.skipped().iter().map(|entry| (entry.reason.clone(), entry.count)).collect()
    }
}

pub fn source() -> SourceFacts {
    SourceFacts { kind: SourceKind::Postgres, tag: None, release: false, date: None, parts: Vec::new() }
}
