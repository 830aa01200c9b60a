//! Why a dump cannot be read.

use std::io;

use shared::format::shortened;

use super::archive::ArchiveError;
use super::copy_text::{CopyError, RowsError};
use super::frame::FrameError;
use super::parts::PartsError;
use super::release::ReleaseError;
use crate::exit::{ExitCode, Failure};
use crate::measurements::inferencex::{CollectError, RowError};

/// A dump cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// Locations that do not go together.
    #[error("name one release, address, folder or `-`, or several files of one dump")]
    MixedLocations,
    /// A part is not there or not what it must be.
    #[error(transparent)]
    Parts(Box<PartsError>),
    /// The release is not there or not complete.
    #[error(transparent)]
    Release(Box<ReleaseError>),
    /// The parts are not one zstd frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The frame holds no archive that can be read.
    #[error(transparent)]
    Archive(ArchiveError),
    /// A table is not in the archive.
    #[error("the archive has no data of table `{NAMESPACE}.{table}`", NAMESPACE = super::NAMESPACE)]
    NoTable {
        /// The table.
        table: &'static str,
    },
    /// The archive ends before the data of a table.
    #[error(
        "the archive ends before the data of table `{table}`: parts are missing, or pg_dump did not finish"
    )]
    NoData {
        /// The table.
        table: &'static str,
    },
    /// The data of a table are there twice.
    #[error("the archive has the data of table `{table}` twice")]
    TwiceData {
        /// The table.
        table: String,
    },
    /// A table has not the columns that are read.
    #[error(
        "table `{table}` has no column `{column}`: the database is older or newer than this program knows"
    )]
    NoColumn {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// The data of a table cannot be read.
    #[error("table `{table}`: {source}")]
    Copy {
        /// The table.
        table: &'static str,
        /// Where and why.
        source: CopyError,
    },
    /// A row is not what it must be.
    #[error(transparent)]
    Row(Box<RowError>),
    /// A log has no number.
    #[error("table `server_logs`: column `id` is `{}`, which is no whole number", shortened(.0, 60))]
    LogId(String),
    /// The rows contradict each other.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// The system gives no thread or socket.
    #[error("the system does not give what a download needs")]
    Runtime(#[source] io::Error),
}

/// A row that is refused.
#[derive(Debug)]
pub(in crate::measurements) enum RefusedRow {
    Row(RowError),
    LogId(String),
    Collect(CollectError),
}

impl From<RowError> for RefusedRow {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

impl From<CollectError> for RefusedRow {
    fn from(error: CollectError) -> Self {
        Self::Collect(error)
    }
}

impl DumpError {
    /// What came through a reader: an error of ours, or one of the system.
    pub(super) fn from_io(error: io::Error) -> Self {
        let error = match error.downcast::<FrameError>() {
            Ok(error) => return Self::Frame(error),
            Err(error) => error,
        };
        match error.downcast::<ArchiveError>() {
            Ok(error) => error.into(),
            Err(error) => Self::Archive(ArchiveError::Read(error)),
        }
    }

    pub(super) fn of_rows(table: &'static str, error: RowsError<RefusedRow>) -> Self {
        match error {
            RowsError::Copy(CopyError::Read(error)) => match Self::from_io(error) {
                // The decompressor of the table's own data complains.
                Self::Archive(ArchiveError::Read(error)) => {
                    Self::Copy { table, source: CopyError::Read(error) }
                }
                other => other,
            },
            RowsError::Copy(source) => Self::Copy { table, source },
            RowsError::Sink(RefusedRow::Row(error)) => error.into(),
            RowsError::Sink(RefusedRow::LogId(found)) => Self::LogId(found),
            RowsError::Sink(RefusedRow::Collect(error)) => Self::Collect(error),
        }
    }
}

impl From<PartsError> for DumpError {
    fn from(error: PartsError) -> Self {
        Self::Parts(Box::new(error))
    }
}

impl From<ReleaseError> for DumpError {
    fn from(error: ReleaseError) -> Self {
        Self::Release(Box::new(error))
    }
}

impl From<RowError> for DumpError {
    fn from(error: RowError) -> Self {
        Self::Row(Box::new(error))
    }
}

impl From<ArchiveError> for DumpError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Read(source) if matches!(source.get_ref(), Some(inner) if inner.is::<FrameError>()) => {
                Self::from_io(source)
            }
            other => Self::Archive(other),
        }
    }
}

impl Failure for DumpError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Parts(error) => error.exit_code(),
            Self::Release(error) => error.exit_code(),
            Self::Collect(error) => error.exit_code(),
            Self::MixedLocations => ExitCode::Usage,
            Self::Runtime(_) => ExitCode::Unexpected,
            Self::Frame(_)
            | Self::Archive(_)
            | Self::NoTable { .. }
            | Self::NoData { .. }
            | Self::TwiceData { .. }
            | Self::NoColumn { .. }
            | Self::Copy { .. }
            | Self::Row(_)
            | Self::LogId(_) => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Parts(error) => error.advice(),
            Self::Release(error) => error.advice(),
            Self::Collect(error) => error.advice(),
            Self::NoTable { .. } => Some(
                "make sure that this is a dump of the InferenceX database, with all of its data".to_owned(),
            ),
            _ => None,
        }
    }
}
