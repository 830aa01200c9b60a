//! `plan` and `run`: the same bytes however the work went.

use std::fs::File;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::kit::{Bench, ended};

/// A plan that takes a second or more.
fn slow() -> Bench {
    Bench::planned(18, "roofline,aic")
}

fn run(bench: &Bench, output: &str, more: &[&str]) {
    let mut arguments = vec!["run", "plan.json", "-o", output];
    arguments.extend(more);
    bench.done(&arguments);
}

fn lines(bench: &Bench, name: &str) -> usize {
    let bytes = std::fs::read(bench.path(name)).unwrap_or_default();
    bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")).count()
}

#[test]
fn plans_and_outcomes_have_the_same_bytes_every_time_and_with_any_number_of_jobs() {
    let bench = slow();
    bench.done(&["plan", "corpus.json", "-o", "again.json", "--estimators", "aic,roofline"]);
    assert_eq!(bench.read("plan.json"), bench.read("again.json"));
    run(&bench, "one.jsonl", &["--jobs", "1"]);
    run(&bench, "two.jsonl", &["--jobs", "2"]);
    run(&bench, "nine.jsonl", &["--jobs", "9"]);
    assert_eq!(bench.read("one.jsonl"), bench.read("two.jsonl"));
    assert_eq!(bench.read("one.jsonl"), bench.read("nine.jsonl"));
    let items = bench.json("plan.json")["body"]["items"].as_array().unwrap().len();
    assert_eq!(lines(&bench, "one.jsonl"), 1 + items);
    assert_eq!(lines(&bench, "one.jsonl.timings.jsonl"), items);
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let bench = slow();
    run(&bench, "whole.jsonl", &[]);
    let items = lines(&bench, "whole.jsonl");
    let mut resumed = 0;
    for attempt in 0..200 {
        let mut child = bench.spawn(&["run", "plan.json", "-o", "killed.jsonl", "--jobs", "2"]);
        thread::sleep(Duration::from_millis(20 + 15 * attempt));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        resumed += usize::from((2..items).contains(&lines(&bench, "killed.jsonl")));
    }
    run(&bench, "killed.jsonl", &[]);
    assert!(resumed > 0, "no kill came in the middle");
    assert_eq!(bench.read("whole.jsonl"), bench.read("killed.jsonl"));
}

#[test]
fn a_journal_that_ends_anywhere_is_gone_on_with() {
    let bench = Bench::planned(4, "aic");
    run(&bench, "whole.jsonl", &[]);
    let whole = bench.read("whole.jsonl");
    let header = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for cut in
        [0, 1, header / 2, header, header + 1, header + 40, whole.len() / 2, whole.len() - 1, whole.len()]
    {
        bench.put("torn.jsonl", &whole[..cut]);
        run(&bench, "torn.jsonl", &[]);
        assert_eq!(bench.read("torn.jsonl"), whole, "cut at {cut}");
    }
}

#[test]
fn a_complete_run_is_not_run_again() {
    let bench = Bench::run(3);
    let before = bench.read("outcomes.jsonl.timings.jsonl");
    let again = bench.done(&["run", "plan.json", "-o", "outcomes.jsonl"]);
    assert!(again.stderr.contains("are there already"), "{}", again.stderr);
    assert_eq!(bench.read("outcomes.jsonl.timings.jsonl"), before);
}

#[test]
fn a_journal_of_another_plan_is_refused_and_kept() {
    let bench = Bench::run(3);
    let before = bench.read("outcomes.jsonl");
    bench.done(&["plan", "corpus.json", "-o", "plan.json", "--estimators", "aic"]);
    let refused = bench.ends(&["run", "plan.json", "-o", "outcomes.jsonl"]);
    refused.refused(7, &["outcomes.jsonl: holds outcomes of another run (the plan differs)", "advice:"]);
    assert_eq!(bench.read("outcomes.jsonl"), before);
    bench.put("notes.txt", "dear diary\n");
    bench.ends(&["run", "plan.json", "-o", "notes.txt"]).refused(4, &["notes.txt: line 1 is not the header"]);
    assert_eq!(bench.read("notes.txt"), b"dear diary\n");
}

#[test]
fn two_runs_do_not_write_one_output() {
    let bench = Bench::planned(3, "aic");
    let held = File::create(bench.path("outcomes.jsonl")).unwrap();
    held.lock().unwrap();
    let refused = bench.ends(&["run", "plan.json", "-o", "outcomes.jsonl"]);
    refused.refused(6, &["outcomes.jsonl: another run is writing it"]);
    drop(held);
    run(&bench, "outcomes.jsonl", &[]);
}

