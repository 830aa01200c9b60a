//! A checkout of this project: a repository with the files that it is built from, as they are here now, and with a ledger.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scorer::harness::checkout::PROVEN;

use crate::actions::copy_all;
use crate::kit::Repository;
use crate::world::{World, root};

/// The sweeps of the embedded corpus that the tests score: little work, and all that the test simulator answers.
pub const SWEEPS: [&str; 3] = ["1f7ca29bf62b42ed", "330dad447741c7de", "d20e8f0ed1e4c27c"];

/// The release of the embedded corpus as it stands in ids.
pub const TAG: &str = "db-dump-2026-09-28";

/// Copies this project's files into a folder: all that the harness proves. The ledger comes beside it.
pub fn copy_into(folder: &Path) {
    for name in PROVEN {
        copy_all(&root().join(name), &folder.join(name)).unwrap();
    }
}

/// The embedded corpus.
pub fn sample() -> PathBuf {
    root().join("data/sample/corpus.json")
}

impl World {
    /// Freezes the sweeps of the tests into a ledger of this world.
    pub fn freeze(&self, ledger: &str) {
        let corpus = sample();
        let words =
            ["ledger", "freeze", corpus.to_str().unwrap(), "--sweeps", &SWEEPS.join(","), "--ledger", ledger];
        let (code, _, said) = self.run(&words);
        assert_eq!(code, 0, "{said}");
    }

    /// A repository with a checkout of this project, committed, and its commit.
    pub fn project(&self, name: &str) -> (Repository, String) {
        let project = Repository::new(&self.path(name));
        copy_into(&project.folder);
        self.freeze(&format!("{name}/data/ledger"));
        let commit = project.commit("Begin");
        (project, commit)
    }

    /// The harness with the checkout `project` and the ledger in it.
    pub fn harness(&self, more: &[&str]) -> (i32, String, String) {
        let (code, stdout, stderr) = self.run(&harness_words(more));
        assert!(!stderr.contains("panicked"), "{stderr}");
        (code, stdout, stderr)
    }

    /// The same, as a process.
    pub fn spawn_harness(&self, more: &[&str]) -> std::process::Child {
        let mut command: Command = self.scorer(&harness_words(more));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

fn harness_words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let words = ["harness", "--checkout", "project", "--pull", "project/data/ledger", "--no-cache"];
    [words.as_slice(), &["--repo", "servers/inference-sim/inference-sim"], more].concat()
}
