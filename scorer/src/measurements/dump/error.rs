//! Why a dump cannot be read.

use std::io;

use super::archive::ArchiveError;
use super::copy_text::CopyError;
use super::frame::FrameError;
use super::parts::PartsError;
use super::release::ReleaseError;
use super::table_error::TableError;
use crate::exit::{ExitCode, Failure};

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
    /// The rows of a table cannot be read.
    #[error(transparent)]
    Table(Box<TableError>),
    /// The system gives no thread or socket.
    #[error("the system does not give what a download needs")]
    Runtime(#[source] io::Error),
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

impl From<TableError> for DumpError {
    fn from(error: TableError) -> Self {
        let TableError::Copy { table, source: CopyError::Read(error) } = error else {
            return Self::Table(Box::new(error));
        };
        match Self::from_io(error) {
            // The decompressor of the table's own data complains.
            Self::Archive(ArchiveError::Read(error)) => {
                Self::Table(Box::new(TableError::Copy { table, source: CopyError::Read(error) }))
            }
            other => other,
        }
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
            Self::Table(error) => error.exit_code(),
            Self::MixedLocations => ExitCode::Usage,
            Self::Runtime(_) => ExitCode::Unexpected,
            Self::Frame(_)
            | Self::Archive(_)
            | Self::NoTable { .. }
            | Self::NoData { .. }
            | Self::TwiceData { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Parts(error) => error.advice(),
            Self::Release(error) => error.advice(),
            Self::Table(error) => error.advice(),
            Self::NoTable { .. } => Some(
                "make sure that this is a dump of the InferenceX database, with all of its data".to_owned(),
            ),
            _ => None,
        }
    }
}
