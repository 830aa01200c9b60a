//! Why the rows of a table cannot be read, and in which row.

use std::io;

/// The data of a table are not COPY text as PostgreSQL writes it.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// What they are read from failed.
    #[error("the data cannot be read")]
    Read(#[source] io::Error),
    /// They end too early.
    #[error("row {row} is not complete: the data end within it")]
    Cut {
        /// The row, counted from 1.
        row: u64,
    },
    /// They go on after the line that ends them.
    #[error("data follow the line that ends them, after {rows} rows")]
    AfterEnd {
        /// How many rows there were.
        rows: u64,
    },
    /// There are more than can be.
    #[error("there are more than {0} rows, which is more than InferenceX can have measured")]
    TooManyRows(u64),
    /// A row is wrong.
    #[error("row {row}: {fault}")]
    Row {
        /// The row, counted from 1.
        row: u64,
        /// What is wrong.
        fault: RowFault,
    },
}

/// What is wrong with a row.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowFault {
    /// Fields are missing.
    #[error("it has {found} fields, but {expected} columns are named")]
    TooFewFields {
        /// Its fields.
        found: usize,
        /// The columns.
        expected: usize,
    },
    /// There are more fields than columns.
    #[error("it has more fields than the {0} columns that are named")]
    TooManyFields(usize),
    /// A field ends in the middle of an escape.
    #[error("column `{0}` ends in the middle of an escape")]
    Escape(String),
    /// A field is not UTF-8.
    #[error("column `{0}` is not UTF-8 text")]
    NotUtf8(String),
    /// A field that is kept is too long.
    #[error("column `{column}` has more than {limit} bytes")]
    TooLong {
        /// The column.
        column: String,
        /// The most that is read.
        limit: usize,
    },
    /// The row is longer than PostgreSQL makes any.
    #[error("it is longer than 1 GiB, and PostgreSQL makes no such row")]
    Endless,
}
