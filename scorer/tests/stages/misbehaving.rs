//! `run` with simulators that do wrong in every way that we could think of.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::fake::{Way, is_alive, processes, run};
use crate::kit::Bench;

/// Limits that a test can wait for.
const LIMITS: [&str; 7] = ["--jobs", "8", "--deadline", "3s", "--grace", "300ms", "--no-cache"];

/// Ways, the reason that each must get, and words of the detail.
const WAYS: [(&str, &str, &str); 20] = [
    ("fails", "run_error", "(exit code 1): fatal: the model does not fit"),
    ("says-nothing", "run_error", "it ended without an answer (exit code 0)"),
    ("says-nothing-for-ever", "timeout", "no answer within 3 s"),
    ("ignores-the-end", "timeout", "no answer within 3 s"),
    ("prints-garbage", "bad_result", "not an answer: expected value"),
    ("prints-invalid-utf8", "bad_result", "not an answer: invalid unicode"),
    ("prints-half-an-answer", "bad_result", "not an answer: EOF while parsing"),
    ("answers-another", "bad_result", "an answer to request `another`"),
    ("half-the-requests", "incomplete_run", "requests were completed"),
    ("a-row-missing", "incomplete_run", "requests were completed"),
    ("a-row-twice", "bad_result", "two rows of request 0"),
    ("wrong-tokens", "bad_result", "1000000 output tokens, but"),
    ("negative-latency", "bad_result", "from 0.000001 to 1000000000000, not -1"),
    ("zero-latency", "bad_result", "from 0.000001 to 1000000000000, not 0"),
    ("not-a-number", "bad_result", "NaN and infinities are not JSON"),
    ("infinite-latency", "bad_result", "NaN and infinities are not JSON"),
    ("closes-its-pipes", "run_error", "it closed its stdout without an answer"),
    ("is-killed", "run_error", "it ended without an answer (signal 9)"),
    ("not-executable", "run_error", "cannot be started: Permission denied"),
    ("vanishes", "run_error", ""),
];

/// The ways that do something to their own program.
const OWN_PROGRAMS: [(&str, &str); 2] = [("not-executable", "text"), ("vanishes", "ephemeral")];

fn program(way: &str) -> Option<&'static str> {
    OWN_PROGRAMS.into_iter().find_map(|(own, name)| (own == way).then_some(name))
}

fn predictions(outcomes: &[Value]) -> Vec<&Value> {
    outcomes.iter().map(|line| &line["outcome"]["scored"]).collect()
}

#[test]
fn each_wrong_is_told_as_what_it_is_and_takes_nobody_down() {
    let bench = Bench::with_sweeps(1);
    let folder = bench.path(".").canonicalize().unwrap().display().to_string();
    for (_, name) in OWN_PROGRAMS {
        bench.copy_misbehaving(name);
    }
    let mut ways: Vec<Way> =
        WAYS.iter().map(|(way, ..)| Way { program: program(way), ..Way::with(way, &folder) }).collect();
    ways.push(Way::new("honest"));
    bench.plan_ways(&ways);
    make_unexecutable(&bench, "text");
    bench.done(&run("outcomes.jsonl", &LIMITS));

    for (way, reason, said) in WAYS {
        let outcomes = bench.lines_of("outcomes.jsonl", way);
        assert!(outcomes.len() >= 3, "{way}");
        for outcome in &outcomes {
            let found = &outcome["outcome"]["not_scored"];
            assert_eq!(found["reason"], reason, "{way}: {outcome}");
            assert!(found["detail"].as_str().unwrap().contains(said), "{way}: {found}");
        }
        let attempts = if way == "is-killed" { 3 } else { 1 };
        for timing in bench.lines_of("outcomes.jsonl.timings.jsonl", way) {
            assert_eq!(timing["attempts"], attempts, "{way}: {timing}");
        }
    }
    let honest = bench.lines_of("outcomes.jsonl", "honest");
    assert!(predictions(&honest).iter().all(|prediction| prediction["ttft_ms"].is_f64()), "{honest:?}");
    assert_eq!(processes(&folder), [] as [String; 0]);
}

fn make_unexecutable(bench: &Bench, name: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o644)).unwrap();
}

