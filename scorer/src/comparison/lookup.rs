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

/// The snapshot that is called `name`: a file, a folder with `summary.json`, an id, or `latest`.
///
/// # Errors
/// When there is none, or it is broken.
pub fn snapshot(name: &str, data: &Path) -> Result<Summary, LookupError> {
    let path = find(name, data)
        .ok_or_else(|| LookupError::Unknown { name: name.to_owned(), data: data.to_owned() })?;
    let bytes = read_bytes(&path, DEFAULT_LIMIT).map_err(InputError::from)?;
    Ok(inputs::summary(&path, bytes)?)
}

fn find(name: &str, data: &Path) -> Option<PathBuf> {
    let path = Path::new(name);
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
