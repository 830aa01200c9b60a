//! Why results cannot be read as a corpus: which file, what is wrong with it and what to do.

use std::path::{Path, PathBuf};

use crate::exit::{ExitCode, Failure};
use crate::files::FileError;
use crate::measurements::settings::SettingFault;

/// Results cannot be read as a corpus.
#[derive(Debug, thiserror::Error)]
pub enum ClientResultsError {
    /// A file cannot be read, or is not JSON of the expected shape.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that was named is no result.
    #[error("{}: has no `mean_ttft_ms` and `mean_tpot_ms`, so it is no result of a benchmark client", path.display())]
    NotAResult {
        /// The file.
        path: PathBuf,
    },
    /// A folder has nothing to read.
    #[error("{}: has no file that ends in .json", path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// There are more files than anybody measures.
    #[error("{found} result files are more than the {limit} that are read: name fewer")]
    TooManyFiles {
        /// How many.
        found: usize,
        /// The most that are read.
        limit: usize,
    },
    /// A result is there twice, whatever its names.
    #[error("{}: has the very bytes of {}, and would count as a repeat of it: name one of them", path.display(), other.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The one before it.
        other: PathBuf,
    },
    /// A file contradicts itself or another.
    #[error("{}: {fault}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Box<Fault>,
    },
    /// Too little is left.
    #[error(
        "{concurrencies} of the {needed} concurrencies that a sweep needs are left of {rows} results ({reasons})"
    )]
    TooFew {
        /// Concurrencies that are left.
        concurrencies: usize,
        /// Concurrencies that are needed.
        needed: u32,
        /// Results that were read.
        rows: u64,
        /// The reasons with their counts.
        reasons: String,
    },
    /// The latencies of repeats have no mean.
    #[error("the latencies at concurrency {concurrency} have no mean that is a latency")]
    Latency {
        /// The concurrency.
        concurrency: u32,
    },
}

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The deployment file is no TOML of the right shape.
    #[error("is not a deployment file: {0}")]
    NotToml(Box<toml::de::Error>),
    /// A size is 0.
    #[error("`{0}` is 0: use a whole number above 0")]
    Zero(&'static str),
    /// The range ratio is none.
    #[error("`workload.range_ratio` is {0}: use a number from 0 to 1")]
    Ratio(f64),
    /// A setting is none.
    #[error(transparent)]
    Setting(#[from] SettingFault),
    /// A log does not say what was passed.
    #[error("has no line `non-default args: …`: this is not the log of a vLLM server, or it was cut")]
    NoArguments,
    /// The arguments line is broken.
    #[error("the arguments in line {line} cannot be read: {problem}")]
    UnreadableArguments {
        /// The line.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// Two logs are of one point.
    #[error(
        "is the second log of the same points: name one, or say with `--log C=FILE` of which concurrency each is"
    )]
    TwiceLog,
    /// A log is of a point that is not there.
    #[error("is the log of concurrency {0}, which no result has")]
    UnusedLog(u32),
    /// The deployment file contradicts itself.
    #[error("says in {place} that {what} is `{found}`, but elsewhere that it is `{stated}`: correct one")]
    OwnContradiction {
        /// Where it says one thing.
        place: &'static str,
        /// What it says twice.
        what: &'static str,
        /// What it says there.
        found: String,
        /// What is said elsewhere.
        stated: String,
    },
    /// A log contradicts the deployment file.
    #[error(
        "says that {what} is `{logged}`, but the deployment file says `{stated}`: correct one, or leave out this log"
    )]
    Contradiction {
        /// What they say.
        what: String,
        /// By the log.
        logged: String,
        /// By the deployment file.
        stated: String,
    },
    /// No result says when it was measured.
    #[error("does not say on which day it was measured: `date` is missing or no day")]
    NoDate,
}

impl ClientResultsError {
    pub(super) fn at(path: &Path, fault: Fault) -> Self {
        Self::At { path: path.to_owned(), fault: Box::new(fault) }
    }
}

impl Failure for ClientResultsError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::EmptyFolder { .. } | Self::TooManyFiles { .. } => ExitCode::InputUnreadable,
            Self::Twice { .. } => ExitCode::Usage,
            Self::NotAResult { .. } | Self::At { .. } | Self::TooFew { .. } | Self::Latency { .. } => {
                ExitCode::InputInvalid
            }
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::TooFew { .. } => Some("docs/own-measurements.md tells what to measure, and how".to_owned()),
            _ => None,
        }
    }
}
