//! Why a ledger cannot be used.

use std::io;
use std::path::PathBuf;

use shared::id::{IdError, UnitId};
use shared::unit::UnitError;

use crate::exit::{ExitCode, Failure};
use crate::files::FileError;
use crate::inputs::InputError;

/// A ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The folder cannot be read.
    #[error("{}: this folder of units cannot be read", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file has no unit's name.
    #[error("{}: is in a folder of units, but has not the name of one", path.display())]
    Name {
        /// The file.
        path: PathBuf,
        /// Why.
        source: IdError,
    },
    /// There is no such unit.
    #[error("there is no unit `{id}`: {} is missing", path.display())]
    NoUnit {
        /// Where it would be.
        path: PathBuf,
        /// The unit.
        id: UnitId,
    },
    /// A file has the name of another unit.
    #[error("{}: has the unit `{id}`, so it must be called {id}.json", path.display())]
    OtherName {
        /// The file.
        path: PathBuf,
        /// The unit in it.
        id: UnitId,
    },
    /// A file says what it should, in other bytes.
    #[error("{}: has not the bytes that `scorer ledger freeze` writes", .0.display())]
    Bytes(PathBuf),
    /// Another unit has the id.
    #[error("{}: is frozen with another content, and a unit never changes", .0.display())]
    Frozen(PathBuf),
    /// The corpus does not have a sweep.
    #[error("the corpus has no sweep {0}")]
    NoSweep(shared::id::SweepId),
    /// A line of a list is no unit's id.
    #[error("{}: line {line} names no unit", path.display())]
    Line {
        /// The list.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Why.
        source: IdError,
    },
    /// No unit is chosen.
    #[error("{}: there are no units in it", .0.display())]
    Empty(PathBuf),
    /// A unit cannot be made, or some make no corpus.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A file is no unit.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Failure for LedgerError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Folder { .. } | Self::NoUnit { .. } => ExitCode::InputUnreadable,
            Self::Name { .. }
            | Self::OtherName { .. }
            | Self::Bytes(_)
            | Self::Line { .. }
            | Self::Empty(_) => ExitCode::InputInvalid,
            Self::Unit(error) => match error {
                UnitError::SameSweep { .. } => ExitCode::Usage,
                UnitError::Ledger => ExitCode::Refused,
                UnitError::Json(_) => ExitCode::Unexpected,
                _ => ExitCode::InputInvalid,
            },
            Self::Frozen(_) => ExitCode::Refused,
            Self::NoSweep(_) => ExitCode::Usage,
            Self::Input(error) => error.exit_code(),
            Self::File(error) => error.exit_code(),
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Folder { .. } | Self::Empty(_) => {
                "name a folder of units, or make one with `scorer ledger freeze CORPUS --ledger DIR`"
            }
            Self::Name { .. } => "move it elsewhere",
            Self::NoUnit { .. } => "`scorer ledger list` lists the units that there are",
            Self::OtherName { .. } | Self::Bytes(_) => {
                "take it from where it was frozen, or remove it and freeze its sweep again"
            }
            Self::Frozen(_) => {
                "keep the old one, and give the other measurements a release of their own, or another folder"
            }
            Self::NoSweep(_) => "`scorer report` and points.csv name the sweeps of a corpus",
            Self::Line { .. } => {
                "a list has the id of a unit in each line, and what stands behind `#` is a remark"
            }
            Self::Unit(_) => return None,
            Self::Input(error) => return error.advice(),
            Self::File(error) => return error.advice(),
        };
        Some(advice.to_owned())
    }
}
