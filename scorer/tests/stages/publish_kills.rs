//! `publish`, killed: at every one of its system calls, and at moments of no order. After every death each file is whole, and the
//! next publish brings all of it up to date.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use scorer::validate;

use crate::fake::example;
use crate::kit::Bench;
use crate::publish::{expected, two};
use crate::tree::tree;

/// How many kills of no order are made, and for how long at most: `PUBLISH_KILLS` says another number, and then all are made.
const KILLS: u32 = 200;
const LONGEST: Duration = Duration::from_mins(1);

/// The states in which the death of a publisher of `b.json` may leave `data`: each file is whole, and the list has all snapshots,
/// lacks the new one, or has it while the latest is still the one before it.
#[track_caller]
fn assert_valid(bench: &Bench, id: &str) {
    let problems = |name: &str| -> Vec<String> {
        let found = validate::file(&bench.path(name), None).unwrap();
        found.problems.iter().map(ToString::to_string).collect()
    };
    let unlisted = format!("snapshots: {id} is in the directory, but not listed");
    let lagging = "snapshots[0]: latest/summary.json is not a copy of it";
    let found = problems("data/index.json");
    assert!(found.is_empty() || found == [unlisted.as_str()] || found == [lagging], "{found:?}");
    for name in ["data/latest/summary.json", "data/state/last-run.json"] {
        assert_eq!(problems(name), Vec::<String>::new(), "{name}");
    }
}

/// `data` with `a.json` alone, as it was before the publisher that dies.
fn reset(bench: &Bench, before: &BTreeMap<PathBuf, Vec<u8>>) {
    let data = bench.path("data");
    if data.exists() {
        std::fs::remove_dir_all(&data).unwrap();
    }
    for (name, bytes) in before {
        let path = data.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Two snapshots, of which the first is published; the directory before, and the id of the second.
fn published() -> (Bench, BTreeMap<PathBuf, Vec<u8>>, String) {
    let bench = two();
    bench.done(&["publish", "a.json", "--data", "data"]);
    let before = tree(&bench.path("data"));
    let id = bench.json("b.json")["run"]["id"].as_str().unwrap().to_owned();
    (bench, before, id)
}

fn is_unfinished(data: &Path) -> bool {
    tree(data).iter().any(|(name, _)| name.to_string_lossy().contains(".unfinished-"))
}

#[test]
fn a_publish_that_is_killed_at_every_system_call_leaves_whole_files_and_is_repaired_by_the_next() {
    let (bench, before, id) = published();
    let expected = expected(&bench);
    let (mut deaths, mut unfinished) = (0, 0);
    for number in 1.. {
        let mut ended = false;
        for place in ["before", "within"] {
            reset(&bench, &before);
            let mut publisher = Command::new(example("dying_publisher"));
            publisher.arg(bench.path("b.json")).arg(bench.path("data")).args([&number.to_string(), place]);
            let status = publisher.status().unwrap();
            ended |= status.success();
            if status.success() {
                continue;
            }
            assert_eq!(status.signal(), Some(9), "call {number}, {place}: {status}");
            deaths += 1;
            unfinished += u32::from(is_unfinished(&bench.path("data")));
            assert_valid(&bench, &id);
            bench.done(&["publish", "b.json", "--data", "data"]);
            assert_eq!(tree(&bench.path("data")), expected, "call {number}, {place}");
        }
        if ended {
            break;
        }
    }
    assert!(
        deaths > 30 && unfinished > 10,
        "{deaths} deaths, {unfinished} of them with something unfinished"
    );
}

#[test]
fn a_publish_that_is_killed_at_200_moments_leaves_whole_files_and_is_repaired_by_the_next() {
    let asked = std::env::var("PUBLISH_KILLS").ok().map(|text| text.parse::<u32>().unwrap());
    let (bench, before, id) = published();
    let expected = expected(&bench);
    let start = Instant::now();
    bench.done(&["publish", "b.json", "--data", "scratch"]);
    let whole = start.elapsed();
    for kill in 0..asked.unwrap_or(KILLS) {
        if asked.is_none() && start.elapsed() > LONGEST {
            break;
        }
        let mut child = bench.spawn(&["publish", "b.json", "--data", "data"]);
        // Multiples of the golden ratio: spread over all of it evenly, in no order.
        thread::sleep(whole.mul_f64((f64::from(kill) * 0.618_033_988_749_895).fract()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_valid(&bench, &id);
        // Some die on what others left; then all of it is repaired.
        if kill % 4 == 3 {
            bench.done(&["publish", "b.json", "--data", "data"]);
            assert_eq!(tree(&bench.path("data")), expected);
            reset(&bench, &before);
        }
    }
    bench.done(&["publish", "b.json", "--data", "data"]);
    assert_eq!(tree(&bench.path("data")), expected);
}
