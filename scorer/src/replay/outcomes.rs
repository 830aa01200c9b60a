//! Files of outcomes, read and written line by line: `outcomes.v1`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use shared::outcome::{OutcomeRecord, OutcomesHeader};
use shared::schema::{FileKind, SchemaError};

use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, read_bytes};

/// The largest file of outcomes that is read: 8 GiB, some 20 million points.
pub const LIMIT: u64 = 8 << 30;

/// A file of outcomes, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// The first line.
    pub header: OutcomesHeader,
    /// The other lines.
    pub records: Vec<OutcomeRecord>,
    /// How many bytes the lines above have; less than the file when its last line is torn.
    pub whole_bytes: u64,
}

/// What is done with a last line that does not end in a line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Torn {
    /// It is what a killed run leaves behind: ignored.
    Ignored,
    /// The file is refused.
    Refused,
}

/// A file of outcomes cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutcomesError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The first line is no header.
    #[error("{}: line 1 is not the header of a file of outcomes", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The file is of another kind or version.
    #[error("{}: is not the kind of file that is needed here", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// Why.
        source: SchemaError,
    },
    /// A line is no record.
    #[error("{}: line {line} is not an outcome", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
    /// The last line was not written to its end.
    #[error("{}: ends in the middle of line {line}", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
}

impl Failure for OutcomesError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            _ => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Torn { .. } => {
                Some("the run was stopped: run the same command again to finish it".to_owned())
            }
            Self::Schema { .. } => None,
            Self::Header { .. } | Self::Line { .. } => {
                Some("run the plan again, into another file".to_owned())
            }
        }
    }
}

/// Reads a file of outcomes.
///
/// # Errors
/// When it cannot be read, or a line is not what it must be.
pub fn read(path: &Path, torn: Torn) -> Result<Outcomes, OutcomesError> {
    parse(path, &read_bytes(path, LIMIT)?, torn)
}

/// The outcomes in some bytes; `path` names them in messages.
///
/// # Errors
/// When a line is not what it must be.
pub fn parse(path: &Path, bytes: &[u8], torn: Torn) -> Result<Outcomes, OutcomesError> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let (bytes, rest) = bytes.split_at(whole);
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    let Some((_, first)) = lines.next() else {
        return Err(if rest.is_empty() {
            FileError::Empty { path: path.to_owned() }.into()
        } else {
            OutcomesError::Torn { path: path.to_owned(), line: 1 }
        });
    };
    let header = header(path, first)?;
    let records = lines
        .map(|(index, line)| {
            serde_json::from_slice(line).map_err(|source| OutcomesError::Line {
                path: path.to_owned(),
                line: index + 1,
                source,
            })
        })
        .collect::<Result<Vec<OutcomeRecord>, _>>()?;
    if !rest.is_empty() && torn == Torn::Refused {
        return Err(OutcomesError::Torn { path: path.to_owned(), line: records.len() + 2 });
    }
    Ok(Outcomes { header, records, whole_bytes: whole as u64 })
}

fn header(path: &Path, line: &[u8]) -> Result<OutcomesHeader, OutcomesError> {
    let of = |source| OutcomesError::Header { path: path.to_owned(), source };
    let field: shared::schema::SchemaField = serde_json::from_slice(line).map_err(of)?;
    FileKind::Outcomes
        .check(&field.schema)
        .map_err(|source| OutcomesError::Schema { path: path.to_owned(), source })?;
    serde_json::from_slice(line).map_err(of)
}

/// One line of the file.
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn line<T: Serialize>(value: &T) -> Result<Vec<u8>, FileError> {
    crate::files::json_bytes(value)
}

/// The bytes of a whole file.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn bytes<'a>(
    header: &OutcomesHeader,
    records: impl IntoIterator<Item = &'a OutcomeRecord>,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = line(header)?;
    for record in records {
        bytes.extend(line(record)?);
    }
    Ok(bytes)
}