#[test]
fn a_plan_that_was_changed_or_made_by_another_estimator_is_refused() {
    let bench = Bench::planned(3, "roofline");
    bench
        .edit("plan.json", |plan| plan["body"]["sweeps"][0]["points"][0]["engine"]["block_size"] = 99.into());
    bench.ends(&["run", "plan.json", "-o", "o"]).refused(4, &["the plan's content was changed"]);
    let bench = Bench::planned(3, "roofline");
    let mut plan: shared::plan::Plan = serde_json::from_slice(&bench.read("plan.json")).unwrap();
    "0".clone_into(&mut plan.body.simulators[0].version);
    plan.digest = shared::digest::Digest::of_json(&plan.body).unwrap();
    bench.put("plan.json", serde_json::to_vec(&plan).unwrap());
    bench
        .ends(&["run", "plan.json", "-o", "o"])
        .refused(7, &["`roofline` is not the one", "(version differs)"]);
    assert_eq!(bench.names(), ["corpus.json", "plan.json"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_what_is_done_and_says_how_to_go_on() {
    let bench = slow();
    run(&bench, "whole.jsonl", &[]);
    let child = bench.spawn(&["run", "plan.json", "-o", "stopped.jsonl", "--jobs", "1"]);
    let start = Instant::now();
    while lines(&bench, "stopped.jsonl") < 3 && start.elapsed() < Duration::from_mins(1) {
        thread::sleep(Duration::from_millis(2));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(8), "{stderr}");
    assert!(stderr.contains("the same command goes on"), "{stderr}");
    assert!(lines(&bench, "stopped.jsonl") < lines(&bench, "whole.jsonl"));
    assert!(bench.read("stopped.jsonl").ends_with(b"\n"));
    run(&bench, "stopped.jsonl", &[]);
    assert_eq!(bench.read("stopped.jsonl"), bench.read("whole.jsonl"));
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_loses_nothing_that_was_done() {
    let bench = Bench::planned(6, "aic,aisimulate");
    run(&bench, "whole.jsonl", &[]);
    // Past a limit the system refuses to write, as on a full disk, and the write is cut short.
    let shell = "trap '' XFSZ; ulimit -f 8; exec \"$0\" run plan.json -o full.jsonl";
    let mut command = Command::new("sh");
    command.args(["-c", shell, env!("CARGO_BIN_EXE_scorer")]).current_dir(bench.path("."));
    ended(&mut command).refused(5, &["full.jsonl", "cannot be written"]);
    assert!(lines(&bench, "full.jsonl") > 1);
    run(&bench, "full.jsonl", &[]);
    assert_eq!(bench.read("full.jsonl"), bench.read("whole.jsonl"));
}

#[test]
fn quiet_is_silent_and_data_goes_to_stdout_only_when_asked() {
    let bench = Bench::with_sweeps(3);
    let plan = bench.done(&["plan", "corpus.json", "--estimators", "aic", "--quiet"]);
    assert_eq!(plan.stderr, "");
    assert!(plan.stdout.starts_with("{\"schema\":\"plan.v1\""));
    bench.put("plan.json", plan.stdout);
    let run = bench.done(&["run", "plan.json", "-o", "o.jsonl", "--quiet"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn a_plan_asks_only_for_what_is_there() {
    let bench = Bench::with_sweeps(3);
    let unknown = bench.ends(&["plan", "corpus.json", "--estimators", "aic,vidur"]);
    unknown.refused(2, &["there is no estimator `vidur`", "choose from aic, aisimulate, roofline"]);
    let unknown = bench.ends(&["plan", "corpus.json", "--sweeps", "0123456789abcdef"]);
    unknown.refused(2, &["the corpus has no sweep 0123456789abcdef"]);
    bench.ends(&["plan", "corpus.json", "--sweeps", "a/b"]).refused(2, &["invalid sweep id `a/b`"]);
    bench.ends(&["run", "corpus.json", "-o", "o", "--shard", "4/3"]).refused(2, &["`4/3` is no shard"]);
}

#[test]
fn the_two_profiles_differ_where_the_runs_differ_from_the_defaults() {
    let bench = Bench::with_sweeps(113);
    bench.done(&["plan", "corpus.json", "-o", "recorded.json"]);
    bench.done(&["plan", "corpus.json", "-o", "defaults.json", "--settings", "defaults"]);
    let (recorded, defaults) = (bench.json("recorded.json"), bench.json("defaults.json"));
    let points = |plan: &serde_json::Value| -> Vec<serde_json::Value> {
        let sweeps = plan["body"]["sweeps"].as_array().unwrap();
        sweeps.iter().flat_map(|sweep| sweep["points"].as_array().unwrap().clone()).collect()
    };
    let (recorded, defaults) = (points(&recorded), points(&defaults));
    assert_eq!((recorded.len(), defaults.len()), (573, 573));
    assert!(recorded.iter().any(|point| point["engine"]["kv_tokens"].is_u64()));
    for (recorded, defaults) in recorded.iter().zip(&defaults) {
        assert_eq!(recorded["published"], defaults["published"]);
        assert_eq!(defaults["engine"]["kv_tokens"], serde_json::Value::Null);
        assert_eq!(defaults["engine"]["max_model_len"], serde_json::Value::Null);
        assert_eq!(defaults["engine"]["gpu_memory_utilization"], 0.9);
    }
}
