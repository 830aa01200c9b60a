//! Files that contradict themselves or each other, and files that cannot be read.

use std::fs;

use serde_json::{Value, json};

use crate::kit::{FILES, Files, Run, assert_says};

/// A way in which the files can contradict themselves, and what must be said of it.
type Case = (fn(&mut Files), &'static str);

fn assert_refused(cases: &[Case]) {
    for (change, expected) in cases {
        let mut files = Files::new();
        change(&mut files);
        assert_says(&files.refusal(), expected);
    }
}

#[test]
fn contradictions_in_the_sweeps_are_refused_with_file_place_and_fault() {
    assert_refused(&[
        (|files| files.add_sweep(&[]), "aisimulate_e2e.json: gpt.yaml 1k1k: this sweep is there twice"),
        (
            |files| files.sweep()["points"][2]["concurrency"] = json!(2),
            "aisimulate_e2e.json: gpt.yaml 1k1k c=2: this concurrency is there twice",
        ),
        (|files| files.sweep()["points"][0]["concurrency"] = json!(0), "`concurrency` is 0, but must be"),
        (|files| files.sweep()["points"] = json!([]), "gpt.yaml 1k1k: the sweep has no points"),
        (
            |files| files.sweep()["label"] = json!("8k1k"),
            "the label does not fit the workload `1024:1024`, which is called `1k1k`",
        ),
        (
            |files| files.sweep()["workload"] = json!("1024"),
            "the workload `1024` is not `<input tokens>:<output tokens>`",
        ),
        (|files| files.sweep()["workload"] = json!("0:1024"), "two whole numbers above 0"),
        (|files| files.sweep()["parallelism"]["tp_size"] = json!(0), "`tp_size` is 0"),
        (
            |files| files.sweep()["points"][1]["aic_tpot_relative"] = json!(-1.0),
            "gpt.yaml 1k1k c=2: `aic_tpot_relative` is -1, but must be a ratio above 0",
        ),
        (
            |files| files.sweep()["points"][1]["measured_ttft_relative"] = json!(-2.0),
            "`measured_ttft_relative` is -2",
        ),
        (
            |files| files.sweep()["points"][1]["measured_ttft_relative"] = Value::Null,
            "`measured_ttft_relative` is missing at a point with status `success`",
        ),
    ]);
}

#[test]
fn contradictions_in_the_other_files_are_refused_with_file_place_and_fault() {
    assert_refused(&[
        (
            |files| files.anchor()["anchor_tpot_us"] = json!(-1.0),
            "inferencex_absolutes.json: gpt.yaml 1k1k: `anchor_tpot_us` is -1",
        ),
        (
            |files| files.anchor()["anchor_tpot_us"] = json!(1001.0),
            "`anchor_tpot_us` is 1001, but the value at concurrency 1 is 1000",
        ),
        (|files| files.anchor()["anchor_concurrency"] = json!(3), "no latency at its concurrency 3"),
        (|files| files.anchor()["source_run_date"] = json!("12.7.2026"), "`source_run_date` is `12.7.2026`"),
        (
            |files| files.anchor()["gpu"] = json!("h200"),
            "`gpu` is `h200`, but aisimulate_e2e.json says `h100`",
        ),
        (
            |files| {
                let twice = files.anchor().clone();
                files.absolutes["anchors"].as_array_mut().unwrap().push(twice);
            },
            "inferencex_absolutes.json: gpt.yaml 1k1k: this sweep is there twice",
        ),
        (
            |files| files.absolutes["metrics"] = json!("median_tpot, milliseconds"),
            "mean TPOT and TTFT in microseconds are needed",
        ),
        (|files| files.absolutes["benchmark_type"] = json!("agentic_traces"), "`single_turn` is needed"),
        (
            |files| files.settings["release_tag"] = json!("db-dump/2026-09-21"),
            "inferencex_engine_settings.json: is of release `db-dump/2026-09-21`, but inferencex_absolutes.json is of `db-dump/2026-09-28`",
        ),
        (
            |files| {
                files.corpus["measurement_source_url"] =
                    json!("https://example.org/releases/tag/db-dump/2026-09-21");
            },
            "aisimulate_e2e.json: is of release `db-dump/2026-09-21`",
        ),
        (
            |files| files.settings["settings"] = json!([]),
            "inferencex_engine_settings.json: its list `settings` is empty",
        ),
        (|files| files.corpus["sweeps"] = json!([]), "its list `sweeps` is empty"),
        (
            |files| files.record()["scenario"] = json!("other.yaml"),
            "inferencex_engine_settings.json: other.yaml 1k1k: no sweep of aisimulate_e2e.json",
        ),
        (|files| files.record()["by_concurrency"] = json!({}), "lists no concurrency"),
        (
            |files| files.record()["source_config_id"] = json!(8),
            "`source_config_id` is `8`, but inferencex_absolutes.json says `7`",
        ),
        (
            |files| files.record()["source_run_date"] = json!("2026-07-13"),
            "`source_run_date` is `2026-07-13`",
        ),
        (
            |files| {
                files.settings["incomplete"] =
                    json!([{"scenario": "gpt.yaml", "label": "1k1k", "reason": "cut"}]);
            },
            "is among the `incomplete` ones (`cut`) and among the `settings`",
        ),
        (
            |files| files.sweep()["framework"] = json!("trt"),
            "no sweep is left of 4 rows (absolute_without_point 1, other_framework 3)",
        ),
        (|files| files.corpus["sweep"] = json!(1), "unknown field `sweep`"),
        (|files| files.anchor()["median_us"] = json!(1), "at anchors[0].median_us"),
        (
            |files| files.anchor()["absolute_tpot_us"]["04"] = json!(1),
            "`04` is not a concurrency: write a whole number above 0",
        ),
        (
            |files| files.sweep()["points"][0]["concurrency"] = json!(1.5),
            "at sweeps[0].points[0].concurrency",
        ),
        (|files| files.sweep()["scenario"] = json!("\u{1b}[2J"), "is no name: use 1 to 200 characters"),
        (
            |files| files.record()["by_concurrency"]["1"]["passed"]["block_size"] = json!({}),
            "expected a boolean",
        ),
    ]);
}

#[test]
fn two_sweeps_that_a_simulator_cannot_tell_apart_are_refused() {
    let mut files = Files::new();
    files.add_sweep(&[("scenario", json!("copy.yaml"))]);
    for (list, file) in [("anchors", &mut files.absolutes), ("settings", &mut files.settings)] {
        let mut copy = file[list][0].clone();
        copy["scenario"] = json!("copy.yaml");
        file[list].as_array_mut().unwrap().push(copy);
    }
    let refusal = files.refusal();
    assert_says(&refusal, "is the same to a simulator as");
    assert_says(&refusal, "copy.yaml 1k1k");
}

#[test]
fn keys_that_stand_twice_are_refused() {
    let files = Files::new();
    let settings = files.settings.to_string();
    let twice = files.absolutes.to_string().replacen("{\"1\":", "{\"2\":1.0,\"1\":", 1);
    assert_ne!(twice, files.absolutes.to_string());
    let run = Files::ingest_texts([files.corpus.to_string(), twice, settings.clone()]);
    assert_eq!(run.code, 4);
    assert_says(&run.stderr, "at anchors[0].absolute_tpot_us");
    assert_says(&run.stderr, "the key `2` is there twice");
    let twice = settings.replacen("\"max_num_seqs\":256", "\"max_num_seqs\":256,\"max_num_seqs\":512", 1);
    assert_ne!(twice, settings);
    let run = Files::ingest_texts([files.corpus.to_string(), files.absolutes.to_string(), twice]);
    assert_says(&run.stderr, "the key `max_num_seqs` is there twice");
    assert_eq!(run.written, None);
}

#[test]
fn a_file_that_is_missing_empty_cut_or_huge_is_named() {
    let files = Files::new();
    let texts = || [files.corpus.to_string(), files.absolutes.to_string(), files.settings.to_string()];
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(folder.path());
    assert_eq!(run.code, 3);
    assert_says(&run.stderr, "aisimulate_e2e.json: no such file");

    for (index, name) in FILES.iter().enumerate() {
        for (text, code, expected) in [
            (String::new(), 4, "is empty"),
            (texts()[index][..100].to_owned(), 4, "ends in the middle of its JSON"),
            ("{\"schema\":\"corpus.v1\"}".to_owned(), 4, "unknown field `schema`"),
            ("{\"source\":NaN}".to_owned(), 4, "NaN and Infinity are not JSON"),
        ] {
            let mut broken = texts();
            broken[index] = text;
            let run = Files::ingest_texts(broken);
            assert_eq!((run.code, run.written), (code, None), "{name}: {}", run.stderr);
            assert_says(&run.stderr, name);
            assert_says(&run.stderr, expected);
        }
    }

    for (name, text) in FILES.iter().zip(texts()) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    // A sparse file: 65 MiB of nothing.
    let huge = fs::File::create(folder.path().join(FILES[1])).unwrap();
    huge.set_len(65 << 20).unwrap();
    let run = Run::of(folder.path());
    assert_eq!((run.code, run.written), (3, None));
    assert_says(&run.stderr, "inferencex_absolutes.json: is larger than the limit of 67108864 bytes");
}
