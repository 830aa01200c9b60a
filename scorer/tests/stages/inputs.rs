//! Inputs that are not what they should be: every command says what, where and what to do.

use std::fs::File;

use serde_json::json;

use crate::kit::{Bench, Edit};

/// Every command that reads a file of ours, with `X` in the place of that file.
const READERS: [&[&str]; 6] = [
    &["plan", "X"],
    &["run", "X", "-o", "out.jsonl"],
    &["summarize", "X", "outcomes.jsonl"],
    &["summarize", "corpus.json", "X"],
    &["merge", "X"],
    &["publish", "X", "--data", "data"],
];

fn each(name: &str, code: i32, said: &[&str], prepare: impl Fn(&Bench)) {
    let bench = Bench::run(3);
    prepare(&bench);
    let before = bench.names();
    for reader in READERS {
        let arguments: Vec<&str> = reader.iter().map(|word| if *word == "X" { name } else { word }).collect();
        let refused = bench.ends(&arguments);
        assert_eq!(refused.stdout, "", "{arguments:?}");
        refused.refused(code, said);
        assert!(refused.stderr.starts_with("error: "), "{arguments:?}: {}", refused.stderr);
    }
    assert_eq!(bench.names(), before, "something was written");
}

#[test]
fn a_missing_file() {
    each("nothing.json", 3, &["nothing.json: no such file", "advice:"], |_| {});
}

#[test]
fn a_folder() {
    each("folder", 3, &["folder: this is a folder"], |bench| {
        std::fs::create_dir(bench.path("folder")).unwrap();
    });
}

#[test]
fn an_empty_file() {
    each("empty.json", 4, &["empty.json: is empty", "advice:"], |bench| bench.put("empty.json", ""));
}

#[test]
fn a_file_that_is_cut_off() {
    let cut = "{\"schema\":\"plan.v1\",\"digest\":\"00";
    each("cut.json", 4, &["cut.json"], |bench| bench.put("cut.json", cut));
}

#[test]
fn a_file_of_bytes_that_are_no_text() {
    each("image.png", 4, &["image.png"], |bench| bench.put("image.png", b"\x89PNG\r\n\x1a\n\0\xff"));
}

#[test]
fn a_file_of_another_kind() {
    let text = "{\"schema\":\"last-run.v1\",\"simulator\":\"a\",\"measurements\":\"b\",\"snapshot\":\"c\"}\n";
    each("other.json", 4, &["other.json", "`last-run.v1`"], |bench| bench.put("other.json", text));
}

#[test]
fn a_file_of_a_newer_version() {
    let bench = Bench::run(3);
    bench.edit("corpus.json", |corpus| corpus["schema"] = "corpus.v2".into());
    let refused = bench.ends(&["plan", "corpus.json"]);
    refused.refused(4, &["corpus.json", "schema `corpus.v2` is newer than `corpus.v1`", "update it"]);
}

#[test]
fn a_huge_file() {
    // A hole of 9 GiB: no space is needed, and it must not be read.
    each("huge.json", 3, &["huge.json: is larger than the limit", "advice:"], |bench| {
        File::create(bench.path("huge.json")).unwrap().set_len(9 << 30).unwrap();
    });
}

#[test]
fn numbers_that_are_no_latencies() {
    let bench = Bench::run(3);
    let good = String::from_utf8(bench.read("corpus.json")).unwrap();
    let place = good.find("\"ttft_ms\":").unwrap() + "\"ttft_ms\":".len();
    let end = place + good[place..].find(',').unwrap();
    for number in ["NaN", "-1.5", "0", "1e999", "null", "\"7\""] {
        bench.put("corpus.json", format!("{}{number}{}", &good[..place], &good[end..]));
        bench.ends(&["plan", "corpus.json"]).refused(4, &["corpus.json", "column"]);
        let found = bench.ends(&["validate", "corpus.json"]);
        assert_eq!(found.code, Some(4), "{number}: {found:?}");
    }
}

#[test]
fn points_and_sweeps_that_are_there_twice() {
    let bench = Bench::run(3);
    bench.edit("corpus.json", |corpus| {
        let points = corpus["sweeps"][0]["points"].as_array_mut().unwrap();
        points.insert(1, points[0].clone());
    });
    bench.ends(&["plan", "corpus.json"]).refused(
        4,
        &[
            "sweeps[0].points[1].concurrency: ",
            "is there twice or out of order",
            "`scorer validate corpus.json`",
        ],
    );
    let bench = Bench::run(3);
    bench.edit("corpus.json", |corpus| {
        let sweeps = corpus["sweeps"].as_array_mut().unwrap();
        sweeps.push(sweeps[0].clone());
    });
    bench.ends(&["plan", "corpus.json"]).refused(4, &["not a valid corpus.v1: sweeps[3].id", "out of order"]);
}

