//! A child and all that it starts, as one process group.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{sleep, timeout};

use super::{Ended, ProcessError, Program, memory};

/// How long the system may take to clear away what was killed: a process of many gigabytes takes seconds.
const SETTLE: Duration = Duration::from_secs(30);

/// How often it is checked whether a group has gone.
const POLL: Duration = Duration::from_millis(2);

/// A running child, leader of its own process group. Dropped before it is known to be gone, the group
/// is killed.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    leader: Pid,
    gone: bool,
}

impl Group {
    pub(super) fn spawn(
        program: &Program,
        address_space: Option<u64>,
        stdin: Stdio,
    ) -> Result<Self, ProcessError> {
        let not_started = |source| ProcessError::NotStarted { program: program.path.clone(), source };
        let child = Command::new(&program.path)
            .args(&program.args)
            .env("TMPDIR", &program.directory)
            .envs(program.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&program.directory)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(not_started)?;
        let leader = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let leader = leader.ok_or_else(|| not_started(io::ErrorKind::Other.into()))?;
        let group = Self { child, leader, gone: false };
        if let Some(bytes) = address_space {
            memory::limit(leader, bytes).map_err(not_started)?;
        }
        Ok(group)
    }

    pub(super) fn leader(&self) -> Pid {
        self.leader
    }

    pub(super) fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// The ends of its pipes that we read; they are there once.
    pub(super) fn output(&mut self) -> Result<(ChildStdout, ChildStderr), ProcessError> {
        match (self.child.stdout.take(), self.child.stderr.take()) {
            (Some(stdout), Some(stderr)) => Ok((stdout, stderr)),
            _ => Err(io_error("read from a child")(io::ErrorKind::BrokenPipe.into())),
        }
    }

    /// Waits for the leader. May be dropped and called again.
    pub(super) async fn wait(&mut self) -> Result<Ended, ProcessError> {
        self.child.wait().await.map(Ended::from).map_err(io_error("wait for a child"))
    }

    /// Asks all of the group to end, and kills what has not ended after `grace`.
    pub(super) async fn terminate(&mut self, grace: Duration) -> Result<(), ProcessError> {
        self.signal(Signal::TERM);
        // Whether it obeyed makes no difference: the kill checks that nothing is left.
        let _ = timeout(grace, self.vanished()).await;
        self.kill().await
    }

    /// Kills what there is of the group, and makes sure that it is gone.
    pub(super) async fn kill(&mut self) -> Result<(), ProcessError> {
        if self.gone {
            return Ok(());
        }
        self.signal(Signal::KILL);
        match timeout(SETTLE, self.vanished()).await {
            Ok(waited) => waited?,
            Err(_) => return Err(ProcessError::Survives { group: self.leader.as_raw_nonzero().get() }),
        }
        self.gone = true;
        Ok(())
    }

    async fn vanished(&mut self) -> Result<(), ProcessError> {
        self.wait().await?;
        while lives(self.leader) {
            sleep(POLL).await;
        }
        Ok(())
    }

    fn signal(&self, signal: Signal) {
        // An error means that there is nothing left to send it to, which is looked at afterwards.
        let _ = kill_process_group(self.leader, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.gone {
            self.signal(Signal::KILL);
        }
    }
}

pub(super) fn io_error(what: &'static str) -> impl Fn(io::Error) -> ProcessError {
    move |source| ProcessError::Io { what, source }
}

/// Whether a process of the group is alive.
fn lives(group: Pid) -> bool {
    test_kill_process_group(group) != Err(Errno::SRCH) && has_living_member(group)
}

/// A dead process that its new parent does not care about (in a container without an init) stays in
/// its group for ever.
#[cfg(target_os = "linux")]
fn has_living_member(group: Pid) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return true };
    processes.flatten().any(|process| {
        let numeric = process.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
        numeric
            && std::fs::read_to_string(process.path().join("stat"))
                .is_ok_and(|stat| is_living_member(&stat, group))
    })
}

#[cfg(not(target_os = "linux"))]
fn has_living_member(_: Pid) -> bool {
    true
}

/// Reads `pid (name) state parent group …`; a name may contain anything.
#[cfg(target_os = "linux")]
fn is_living_member(stat: &str, group: Pid) -> bool {
    let Some((_, rest)) = stat.rsplit_once(')') else { return false };
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next();
    let member = fields.nth(1).and_then(|field| field.parse().ok()) == Some(group.as_raw_nonzero().get());
    member && !matches!(state, Some("Z" | "X"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_a_living_process_of_the_group_counts() {
        let group = Pid::from_raw(42).unwrap();
        assert!(is_living_member("43 (a) b) 7 42) S 1 42 42 0", group));
        assert!(!is_living_member("43 (sh) Z 1 42 42 0", group));
        assert!(!is_living_member("42 (sh) S 42 1 42 0", group));
        assert!(!is_living_member("", group));
    }
}
