//! Which rows are kept, and under which reason the others are counted.

use super::super::{
    CollectError, Collector, ConfigRow, ResultRow, RowError, RowFault, RunRow, SelectionOptions, Wanted,
};
use super::kit::{Database, config, result, source};
use crate::reference::Reference;

type Change = fn(&mut ResultRow);

#[test]
fn every_reason_of_a_row_counts_it_once() {
    let changes: [(Change, &str); 8] = [
        (|row| row.benchmark_type = "agentic_traces".to_owned(), "not_single_turn"),
        (|row| row.failed = true, "failed"),
        (|row| row.isl = None, "no_workload"),
        (|row| row.metrics.pcp_size = Some(2), "context_parallel"),
        (|row| row.offloaded = true, "kv_offloaded"),
        (|row| row.metrics.mean_tpot = None, "no_measurement"),
        (|row| row.image = None, "no_image"),
        (|row| row.image = Some("vllm/vllm-openai:nightly-7c5dc571".to_owned()), "unnumbered_build"),
    ];
    for (change, reason) in changes {
        let mut database = Database::new();
        database.sweep(201, change);
        assert_eq!(database.skipped(&SelectionOptions::default()), [(reason.to_owned(), 3)]);
    }
}

#[test]
fn every_reason_of_a_deployment_counts_its_rows() {
    for (reason, change) in [
        ("other_framework", (|row| row.framework = "sglang".to_owned()) as fn(&mut ConfigRow)),
        ("disaggregated", |row| row.disagg = true),
        ("multi_node", |row| row.is_multinode = true),
        ("not_nvidia", |row| row.hardware = "mi355x".to_owned()),
        ("hardware_not_in_catalog", |row| row.hardware = "gb300".to_owned()),
        ("model_not_in_catalog", |row| row.model = "kimik3".to_owned()),
        ("no_layout", |row| row.tp = 0),
    ] {
        let mut database = Database::new();
        let mut other = config(2);
        change(&mut other);
        database.configs.push(other);
        database.sweep(201, |row| row.config = 2);
        assert_eq!(database.skipped(&SelectionOptions::default()), [(reason.to_owned(), 3)]);
    }
}

fn fault() -> RowError {
    let fault = RowFault::NotA { text: "9e".to_owned(), expected: "a whole number" };
    RowError { table: "benchmark_results", row: "201".to_owned(), column: "conc", fault }
}

#[test]
fn a_row_that_cannot_be_read_is_counted_where_the_rest_of_it_rules_it_out() {
    let mut database = Database::new();
    let of = |id, framework: &str, hardware: &str| ConfigRow {
        framework: framework.to_owned(),
        hardware: hardware.to_owned(),
        ..config(id)
    };
    database.configs.extend([
        of(2, "sglang", "h200"),
        of(3, "vllm", "mi355x"),
        ConfigRow { fault: Some(fault()), ..of(4, "trt", "") },
    ]);
    for (config, first) in [(2, 201), (3, 301), (4, 401)] {
        database.sweep(first, |row| {
            row.config = config;
            row.fault = Some(fault());
        });
    }
    let skipped = database.skipped(&SelectionOptions::default());
    assert_eq!(skipped, [("not_nvidia".to_owned(), 3), ("other_framework".to_owned(), 6)]);
    let explanation = database.ingest().unwrap().explanation;
    let named = explanation.rows("not_nvidia").next().unwrap();
    assert!(named.ends_with("column `conc`: `9e` is not a whole number)"), "{named}");
}

#[test]
fn a_row_that_cannot_be_read_and_might_become_a_point_stops_the_reading() {
    let mut database = Database::new();
    database.sweep(201, |row| row.fault = (row.id == 202).then(fault));
    assert_eq!(database.ingest().map(|_| ()), Err(CollectError::Row(fault())));
    let mut database = Database::new();
    database.configs[0].fault = Some(fault());
    database.configs[0].hardware = String::new();
    assert_eq!(database.ingest().map(|_| ()), Err(CollectError::Row(fault())));
}

#[test]
fn a_sweep_needs_three_concurrencies() {
    let mut database = Database::new();
    database.sweep(201, |row| row.osl = Some(8192));
    database.results.retain(|row| row.id != 203);
    let skipped = database.skipped(&SelectionOptions::default());
    assert_eq!(skipped, [("fewer_than_three_concurrencies".to_owned(), 2)]);
}

#[test]
fn the_newest_versions_are_those_of_sweeps() {
    let mut database = Database::new();
    for (index, version) in (1..).zip(["0.9.2", "0.21.0", "0.22.1", "0.23.0", "0.24.0", "0.25.0"]) {
        database.sweep(100 + 100 * index, |row| {
            row.image = Some(format!("vllm/vllm-openai:v{version}"));
            row.isl = Some(1024 + u32::try_from(index).unwrap());
        });
    }
    // A version that only a row has which is in no sweep does not count.
    database.results.push(ResultRow { image: Some("vllm/vllm-openai:v0.26.0".to_owned()), ..result(999, 1) });
    database.logs.push((999, String::new()));
    let corpus = database.corpus();
    assert_eq!(corpus.selection.version_window, ["0.25.0", "0.24.0", "0.23.0", "0.22.1", "0.22.0"]);
    let skipped = database.skipped(&SelectionOptions::default());
    assert_eq!(
        skipped,
        [("fewer_than_three_concurrencies".to_owned(), 1), ("outside_latest_versions".to_owned(), 6)]
    );
    let all = SelectionOptions { latest_versions: None, ..SelectionOptions::default() };
    assert_eq!(database.ingest_with(&all).unwrap().corpus.selection.version_window.len(), 7);
}

