//! Why a night does not go on.

use std::path::PathBuf;

use crate::exit::{CommandError, ExitCode, Failure};
use crate::measurements::dump::release::DumpTagError;

/// A night does not go on.
#[derive(Debug)]
pub(super) enum Halt {
    /// A stage failed.
    Failed(CommandError),
    /// A stage was stopped, with what it had done saved.
    Stopped(ExitCode),
}

impl<F: Failure> From<F> for Halt {
    fn from(failure: F) -> Self {
        Self::Failed(failure.into())
    }
}

impl From<CommandError> for Halt {
    fn from(error: CommandError) -> Self {
        Self::Failed(error)
    }
}

/// What only a night can fail of.
#[derive(Debug, thiserror::Error)]
pub(super) enum NightlyError {
    /// A part cannot be run, or joined, without what was prepared.
    #[error("{}: has no prepared night to go on with", .0.display())]
    NothingPrepared(PathBuf),
    /// The build is not there.
    #[error("{}: has no build of the simulator any more", .0.display())]
    NoBuild(PathBuf),
    /// The measurements are named by no tag of a dump.
    #[error(transparent)]
    Tag(DumpTagError),
}

impl Failure for NightlyError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NothingPrepared(_) | Self::NoBuild(_) => ExitCode::InputUnreadable,
            Self::Tag(_) => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::NothingPrepared(_) => {
                "prepare it with `scorer nightly --until plan`, and take over its whole work directory"
            }
            Self::NoBuild(_) => "run `scorer nightly --until plan` in it again",
            Self::Tag(_) => return None,
        };
        Some(advice.to_owned())
    }
}
