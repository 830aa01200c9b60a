//! A program that stays and is asked line by line, so that its start is paid for once.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::group::{Group, io_error};
use super::memory::Peak;
use super::output::{Lines, ReadError, Tail};
use super::{Limits, ProcessError, Program};

/// A running program that answers each line on its stdin by one line on its stdout.
///
/// Dropped, it is killed with all that it started; [`end`](Self::end) is the polite way.
#[derive(Debug)]
pub struct Interactive {
    group: Group,
    pipes: Pipes,
    peak: Peak,
    limits: Limits,
}

#[derive(Debug)]
struct Pipes {
    stdin: ChildStdin,
    stdout: Lines<ChildStdout>,
    stderr: ChildStderr,
    complaints: Tail,
}

impl Interactive {
    /// Starts the program. The limits of time and output hold for each question.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(program: &Program, limits: &Limits) -> Result<Self, ProcessError> {
        let mut group = Group::spawn(program, limits.address_space, Stdio::piped())?;
        let (stdout, stderr) = group.output()?;
        let no_stdin = || io_error("write to a child")(io::ErrorKind::BrokenPipe.into());
        let pipes = Pipes {
            stdin: group.stdin().ok_or_else(no_stdin)?,
            stdout: Lines::new(stdout, limits.stdout_bytes),
            stderr,
            complaints: Tail::new(limits.stderr_bytes),
        };
        let peak = Peak::of(group.leader());
        Ok(Self { group, pipes, peak, limits: *limits })
    }

    /// Sends a line, and waits for the line that answers it; both without their line feed.
    ///
    /// # Errors
    /// When it does not answer within its limits. It has been killed then and answers nothing any more.
    pub async fn ask(&mut self, question: &str) -> Result<Vec<u8>, ProcessError> {
        let asked = tokio::select! {
            asked = timeout(self.limits.deadline, self.pipes.exchange(question)) => asked,
            never = self.peak.watch() => match never {},
        };
        match asked {
            Ok(Ok(answer)) => {
                self.peak.look();
                Ok(answer)
            }
            Ok(Err(ReadError::Closed)) => Err(self.fell_silent().await?),
            Ok(Err(ReadError::TooMuch)) => {
                self.group.kill().await?;
                Err(ProcessError::TooMuchOutput { limit: self.limits.stdout_bytes })
            }
            Ok(Err(ReadError::Io(source))) => {
                self.group.kill().await?;
                Err(io_error("talk to a child")(source))
            }
            Err(_) => {
                self.group.terminate(self.limits.grace).await?;
                let stderr = self.pipes.complaints.text();
                Err(ProcessError::Deadline { after: self.limits.deadline, stderr })
            }
        }
    }

    /// The most memory that it was seen to use so far, in bytes.
    #[must_use]
    pub fn peak_memory(&self) -> Option<u64> {
        self.peak.bytes()
    }

    /// Lets it end: its stdin comes to an end, and what has not ended after the grace is killed.
    ///
    /// # Errors
    /// When something of it does not end even so.
    pub async fn end(self) -> Result<(), ProcessError> {
        let Self { mut group, pipes, limits, .. } = self;
        drop(pipes);
        let _ = timeout(limits.grace, group.wait()).await;
        group.terminate(Duration::ZERO).await
    }

    /// It has closed its stdout: why?
    async fn fell_silent(&mut self) -> Result<ProcessError, ProcessError> {
        let Pipes { stderr, complaints, .. } = &mut self.pipes;
        let ended = tokio::select! {
            ended = timeout(self.limits.grace, self.group.wait()) => ended,
            never = complaints.keep_reading(&mut *stderr) => match never {},
        };
        self.group.kill().await?;
        // Nobody of the group writes any more; somebody who left it may, and is not waited for.
        let _ = timeout(self.limits.grace, complaints.read(stderr)).await;
        let stderr = complaints.text();
        Ok(match ended {
            Ok(ended) => {
                let ended = ended?;
                ProcessError::Ended { ended, may_pass: self.limits.may_pass(ended), stderr }
            }
            Err(_) => ProcessError::ClosedOutput { stderr },
        })
    }
}

impl Pipes {
    async fn exchange(&mut self, question: &str) -> Result<Vec<u8>, ReadError> {
        let Self { stdin, stdout, stderr, complaints } = self;
        let asking = async {
            match write_line(stdin, question).await {
                // It does not listen any more: whether it says something is seen on its stdout.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written.map_err(ReadError::Io),
            }
        };
        let talking = async { tokio::try_join!(asking, stdout.next()) };
        tokio::select! {
            talked = talking => talked.map(|((), answer)| answer),
            never = complaints.keep_reading(stderr) => match never {},
        }
    }
}

async fn write_line(stdin: &mut ChildStdin, line: &str) -> io::Result<()> {
    stdin.write_all(line.as_bytes()).await?;
    stdin.write_all(b"\n").await?;
    stdin.flush().await
}
