//! What can go wrong with another program, and what a point's outcome says then.

use std::error::Error as _;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use shared::outcome::Reason;

use super::{Ended, last_line};

/// A program did not answer within its limits.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// It did not start.
    #[error("{} cannot be started", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It took too long.
    #[error("no answer within {} s", after.as_secs_f64())]
    Deadline {
        /// How long it had.
        after: Duration,
        /// The end of its stderr.
        stderr: String,
    },
    /// It printed too much.
    #[error("more than {limit} bytes on stdout")]
    TooMuchOutput {
        /// What was allowed.
        limit: usize,
    },
    /// It ended and left a question unanswered.
    #[error("it ended without an answer ({ended})")]
    Ended {
        /// How.
        ended: Ended,
        /// Whether it may end otherwise another time: see [`Limits::may_pass`](super::Limits::may_pass).
        may_pass: bool,
        /// The end of its stderr.
        stderr: String,
    },
    /// It closed its stdout and went on, with a question unanswered.
    #[error("it closed its stdout without an answer")]
    ClosedOutput {
        /// The end of its stderr.
        stderr: String,
    },
    /// It does not end, even when it is killed.
    #[error("process group {group} does not end, even when it is killed")]
    Survives {
        /// The number of its process group.
        group: i32,
    },
    /// The system does not let us talk to it.
    #[error("the system refuses to let the scorer {what}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
}

impl ProcessError {
    /// The kind of reason for which the point is not scored.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Deadline { .. } => Reason::Timeout,
            Self::TooMuchOutput { .. } => Reason::BadResult,
            Self::NotStarted { .. }
            | Self::Ended { .. }
            | Self::ClosedOutput { .. }
            | Self::Survives { .. }
            | Self::Io { .. } => Reason::RunError,
        }
    }

    /// What exactly, on one line: with the cause, and the last words of the program.
    #[must_use]
    pub fn detail(&self) -> String {
        let mut text = self.to_string();
        if let Some(cause) = self.source() {
            text.push_str(": ");
            text.push_str(&cause.to_string());
        }
        if let Some(words) = last_line(self.stderr()) {
            text.push_str(": ");
            text.push_str(&words);
        }
        text
    }

    /// The end of the program's stderr, as far as there is any.
    #[must_use]
    pub fn stderr(&self) -> &str {
        match self {
            Self::Deadline { stderr, .. } | Self::Ended { stderr, .. } | Self::ClosedOutput { stderr } => {
                stderr
            }
            Self::NotStarted { .. }
            | Self::TooMuchOutput { .. }
            | Self::Survives { .. }
            | Self::Io { .. } => "",
        }
    }

    /// Whether the same may go well another time: a system short of something, or a signal.
    ///
    /// A program that is not there or may not be run stays so, and a limit is reached again.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::NotStarted { source, .. } => !matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported
            ),
            Self::Ended { may_pass, .. } => *may_pass,
            Self::Io { .. } => true,
            Self::Deadline { .. }
            | Self::TooMuchOutput { .. }
            | Self::ClosedOutput { .. }
            | Self::Survives { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detail_has_the_cause_and_the_last_words_of_the_program() {
        let missing = ProcessError::NotStarted {
            program: "/no/such".into(),
            source: io::Error::new(io::ErrorKind::NotFound, "not there"),
        };
        assert_eq!(missing.detail(), "/no/such cannot be started: not there");
        assert!(!missing.may_pass());
        let slow = ProcessError::Deadline {
            after: Duration::from_millis(1500),
            stderr: "step 1\nstep 2\n\n".to_owned(),
        };
        assert_eq!(slow.detail(), "no answer within 1.5 s: step 2");
        assert_eq!(slow.reason(), Reason::Timeout);
    }
}
