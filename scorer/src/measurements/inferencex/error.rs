//! Why rows cannot be made a corpus.

use shared::millis::MillisError;

use super::fields::RowError;
use crate::exit::{ExitCode, Failure};

/// The rows of a source contradict themselves, or nothing is left of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CollectError {
    /// Two rows of a table have one id.
    #[error("table `{table}` has row {id} twice: the source was read twice, or it is damaged")]
    TwiceRow {
        /// The table.
        table: &'static str,
        /// The id.
        id: i64,
    },
    /// A table does not end.
    #[error("table `{table}` has more than {limit} rows, which no InferenceX database has: check the source")]
    TooManyRows {
        /// The table.
        table: &'static str,
        /// The most rows that are read.
        limit: usize,
    },
    /// The logs come before the rows and say too much.
    #[error("the facts of the server logs need more than {limit} bytes: check the source")]
    TooManyFacts {
        /// The most memory that they get.
        limit: usize,
    },
    /// A result's deployment is not there.
    #[error(
        "row {row} of `benchmark_results` names config {config}, which is not there: the source is incomplete"
    )]
    NoConfig {
        /// The result.
        row: i64,
        /// The deployment.
        config: i64,
    },
    /// A result's run is not there.
    #[error(
        "row {row} of `benchmark_results` names workflow run {run}, which is not there: the source is incomplete"
    )]
    NoRun {
        /// The result.
        row: i64,
        /// The run.
        run: i64,
    },
    /// A result's log is not there.
    #[error(
        "row {row} of `benchmark_results` names server log {log}, which is not there: the source is incomplete"
    )]
    NoLog {
        /// The result.
        row: i64,
        /// The log.
        log: i64,
    },
    /// A row that may become a point cannot be read.
    #[error(transparent)]
    Row(#[from] RowError),
    /// No sweep is left.
    #[error("no sweep is left of {rows} rows ({reasons}): there is nothing to score")]
    NothingLeft {
        /// Rows that were read.
        rows: u64,
        /// The reasons with their counts.
        reasons: String,
    },
    /// The latencies of rows that may become points have no mean.
    #[error("the mean latencies of row {row} cannot be averaged with those of its repeats: {source}")]
    Latency {
        /// One of the rows.
        row: i64,
        /// What is wrong.
        source: MillisError,
    },
    /// The rows cannot be digested.
    #[error("the rows cannot be written as JSON: {0}")]
    Json(String),
}

impl Failure for CollectError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Json(_) => ExitCode::Unexpected,
            _ => ExitCode::InputInvalid,
        }
    }
}
