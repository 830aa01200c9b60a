//! `publish`: whole snapshots or nothing, whoever else publishes and whatever kills it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use crate::kit::{Bench, ended};
use crate::tree::tree;

/// A bench with `a.json` and `b.json`, two snapshots of different content.
pub fn two() -> Bench {
    let bench = Bench::run(5);
    for (name, primary, at) in
        [("a.json", "aic", "2026-11-29T00:00:00Z"), ("b.json", "aisimulate", "2026-11-30T00:00:00Z")]
    {
        bench.done(&[
            "summarize",
            "corpus.json",
            "outcomes.jsonl",
            "-o",
            name,
            "--primary",
            primary,
            "--generated-at",
            at,
        ]);
    }
    bench
}

/// What `data` has once both are published.
pub fn expected(bench: &Bench) -> BTreeMap<PathBuf, Vec<u8>> {
    bench.done(&["publish", "a.json", "--data", "expected"]);
    bench.done(&["publish", "b.json", "--data", "expected"]);
    tree(&bench.path("expected"))
}

#[test]
fn many_publishers_at_once_take_turns() {
    let bench = two();
    let expected = expected(&bench);
    let children: Vec<_> =
        (0..6).map(|n| bench.spawn(&["publish", ["a.json", "b.json"][n % 2], "--data", "data"])).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(tree(&bench.path("data")), expected);
}

#[test]
fn a_publisher_that_waits_for_too_long_says_who_it_waited_for() {
    let bench = two();
    std::fs::create_dir(bench.path("data")).unwrap();
    let held = std::fs::File::open(bench.path("data")).unwrap();
    held.lock().unwrap();
    let refused = bench.ends(&["publish", "a.json", "--data", "data", "--lock-timeout", "0"]);
    refused.refused(6, &["data: another publisher has held the lock", "advice:"]);
    drop(held);
    bench.done(&["publish", "a.json", "--data", "data", "--lock-timeout", "0"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_what_was_published_as_it_was() {
    let bench = two();
    let expected = expected(&bench);
    bench.done(&["publish", "a.json", "--data", "data"]);
    let before = tree(&bench.path("data"));
    let shell = "trap '' XFSZ; ulimit -f 8; exec \"$0\" publish b.json --data data";
    let mut command = Command::new("sh");
    command.args(["-c", shell, env!("CARGO_BIN_EXE_scorer")]).current_dir(bench.path("."));
    ended(&mut command).refused(5, &["cannot be written"]);
    assert_eq!(tree(&bench.path("data")), before);
    bench.done(&["publish", "b.json", "--data", "data"]);
    assert_eq!(tree(&bench.path("data")), expected);
}

#[test]
fn a_data_directory_that_cannot_be_written_is_named() {
    let bench = two();
    bench.put("file", "");
    bench.ends(&["publish", "a.json", "--data", "file"]).refused(5, &["file: cannot be written"]);
    bench.done(&["publish", "a.json", "--data", "data"]);
    std::fs::remove_dir_all(bench.path("data/state")).unwrap();
    bench.put("data/state", "in the way");
    bench.ends(&["publish", "b.json", "--data", "data"]).refused(5, &["data/state"]);
    // The snapshot itself is there; the next publish that can write finishes the work.
    std::fs::remove_file(bench.path("data/state")).unwrap();
    bench.done(&["publish", "b.json", "--data", "data"]);
    bench.done(&["validate", "data/index.json", "data/state/last-run.json"]);
}

#[test]
fn a_snapshot_that_was_changed_stops_publishing_and_the_site_until_it_is_restored() {
    let bench = two();
    std::fs::create_dir(bench.path("dist")).unwrap();
    bench.put("dist/index.html", "<noscript><!-- noscript-table --></noscript>");
    bench.done(&["publish", "a.json", "--data", "data"]);
    let file = format!("data/snapshots/{}/summary.json", bench.json("a.json")["run"]["id"].as_str().unwrap());
    let published = bench.read(&file);
    bench.put(
        &file,
        String::from_utf8(published.clone()).unwrap().replacen("\"ttft_ms\":1", "\"ttft_ms\":2", 1),
    );
    let advice = "advice: restore the snapshot's directory";
    let site = ["site", "--page", "dist", "--data", "data", "-o", "site"];
    bench.ends(&site).refused(4, &[&file, advice]);
    bench.ends(&["publish", "b.json", "--data", "data"]).refused(4, &[&file, advice]);
    std::fs::remove_file(bench.path("data/index.json")).unwrap();
    bench.ends(&["publish", "a.json", "--data", "data"]).refused(4, &[&file, advice]);
    assert!(!bench.path("data/index.json").exists());
    bench.put(&file, published);
    let repaired = bench.done(&["publish", "a.json", "--data", "data"]);
    assert!(repaired.stderr.contains("was made again"), "{repaired:?}");
    let unchanged = bench.done(&["publish", "a.json", "--data", "data"]);
    assert!(unchanged.stderr.contains("nothing changed"), "{unchanged:?}");
    bench.done(&site);
    bench.put("data/snapshots/file.txt", "");
    bench
        .ends(&["publish", "a.json", "--data", "data"])
        .refused(4, &["data/snapshots/file.txt: is no directory of a snapshot", "advice: remove it"]);
}

#[test]
fn ids_that_could_leave_the_directory_are_refused() {
    let bench = Bench::summarized(3);
    for id in ["../../evil", "a/b", "..", "", "a\\b"] {
        bench.edit("summary.json", |summary| summary["run"]["id"] = id.into());
        bench
            .ends(&["publish", "summary.json", "--data", "data"])
            .refused(4, &["summary.json", "invalid snapshot id"]);
    }
    assert!(!bench.path("data").exists());
}

#[test]
fn experimental_and_touched_snapshots_are_refused() {
    let bench = Bench::with_sweeps(3);
    bench.edit("corpus.json", |corpus| corpus["source"]["release"] = false.into());
    bench.done(&["plan", "corpus.json", "-o", "plan.json", "--estimators", "aic"]);
    bench.done(&["run", "plan.json", "-o", "outcomes.jsonl"]);
    bench.summarize("summary.json", "2026-11-30T00:00:00Z");
    bench.ends(&["publish", "summary.json", "--data", "data"]).refused(7, &["is experimental", "--out"]);
    bench.done(&["publish", "summary.json", "--out", "mine"]);
    bench.done(&["validate", "mine/summary.json"]);
    bench.edit("summary.json", |summary| summary["run"]["label"] = "released".into());
    bench.ends(&["publish", "summary.json", "--data", "data"]).refused(4, &["is not valid"]);
    bench.edit("summary.json", |summary| {
        summary["sweeps"][0]["points"][0]["predictions"] = serde_json::json!({});
    });
    bench.ends(&["publish", "summary.json", "--data", "data"]).refused(7, &["is partial or unbalanced"]);
}
