//! A publisher for the tests of publishing: it publishes as `scorer publish` does, on a disk that kills this process, with a signal
//! that nothing can catch, at one of its system calls:
//!
//!     dying_publisher SUMMARY DATA NUMBER before|within
//!
//! `within` is half of a write that is the call of that number, counted from 1; of any other call it is `before`. When there are
//! fewer calls, it ends well. It is an example of cargo's so that it is built with the tests and never shipped.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use rustix::process::{Signal, getpid, kill_process};
use scorer::console::Console;
use scorer::publish::{Candidate, Disk, RealDisk, publish_on};

/// How long another publisher is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A disk on which this process dies.
struct DeadlyDisk {
    left: Cell<u64>,
    within: bool,
}

impl DeadlyDisk {
    /// Whether this is the call to die at.
    fn is_last(&self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() == 0
    }

    fn call(&self, call: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        if self.is_last() { die() } else { call() }
    }
}

/// Ends this process as `kill -9` does.
fn die() -> io::Result<()> {
    kill_process(getpid(), Signal::KILL)?;
    Err(io::Error::other("the signal did not arrive"))
}

impl Disk for DeadlyDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.make_folder(path))
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if !self.is_last() {
            return RealDisk.write_new(path, bytes);
        }
        if self.within {
            fs::write(path, &bytes[..bytes.len() / 2])?;
        }
        die()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|| RealDisk.rename(from, to))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.sync_folder(path))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.remove(path))
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [summary, data, number, place] = &arguments[..] else { return ExitCode::from(2) };
    let Ok(number) = number.parse::<u64>() else { return ExitCode::from(2) };
    // The first call brings the count from `number` to `number - 1`, and the last one to 0.
    let disk = DeadlyDisk { left: Cell::new(number), within: place == "within" };
    let Ok(bytes) = fs::read(summary) else { return ExitCode::from(3) };
    let Ok(candidate) = Candidate::read(Path::new(summary), bytes) else { return ExitCode::from(4) };
    match publish_on(&disk, &candidate, Path::new(data), PATIENCE, &Console::quiet()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
