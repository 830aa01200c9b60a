//! `run`, killed at any moment.

use std::fs;
use std::thread;
use std::time::Instant;

use crate::fake::{Way, run};
use crate::kit::Bench;

/// Fractions of a run, spread evenly over it in no order: multiples of the golden ratio.
fn moments(count: u32) -> impl Iterator<Item = f64> {
    (1..=count).map(|number| (f64::from(number) * 0.618_033_988_749_895).fract())
}

#[test]
fn a_run_that_is_killed_at_50_moments_has_the_bytes_of_an_undisturbed_one() {
    let bench = Bench::with_sweeps(6);
    bench.plan_ways(&[Way::with("honest", &10), Way::new("fails")]);
    let options = ["--jobs", "2", "--no-cache"];
    let start = Instant::now();
    bench.done(&run("whole.jsonl", &options));
    let whole = bench.read("whole.jsonl");
    let duration = start.elapsed();
    let (mut resumed, mut finished) = (0, 0);
    for moment in moments(50) {
        let mut child = bench.spawn(&run("killed.jsonl", &options));
        thread::sleep(duration.mul_f64(moment));
        child.kill().unwrap();
        let done = child.wait().unwrap().success();
        let found = fs::read(bench.path("killed.jsonl")).unwrap_or_default();
        if done {
            finished += 1;
            assert_eq!(found, whole);
            fs::remove_file(bench.path("killed.jsonl")).unwrap();
        } else {
            resumed += usize::from(found.split(|byte| *byte == b'\n').count() > 2);
        }
    }
    bench.done(&run("killed.jsonl", &options));
    assert_eq!(bench.read("killed.jsonl"), whole);
    assert!(resumed >= 10, "only {resumed} kills came in the middle, {finished} too late");
}