#[test]
fn what_a_simulator_does_beside_its_answer_does_not_change_it() {
    let bench = Bench::with_sweeps(1);
    let folder = bench.path(".").canonicalize().unwrap();
    let ways =
        ["leaves-a-child", "writes-elsewhere", "is-killed-once"].map(|way| Way::with(way, &folder.display()));
    bench.plan_ways(&[Way::new("honest")].into_iter().chain(ways).collect::<Vec<_>>());
    bench.done(&run("outcomes.jsonl", &LIMITS));
    let honest = bench.lines_of("outcomes.jsonl", "honest");
    for way in ["leaves-a-child", "writes-elsewhere", "is-killed-once"] {
        let outcomes = bench.lines_of("outcomes.jsonl", way);
        assert_eq!(predictions(&outcomes), predictions(&honest), "{way}");
    }
    assert!(folder.join("elsewhere").exists());
    let children: Vec<String> = bench.names().into_iter().filter(|name| name.starts_with("child-")).collect();
    assert!(!children.is_empty());
    for child in children {
        assert!(!is_alive(child.trim_start_matches("child-")), "{child} lives on");
    }
    let attempts = bench.lines_of("outcomes.jsonl.timings.jsonl", "is-killed-once");
    let twice = attempts.iter().filter(|timing| timing["attempts"] == 2).count();
    assert_eq!(twice, 1, "{attempts:?}");
}

#[test]
fn only_the_points_that_are_slow_are_not_scored() {
    let bench = Bench::with_sweeps(1);
    bench.plan_ways(&[Way::new("is-slow-sometimes")]);
    bench.done(&run("outcomes.jsonl", &["--jobs", "8", "--deadline", "2s", "--no-cache"]));
    let outcomes = bench.lines_of("outcomes.jsonl", "is-slow-sometimes");
    let slow = |line: &&Value| line["concurrency"] == 2;
    assert!(outcomes.iter().any(|line| slow(&line)) && !outcomes.iter().all(|line| slow(&line)));
    for line in &outcomes {
        let timed_out = line["outcome"]["not_scored"]["reason"] == "timeout";
        assert_eq!(timed_out, slow(&line), "{line}");
    }
}

#[test]
fn who_prints_a_gigabyte_is_cut_off() {
    let bench = Bench::with_sweeps(1);
    bench.plan_ways(&[Way::new("prints-a-gigabyte")]);
    // No short deadline: what is awaited is the end of our patience with its output, not with it.
    bench.done(&run("outcomes.jsonl", &["--no-cache"]));
    for outcome in bench.lines_of("outcomes.jsonl", "prints-a-gigabyte") {
        let found = &outcome["outcome"]["not_scored"];
        assert_eq!(found["reason"], "bad_result", "{outcome}");
        assert_eq!(found["detail"], "more than 67108864 bytes on stdout");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn who_takes_all_memory_meets_a_limit_and_is_not_asked_again() {
    let bench = Bench::with_sweeps(1);
    bench.plan_ways(&[Way::new("takes-all-memory"), Way::new("honest")]);
    let limits =
        ["--memory", "1G", "--memory-per-job", "512M", "--jobs", "8", "--deadline", "30s", "--no-cache"];
    bench.done(&run("outcomes.jsonl", &limits));
    for outcome in bench.lines_of("outcomes.jsonl", "takes-all-memory") {
        let found = &outcome["outcome"]["not_scored"];
        assert_eq!(found["reason"], "run_error", "{outcome}");
        let detail = found["detail"].as_str().unwrap();
        assert!(detail.contains("(signal 6)"), "{detail}");
    }
    let timings = bench.lines_of("outcomes.jsonl.timings.jsonl", "takes-all-memory");
    assert!(timings.iter().all(|timing| timing["attempts"] == 1), "{timings:?}");
    let honest = bench.lines_of("outcomes.jsonl", "honest");
    assert!(honest.iter().all(|line| line["outcome"]["scored"].is_object()), "{honest:?}");
    let refused = bench.ends(&run("other.jsonl", &["--memory", "1G"]));
    refused.refused(2, &["--memory-per-job"]);
}

#[test]
fn a_second_interrupt_ends_what_is_under_way() {
    let bench = Bench::with_sweeps(1);
    let folder = bench.path(".").canonicalize().unwrap().display().to_string();
    bench.plan_ways(&[Way::with("says-nothing-for-ever", &folder)]);
    let child = bench.spawn(&run("outcomes.jsonl", &["--jobs", "2", "--no-cache"]));
    let start = Instant::now();
    let count = |expected: usize| {
        while processes(&folder).len() != expected {
            assert!(start.elapsed() < Duration::from_secs(20), "{:?}", processes(&folder));
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let interrupt = || {
        let number = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &number]).status().unwrap().success());
    };
    count(2);
    interrupt();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(processes(&folder).len(), 2, "the first interrupt finishes what is under way");
    interrupt();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(8), "{stderr}");
    assert!(stderr.contains("again to give them up") && stderr.contains("given up"), "{stderr}");
    count(0);
}
