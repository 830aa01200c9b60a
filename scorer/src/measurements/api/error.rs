//! Why the API cannot be read.

use std::io;
use std::path::PathBuf;

use crate::exit::{ExitCode, Failure};
use crate::measurements::http::HttpError;
use crate::measurements::inferencex::{CollectError, RowError};

/// The API cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// It does not answer as it should.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// A row is none.
    #[error("the API sends a row that is no JSON object of columns")]
    NoRow(#[source] serde_json::Error),
    /// A row has not what a row must have.
    #[error("the API sends a row that cannot be read: {0}")]
    Row(#[from] RowError),
    /// The rows cannot be made a corpus.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// The chunks of a log do not follow each other.
    #[error("the API sends the log of row {row} in chunks that do not go on: after {offset} comes {next}")]
    Chunks {
        /// The row.
        row: i64,
        /// Where the chunk began.
        offset: u64,
        /// Where the next should begin.
        next: u64,
    },
    /// A chunk is not the one that was asked for.
    #[error(
        "the API is asked for the log of row {row} from {offset} on, and answers with another or with none"
    )]
    OtherChunk {
        /// The row.
        row: i64,
        /// Where the chunk should begin.
        offset: u64,
    },
    /// A log does not end.
    #[error("the API sends a log of row {row} with more than {limit} characters")]
    EndlessLog {
        /// The row.
        row: i64,
        /// The most characters that are read.
        limit: u64,
    },
    /// Nothing can be asked on this machine.
    #[error("the threads that ask the API cannot be started")]
    Runtime(#[source] io::Error),
    /// A log cannot be kept.
    #[error("{}: the log cannot be kept there", path.display())]
    Cache {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Failure for ApiError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Http(error) => error.exit_code(),
            Self::Collect(error) => error.exit_code(),
            Self::NoRow(_)
            | Self::Row(_)
            | Self::Chunks { .. }
            | Self::OtherChunk { .. }
            | Self::EndlessLog { .. } => ExitCode::InputInvalid,
            Self::Runtime(_) => ExitCode::Unexpected,
            Self::Cache { .. } => ExitCode::OutputNotWritten,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Http(HttpError::Limited { .. }) => {
                "run it again later, perhaps with --jobs 1: the logs that came are kept, so it goes on from there"
            }
            Self::Http(HttpError::Status { status: 403, .. }) => {
                "the API or a proxy keeps you out: take a dump instead (`scorer ingest dump`)"
            }
            Self::Http(HttpError::Status { status: 404, .. }) => {
                "check --base-url: it ends in the API's version, as in …/api/v1"
            }
            Self::Http(HttpError::Json { .. }) => {
                "check --base-url; if it is right, the API has changed: take a dump instead (`scorer ingest dump`)"
            }
            Self::Http(error) => return error.advice(),
            Self::Collect(error) => return error.advice(),
            Self::Runtime(_) => return None,
            Self::Cache { .. } => "name another folder with --cache-dir, or keep nothing with --no-cache",
            Self::NoRow(_)
            | Self::Row(_)
            | Self::Chunks { .. }
            | Self::OtherChunk { .. }
            | Self::EndlessLog { .. } => {
                "the API may have changed: take a dump instead (`scorer ingest dump`)"
            }
        };
        Some(advice.to_owned())
    }
}
