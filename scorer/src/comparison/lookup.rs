//! Finding a snapshot by what a person calls it.

use std::path::{Path, PathBuf};

use shared::id::SnapshotId;
use shared::summary::Summary;

use crate::data_folder::Layout;
use crate::exit::{ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, FileError, read_bytes};
use crate::inputs::{self, InputError};

/// A snapshot cannot be found or read.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// Nothing is called that.
    #[error("there is no snapshot `{name}`: neither a file or folder of that name, nor an id in {}", data.display())]
    Unknown {
        /// What was asked for.
        name: String,
        /// Where ids were looked up.
        data: PathBuf,
    },
    /// It cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
}

impl Failure for LookupError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Unknown { .. } => ExitCode::InputUnreadable,
            Self::Input(error) => error.exit_code(),
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Unknown { .. } => Some("name a summary.json, or the data directory with --data".to_owned()),
            Self::Input(error) => error.advice(),
        }
    }
}

/// The file of the snapshot that is called `name`: a file, a folder with `summary.json`, an id, `latest`,
/// or `-` for stdin.
///
/// # Errors
/// When there is none.
pub fn find(name: &str, data: &Path) -> Result<PathBuf, LookupError> {
    let unknown = || LookupError::Unknown { name: name.to_owned(), data: data.to_owned() };
    named(name, data).ok_or_else(unknown)
}

/// The snapshot in a file.
///
/// # Errors
/// When it cannot be read, or contradicts itself.
pub fn snapshot(path: &Path) -> Result<Summary, LookupError> {
    let bytes = read_bytes(path, DEFAULT_LIMIT)?;
    Ok(inputs::summary(path, bytes)?)
}

fn named(name: &str, data: &Path) -> Option<PathBuf> {
    let path = Path::new(name);
    if name == "-" {
        return Some(path.to_owned());
    }
    if path.is_dir() {
        return Some(path.join("summary.json"));
    }
    if path.exists() {
        return Some(path.to_owned());
    }
    let layout = Layout::new(data);
    let found = if name == "latest" { layout.latest() } else { layout.summary(&SnapshotId::new(name).ok()?) };
    found.exists().then_some(found)
}

impl From<FileError> for LookupError {
    fn from(error: FileError) -> Self {
        Self::Input(error.into())
    }
}
