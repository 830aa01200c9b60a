//! The memory of a child: the limit that it is given, and how much it uses.

use std::io;
use std::time::Duration;

use rustix::process::Pid;

/// The first look at a child's memory; each further one comes after twice the time.
const FIRST_LOOK: Duration = Duration::from_millis(50);

/// The longest time between two looks.
const LONGEST_BREAK: Duration = Duration::from_secs(1);

/// Limits the address space of a running child, and of all that it starts from now on.
///
/// It is set from outside, a moment after the start: between `fork` and `exec` only code that is
/// safe in a signal handler may run, which Rust cannot check.
#[cfg(target_os = "linux")]
pub(super) fn limit(child: Pid, bytes: u64) -> io::Result<()> {
    use rustix::io::Errno;
    use rustix::process::{Resource, Rlimit, prlimit};
    match prlimit(Some(child), Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) }) {
        // It has ended already.
        Ok(_) | Err(Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_: Pid, _: u64) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "a limit of memory for each job needs Linux"))
}

/// The memory that a process was seen to use.
#[derive(Debug)]
pub(super) struct Peak {
    process: Pid,
    next: Duration,
    bytes: Option<u64>,
}

impl Peak {
    pub(super) fn of(process: Pid) -> Self {
        Self { process, next: FIRST_LOOK, bytes: None }
    }

    /// Looks now and then, for as long as it is polled.
    pub(super) async fn watch(&mut self) -> std::convert::Infallible {
        loop {
            tokio::time::sleep(self.next).await;
            self.next = LONGEST_BREAK.min(self.next * 2);
            self.look();
        }
    }

    pub(super) fn look(&mut self) {
        // Once it has ended it has no memory, and what was seen before stands.
        self.bytes = resident(self.process).or(self.bytes);
    }

    pub(super) fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}

/// The most memory that a process has had so far, as the system counts it.
#[cfg(target_os = "linux")]
fn resident(process: Pid) -> Option<u64> {
    high_water_mark(&std::fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).ok()?)
}

#[cfg(not(target_os = "linux"))]
fn resident(_: Pid) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_in_bytes() {
        assert_eq!(high_water_mark("Name:\tsh\nVmHWM:\t    1936 kB\nVmRSS:\t 12 kB\n"), Some(1936 * 1024));
        assert_eq!(high_water_mark("Name:\tkthreadd\n"), None);
        assert!(resident(rustix::process::getpid()) > Some(1 << 20));
    }
}
