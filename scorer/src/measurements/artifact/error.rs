//! Why the three files cannot be read as a corpus: which file, which sweep and concurrency, what is
//! wrong there and what to do.

use std::fmt;
use std::path::{Path, PathBuf};

use shared::id::SweepId;

use crate::exit::{ExitCode, Failure};
use crate::files::FileError;
use crate::measurements::name::Name;

/// The three files cannot be read as a corpus.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// A file cannot be read, or is not JSON of the expected shape.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file contradicts itself or another one.
    #[error("{}: {fault}", .file.display())]
    Whole {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        fault: Box<Fault>,
    },
    /// An entry of a file contradicts itself or another one.
    #[error("{}: {place}: {fault}", .file.display())]
    Entry {
        /// The file.
        file: PathBuf,
        /// The entry.
        place: Place,
        /// What is wrong.
        fault: Box<Fault>,
    },
}

impl ArtifactError {
    pub(super) fn whole(file: &Path, fault: Fault) -> Self {
        Self::Whole { file: file.to_owned(), fault: Box::new(fault) }
    }
}

impl Failure for ArtifactError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Whole { .. } | Self::Entry { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Whole { .. } | Self::Entry { .. } => None,
        }
    }
}

/// An entry of one of the files: a sweep, or one of its points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    scenario: String,
    label: String,
    concurrency: Option<u32>,
}

impl Place {
    /// A sweep.
    pub(super) fn sweep(scenario: &Name, label: &Name) -> Self {
        Self { scenario: scenario.to_string(), label: label.to_string(), concurrency: None }
    }

    /// A point of it.
    pub(super) fn at(&self, concurrency: u32) -> Self {
        Self { concurrency: Some(concurrency), ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.scenario, self.label)?;
        self.concurrency.map_or(Ok(()), |concurrency| write!(formatter, " c={concurrency}"))
    }
}

/// What is wrong.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The files do not come from one release.
    #[error("is of release `{found}`, but {other} is of `{expected}`: take all three from one release")]
    OtherRelease {
        /// The release of this file.
        found: String,
        /// The file it is compared with.
        other: String,
        /// Its release.
        expected: String,
    },
    /// Nothing would be left to settle what was passed.
    #[error("its list `{0}` is empty: this is not the right file, or it was cut")]
    EmptyList(&'static str),
    /// The unit of the latencies is not the one we read.
    #[error("its `metrics` are `{0}`, but mean TPOT and TTFT in microseconds are needed")]
    OtherMetrics(String),
    /// The measurements are of another kind.
    #[error("its `benchmark_type` is `{0}`, but `single_turn` is needed")]
    OtherBenchmark(String),
    /// No sweep is left.
    #[error("no sweep is left of {rows} rows ({reasons}): there is nothing to score")]
    NothingLeft {
        /// Rows that were read.
        rows: u64,
        /// The reasons with their counts.
        reasons: String,
    },
    /// The sweep is in the file twice.
    #[error("this sweep is there twice: keep one")]
    TwiceSweep,
    /// The concurrency is in the sweep twice.
    #[error("this concurrency is there twice in the sweep: keep one")]
    TwiceConcurrency,
    /// A sweep that nobody measured.
    #[error("no sweep of {corpus} has this scenario and label: correct them or remove the entry")]
    UnknownSweep {
        /// The file with the sweeps.
        corpus: String,
    },
    /// The same sweep in two files differs.
    #[error("`{field}` is `{found}`, but {other} says `{expected}`: correct one of them")]
    Contradiction {
        /// The field.
        field: &'static str,
        /// Its value here.
        found: String,
        /// The other file.
        other: String,
        /// Its value there.
        expected: String,
    },
    /// The label does not stand for the lengths.
    #[error(
        "the label does not fit the workload `{workload}`, which is called `{expected}`: correct one of them"
    )]
    Label {
        /// The workload.
        workload: String,
        /// The label that it has by the rule.
        expected: String,
    },
    /// The workload is not two lengths.
    #[error("the workload `{0}` is not `<input tokens>:<output tokens>`, two whole numbers above 0")]
    Workload(String),
    /// A number that must be above 0 is not.
    #[error("`{field}` is {value}, but must be {rule}")]
    Number {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        rule: &'static str,
    },
    /// A field is missing.
    #[error("`{0}` is missing at a point with status `success`: add it, or give the point another status")]
    Missing(&'static str),
    /// The sweep has no points at all.
    #[error("the sweep has no points: restore them or remove it")]
    NoPoints,
    /// The relative latency is not the absolute one over the anchor's.
    #[error(
        "`{field}` is {relative}, but the absolute latencies give {absolute} ({latency} µs over {anchor} µs at the anchor) \
         in {other}: correct one of them"
    )]
    Relative {
        /// The field.
        field: &'static str,
        /// Its value.
        relative: f64,
        /// The quotient of the absolute values.
        absolute: f64,
        /// The latency, in microseconds.
        latency: f64,
        /// The latency at the anchor, in microseconds.
        anchor: f64,
        /// The file with the absolute values.
        other: String,
    },
    /// The printed error is not that of the ratios.
    #[error("`{field}` is {printed}, but the ratios beside it give {computed:.2}: correct one of them")]
    PrintedError {
        /// The field.
        field: &'static str,
        /// Its value.
        printed: f64,
        /// What the ratios give.
        computed: f64,
    },
    /// A prediction with one of its two values.
    #[error("predicts one of TPOT and TTFT without the other (`{0}` is missing): add it or remove both")]
    HalfPrediction(&'static str),
    /// The anchor's value is not the one that its concurrency has.
    #[error(
        "`{field}` is {value}, but the value at concurrency {concurrency} is {listed}: correct one of them"
    )]
    Anchor {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The anchor's concurrency.
        concurrency: u32,
        /// The value that is listed for it.
        listed: f64,
    },
    /// The anchor's concurrency was not measured.
    #[error(
        "`{field}` is given, but no latency at its concurrency {concurrency}: add it or correct `anchor_concurrency`"
    )]
    NoAnchor {
        /// The field.
        field: &'static str,
        /// The anchor's concurrency.
        concurrency: u32,
    },
    /// Two sweeps cannot be told apart.
    #[error("is the same to a simulator as {other} (sweep {id}): remove one of them")]
    SameSweep {
        /// The other sweep.
        other: Place,
        /// The id of both.
        id: SweepId,
    },
    /// The record of a log lists no concurrency.
    #[error("lists no concurrency: add the settings of at least one, or remove the entry")]
    EmptyRecord,
    /// The id of an estimator is not valid.
    #[error("an estimator of the artifact cannot be named")]
    Estimator(#[source] shared::id::IdError),
    /// A date is not one.
    #[error("`{field}` is `{value}`, but must be a date such as 2026-09-28")]
    Date {
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// A log that is called incomplete and listed all the same.
    #[error("is among the `incomplete` ones (`{reason}`) and among the `settings`: remove one of them")]
    IncompleteAndListed {
        /// The reason of the former.
        reason: String,
    },
}