#[test]
fn a_corpus_that_validate_refuses_is_refused_by_all() {
    let edits: [Edit; 11] = [
        (|c| c["sweeps"][0]["points"][1]["predictions"]["aic"]["ttft"] = json!(-1.0), "predictions.aic"),
        (|c| c["sweeps"][0]["points"][1]["predictions"]["aic"]["tpot"] = json!(1e300), "predictions.aic"),
        (|c| c["sweeps"].as_array_mut().unwrap().swap(0, 1), "is out of order"),
        (|c| c["sweeps"][0]["points"][0]["concurrency"] = json!(0), "points[0].concurrency: "),
        (|c| c["sweeps"][0]["id"] = json!("0000000000000001"), "the sweep's content makes it"),
        (|c| c["sweeps"][0]["points"] = json!([]), "has 0 concurrencies, but at least 3"),
        (|c| c["sweeps"][0]["range_ratio"] = json!(1.5), "range_ratio: must be from 0 to 1, not 1.5"),
        (
            |c| c["sweeps"][0]["prompts_per_concurrency"] = json!(0),
            "prompts_per_concurrency: must be at least 1",
        ),
        (|c| c["selection"]["min_concurrencies"] = json!(0), "is 0, but a sweep needs at least 3"),
        (
            |c| c["published_estimators"]["roofline"] = c["published_estimators"]["aic"].clone(),
            "is the id of a built-in estimator",
        ),
        (|c| c["sweeps"][0]["dates"]["last"] = json!("2026-02-30"), "dates.last: `2026-02-30` is no day"),
    ];
    let bench = Bench::run(3);
    let whole = bench.read("corpus.json");
    for (edit, said) in edits {
        bench.put("corpus.json", &whole);
        bench.edit("corpus.json", edit);
        for reader in [&["plan"][..], &["report"], &["summarize", "outcomes.jsonl"]] {
            let arguments = [&reader[..1], &["corpus.json"], &reader[1..]].concat();
            bench.ends(&arguments).refused(4, &["corpus.json: not a valid corpus.v1: ", "`scorer validate"]);
        }
        let found = bench.ends(&["validate", "corpus.json"]);
        assert_eq!(found.code, Some(4), "{found:?}");
        assert!(found.stdout.contains(said), "`{said}` is not in: {}", found.stdout);
    }
}

#[test]
fn a_kind_of_file_in_the_place_of_another() {
    let bench = Bench::run(3);
    bench
        .ends(&["summarize", "corpus.json", "plan.json"])
        .refused(4, &["plan.json: is not the kind of file that is needed here", "schema is `plan.v1`"]);
    bench.ends(&["summarize", "outcomes.jsonl", "corpus.json"]).refused(
        4,
        &["outcomes.jsonl: is not the kind of file that is needed here", "schema is `outcomes.v1`"],
    );
}

#[test]
fn a_corpus_without_sweeps() {
    let bench = Bench::run(3);
    bench.edit("corpus.json", |corpus| {
        corpus["sweeps"] = json!([]);
        corpus["rows"] = json!({ "read": 0, "kept": 0, "skipped": [] });
    });
    bench.ends(&["plan", "corpus.json"]).refused(4, &["there is nothing to plan"]);
}

#[test]
fn outputs_that_cannot_be_written() {
    let bench = Bench::run(3);
    bench
        .ends(&["plan", "corpus.json", "-o", "no/such/plan.json"])
        .refused(5, &["its folder does not exist"]);
    bench
        .ends(&["run", "plan.json", "-o", "no/such/o.jsonl"])
        .refused(5, &["no/such/o.jsonl: cannot be written"]);
    std::fs::create_dir(bench.path("folder")).unwrap();
    bench.ends(&["run", "plan.json", "-o", "folder"]).refused(5, &["folder"]);
    if cfg!(target_os = "linux") {
        for arguments in [["plan", "corpus.json", "-o", "/dev/full"], ["schema", "--out", "/dev/full", "-q"]]
        {
            bench.ends(&arguments).refused(5, &["/dev/full"]);
        }
    }
}
