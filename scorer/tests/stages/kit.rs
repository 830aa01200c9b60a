//! A folder with a corpus in it, and the binary run there.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A folder of one test.
pub struct Bench {
    folder: tempfile::TempDir,
}

/// A change of a file, and what is said of it.
pub type Edit = (fn(&mut Value), &'static str);

/// How a command ended and what it said.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// Fails the test unless the command ended with this code and said all of these on stderr.
    #[track_caller]
    pub fn refused(&self, code: i32, said: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for text in said {
            assert!(self.stderr.contains(text), "`{text}` is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

impl Bench {
    /// A folder with `corpus.json`: the sweeps of the embedded corpus that are the least work, and all
    /// their points.
    pub fn with_sweeps(count: usize) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        let mut corpus = sample();
        let sweeps = corpus["sweeps"].as_array_mut().unwrap();
        sweeps.sort_by_key(work);
        sweeps.truncate(count);
        sweeps.sort_by_key(|sweep| sweep["id"].as_str().unwrap().to_owned());
        let rows: usize = sweeps.iter().map(|sweep| sweep["points"].as_array().unwrap().len()).sum();
        corpus["rows"] = serde_json::json!({ "read": rows, "kept": rows, "skipped": [] });
        bench.put_json("corpus.json", &corpus);
        bench
    }

    /// Also `plan.json` of it, for these estimators.
    pub fn planned(count: usize, estimators: &str) -> Self {
        let bench = Self::with_sweeps(count);
        bench.done(&["plan", "corpus.json", "-o", "plan.json", "--estimators", estimators]);
        bench
    }

    /// Also `outcomes.jsonl` of its published estimators.
    pub fn run(count: usize) -> Self {
        let bench = Self::planned(count, "aic,aisimulate");
        bench.done(&["run", "plan.json", "-o", "outcomes.jsonl"]);
        bench
    }

    /// Also `summary.json`.
    pub fn summarized(count: usize) -> Self {
        let bench = Self::run(count);
        bench.summarize("summary.json", "2026-11-30T00:00:00Z");
        bench
    }

    pub fn summarize(&self, output: &str, at: &str) {
        self.done(&["summarize", "corpus.json", "outcomes.jsonl", "-o", output, "--generated-at", at]);
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    pub fn put_json(&self, name: &str, value: &Value) {
        self.put(name, serde_json::to_vec(value).unwrap());
    }

    /// Changes a JSON file.
    pub fn edit(&self, name: &str, edit: impl FnOnce(&mut Value)) {
        let mut value = self.json(name);
        edit(&mut value);
        self.put_json(name, &value);
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.path("user-caches"));
        for variable in ["NO_COLOR", "CLICOLOR_FORCE", "HARNESS_COMMIT", "SOURCE_DATE_EPOCH"] {
            command.env_remove(variable);
        }
        // The tests may themselves be run on a cluster.
        for variable in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs to the end.
    pub fn ends(&self, arguments: &[&str]) -> Ended {
        ended(&mut self.command(arguments))
    }

    /// Runs, and must succeed.
    #[track_caller]
    pub fn done(&self, arguments: &[&str]) -> Ended {
        let ended = self.ends(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        ended
    }

    pub fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The names in the folder.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub fn ended(command: &mut Command) -> Ended {
    let output = command.output().unwrap();
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The embedded corpus.
pub fn sample() -> Value {
    serde_json::from_slice(include_bytes!("../../../data/sample/corpus.json")).unwrap()
}

fn work(sweep: &Value) -> u64 {
    let concurrency = |point: &Value| point["concurrency"].as_u64().unwrap();
    sweep["osl"].as_u64().unwrap() * sweep["points"].as_array().unwrap().iter().map(concurrency).sum::<u64>()
}
