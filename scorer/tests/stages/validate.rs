//! `validate` and `schema`: what is wrong is found, with its place.

use serde_json::{Value, json};

use crate::kit::{Bench, sample};

#[test]
fn every_file_that_the_stages_write_is_valid() {
    let bench = Bench::summarized(5);
    bench.done(&["publish", "summary.json", "--data", "data"]);
    let files = [
        "corpus.json",
        "plan.json",
        "outcomes.jsonl",
        "summary.json",
        "data/index.json",
        "data/latest/summary.json",
        "data/state/last-run.json",
    ];
    let arguments = [&["validate", "--plan", "plan.json"][..], &files].concat();
    let valid = bench.done(&arguments);
    assert_eq!(valid.stdout.lines().count(), files.len());
    assert!(valid.stdout.contains("data/state/last-run.json: valid last-run.v1"), "{}", valid.stdout);
}

#[test]
fn the_embedded_corpus_is_valid() {
    let bench = Bench::with_sweeps(1);
    bench.put_json("whole.json", &sample());
    bench.done(&["validate", "whole.json"]);
}

/// Edits a file and expects a problem at a place with some words.
#[track_caller]
fn wrong(bench: &Bench, name: &str, edit: impl FnOnce(&mut Value), said: &[&str]) {
    let before = bench.read(name);
    bench.edit(name, edit);
    let found = bench.ends(&["validate", name]);
    assert_eq!(found.code, Some(4), "{found:?}");
    for text in said {
        assert!(found.stdout.contains(text), "`{text}` is not in: {}", found.stdout);
    }
    bench.put(name, before);
}

#[test]
fn what_is_wrong_with_a_corpus_is_named_with_its_place() {
    let bench = Bench::with_sweeps(5);
    let name = "corpus.json";
    let point =
        |corpus: &mut Value, field: &str, value: Value| corpus["sweeps"][1]["points"][0][field] = value;
    wrong(&bench, name, |c| point(c, "ttft_ms", json!(-1.0)), &["sweeps[1].points[0].ttft_ms: "]);
    wrong(&bench, name, |c| point(c, "ttft_ms", json!(0)), &["sweeps[1].points[0].ttft_ms: "]);
    wrong(&bench, name, |c| point(c, "tpot_ms", json!("fast")), &["sweeps[1].points[0].tpot_ms: "]);
    wrong(&bench, name, |c| point(c, "colour", json!("red")), &["colour"]);
    wrong(
        &bench,
        name,
        |c| point(c, "concurrency", json!(4096)),
        &["points[1].concurrency: concurrency", "twice or out of order"],
    );
    wrong(
        &bench,
        name,
        |c| c["sweeps"].as_array_mut().unwrap().swap(0, 1),
        &["sweeps[1].id: ", "is out of order"],
    );
    wrong(
        &bench,
        name,
        |c| {
            let sweeps = c["sweeps"].as_array_mut().unwrap();
            sweeps.insert(0, sweeps[0].clone());
        },
        &["sweeps[1].id: ", "is there twice", "rows.kept: "],
    );
    wrong(&bench, name, |c| c["sweeps"][0]["isl"] = json!(77), &["sweeps[0].id: is ", "makes it"]);
    wrong(&bench, name, |c| c["sweeps"][0]["verdict"] = json!("EXACT"), &["sweeps[0].verdict: is EXACT"]);
    wrong(&bench, name, |c| c["sweeps"][0]["id"] = json!("../../etc"), &["sweeps[0].id"]);
    wrong(&bench, name, |c| c["rows"]["kept"] = json!(1), &["rows"]);
    wrong(&bench, name, |c| c["source"]["date"] = json!("2026-02-30"), &["source.date: "]);
}

#[test]
fn a_touched_figure_is_found_by_computing_it_again() {
    let bench = Bench::summarized(5);
    let name = "summary.json";
    wrong(
        &bench,
        name,
        |summary| {
            let aggregates = summary["aggregates"].as_array_mut().unwrap();
            let scored = aggregates.iter_mut().find(|one| one["figures"]["mape"].is_f64()).unwrap();
            let mape = scored["figures"]["mape"].as_f64().unwrap();
            scored["figures"]["mape"] = json!(mape + 1e-10);
        },
        &["the file says"],
    );
    wrong(
        &bench,
        name,
        |s| s["sweeps"][0]["points"][0]["ttft_ms"] = json!(1.0),
        &["summary.json: not a valid summary.v1"],
    );
    wrong(
        &bench,
        name,
        |s| s["run"]["id"] = json!("2026-09-28_aic-unversioned_00000000"),
        &["id of the snapshot"],
    );
    wrong(&bench, name, |s| s["run"]["id"] = json!("a/b"), &["run.id"]);
    wrong(&bench, name, |s| s["run"]["generated_at"] = json!("yesterday"), &["run.generated_at: "]);
    wrong(&bench, name, |s| s["run"]["primary"] = json!("blis"), &["run.primary: "]);
}

