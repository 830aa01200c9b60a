//! Why a database cannot be read.

use std::io;

use shared::format::shortened;

use crate::exit::{ExitCode, Failure};
use crate::measurements::dump::RefusedRow;
use crate::measurements::dump::copy_text::{CopyError, RowsError};
use crate::measurements::inferencex::{CollectError, RowError};

/// A database cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// The system gives no thread or socket.
    #[error("the system does not give what a connection needs")]
    Runtime(#[source] io::Error),
    /// The machine's certificates cannot be read.
    #[error("no TLS connection can be set up on this machine")]
    Tls(#[source] rustls::Error),
    /// There is no connection.
    #[error("{server}: no connection")]
    Connect {
        /// The database and its server.
        server: String,
        /// Why.
        source: tokio_postgres::Error,
    },
    /// The server refuses.
    #[error("the server refuses to give `{what}`")]
    Refused {
        /// What was asked for.
        what: &'static str,
        /// Why.
        source: tokio_postgres::Error,
    },
    /// A table is not there.
    #[error("there is no table `public.{table}`, or this user may not read it")]
    NoTable {
        /// The table.
        table: &'static str,
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
    /// The server sends what is no COPY text.
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

impl PostgresError {
    pub(super) fn asking(what: &'static str) -> impl Fn(tokio_postgres::Error) -> Self {
        move |source| Self::Refused { what, source }
    }

    pub(super) fn of_rows(table: &'static str, error: RowsError<RefusedRow>) -> Self {
        match error {
            RowsError::Copy(source) => Self::Copy { table, source },
            RowsError::Sink(RefusedRow::Row(error)) => Self::Row(error),
            RowsError::Sink(RefusedRow::LogId(found)) => Self::LogId(found),
            RowsError::Sink(RefusedRow::Collect(error)) => Self::Collect(error),
        }
    }
}

impl Failure for PostgresError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Runtime(_) | Self::Tls(_) => ExitCode::Unexpected,
            Self::Connect { .. } | Self::Refused { .. } => ExitCode::InputUnreadable,
            Self::Collect(error) => error.exit_code(),
            Self::NoTable { .. }
            | Self::NoColumn { .. }
            | Self::Copy { .. }
            | Self::Row(_)
            | Self::LogId(_) => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Connect { .. } => {
                "check host, port, user and password (PGPASSWORD); a certificate of your own goes into SSL_CERT_FILE, and \
                 sslmode=disable does without one on your own machine"
            }
            Self::NoTable { .. } => "restore the InferenceX dump into this database, or name the right one",
            Self::Refused { .. } => "this user needs the right to read (GRANT SELECT)",
            _ => return None,
        };
        Some(advice.to_owned())
    }
}
