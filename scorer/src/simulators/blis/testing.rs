//! A build of BLIS for tests: a script that prints the help of a dialect, and answers with what the test has prepared.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use shared::id::EstimatorId;
use shared::outcome::{Outcome, SettingsProfile};
use shared::plan::PointRequest;

use super::dialect::{Dialect, Interface};
use super::{Blis, BlisEntry, BlisError, Simulator as _};
use crate::process::Limits;
use crate::reference::Reference;
use crate::simulators::Reply;
use crate::simulators::config::SetUp;

/// Prints its help, or leaves its arguments and the point's files where the test finds them and answers.
const SCRIPT: &str = r#"#!/bin/sh
here=$(dirname "$0")
if [ "$2" = --help ]; then exec cat "$here/help"; fi
for argument in "$@"; do printf '%s\n' "$argument"; done >"$here/seen.args"
cp -RL . "$here/seen"
if [ -f "$here/metrics" ]; then cp "$here/metrics" metrics.json; fi
if [ -f "$here/stderr" ]; then cat "$here/stderr" >&2; fi
if [ -f "$here/stdout" ]; then cat "$here/stdout"; fi
if [ -f "$here/signal" ]; then kill -s "$(cat "$here/signal")" $$; fi
exit "$(cat "$here/code")"
"#;

/// A build of a dialect that has some flags beyond the least.
pub fn interface(dialect: Dialect, more: &[&str]) -> Interface {
    Interface::from_help(&help(dialect, more), Some(dialect)).unwrap()
}

/// The help of such a build.
pub fn help(dialect: Dialect, more: &[&str]) -> String {
    let mut text = String::new();
    for flag in dialect.required().iter().chain(more) {
        text.push_str("      --");
        text.push_str(flag);
        text.push_str(" string   what it does\n");
    }
    text
}

/// A folder with a build of BLIS.
pub struct Fake {
    folder: tempfile::TempDir,
    pub entry: BlisEntry,
}

impl Fake {
    /// One that speaks a dialect and ends with code 0 without an answer.
    pub fn new(dialect: Dialect, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fake = Self { entry: BlisEntry::of_binary(folder.path().join("blis")), folder };
        write_executable(&fake.path("blis"), SCRIPT);
        fake.put("help", &help(dialect, more));
        fake.put("code", "0");
        fake.put("defaults.yaml", "defaults: {}\n");
        fake
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes one of the files: `stdout`, `stderr`, `metrics`, `code`, `signal`, or whatever else lies beside it.
    pub fn put(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// What the build was given: its arguments on one line, or a file of the point.
    pub fn seen(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("seen/{name}"))).unwrap()
    }

    pub fn arguments(&self) -> String {
        fs::read_to_string(self.path("seen.args")).unwrap().lines().collect::<Vec<_>>().join(" ")
    }

    pub fn open(&self) -> Result<Blis, BlisError> {
        open(&self.entry)
    }

    pub fn ask(&self, request: &PointRequest) -> Reply {
        ask(&self.open().unwrap(), request)
    }

    /// Asks, and fails the test unless the point is not scored for this reason.
    #[track_caller]
    pub fn refused(&self, request: &PointRequest, reason: shared::outcome::Reason, said: &str) {
        match self.ask(request).outcome {
            Outcome::NotScored(why) => {
                assert_eq!(why.reason, reason, "{}", why.detail);
                assert!(why.detail.contains(said), "{}", why.detail);
            }
            Outcome::Scored(prediction) => panic!("scored: {prediction:?}"),
        }
    }
}

/// Sets up a build with the embedded tables.
pub fn open(entry: &BlisEntry) -> Result<Blis, BlisError> {
    open_within(entry, Limits::default())
}

/// The same, with limits.
pub fn open_within(entry: &BlisEntry, limits: Limits) -> Result<Blis, BlisError> {
    let reference = Arc::new(Reference::embedded().unwrap());
    let with = SetUp { profile: SettingsProfile::Recorded, reference: &reference, limits };
    Blis::open(EstimatorId::new("blis").unwrap(), entry, with)
}

pub fn ask(blis: &Blis, request: &PointRequest) -> Reply {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(blis.predict(request))
}

/// Another process writes the file: one that this process has open for writing cannot be run by a child that another test's thread
/// starts at the same moment.
fn write_executable(path: &Path, text: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}
