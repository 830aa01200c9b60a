//! What the tests of several workflows need: repositories and programs that stand in for real ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository in a folder.
pub struct Repository {
    pub folder: PathBuf,
}

impl Repository {
    /// A new one with the branch `main`.
    pub fn new(folder: &Path) -> Self {
        fs::create_dir_all(folder).unwrap();
        let repository = Self { folder: folder.to_owned() };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Writes a file.
    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Commits everything, and gives the commit.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.invalid",
            "commit",
            "--quiet",
            "-m",
            message,
        ]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git in it, and gives what it prints.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(args).current_dir(&self.folder);
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        let done = command.output().unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }
}

/// Puts a shell script into a folder, as a program.
///
/// Another process writes the file: one that this process has open for writing cannot be run by a child that another test's thread
/// starts at the same moment.
pub fn program(folder: &Path, name: &str, script: &str) {
    fs::create_dir_all(folder).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "printf '%s' \"$1\" >\"$0\" && chmod +x \"$0\""]).arg(folder.join(name));
    command.arg(format!("#!/bin/bash\nset -euo pipefail\n{script}\n"));
    assert!(command.status().unwrap().success());
}