#[test]
fn outcomes_are_checked_line_by_line_and_against_their_plan() {
    let bench = Bench::run(4);
    let text = String::from_utf8(bench.read("outcomes.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let found = |lines: &[&str]| {
        bench.put("changed.jsonl", lines.join("\n") + "\n");
        let found = bench.ends(&["validate", "changed.jsonl", "--plan", "plan.json"]);
        assert_eq!(found.code, Some(4), "{found:?}");
        found.stdout
    };
    assert!(found(&[&lines[..2], &lines[3..]].concat()).contains("no outcome of"));
    assert!(found(&[&lines[..1], &lines[2..3], &lines[1..2], &lines[3..]].concat()).contains("line 3: "));
    let negative = lines[1].replacen("\"ttft_ms\":", "\"ttft_ms\":-", 1);
    assert!(found(&[&lines[..1], &[&negative], &lines[2..]].concat()).contains("line 2, outcome"));
    let not_a_number = lines[1].replacen("\"ttft_ms\":", "\"ttft_ms\":NaN", 1);
    assert!(found(&[&lines[..1], &[&not_a_number], &lines[2..]].concat()).contains("line 2: is not JSON"));
    let other = format!("\"request\":\"{}\"", "0".repeat(64));
    let request = lines[1].find("\"request\"").unwrap();
    let forged = format!("{}{other}{}", &lines[1][..request], &lines[1][request + other.len()..]);
    assert!(
        found(&[&lines[..1], &[&forged], &lines[2..]].concat()).contains("line 2, request: answers another")
    );
}

#[test]
fn what_is_printed_as_json_is_checked_against_its_schema() {
    let bench = Bench::summarized(3);
    bench.done(&["report", "summary.json", "--format", "json", "-o", "report.json"]);
    bench.done(&["compare", "summary.json", "summary.json", "--format", "json", "-o", "comparison.json"]);
    let valid = bench.done(&["validate", "report.json", "comparison.json"]).stdout;
    assert_eq!(valid, "report.json: valid report.v1\ncomparison.json: valid comparison.v1\n");
    wrong(&bench, "report.json", |r| r["colour"] = json!("red"), &["not a valid report.v1", "colour"]);
    wrong(&bench, "report.json", |r| r["schema"] = json!("report.v2"), &["schema: "]);
    wrong(&bench, "comparison.json", |c| c["rows"] = json!(1), &["not a valid comparison.v1", "rows: "]);
}

#[test]
fn latencies_that_nobody_can_have_measured_are_refused() {
    let bench = Bench::with_sweeps(3);
    for latency in [5e-324, 1e308] {
        let set = |c: &mut Value| c["sweeps"][0]["points"][0]["ttft_ms"] = json!(latency);
        wrong(&bench, "corpus.json", set, &["sweeps[0].points[0].ttft_ms: "]);
    }
}

#[test]
fn a_deeply_nested_file_is_refused_in_a_few_words() {
    let bench = Bench::with_sweeps(1);
    bench.put("deep.json", "[".repeat(10_000));
    let found = bench.ends(&["validate", "deep.json"]);
    assert_eq!(found.code, Some(4));
    assert!(found.stdout.len() < 400 && found.stdout.contains('…'), "{}", found.stdout);
}

#[test]
fn every_problem_is_listed_up_to_a_bound_and_as_json_too() {
    let bench = Bench::with_sweeps(113);
    bench.edit("corpus.json", |corpus| {
        for sweep in corpus["sweeps"].as_array_mut().unwrap() {
            sweep["points"][0]["ttft_ms"] = json!(-1);
        }
    });
    let found = bench.ends(&["validate", "corpus.json", "--format", "json"]);
    assert_eq!(found.code, Some(4));
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(found[0]["problems"].as_array().unwrap().len(), 50);
    assert_eq!(found[0]["more"], 63);
}

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let bench = Bench::with_sweeps(1);
    bench.done(&["schema", "--out", "schemas"]);
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../schemas");
    let names = |folder: &std::path::Path| {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(committed.as_ref()), names(&bench.path("schemas")));
    for name in names(committed.as_ref()) {
        let ours = std::fs::read_to_string(bench.path("schemas").join(&name)).unwrap();
        let theirs = std::fs::read_to_string(std::path::Path::new(committed).join(&name)).unwrap();
        assert!(ours == theirs, "{}: run `scorer schema --out schemas`", name.display());
    }
    bench.ends(&["schema", "colour.v1"]).refused(2, &["no kind of file `colour.v1`", "summary.v1"]);
}
