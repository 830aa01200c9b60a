//! The rows of the mini dump, where it is: beside the checkout.

use std::path::Path;

use serde_json::Value;

use super::super::{Collector, ConfigRow, ResultRow, RunRow, SelectionOptions, of_json};
use super::kit::{Database, source};
use crate::reference::Reference;

fn rows(table: &str) -> Option<Vec<Value>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/mini-dump");
    let text = std::fs::read_to_string(folder.join(format!("expected_{table}.json"))).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn the_mini_dump_gives_its_sweeps() {
    let (Some(configs), Some(results), Some(runs), Some(logs)) =
        (rows("configs"), rows("benchmark_results"), rows("workflow_runs"), rows("server_logs"))
    else {
        return;
    };
    let reference = Reference::embedded().unwrap();
    let mut collector = Collector::new(&reference);
    for row in &configs {
        collector.config(ConfigRow::read(&of_json(&row.to_string()).unwrap()).unwrap()).unwrap();
    }
    for row in &results {
        collector.result(ResultRow::read(&of_json(&row.to_string()).unwrap()).unwrap()).unwrap();
    }
    collector.rows_complete().unwrap();
    for row in &logs {
        let facts = Database::facts(row["server_log"].as_str().unwrap());
        collector.log(row["id"].as_i64().unwrap(), facts).unwrap();
    }
    for row in &runs {
        collector.run(RunRow::read(&of_json(&row.to_string()).unwrap()).unwrap()).unwrap();
    }
    let corpus = collector.finish(source(), &SelectionOptions::default()).unwrap().corpus;
    assert_eq!(crate::validate::corpus_problems(&corpus), []);
    let skipped: Vec<(&str, u64)> =
        corpus.rows.skipped().iter().map(|entry| (entry.reason.as_str(), entry.count)).collect();
    // As its rows say, one by one: 117 122 127 · 118 123 128 · 119 124 129 · 130 · 116 121 126; the rows of
    // v0.21.0 are those of v0.22.0 again.
    let expected = [
        ("failed", 3),
        ("not_single_turn", 1),
        ("other_framework", 6),
        ("superseded_version", 7),
        ("unnumbered_build", 3),
    ];
    assert_eq!(skipped, expected);
    let titles: Vec<String> = corpus.sweeps.iter().map(shared::sweep::Sweep::title).collect();
    assert_eq!(titles.len(), 3, "{titles:?}");
    assert_eq!(corpus.selection.version_window, ["0.22.0", "0.21.0"]);
}
