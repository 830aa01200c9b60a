//! How long the client's draw takes: the largest published point, concurrency 8192 at 1024/1024
//! (81,920 requests), with criterion and beside numpy on the same machine in the same run.
//!
//! `PYTHON` names an interpreter that has numpy; `python3` is tried otherwise.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use scorer::workload::{ClientParameters, RequestList};

const CONCURRENCY: u32 = 8_192;
/// Measurements on either side, taken in turn so that a busy moment meets both.
const TURNS: usize = 7;
const DRAWS_PER_TURN: usize = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let parameters = ClientParameters::ordinary(1_024, 1_024, CONCURRENCY)?;
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("workload");
    group.throughput(Throughput::Elements(parameters.num_prompts.into()));
    group.bench_function("draw, concurrency 8192", |bencher| {
        bencher.iter(|| RequestList::draw(black_box(&parameters)));
    });
    group.finish();
    criterion.final_summary();
    // `cargo test --benches` only wants to see that it runs.
    if std::env::args().any(|argument| argument == "--bench") {
        compare_with_numpy(&parameters)?;
    }
    Ok(())
}

fn compare_with_numpy(parameters: &ClientParameters) -> Result<(), Box<dyn Error>> {
    let mut stdout = io::stdout();
    let (mut ours, mut numpys) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        ours.push(our_fastest(parameters)?);
        match numpys_fastest() {
            Ok(fastest) => numpys.push(fastest),
            Err(error) => {
                writeln!(stdout, "not compared with numpy: {error}")?;
                return Ok(());
            }
        }
    }
    let (ours, numpys) = (fastest(ours), fastest(numpys));
    writeln!(
        stdout,
        "fastest draw: scorer {:.3} ms, numpy {:.3} ms, numpy / scorer = {:.2}",
        ours.as_secs_f64() * 1e3,
        numpys.as_secs_f64() * 1e3,
        numpys.as_secs_f64() / ours.as_secs_f64()
    )?;
    Ok(())
}

fn our_fastest(parameters: &ClientParameters) -> Result<Duration, Box<dyn Error>> {
    let mut times = Vec::with_capacity(DRAWS_PER_TURN);
    for _ in 0..DRAWS_PER_TURN {
        let start = Instant::now();
        black_box(RequestList::draw(black_box(parameters))?);
        times.push(start.elapsed());
    }
    Ok(fastest(times))
}

fn numpys_fastest() -> Result<Duration, Box<dyn Error>> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/bench/numpy_workload.py");
    let output = Command::new(&python)
        .args([script, "time", "--conc", &CONCURRENCY.to_string()])
        .args(["--draws", &DRAWS_PER_TURN.to_string()])
        .output()
        .map_err(|error| format!("{python}: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned().into());
    }
    let seconds: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok(Duration::from_secs_f64(seconds))
}

/// The least disturbed measurement: other work on the machine only ever adds time, and adds more often
/// to the slower side.
fn fastest(times: Vec<Duration>) -> Duration {
    times.into_iter().min().unwrap_or_default()
}
