//! Simulators that are programs: the misbehaving one of examples/misbehaving.rs, in all its ways.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::kit::Bench;

/// The test simulator.
pub fn misbehaving() -> PathBuf {
    example("misbehaving")
}

/// A program of examples/, which cargo builds with the tests.
pub fn example(name: &str) -> PathBuf {
    let scorer = Path::new(env!("CARGO_BIN_EXE_scorer"));
    let path = scorer.parent().unwrap().join("examples").join(name);
    assert!(path.exists(), "build it with `cargo build -p scorer --example {name}`");
    path
}

/// One way of the test simulator: the estimator's id is the way.
pub struct Way {
    pub name: &'static str,
    pub argument: String,
    /// The program; none: the test simulator where it is.
    pub program: Option<&'static str>,
}

impl Way {
    pub fn new(name: &'static str) -> Self {
        Self { name, argument: String::new(), program: None }
    }

    pub fn with(name: &'static str, argument: &impl ToString) -> Self {
        Self { argument: argument.to_string(), ..Self::new(name) }
    }
}

impl Bench {
    /// Writes `simulators.toml` with these simulators, and `plan.json` for them.
    pub fn plan_ways(&self, ways: &[Way]) {
        let mut text = String::new();
        for Way { name, argument, program } in ways {
            let path = program.map_or_else(|| misbehaving().display().to_string(), |own| format!("./{own}"));
            writeln!(
                text,
                "[simulator.{name}]\nkind = \"command\"\ncommand = ['{path}', '{name}', '{argument}']\n"
            )
            .unwrap();
        }
        self.put("simulators.toml", text);
        self.done(&["plan", "corpus.json", "-o", "plan.json", "--simulators", "simulators.toml"]);
    }

    /// A copy of the test simulator in the folder.
    pub fn copy_misbehaving(&self, name: &str) {
        fs::copy(misbehaving(), self.path(name)).unwrap();
    }

    /// The outcomes, or the timings, of an estimator, in the order of the file.
    pub fn lines_of(&self, name: &str, estimator: &str) -> Vec<Value> {
        let text = String::from_utf8(self.read(name)).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["estimator"] == estimator).collect()
    }
}

/// Arguments of a run with the simulators of [`Bench::plan_ways`].
pub fn run<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["run", "plan.json", "--simulators", "simulators.toml", "-o", output];
    arguments.extend(more);
    arguments
}

/// The processes whose command line has this text and that are alive.
pub fn processes(text: &str) -> Vec<String> {
    let output = Command::new("ps").args(["-A", "-o", "stat=,pid=,args="]).output().unwrap();
    let all = String::from_utf8_lossy(&output.stdout).into_owned();
    let alive = all.lines().filter(|line| line.contains(text) && !line.trim_start().starts_with('Z'));
    alive.map(str::to_owned).collect()
}

/// Whether a process is alive.
pub fn is_alive(process: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap();
    output.stdout.first().is_some_and(|state| *state != b'Z')
}
