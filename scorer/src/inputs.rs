//! Reading our own files as a command needs them: the schema first, so that a file of another kind or
//! of a newer version is named as such, then the content.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use shared::corpus::Corpus;
use shared::index::Index;
use shared::plan::Plan;
use shared::schema::{FileKind, SchemaError, SchemaField};
use shared::summary::Summary;

use crate::cli::plan::SimulatorArgs;
use crate::exit::{ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, FileError, parse_json, read_bytes};
use crate::reference::ReferenceError;
use crate::simulators::Config;
use crate::simulators::config::ConfigError;

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
}

impl Failure for InputError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Schema { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Schema { .. } => None,
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
/// When it is not one.
pub fn corpus(path: &Path, bytes: Vec<u8>) -> Result<Corpus, InputError> {
    parse(FileKind::Corpus, path, bytes)
}

/// The plan in a file.
///
/// # Errors
/// When it cannot be read or is not one.
pub fn plan(path: &Path) -> Result<Plan, InputError> {
    parse(FileKind::Plan, path, read_bytes(path, DEFAULT_LIMIT)?)
}

/// The snapshot in the bytes of a file.
///
/// # Errors
/// When it is not one.
pub fn summary(path: &Path, bytes: Vec<u8>) -> Result<Summary, InputError> {
    parse(FileKind::Summary, path, bytes)
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
    if let Ok(field) = serde_json::from_slice::<SchemaField>(&bytes) {
        kind.check(&field.schema).map_err(|source| InputError::Schema { path: path.to_owned(), source })?;
    }
    Ok(parse_json(path, bytes)?)
}
