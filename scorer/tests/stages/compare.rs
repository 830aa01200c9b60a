//! `compare` and its gate.

use std::fmt::Write as _;

use scorer::validate;
use serde_json::{Value, json};
use shared::rules::{Grading, RuleBook};

use crate::kit::{Bench, Edit};

/// A bench with `a.json`, and `b.json` in which the outcomes of `roofline` are what `change` makes of them.
fn changed(change: impl Fn(usize, &mut Value)) -> Bench {
    let bench = Bench::planned(8, "aic,roofline");
    bench.done(&["run", "plan.json", "-o", "outcomes.jsonl"]);
    let summarize = |outcomes: &str, output: &str| {
        bench.done(&["summarize", "corpus.json", outcomes, "-o", output]);
    };
    summarize("outcomes.jsonl", "a.json");
    let text = String::from_utf8(bench.read("outcomes.jsonl")).unwrap();
    let mut lines = text.lines();
    let mut changed = format!("{}\n", lines.next().unwrap());
    for (index, line) in lines.enumerate() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        if record["estimator"] == "roofline" {
            change(index, &mut record["outcome"]);
        }
        writeln!(changed, "{record}").unwrap();
    }
    bench.put("changed.jsonl", changed);
    summarize("changed.jsonl", "b.json");
    bench
}

fn slower(outcome: &mut Value) {
    for latency in ["ttft_ms", "tpot_ms"] {
        let value = outcome["scored"][latency].as_f64().unwrap();
        outcome["scored"][latency] = json!(value * 100.0);
    }
}

fn comparison(bench: &Bench, a: &str, b: &str) -> Value {
    let json = serde_json::from_str(&bench.done(&["compare", a, b, "--format", "json"]).stdout).unwrap();
    assert_eq!(validate::problems(&validate::schemas()["comparison.v1.json"], &json), []);
    json
}

#[test]
fn a_snapshot_does_not_differ_from_itself() {
    let bench = Bench::summarized(8);
    let same = comparison(&bench, "summary.json", "summary.json");
    assert_eq!(same["comparability"], "comparable");
    let rows = same["rows"].as_array().unwrap();
    assert!(rows.len() > 100);
    for row in rows {
        let delta = &row["mape"]["delta"];
        assert!(delta.is_null() || *delta == json!(0.0), "{row}");
    }
    assert_eq!(same["sweeps"], json!([]));
    bench.done(&["compare", "summary.json", "summary.json", "--gate"]);
}

#[test]
fn the_direction_only_changes_the_sign() {
    let bench = changed(|_, outcome| slower(outcome));
    let (forth, back) = (comparison(&bench, "a.json", "b.json"), comparison(&bench, "b.json", "a.json"));
    let mut differences = 0;
    for (forth, back) in forth["rows"].as_array().unwrap().iter().zip(back["rows"].as_array().unwrap()) {
        for figure in ["mape", "shape", "signed_mean", "at_lowest", "at_highest"] {
            if let (Some(forth), Some(back)) =
                (forth[figure]["delta"].as_f64(), back[figure]["delta"].as_f64())
            {
                assert_eq!(forth, -back);
                differences += usize::from(forth != 0.0);
            }
        }
    }
    assert!(differences > 10);
}

#[test]
fn the_gate_tells_worse_from_lost_from_not_comparable() {
    let bench = changed(|_, outcome| slower(outcome));
    let worse = bench.ends(&["compare", "a.json", "b.json", "--gate"]);
    assert_eq!(worse.code, Some(10), "{worse:?}");
    assert!(worse.stdout.contains("Gate: a sweep is worse"), "{}", worse.stdout);
    bench.done(&["compare", "b.json", "a.json", "--gate"]);
    bench.done(&["compare", "a.json", "b.json", "--gate", "--worse-points", "100000"]);
    bench.done(&["compare", "a.json", "b.json", "--gate", "--estimator", "aic"]);

    let bench = changed(|index, outcome| {
        if index < 2 {
            *outcome = json!({ "not_scored": { "reason": "timeout", "detail": "after 900 s\n::error::" } });
        }
    });
    let lost = bench.ends(&["compare", "a.json", "b.json", "--gate", "--format", "github"]);
    assert_eq!(lost.code, Some(11), "{lost:?}");
    assert_eq!(lost.stdout.lines().count(), 1, "{}", lost.stdout);
    assert!(lost.stdout.starts_with("::error title=Accuracy gate%3A no longer scored::"), "{}", lost.stdout);

    bench.edit("b.json", |summary| {
        summary["rules"]["rules"]["definitions"] = json!(2);
        summary["rules"]["digest"] = "0".repeat(64).into();
    });
    let other = bench.ends(&["compare", "a.json", "b.json", "--gate"]);
    assert_eq!(other.code, Some(12), "{other:?}");
    assert!(other.stdout.contains("follow different scoring rules"), "{}", other.stdout);
    bench.ends(&["report", "b.json"]).refused(4, &["b.json: cannot be reported on", "version 2"]);
}

