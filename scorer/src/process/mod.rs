//! Other programs, run so that nothing they do can hold up or outlive the scorer.
//!
//! Each is the leader of a process group of its own, gets no input of ours that it was not meant to
//! get, and is bounded: in time, in what it may print, and on Linux in memory. However a call ends
//! (an answer, a limit, an error, or that its future is dropped), the whole group is gone
//! afterwards. A process that leaves its group on purpose (`setsid`) is out of reach of this.
//!
//! [`run`](run()) is for a program that answers once, [`Interactive`] for one that is asked line by line.

mod error;
mod group;
mod interactive;
mod memory;
mod output;
mod run;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

pub use error::ProcessError;
pub use interactive::Interactive;
pub use output::last_line;
pub use run::{run, run_apart};

/// What is run, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// An absolute path, or a bare name that is looked up in `PATH`.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables on top of the scorer's own.
    pub env: Vec<(OsString, OsString)>,
    /// Its working directory, and where it is told to put temporary files (`TMPDIR`).
    pub directory: PathBuf,
}

/// Where a program is that a configuration in `folder` names: a bare name is left to `PATH`, anything else is
/// seen from the folder.
#[must_use]
pub fn located(program: &Path, folder: &Path) -> PathBuf {
    let is_bare = program.components().count() == 1 && !program.is_absolute();
    if is_bare { program.to_owned() } else { folder.join(program) }
}

/// The program of a bare name in the folders of a `PATH`: the one that would be started.
#[must_use]
pub fn on_path(program: &Path, path: &OsStr) -> Option<PathBuf> {
    env::split_paths(path).map(|folder| folder.join(program)).find(|candidate| is_executable(candidate))
}

#[cfg(unix)]
fn is_executable(candidate: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(candidate).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(candidate: &Path) -> bool {
    candidate.is_file()
}

/// How far a program may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From its start, or from a question, to its end, or the answer.
    pub deadline: Duration,
    /// From the polite request to end to the kill.
    pub grace: Duration,
    /// The most it may print on stdout; of an [`Interactive`] program, in one line.
    pub stdout_bytes: usize,
    /// How much of the end of its stderr is kept.
    pub stderr_bytes: usize,
    /// The most address space that each of its processes may have, in bytes. Linux only: elsewhere a
    /// program with this limit is not started.
    pub address_space: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline: Duration::from_mins(15),
            grace: Duration::from_secs(5),
            stdout_bytes: 64 << 20,
            stderr_bytes: 64 << 10,
            address_space: None,
        }
    }
}

impl Limits {
    /// Whether a program that ended so may end otherwise another time: when somebody else sent it a
    /// signal. With a limit of memory, the signals that a program raises when it gets none are no
    /// accident.
    #[must_use]
    pub fn may_pass(&self, ended: Ended) -> bool {
        let out_of_memory = [Signal::ABORT, Signal::BUS, Signal::SEGV, Signal::TRAP];
        match ended {
            Ended::Code(_) => false,
            Ended::Signal(signal) => {
                self.address_space.is_none() || out_of_memory.iter().all(|raised| raised.as_raw() != signal)
            }
        }
    }
}

/// How a process ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It returned a code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
}

impl Ended {
    /// Whether it returned 0.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt as _;
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Code(status.into_raw()),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(signal) => write!(formatter, "signal {signal}"),
        }
    }
}

/// A program that ended by itself, within its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How.
    pub ended: Ended,
    /// All that it printed.
    pub stdout: Vec<u8>,
    /// The end of what it complained about; what is not UTF-8 is replaced.
    pub stderr: String,
    /// The most memory that was seen in use, in bytes: a lower bound, since it is looked at only now
    /// and then. None where the system does not tell, and for a program that was quick.
    pub peak_memory: Option<u64>,
}

#[cfg(test)]
mod tests;
