//! `run` with a cache, and `cache`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fake::{Way, run};
use crate::kit::Bench;

const CACHE: [&str; 2] = ["--cache-dir", "answers"];

fn planned() -> Bench {
    let bench = Bench::with_sweeps(2);
    bench.plan_ways(&[Way::new("honest"), Way::new("wrong-tokens"), Way::new("fails")]);
    bench
}

/// How often each estimator was asked, over all points.
fn asked(bench: &Bench, output: &str) -> [u64; 3] {
    ["honest", "wrong-tokens", "fails"].map(|way| {
        let timings = bench.lines_of(&format!("{output}.timings.jsonl"), way);
        timings.iter().map(|timing| timing["attempts"].as_u64().unwrap()).sum()
    })
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { entries_of(&path) } else { vec![path] }).collect()
}

fn entries_of(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| !path.ends_with("simulator.json")).collect()
}

#[test]
fn a_cached_run_has_the_same_bytes_and_asks_only_for_what_may_change() {
    let bench = planned();
    bench.done(&run("cold.jsonl", &CACHE));
    let points = asked(&bench, "cold.jsonl")[0];
    assert!(points > 3);
    assert_eq!(asked(&bench, "cold.jsonl"), [points; 3]);
    let again = bench.done(&run("warm.jsonl", &CACHE));
    assert_eq!(bench.read("warm.jsonl"), bench.read("cold.jsonl"));
    // A failure of the simulator is no answer of the estimator.
    assert_eq!(asked(&bench, "warm.jsonl"), [0, 0, points]);
    assert!(
        again.stderr.contains(&format!("{} of these answers came from the cache", 2 * points)),
        "{again:?}"
    );
    bench.done(&run("none.jsonl", &["--no-cache"]));
    assert_eq!(asked(&bench, "none.jsonl"), [points; 3]);
    assert_eq!(bench.read("none.jsonl"), bench.read("cold.jsonl"));
}

#[test]
fn a_damaged_entry_is_computed_again_with_a_warning() {
    let bench = planned();
    bench.done(&run("cold.jsonl", &CACHE));
    let entries = entries_of(&bench.path("answers"));
    fs::write(&entries[0], "{}").unwrap();
    fs::write(&entries[1], "").unwrap();
    let warm = bench.done(&run("warm.jsonl", &CACHE));
    assert!(warm.stderr.contains("warning: the cache failed 2 times"), "{}", warm.stderr);
    assert_eq!(bench.read("warm.jsonl"), bench.read("cold.jsonl"));
    let healed = bench.done(&run("healed.jsonl", &CACHE));
    assert!(!healed.stderr.contains("warning"), "{}", healed.stderr);
}

#[test]
fn another_simulator_has_answers_of_its_own() {
    let bench = planned();
    bench.done(&run("cold.jsonl", &CACHE));
    bench.plan_ways(&[Way::with("honest", &1)]);
    bench.done(&run("other.jsonl", &CACHE));
    assert!(asked(&bench, "other.jsonl")[0] > 3);
}

#[test]
fn the_cache_is_counted_and_cleared() {
    let bench = planned();
    bench.done(&run("cold.jsonl", &CACHE));
    let answers = entries_of(&bench.path("answers")).len();
    let stats = bench.done(&["cache", "stats", "--cache-dir", "answers"]).stdout;
    assert!(stats.starts_with(&format!("answers: {answers} answers, ")), "{stats}");
    assert!(stats.contains("wrong-tokens\n"), "{stats}");
    let json = bench.done(&["cache", "stats", "--cache-dir", "answers", "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["simulators"].as_array().unwrap().len(), 3);
    let cleared = bench.done(&["cache", "clear", "--cache-dir", "answers"]).stdout;
    assert_eq!(cleared, format!("answers: {answers} answers removed\n"));
    assert_eq!(entries_of(&bench.path("answers")), [] as [PathBuf; 0]);
    let empty = bench.done(&["cache", "stats"]).stdout;
    assert!(empty.contains("/blis-accuracy-dashboard/outcomes: 0 answers, 0 bytes\n"), "{empty}");
}
