//! scripts/nightly/push-data.sh on real repositories: what is pushed is a change of data/ on top of whatever the branch is, also
//! when two push at once, and when somebody pushes another history.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::kit::{Repository, program};

struct Bench {
    folder: tempfile::TempDir,
    server: Repository,
    script: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Repository::new(&folder.path().join("server"));
        server.git(&["config", "receive.denyCurrentBranch", "ignore"]);
        server.put("README.md", "ours\n").put("data/reference/tables", "facts\n").commit("Begin");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/nightly/push-data.sh");
        Self { folder, server, script }
    }

    /// A clone of the branch as it is now, as a job has it: its newest commit only.
    fn clone_as(&self, name: &str) -> PathBuf {
        let clone = self.folder.path().join(name);
        let from = format!("file://{}", self.server.folder.display());
        self.server.git(&["clone", "--quiet", "--depth=1", &from, clone.to_str().unwrap()]);
        clone
    }

    /// A command that a push runs, as a program in a folder of its own.
    fn command(&self, name: &str, script: &str) -> PathBuf {
        let programs = self.folder.path().join("programs");
        program(&programs, name, script);
        programs.join(name)
    }

    fn push(&self, clone: &Path, command: &Path) -> Output {
        let mut push = Command::new(&self.script);
        push.arg("Publish").arg(command).current_dir(clone).env("SERVER", &self.server.folder);
        push.env_remove("BRANCH").env_remove("REMOTE").env("PUSH_TOKEN", "secret-123");
        push.output().unwrap()
    }

    fn on_server(&self, path: &str) -> String {
        self.server.git(&["show", &format!("main:{path}")])
    }
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn only_data_is_committed_and_the_same_again_commits_nothing() {
    let bench = Bench::new();
    let clone = bench.clone_as("clone");
    fs::write(clone.join("README.md"), "touched\n").unwrap();
    let command = bench.command("change", "echo new >data/index.json; echo stray >stray.txt");
    let said = succeeded(&bench.push(&clone, &command));
    assert!(said.contains("pushed "), "{said}");
    assert!(!said.contains("secret-123"), "{said}");
    let changed = bench.server.git(&["show", "--name-only", "--format=%an: %s", "main"]);
    assert_eq!(changed, "github-actions[bot]: Publish\n\ndata/index.json");
    assert_eq!(bench.on_server("README.md"), "ours");
    let said = succeeded(&bench.push(&clone, &command));
    assert!(said.contains("nothing to commit"), "{said}");
    assert_eq!(bench.server.git(&["rev-list", "--count", "main"]), "2");
}

#[test]
fn a_command_that_fails_leaves_the_branch_as_it_was() {
    let bench = Bench::new();
    let clone = bench.clone_as("clone");
    let command = bench.command("change", "echo half >data/index.json; exit 7");
    assert_eq!(bench.push(&clone, &command).status.code(), Some(7));
    assert_eq!(bench.server.git(&["rev-list", "--count", "main"]), "1");
}

#[test]
fn two_that_push_at_once_both_arrive() {
    let bench = Bench::new();
    let clone = bench.clone_as("clone");
    // The first time, somebody else is faster.
    let command = bench.command(
        "change",
        "echo ours >data/ours
         if [ ! -e ../other ]; then
           git clone --quiet \"file://$SERVER\" ../other
           echo theirs >../other/data/theirs
           git -C ../other add data
           git -C ../other -c user.name=o -c user.email=o@example.invalid commit --quiet -m Theirs
           git -C ../other push --quiet origin HEAD:main
         fi",
    );
    let said = succeeded(&bench.push(&clone, &command));
    assert!(said.contains("attempt 1: main was not taken"), "{said}");
    assert_eq!(
        (bench.on_server("data/ours"), bench.on_server("data/theirs")),
        ("ours".into(), "theirs".into())
    );
    assert_eq!(bench.server.git(&["rev-list", "--count", "main"]), "3");
}

/// Snapshots of this project, by their ids.
const SNAPSHOTS: [&str; 2] = ["2026-09-28_roofline-1_8db1a911", "2026-09-28_roofline-1_be6a3766"];

#[test]
fn a_branch_that_was_pushed_anew_gets_the_snapshot_and_its_data_is_whole() {
    let bench = Bench::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let publish = |id: &str| {
        let summary = root.join("data/snapshots").join(id).join("summary.json");
        format!("{} publish {} --data data\n", env!("CARGO_BIN_EXE_scorer"), summary.display())
    };
    let clone = bench.clone_as("clone");
    succeeded(&bench.push(&clone, &bench.command("first", &publish(SNAPSHOTS[0]))));
    // In the middle of the second, somebody replaces the branch by a history that knows nothing of the first.
    let command = bench.command(
        "second",
        &format!(
            "{}
             if [ ! -e ../other ]; then
               git init --quiet --initial-branch=main ../other
               mkdir ../other/data
               echo other >../other/data/README.md
               git -C ../other add data
               git -C ../other -c user.name=o -c user.email=o@example.invalid commit --quiet -m Anew
               git -C ../other push --quiet --force \"file://$SERVER\" HEAD:main
             fi",
            publish(SNAPSHOTS[1])
        ),
    );
    let said = succeeded(&bench.push(&clone, &command));
    assert!(said.contains("attempt 1: main was not taken"), "{said}");
    assert_eq!(bench.server.git(&["log", "--format=%s", "main"]), "Publish\nAnew");
    // What the list names is there, and nothing else is.
    let whole = bench.clone_as("whole");
    let index = whole.join("data/index.json");
    let text = fs::read_to_string(&index).unwrap();
    assert!(text.contains(SNAPSHOTS[1]) && !text.contains(SNAPSHOTS[0]), "{text}");
    let last = whole.join("data/state/last-run.json");
    let checked =
        Command::new(env!("CARGO_BIN_EXE_scorer")).arg("validate").arg(&index).arg(&last).output().unwrap();
    succeeded(&checked);
}
