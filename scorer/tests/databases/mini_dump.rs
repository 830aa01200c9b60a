//! The synthetic dump beside the checkout, which others made: its contents are the expected ones, to the last character.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use scorer::measurements::dump::archive::Archive;
use scorer::measurements::dump::copy_text::{Columns, Plan, Row, RowSink, read_rows};
use serde_json::{Map, Value};

use super::kit::{Run, part_paths};

fn material() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/mini-dump");
    folder.is_dir().then_some(folder)
}

const TABLES: [(&str, Columns); 4] = [
    (
        "configs",
        columns(&[
            "id",
            "hardware",
            "framework",
            "model",
            "precision",
            "spec_method",
            "disagg",
            "is_multinode",
            "prefill_tp",
            "prefill_ep",
            "prefill_dp_attention",
            "prefill_num_workers",
            "decode_tp",
            "decode_ep",
            "decode_dp_attention",
            "decode_num_workers",
            "num_prefill_gpu",
            "num_decode_gpu",
        ]),
    ),
    (
        "benchmark_results",
        columns(&[
            "id",
            "workflow_run_id",
            "config_id",
            "benchmark_type",
            "date",
            "isl",
            "osl",
            "conc",
            "image",
            "metrics",
            "error",
            "server_log_id",
            "workers",
            "offload_mode",
            "trace_replay_id",
            "recipe_fingerprint",
            "power_invalid_reasons",
            "power_audit",
        ]),
    ),
    (
        "workflow_runs",
        columns(&[
            "id",
            "github_run_id",
            "run_attempt",
            "name",
            "status",
            "conclusion",
            "head_sha",
            "head_branch",
            "html_url",
            "created_at",
            "run_started_at",
            "date",
            "append_only",
        ]),
    ),
    (
        "server_logs",
        Columns {
            needed: &["id", "file_name", "files_complete"],
            streamed: Some("server_log"),
            ..Columns::NONE
        },
    ),
];

const fn columns(needed: &'static [&'static str]) -> Columns {
    Columns { needed, ..Columns::NONE }
}

/// Remembers every row.
struct Remember<'a> {
    columns: Columns,
    stream: Vec<u8>,
    rows: &'a RefCell<Vec<BTreeMap<String, Option<String>>>>,
}

impl RowSink for Remember<'_> {
    type Error = String;

    fn wants_stream(&mut self, _: &Row) -> bool {
        true
    }

    fn stream(&mut self, bytes: &[u8]) {
        self.stream.extend_from_slice(bytes);
    }

    fn row(&mut self, row: &Row) -> Result<(), String> {
        let kept = self.columns.kept().map(|name| (name.to_owned(), row.get(name).map(str::to_owned)));
        let mut values: BTreeMap<String, Option<String>> = kept.collect();
        if let Some(name) = self.columns.streamed {
            let text =
                String::from_utf8(std::mem::take(&mut self.stream)).map_err(|error| error.to_string())?;
            values.insert(name.to_owned(), Some(text));
        }
        self.rows.borrow_mut().push(values);
        Ok(())
    }
}

#[test]
fn every_row_and_log_of_the_mini_dump_is_as_expected() {
    let Some(folder) = material() else { return };
    let joined: Vec<u8> = part_paths(&folder).iter().flat_map(|path| fs::read(path).unwrap()).collect();
    let mut bytes = Vec::new();
    let mut decoder = zstd::Decoder::new(&joined[..]).unwrap();
    decoder.window_log_max(27).unwrap();
    decoder.read_to_end(&mut bytes).unwrap();

    let is_wanted =
        |namespace: &str, name: &str| namespace == "public" && TABLES.iter().any(|(table, _)| *table == name);
    let mut archive = Archive::open(&bytes[..], is_wanted).unwrap();
    assert_eq!(archive.header().minor_version, 16);
    let mut seen = 0;
    while let Some(mut data) = archive.next_table().unwrap() {
        let name = data.table().name.clone();
        let (_, columns) = *TABLES.iter().find(|(table, _)| *table == name).unwrap();
        let plan = Plan::new(&data.table().columns, columns).unwrap();
        let rows = RefCell::new(Vec::new());
        let mut remember = Remember { columns, stream: Vec::new(), rows: &rows };
        read_rows(&mut data, &plan, &mut remember).unwrap();
        data.finish().unwrap();
        let expected: Vec<Map<String, Value>> =
            serde_json::from_slice(&fs::read(folder.join(format!("expected_{name}.json"))).unwrap()).unwrap();
        assert_equal(&name, &rows.borrow(), &expected);
        seen += 1;
    }
    assert_eq!(seen, TABLES.len());
}

fn assert_equal(table: &str, rows: &[BTreeMap<String, Option<String>>], expected: &[Map<String, Value>]) {
    assert_eq!(rows.len(), expected.len(), "{table}");
    for (row, expected) in rows.iter().zip(expected) {
        assert!(
            row.keys().eq(expected.keys().collect::<std::collections::BTreeSet<_>>()),
            "{table}: {row:?}"
        );
        for (column, text) in row {
            let value = &expected[column];
            match (text, value) {
                (Some(text), Value::Object(_) | Value::Array(_)) => {
                    assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), value, "{table}.{column}");
                }
                _ => assert_eq!(text.as_deref(), copied(column, value).as_deref(), "{table}.{column}"),
            }
        }
    }
}

/// A value as COPY writes it.
fn copied(column: &str, value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(flag) => Some(if *flag { "t" } else { "f" }.to_owned()),
        Value::String(text) if column.ends_with("_at") => {
            Some(text.replace('T', " ").replace("+00:00", "+00"))
        }
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[test]
fn the_mini_dump_becomes_a_corpus_as_it_lies_there() {
    let Some(folder) = material() else { return };
    let run = Run::of_folder(&folder);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("30 rows read"), "{}", run.stderr);
    let corpus: Value = serde_json::from_slice(run.written.as_deref().unwrap()).unwrap();
    assert_eq!(corpus["source"]["tag"], "db-dump/2026-09-28");
    assert_eq!(corpus["source"]["parts"].as_array().unwrap().len(), 3);
    let paths: Vec<String> =
        part_paths(&folder).iter().rev().map(|path| path.display().to_string()).collect();
    let words: Vec<&str> = std::iter::once("dump").chain(paths.iter().map(String::as_str)).collect();
    assert_eq!(Run::of(&words).written, run.written, "the parts one by one, last first");
}
