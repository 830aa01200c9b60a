//! Reading our own files as a command needs them: the schema first, so that a file of another kind or
//! of a newer version is named as such, then the content, then the proof that it is what it says.
//!
//! What a command is given here has passed the checks of `scorer validate`, but for two that take
//! long: unknown fields, which change nothing, and the figures of a snapshot, which every reader
//! computes from its sweeps.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use shared::corpus::Corpus;
use shared::index::Index;
use shared::plan::Plan;
use shared::schema::{FileKind, SchemaError, SchemaField};
use shared::summary::Summary;
use shared::unit::Unit;

use crate::cli::plan::SimulatorArgs;
use crate::exit::{ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, FileError, parse_json, read_bytes};
use crate::reference::ReferenceError;
use crate::simulators::Config;
use crate::simulators::config::ConfigError;
use crate::validate::{self, Problem};

/// A file of ours cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It cannot be read, or its content is not what it must be.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is of another kind or version.
    #[error("{}: is not the kind of file that is needed here", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        source: SchemaError,
    },
    /// Its content contradicts itself.
    #[error("{}: not a valid {kind}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What it says it is.
        kind: &'static str,
        /// The first problem.
        problem: Problem,
    },
}

impl Failure for InputError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Schema { .. } | Self::Invalid { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Schema { .. } => None,
            Self::Invalid { path, .. } => {
                Some(format!("`scorer validate {}` lists everything that is wrong with it", path.display()))
            }
        }
    }
}

impl Failure for ReferenceError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Read { .. } | Self::Empty { .. } => ExitCode::InputUnreadable,
            Self::Parse { .. } | Self::Entry { .. } => ExitCode::InputInvalid,
        }
    }
}

/// The corpus in the bytes of a file.
///
/// # Errors
/// When it is not one, or contradicts itself.
pub fn corpus(path: &Path, bytes: Vec<u8>) -> Result<Corpus, InputError> {
    let corpus = parse(FileKind::Corpus, path, bytes)?;
    proven(FileKind::Corpus, path, validate::corpus_problems(&corpus))?;
    Ok(corpus)
}

/// The plan in a file.
///
/// # Errors
/// When it cannot be read, is not one, or contradicts itself.
pub fn plan(path: &Path) -> Result<Plan, InputError> {
    let plan = parse(FileKind::Plan, path, read_bytes(path, DEFAULT_LIMIT)?)?;
    proven(FileKind::Plan, path, validate::plan_problems(&plan))?;
    Ok(plan)
}

/// The unit in the bytes of a file: its digest, its id and all of its sweep are what they say.
///
/// # Errors
/// When it is not one, or was changed.
pub fn unit(path: &Path, bytes: Vec<u8>) -> Result<Unit, InputError> {
    let unit = parse(FileKind::Unit, path, bytes)?;
    proven(FileKind::Unit, path, validate::unit_problems(&unit))?;
    Ok(unit)
}

/// The snapshot in the bytes of a file: rules, order, verdicts, balance and id are those of its sweeps.
///
/// Against a snapshot of other definitions nothing is known: whoever computes by its sweeps asks
/// [`shared::verify::definitions`] first, as a comparison does.
///
/// # Errors
/// When it is not one, or contradicts itself.
pub fn summary(path: &Path, bytes: Vec<u8>) -> Result<Summary, InputError> {
    let summary = unproven_summary(path, bytes)?;
    proven(FileKind::Summary, path, validate::summary_problems_but_figures(&summary))?;
    Ok(summary)
}

/// The snapshot in the bytes of a file whose proof is the caller's: a digest that is known, or every
/// figure computed again.
///
/// # Errors
/// When it is not one.
pub fn unproven_summary(path: &Path, bytes: Vec<u8>) -> Result<Summary, InputError> {
    parse(FileKind::Summary, path, bytes)
}

fn proven(kind: FileKind, path: &Path, problems: Vec<Problem>) -> Result<(), InputError> {
    problems.into_iter().next().map_or(Ok(()), |problem| {
        Err(InputError::Invalid { path: path.to_owned(), kind: kind.schema(), problem })
    })
}

/// The list of snapshots in a file.
///
/// # Errors
/// When it cannot be read or is not one.
pub fn index(path: &Path) -> Result<Index, InputError> {
    parse(FileKind::Index, path, read_bytes(path, DEFAULT_LIMIT)?)
}

/// The estimators that the command line names.
///
/// # Errors
/// When their file cannot be read or understood.
pub fn simulators(args: &SimulatorArgs) -> Result<Config, ConfigError> {
    let config = args.simulators.as_deref().map_or_else(|| Ok(Config::default()), Config::load)?;
    Ok(match &args.blis {
        None => config,
        Some(binary) => config.with_blis(binary.clone()),
    })
}

/// A value of one kind in the bytes of a file.
///
/// # Errors
/// When it is of another kind, or broken.
pub fn parse<T: DeserializeOwned>(kind: FileKind, path: &Path, bytes: Vec<u8>) -> Result<T, InputError> {
    if let Some(stated) = stated_schema(&bytes) {
        kind.check(&stated).map_err(|source| InputError::Schema { path: path.to_owned(), source })?;
    }
    Ok(parse_json(path, bytes)?)
}

/// What the `schema` field of a file says: of its first value, because a file of outcomes has many.
#[must_use]
pub fn stated_schema(bytes: &[u8]) -> Option<String> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<SchemaField>();
    values.next()?.ok().map(|field| field.schema)
}
