//! What a night meets outside: a GitHub with releases, a simulator in Go with its tags, and a repository with the scripts and the
//! data of this project, all of them on this machine.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::github::{GitHub, release};
use crate::kit::{Repository, program};

/// Where the simulator and the dumps are released.
pub const SIMULATOR: &str = "inference-sim/inference-sim";
pub const DUMPS: &str = "SemiAnalysisAI/InferenceX-app";
/// The name of this project's repository there.
pub const OURS: &str = "us/ours";

/// The latencies that the simulator answers, in milliseconds.
pub fn ttft_ms(concurrency: f64) -> f64 {
    60.0 + 2.0 * concurrency
}

pub fn itl_ms(factor: f64, concurrency: f64) -> f64 {
    factor * (4.5 + 0.4 * concurrency)
}

pub struct World {
    folder: tempfile::TempDir,
    pub github: GitHub,
    pub simulator: Repository,
    pub ours: Repository,
}

impl World {
    /// None where git or Go is not installed, which is said, and a failure in CI.
    pub fn new() -> Option<Self> {
        for program in ["git", "go"] {
            if Command::new(program).arg("version").output().is_err() {
                assert!(std::env::var("CI").as_deref() != Ok("true"), "the test of nights needs {program}");
                eprintln!("skipped: the test of nights needs {program}");
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let servers = folder.path().join("servers");
        let simulator = Repository::new(&servers.join(SIMULATOR));
        let ours = Repository::new(&servers.join(OURS));
        // Its branch is never checked out there, so it may be pushed to.
        ours.git(&["config", "receive.denyCurrentBranch", "ignore"]);
        let script = "scripts/nightly/push-data.sh";
        ours.put(script, fs::read(root().join(script)).unwrap());
        fs::set_permissions(ours.folder.join(script), fs::Permissions::from_mode(0o755)).unwrap();
        ours.put("README.md", "# ours\n").put("data/reference/README.md", "tables\n").commit("Begin");
        program(
            &folder.path().join("programs"),
            "cargo",
            "mkdir -p target/release && cp \"$SCORER\" target/release/scorer",
        );
        let world = Self { folder, github: GitHub::start(), simulator, ours };
        world.release_dump("2026-09-28");
        Some(world)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Programs that stand in for real ones.
    pub fn programs(&self) -> PathBuf {
        self.path("programs")
    }

    /// Where the repositories are, as `GITHUB_SERVER_URL`.
    pub fn server(&self) -> String {
        format!("file://{}", self.path("servers").display())
    }

    /// A dump of the day: one that real pg_dump made, in two parts.
    pub fn release_dump(&self, day: &str) {
        let bytes = fs::read(root().join("scorer/tests/data/dumps/pg17-zstd.dump.zst")).unwrap();
        let mut sums = String::new();
        let mut assets = Vec::new();
        for (number, part) in bytes.chunks(bytes.len() / 2 + 1).enumerate() {
            let name = format!("inferencex-{day}.dump.zst.part{number:02}");
            writeln!(sums, "{}  {name}", shared::digest::Digest::of_bytes(part)).unwrap();
            assets.push(self.github.asset(&name, part.to_vec()));
        }
        assets.push(self.github.asset("SHA256SUMS", sums.into_bytes()));
        let dump = release(&format!("db-dump/{day}"), "", &assets);
        self.github.list(DUMPS, vec![release("v1.2.3", "", &[]), dump]);
    }

    /// Commits a simulator whose every token takes `factor` times as long, and tags it.
    pub fn tag_simulator(&self, tag: &str, factor: f64) {
        self.commit_simulator(factor);
        self.simulator.git(&["tag", tag]);
    }

    /// Commits such a simulator without a tag, and gives the commit.
    pub fn commit_simulator(&self, factor: f64) -> String {
        self.commit_program(&PROGRAM.replace("FACTOR", &format!("{factor:?}")))
    }

    /// Commits a program as the simulator, and tags it.
    pub fn tag_program(&self, tag: &str, text: &str) {
        self.commit_program(text);
        self.simulator.git(&["tag", tag]);
    }

    fn commit_program(&self, text: &str) -> String {
        let simulator = &self.simulator;
        simulator.put("main.go", text).put("go.mod", "module example.invalid/blis\n\ngo 1.21\n");
        simulator.put("defaults.yaml", "defaults: {}\n").commit("Change the simulator")
    }

    /// Lists releases of the simulator: tags, and what is special about each.
    pub fn list_simulators(&self, tags: &[(&str, &str)]) {
        let releases = tags.iter().map(|(tag, kind)| release(tag, kind, &[])).collect();
        self.github.list(SIMULATOR, releases);
    }

    /// The command, on this world's GitHub.
    pub fn scorer(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
        command.args(arguments).current_dir(self.folder.path()).env("GITHUB_API_URL", &self.github.url);
        command.env("GITHUB_SERVER_URL", self.server()).env("XDG_CACHE_HOME", self.path("caches"));
        command.env("GOCACHE", go_cache());
        for variable in [
            "HTTP_PROXY",
            "http_proxy",
            "ALL_PROXY",
            "all_proxy",
            "GITHUB_TOKEN",
            "GH_TOKEN",
            "HARNESS_COMMIT",
        ] {
            command.env_remove(variable);
        }
        command.env("SOURCE_DATE_EPOCH", "1796000000");
        command
    }

    /// The command, run to its end: its code, and what it said on stdout and stderr.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.scorer(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    /// A JSON file of this project's branch, as it is on the server.
    pub fn committed(&self, path: &str) -> Option<Value> {
        let listed = self.ours.git(&["ls-tree", "-r", "--name-only", "main"]);
        listed
            .lines()
            .any(|line| line == path)
            .then(|| serde_json::from_str(&self.ours.git(&["show", &format!("main:{path}")])).unwrap())
    }
}

/// The folder that Go keeps what it compiled in: the standard library takes half a minute.
pub fn go_cache() -> PathBuf {
    let found = Command::new("go").args(["env", "GOCACHE"]).output().unwrap();
    PathBuf::from(String::from_utf8(found.stdout).unwrap().trim())
}

/// The root of this project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A simulator that speaks the dialect of the releases: it counts what it is given, and answers by a formula.
const PROGRAM: &str = r#"package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

const help = `Flags:
      --trace-header string
      --trace-data string
      --model string
      --hardware string
      --tp int
      --session-mode string
      --horizon int
      --max-num-running-reqs int
      --max-num-scheduled-tokens int
`

func main() {
	data := ""
	for i, arg := range os.Args {
		if arg == "--help" {
			fmt.Print(help)
			return
		}
		if arg == "--trace-data" {
			data = os.Args[i+1]
		}
	}
	bytes, err := os.ReadFile(data)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fatal:", err)
		os.Exit(1)
	}
	lines := strings.Split(strings.TrimSpace(string(bytes)), "\n")[1:]
	sessions := map[string]bool{}
	input, output := 0, 0
	for _, line := range lines {
		cells := strings.Split(line, ",")
		sessions[cells[4]] = true
		in, _ := strconv.Atoi(cells[9])
		out, _ := strconv.Atoi(cells[10])
		input, output = input+in, output+out
	}
	c := float64(len(sessions))
	n := len(lines)
	fmt.Printf("=== Simulation Metrics ===\n{\"completed_requests\": %d, \"injected_requests\": %d, "+
		"\"still_queued\": 0, \"still_running\": 0, \"dropped_unservable\": 0, \"length_capped_requests\": 0, "+
		"\"timed_out_requests\": 0, \"total_input_tokens\": %d, \"total_output_tokens\": %d, "+
		"\"ttft_mean_ms\": %g, \"itl_mean_ms\": %g}\n", n, n, input, output, 60+2*c, FACTOR*(4.5+0.4*c))
}
"#;
