//! How the process ends: the public exit codes, and the one error type that all commands return.
//!
//! A command keeps its own `thiserror` enum and implements [`Failure`] for it, which says what exit
//! code the failure has and what the reader may do; `?` then turns it into a [`CommandError`].

use std::error::Error;
use std::fmt::{self, Write as _};
use std::process;

/// The exit codes of `scorer`: a public interface that scripts rely on.
///
/// A number is never given another meaning. The same list is in docs/exit-codes.md and in
/// `scorer help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// The command did what it was asked to do.
    Success = 0,
    /// Something went wrong that has no code of its own.
    Unexpected = 1,
    /// The command line cannot be understood, or its values do not go together.
    Usage = 2,
    /// An input is missing, is a folder, may not be read, or is larger than the limit.
    InputUnreadable = 3,
    /// An input was read but is not valid: syntax, schema, numbers, digest.
    InputInvalid = 4,
    /// An output could not be written: no such folder, no permission, no space.
    OutputNotWritten = 5,
    /// Another publisher holds the lock.
    Locked = 6,
    /// The request was understood and refused: partial, unbalanced, experimental.
    Refused = 7,
    /// Stopped by a signal, after saving what was done.
    Interrupted = 8,
    /// The port to serve at is taken, or may not be listened on.
    PortTaken = 9,
    /// `compare --gate`: the second snapshot is less accurate.
    Regression = 10,
    /// `compare --gate`: a point that was scored no longer is.
    CoverageLost = 11,
    /// `compare --gate`: other rules, or no common points.
    NotComparable = 12,
}

impl ExitCode {
    /// Every code, in ascending order.
    pub const ALL: [Self; 13] = [
        Self::Success,
        Self::Unexpected,
        Self::Usage,
        Self::InputUnreadable,
        Self::InputInvalid,
        Self::OutputNotWritten,
        Self::Locked,
        Self::Refused,
        Self::Interrupted,
        Self::PortTaken,
        Self::Regression,
        Self::CoverageLost,
        Self::NotComparable,
    ];

    /// The number that the shell sees.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// What the code means, as a fragment for help and documentation.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "done",
            Self::Unexpected => "unexpected failure",
            Self::Usage => "the command line is wrong",
            Self::InputUnreadable => "an input is missing, unreadable or too large",
            Self::InputInvalid => "an input is invalid (syntax, schema, numbers, digest)",
            Self::OutputNotWritten => "an output could not be written",
            Self::Locked => "another publisher holds the lock",
            Self::Refused => "refused (partial, unbalanced, experimental)",
            Self::Interrupted => "interrupted; what was done is saved",
            Self::PortTaken => "the port is taken or cannot be listened on",
            Self::Regression => "compare --gate: less accurate",
            Self::CoverageLost => "compare --gate: a scored point is no longer scored",
            Self::NotComparable => "compare --gate: not comparable",
        }
    }

    /// The list that `scorer help` shows.
    #[must_use]
    pub fn help() -> String {
        let mut text = String::from("Exit codes:");
        for code in Self::ALL {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {:>2}  {}", code.number(), code.meaning());
        }
        text
    }
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

/// The exit code for what clap returns instead of a parsed command line.
///
/// Asking for help or the version is a success; everything else is a usage error.
#[must_use]
pub fn of_command_line(refusal: &clap::Error) -> ExitCode {
    if refusal.use_stderr() { ExitCode::Usage } else { ExitCode::Success }
}

/// An error that ends a command.
///
/// Its text is a lowercase fragment that says what went wrong and where, its sources say why.
pub trait Failure: Error + Send + Sync + 'static {
    /// The exit code of the process.
    fn exit_code(&self) -> ExitCode;

    /// What the reader can do about it, when the text does not say so already.
    fn advice(&self) -> Option<String> {
        None
    }
}

/// What a command returns: how the process ends, or why it could not do its work.
///
/// A command that finds something (`compare --gate`) returns `Ok` with its own code.
pub type CommandResult = Result<ExitCode, CommandError>;

/// Any [`Failure`], as `main` sees it.
///
/// It is deliberately no [`Error`] itself, so that every failure converts into it with `?`.
pub struct CommandError(Box<dyn Failure>);

impl CommandError {
    /// The exit code of the process.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        self.0.exit_code()
    }

    /// What the reader can do about it.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        self.0.advice()
    }

    /// The texts of the error's sources, outermost first.
    ///
    /// A source whose text its parent has already (`#[error(transparent)]`, or as a part) is left out.
    #[must_use]
    pub fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut said = self.0.to_string();
        let mut next = self.0.source();
        while let Some(cause) = next {
            let text = cause.to_string();
            if !said.contains(&text) {
                causes.push(text.clone());
            }
            said = text;
            next = cause.source();
        }
        causes
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F: Failure> From<F> for CommandError {
    fn from(failure: F) -> Self {
        Self(Box::new(failure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Sample {
        #[error("cannot do it")]
        Outer(#[source] Inner),
        #[error(transparent)]
        Same(Inner),
        #[error("cannot do it, as {0}")]
        Within(#[source] Inner),
    }

    #[derive(Debug, thiserror::Error)]
    #[error("the disk is full")]
    struct Inner(#[source] std::io::Error);

    impl Failure for Sample {
        fn exit_code(&self) -> ExitCode {
            ExitCode::OutputNotWritten
        }
    }

    fn inner() -> Inner {
        Inner(std::io::Error::other("code 28"))
    }

    #[test]
    fn the_chain_of_sources_is_kept_in_order() {
        let error = CommandError::from(Sample::Outer(inner()));
        assert_eq!(error.to_string(), "cannot do it");
        assert_eq!(error.causes(), ["the disk is full", "code 28"]);
        assert_eq!(error.exit_code(), ExitCode::OutputNotWritten);
    }

    #[test]
    fn a_transparent_error_says_its_text_once() {
        let error = CommandError::from(Sample::Same(inner()));
        assert_eq!(error.to_string(), "the disk is full");
        assert_eq!(error.causes(), ["code 28"]);
        let error = CommandError::from(Sample::Within(inner()));
        assert_eq!(error.to_string(), "cannot do it, as the disk is full");
        assert_eq!(error.causes(), ["code 28"]);
    }

    #[test]
    fn the_numbers_ascend_so_none_is_used_twice() {
        assert!(ExitCode::ALL.is_sorted_by(|a, b| a.number() < b.number()));
    }

    #[test]
    fn the_document_lists_every_code_with_its_meaning() {
        let document = include_str!("../../docs/exit-codes.md");
        let rows: Vec<String> =
            ExitCode::ALL.iter().map(|code| format!("| {} | {} |", code.number(), code.meaning())).collect();
        let listed: Vec<&str> = document
            .lines()
            .filter(|line| line.trim_start_matches("| ").starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        assert_eq!(listed, rows);
    }
}
