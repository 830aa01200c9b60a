//! Why the rows of a table cannot be read, whether they come from a dump or from a database.

use shared::format::shortened;

use super::copy_text::{CopyError, RowsError};
use crate::exit::{ExitCode, Failure};
use crate::measurements::inferencex::{CollectError, RowError};

/// The rows of a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The table has not the columns that are read.
    #[error(
        "table `{table}` has no column `{column}`: the database is older or newer than this program knows"
    )]
    NoColumn {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// Its data are no COPY text.
    #[error("table `{table}`: {source}")]
    Copy {
        /// The table.
        table: &'static str,
        /// Where and why.
        source: CopyError,
    },
    /// A row is not what it must be.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A log has no number.
    #[error("table `server_logs`: column `id` is `{}`, which is no whole number", shortened(.0, 60))]
    LogId(String),
    /// The rows contradict each other.
    #[error(transparent)]
    Collect(#[from] CollectError),
}

impl TableError {
    pub(super) fn of_rows(table: &'static str, error: RowsError<Self>) -> Self {
        match error {
            RowsError::Copy(source) => Self::Copy { table, source },
            RowsError::Sink(error) => error,
        }
    }
}

impl Failure for TableError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Collect(error) => error.exit_code(),
            Self::NoColumn { .. } | Self::Copy { .. } | Self::Row(_) | Self::LogId(_) => {
                ExitCode::InputInvalid
            }
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Collect(error) => error.advice(),
            Self::NoColumn { .. } | Self::Copy { .. } | Self::Row(_) | Self::LogId(_) => None,
        }
    }
}