#[test]
fn a_snapshot_that_contradicts_itself_is_not_compared() {
    let bench = Bench::summarized(8);
    let whole = bench.json("summary.json");
    let edits: [Edit; 5] = [
        (|s| s["rules"]["rules"]["spike_factor"] = json!(99.0), "digest of the rules"),
        (|s| s["sweeps"].as_array_mut().unwrap().truncate(5), "coverage: the file says"),
        (
            |s| {
                for sweep in s["sweeps"].as_array_mut().unwrap() {
                    for point in sweep["points"].as_array_mut().unwrap() {
                        let tpot = &mut point["predictions"]["aic"]["scored"]["tpot_ms"];
                        *tpot = json!(tpot.as_f64().unwrap() * 0.8);
                    }
                }
            },
            "id of the snapshot",
        ),
        (|s| s["sweeps"].as_array_mut().unwrap().reverse(), "sweeps sorted by id"),
        (
            |s| {
                s["rules"]["rules"]["bootstrap_rounds"] = json!(4_000_000_000_u32);
                let rules = serde_json::from_value(s["rules"]["rules"].clone()).unwrap();
                s["rules"] = serde_json::to_value(RuleBook::of(rules, &Grading::default())).unwrap();
            },
            "`bootstrap_rounds` of the rules must be at most 10000, not 4000000000",
        ),
    ];
    for (edit, said) in edits {
        let mut forged = whole.clone();
        edit(&mut forged);
        bench.put_json("forged.json", &forged);
        let not_valid = ["forged.json: not a valid summary.v1: ", said, "`scorer validate forged.json`"];
        bench.ends(&["compare", "summary.json", "forged.json", "--gate"]).refused(4, &not_valid);
        bench.ends(&["compare", "forged.json", "summary.json"]).refused(4, &not_valid);
        bench.ends(&["report", "forged.json"]).refused(4, &not_valid);
        let found = bench.ends(&["validate", "forged.json"]);
        assert_eq!(found.code, Some(4), "{found:?}");
    }
}

#[test]
fn an_estimator_or_format_that_gives_nothing_is_refused() {
    let bench = Bench::summarized(3);
    for gate in [&[][..], &["--gate"]] {
        let arguments = [&["compare", "summary.json", "summary.json", "--estimator", "ghost"], gate].concat();
        bench.ends(&arguments).refused(2, &["estimator `ghost`", "choose from aic, aisimulate"]);
    }
    let github = ["compare", "summary.json", "summary.json", "--format", "github"];
    bench.ends(&github).refused(2, &["--gate"]);
    let passed = bench.done(&[&github[..], &["--gate"]].concat());
    assert!(passed.stdout.starts_with("::notice title=Accuracy gate%3A pass::"), "{}", passed.stdout);
    // B's primary estimator is not in A: the gate says so.
    bench.done(&["plan", "corpus.json", "-o", "one.json", "--estimators", "aic"]);
    bench.done(&["run", "one.json", "-o", "one.jsonl"]);
    bench.done(&["summarize", "corpus.json", "one.jsonl", "-o", "a.json"]);
    let outcomes = ["summarize", "corpus.json", "outcomes.jsonl", "-o", "b.json", "--primary", "aisimulate"];
    bench.done(&outcomes);
    let other = bench.ends(&["compare", "a.json", "b.json", "--gate"]);
    assert_eq!(other.code, Some(12), "{other:?}");
    assert!(
        other.stdout.contains("do not both have what the gate looks at: aisimulate."),
        "{}",
        other.stdout
    );
}

#[test]
fn people_see_what_changed_and_why_in_text_and_markdown() {
    let bench = changed(|_, outcome| slower(outcome));
    for format in ["text", "markdown"] {
        let shown = bench.done(&["compare", "a.json", "b.json", "--format", format, "--limit", "2"]).stdout;
        for words in
            ["Why the MAPE changed", "everything", "TPOT of roofline", "and 5 more: --limit 7 lists all"]
        {
            assert!(shown.contains(words), "`{words}` is not in: {shown}");
        }
    }
    let table =
        bench.done(&["compare", "a.json", "b.json", "--format", "csv", "--by", "all", "--tier", "all"]);
    let mut table = csv::Reader::from_reader(table.stdout.as_bytes());
    // Two estimators, two metrics, five figures.
    assert_eq!(table.records().map(Result::unwrap).count(), 2 * 2 * 5);
}

#[test]
fn snapshots_are_found_by_file_folder_id_and_as_the_latest() {
    let bench = Bench::summarized(3);
    bench.done(&["publish", "summary.json", "--data", "data"]);
    let id = bench.json("summary.json")["run"]["id"].as_str().unwrap().to_owned();
    for name in ["summary.json", "data/latest", &id, "latest"] {
        bench.done(&["compare", "summary.json", name, "--quiet"]);
    }
    bench.ends(&["compare", "summary.json", "2026"]).refused(3, &["no snapshot `2026`", "--data"]);
    bench.ends(&["compare", "summary.json", "../x"]).refused(3, &["no snapshot `../x`"]);
    bench.ends(&["compare", "summary.json", "corpus.json"]).refused(4, &["corpus.json", "summary.v1"]);
    bench
        .ends(&["compare", "a", "b", "--tier", "best"])
        .refused(2, &["choose from strict, measured-or-resolved, all"]);
}