#[test]
fn of_one_identity_the_newest_version_is_kept() {
    let mut database = Database::new();
    database.sweep(201, |row| row.image = Some("vllm/vllm-openai:v0.21.0".to_owned()));
    database.sweep(301, |row| row.image = Some("vllm/vllm-openai:v0.22.0-cu130".to_owned()));
    let corpus = database.corpus();
    assert_eq!(corpus.sweeps.len(), 1);
    // Of two images of one version the later rows.
    assert_eq!(corpus.sweeps[0].source.rows, [301, 302, 303]);
    assert_eq!(database.skipped(&SelectionOptions::default()), [("superseded_version".to_owned(), 6)]);
}

#[test]
fn only_what_a_later_attempt_measured_again_is_superseded() {
    let mut database = Database::new();
    database.runs.push(RunRow { id: 2, github_run: 30_000_000_001, attempt: 2 });
    database.runs.push(RunRow { id: 3, github_run: 30_000_000_777, attempt: 1 });
    database.sweep(201, |row| row.run = Some(2));
    database.sweep(301, |row| row.run = Some(3));
    database.results.retain(|row| row.id != 201);
    let corpus = database.corpus();
    assert_eq!(database.skipped(&SelectionOptions::default()), [("superseded_attempt".to_owned(), 2)]);
    assert_eq!(corpus.sweeps[0].source.rows, [101, 202, 203, 301, 302, 303]);
    assert_eq!(corpus.sweeps[0].source.runs, [30_000_000_001, 30_000_000_777]);
    assert_eq!(corpus.sweeps[0].points[0].repeats, 2);
}

#[test]
fn rows_without_arguments_are_kept_apart_or_left_out() {
    let mut database = Database::new();
    database.sweep(201, |row| row.log = None);
    let corpus = database.corpus();
    let mut verdicts: Vec<&str> = corpus.sweeps.iter().map(|sweep| sweep.verdict.name()).collect();
    verdicts.sort_unstable();
    assert_eq!(verdicts, ["NOT_REPRODUCIBLE", "PARTIAL"]);
    let only = SelectionOptions { needs_arguments: true, ..SelectionOptions::default() };
    assert_eq!(database.skipped(&only), [("no_arguments_line".to_owned(), 3)]);
}

#[test]
fn the_rows_of_a_reason_can_be_looked_for() {
    let mut database = Database::new();
    database.sweep(201, |row| row.failed = true);
    let explanation = database.ingest().unwrap().explanation;
    let rows: Vec<&str> = explanation.rows("failed").collect();
    assert_eq!(
        rows[1],
        "row     202: gptoss120b h200 vllm fp4 tp2 1k1k c=4 2026-09-01 vllm/vllm-openai:v0.22.0"
    );
}

#[test]
fn what_is_named_must_be_there() {
    let broken = |change: fn(&mut Database)| {
        let mut database = Database::new();
        change(&mut database);
        database.ingest().map(|_| ()).unwrap_err()
    };
    assert_eq!(broken(|database| database.configs.clear()), CollectError::NoConfig { row: 101, config: 1 });
    assert_eq!(broken(|database| database.runs.clear()), CollectError::NoRun { row: 101, run: 1 });
    assert_eq!(
        broken(|database| database.logs.retain(|(id, _)| *id != 102)),
        CollectError::NoLog { row: 102, log: 102 }
    );
    let twice = broken(|database| database.results.push(result(101, 1)));
    assert_eq!(twice, CollectError::TwiceRow { table: "benchmark_results", id: 101 });
    let nothing = broken(|database| database.results.truncate(2));
    assert!(nothing.to_string().contains("no sweep is left of 2 rows (fewer_than_three_concurrencies 2)"));
}

#[test]
fn logs_may_come_before_the_rows() {
    let database = Database::new();
    let reference = Reference::embedded().unwrap();
    let mut collector = Collector::new(&reference);
    for (id, log) in database.logs.iter().chain([&(999, String::new())]) {
        assert_eq!(collector.wants_log(*id), Wanted::Unknown);
        collector.log(*id, Database::facts(log)).unwrap();
    }
    database.runs.iter().try_for_each(|row| collector.run(*row)).unwrap();
    database.results.iter().try_for_each(|row| collector.result(row.clone())).unwrap();
    database.configs.iter().try_for_each(|row| collector.config(row.clone())).unwrap();
    let corpus = collector.finish(source(), &SelectionOptions::default()).unwrap().corpus;
    assert_eq!(corpus, database.corpus());
}

#[test]
fn only_logs_of_candidates_are_wanted() {
    let mut database = Database::new();
    database.sweep(201, |row| row.failed = true);
    let reference = Reference::embedded().unwrap();
    let mut collector = Collector::new(&reference);
    database.configs.iter().try_for_each(|row| collector.config(row.clone())).unwrap();
    database.results.iter().try_for_each(|row| collector.result(row.clone())).unwrap();
    collector.rows_complete().unwrap();
    assert_eq!(collector.wanted_logs().collect::<Vec<i64>>(), [101, 102, 103]);
    assert_eq!((collector.wants_log(101), collector.wants_log(201)), (Wanted::Yes, Wanted::No));
}

#[test]
fn the_corpus_does_not_depend_on_the_ids_of_one_database() {
    let database = Database::new();
    let mut renumbered = Database::new();
    renumbered.configs[0].id = 77;
    renumbered.runs[0].id = 88;
    for row in &mut renumbered.results {
        (row.config, row.run, row.log) = (77, Some(88), row.log.map(|log| log + 1000));
    }
    renumbered.logs.iter_mut().for_each(|(id, _)| *id += 1000);
    renumbered.results.reverse();
    assert_eq!(renumbered.corpus(), database.corpus());
    renumbered.results[0].metrics.mean_ttft = Some(1.0);
    assert_ne!(renumbered.corpus().source.digest, database.corpus().source.digest);
}
