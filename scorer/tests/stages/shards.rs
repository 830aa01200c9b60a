//! `run --shard`, the shards that clusters give, and `merge`.

use crate::kit::{Bench, Ended, ended};

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

/// A run in an environment that a cluster made.
fn on_cluster(bench: &Bench, output: &str, variables: &[(&str, &str)], more: &[&str]) -> Ended {
    let mut command = bench.command(&["run", "plan.json", "-o", output]);
    command.args(more).envs(variables.iter().copied());
    ended(&mut command)
}

#[test]
fn the_tasks_of_an_array_and_the_pods_of_a_job_take_their_shards_by_themselves() {
    let bench = Bench::planned(6, "aic");
    bench.done(&["run", "plan.json", "-o", "whole.jsonl"]);
    for (number, task) in ["10", "14", "18"].into_iter().enumerate() {
        let array = [
            ("SLURM_ARRAY_TASK_ID", task),
            ("SLURM_ARRAY_TASK_COUNT", "3"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_MAX", "18"),
            ("SLURM_ARRAY_TASK_STEP", "4"),
        ];
        let ran = on_cluster(&bench, &format!("slurm-{number}"), &array, &[]);
        let said =
            format!("shard {}/3: task {task} of Slurm's array of 3, numbered 10 to 18 by 4", number + 1);
        assert!(ran.code == Some(0) && ran.stderr.contains(&said), "{ran:?}");
        let pod = [("JOB_COMPLETION_INDEX", ["0", "1", "2"][number]), ("COMPLETIONS", "3")];
        let ran = on_cluster(&bench, &format!("pod-{number}"), &pod, &[]);
        assert!(ran.code == Some(0) && ran.stderr.contains(&format!("shard {}/3", number + 1)), "{ran:?}");
    }
    bench.done(&["merge", "slurm-0", "slurm-1", "slurm-2", "-o", "slurm.jsonl"]);
    bench.done(&["merge", "pod-2", "pod-1", "pod-0", "-o", "pods.jsonl"]);
    assert_eq!(bench.read("slurm.jsonl"), bench.read("whole.jsonl"));
    assert_eq!(bench.read("pods.jsonl"), bench.read("whole.jsonl"));
}

#[test]
fn a_clusters_variables_that_cannot_be_are_a_usage_error_and_the_flag_wins() {
    let bench = Bench::planned(3, "aic");
    let alone = [("JOB_COMPLETION_INDEX", "1")];
    on_cluster(&bench, "o", &alone, &[]).refused(2, &["but COMPLETIONS is not", "advice: set COMPLETIONS"]);
    let both = [("JOB_COMPLETION_INDEX", "1"), ("SLURM_ARRAY_TASK_ID", "1")];
    on_cluster(&bench, "o", &both, &[]).refused(2, &["are both set", "--shard"]);
    assert!(!bench.path("o").exists());
    let ran = on_cluster(&bench, "o", &both, &["--shard", "2/2"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("shard 2/2: as --shard says"), "{ran:?}");
}
