//! `run --shard` and `merge`.

use crate::kit::Bench;

fn shards(bench: &Bench, count: usize, suffix: &str) -> Vec<String> {
    (1..=count)
        .map(|number| {
            let name = format!("part-{number}-of-{count}.jsonl");
            let shard = format!("{number}/{count}{suffix}");
            bench.done(&["run", "plan.json", "-o", &name, "--shard", &shard]);
            name
        })
        .collect()
}

fn merge<'a>(parts: &'a [String], output: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["merge", "-o", output];
    arguments.extend(parts.iter().map(String::as_str));
    arguments
}

#[test]
fn any_number_of_shards_makes_the_bytes_of_one_run() {
    let bench = Bench::planned(6, "roofline,aic");
    bench.done(&["run", "plan.json", "-o", "whole.jsonl"]);
    for (count, suffix) in [(1, ""), (2, ""), (7, ""), (3, ":hash")] {
        let mut parts = shards(&bench, count, suffix);
        parts.reverse();
        bench.done(&merge(&parts, "merged.jsonl"));
        assert_eq!(bench.read("merged.jsonl"), bench.read("whole.jsonl"), "{count}{suffix}");
        for part in &parts {
            std::fs::remove_file(bench.path(part)).unwrap();
        }
    }
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let bench = Bench::planned(4, "aic");
    let parts = shards(&bench, 3, "");
    let missing = bench.ends(&merge(&parts[..2], "m.jsonl"));
    missing.refused(7, &["items have no outcome (files merged: 1/3, 2/3)", "--partial"]);
    bench.done(&["plan", "corpus.json", "-o", "plan.json", "--estimators", "aisimulate"]);
    bench.done(&["run", "plan.json", "-o", "other.jsonl"]);
    let other = bench.ends(&["merge", &parts[0], "other.jsonl", "-o", "m.jsonl"]);
    other.refused(7, &["part-1-of-3.jsonl and other.jsonl are of different runs (the plan differs)"]);
    assert!(!bench.path("m.jsonl").exists());
}

#[test]
fn duplicates_are_one_when_they_agree_and_an_error_when_they_do_not() {
    let bench = Bench::planned(4, "aic");
    bench.done(&["run", "plan.json", "-o", "whole.jsonl"]);
    bench.done(&["merge", "whole.jsonl", "whole.jsonl", "-o", "m.jsonl"]);
    assert_eq!(bench.read("m.jsonl"), bench.read("whole.jsonl"));
    let text = String::from_utf8(bench.read("whole.jsonl")).unwrap();
    bench.put("changed.jsonl", text.replacen("\"ttft_ms\":", "\"ttft_ms\":1", 1));
    bench
        .ends(&["merge", "whole.jsonl", "changed.jsonl"])
        .refused(4, &["the files disagree on aic of sweep"]);
}

#[test]
fn a_partial_merge_says_so_and_becomes_no_snapshot() {
    let bench = Bench::planned(4, "aic");
    let parts = shards(&bench, 2, "");
    let merged = bench.done(&["merge", &parts[0], "--partial", "-o", "m.jsonl"]);
    assert!(merged.stderr.contains("this file is partial"), "{}", merged.stderr);
    bench.ends(&["summarize", "corpus.json", "m.jsonl"]).refused(7, &["a part of a run (`partial`)"]);
    bench
        .ends(&["summarize", "corpus.json", &parts[0]])
        .refused(7, &["a part of a run (`1/2`)", "scorer merge"]);
}
