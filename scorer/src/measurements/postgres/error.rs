//! Why a database cannot be read.

use std::io;

use crate::exit::{ExitCode, Failure};
use crate::measurements::dump::table_error::TableError;

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
    #[error("there is no table `public.{table}`")]
    NoTable {
        /// The table.
        table: &'static str,
    },
    /// The rows of a table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl PostgresError {
    pub(super) fn asking(what: &'static str) -> impl Fn(tokio_postgres::Error) -> Self {
        move |source| Self::Refused { what, source }
    }
}

impl Failure for PostgresError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Runtime(_) | Self::Tls(_) => ExitCode::Unexpected,
            Self::Connect { .. } | Self::Refused { .. } => ExitCode::InputUnreadable,
            Self::Table(error) => error.exit_code(),
            Self::NoTable { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Table(error) => return error.advice(),
            Self::Connect { .. } => {
                "check host, port, user and password (PGPASSWORD); a certificate of your own goes into SSL_CERT_FILE, and \
                 sslmode=disable does without one on your own machine"
            }
            Self::NoTable { .. } => "restore the InferenceX dump into this database, or name the right one",
            Self::Refused { .. } => {
                "this user needs the right to read all columns (GRANT SELECT) and, where a table has row-level \
                 security, all rows (BYPASSRLS)"
            }
            _ => return None,
        };
        Some(advice.to_owned())
    }
}
