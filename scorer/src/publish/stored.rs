//! The snapshots that a data directory has. None is taken for granted: its id follows from its content,
//! and before the list vouches for it, all of it is proved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shared::digest::Digest;
use shared::id::SnapshotId;
use shared::index::IndexEntry;
use shared::schema::FileKind;
use shared::snapshot_id;
use shared::summary::Summary;

use crate::data_folder::{Layout, POINTS, entry};
use crate::exit::{ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, FileError, json_bytes, read_bytes};
use crate::inputs::{self, InputError};
use crate::summarize::points_csv::{self, PointsError};
use crate::validate::{Problem, schema_problems, summary_problems};

/// Something in the directory of snapshots is none that was published.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// A file, or a name that is no id.
    #[error("{}: is no directory of a snapshot", .0.display())]
    Stray(PathBuf),
    /// A file of it cannot be read, or is broken.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It is another snapshot than its directory says.
    #[error("{}: is snapshot {found}, but stands in the directory of another", path.display())]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// The id in the file.
        found: SnapshotId,
    },
    /// It was changed.
    #[error("{}: is not as it was published: {problem}", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The first problem.
        problem: Problem,
    },
    /// The directory cannot be listed.
    #[error("{}: cannot be read", path.display())]
    Folder {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its table of points cannot be made.
    #[error(transparent)]
    Points(#[from] PointsError),
}

impl From<FileError> for StoredError {
    fn from(error: FileError) -> Self {
        Self::Input(error.into())
    }
}

impl Failure for StoredError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Stray(_) | Self::Misplaced { .. } | Self::Changed { .. } => ExitCode::InputInvalid,
            Self::Input(error) => error.exit_code(),
            Self::Folder { .. } => ExitCode::InputUnreadable,
            Self::Points(error) => error.exit_code(),
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Stray(_) => "remove it: beside the snapshots' directories nothing may stand here",
            Self::Input(InputError::File(FileError::Unreadable { .. }))
            | Self::Folder { .. }
            | Self::Points(_) => return None,
            Self::Input(_) | Self::Changed { .. } => {
                "restore the snapshot's directory from a copy (git has one of what was committed), or remove it; \
                 then publish again"
            }
            Self::Misplaced { .. } => "give the directory the snapshot's id as its name, or remove it",
        };
        Some(advice.to_owned())
    }
}

/// A snapshot that is there, and says the id that its directory has and that follows from its content.
#[derive(Debug)]
pub struct Stored {
    /// Its content.
    pub summary: Summary,
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// What the list has to say of it.
    pub entry: IndexEntry,
    path: PathBuf,
}

impl Stored {
    /// Reads the snapshot of an id.
    ///
    /// # Errors
    /// When it is missing, broken, or not the one of this id.
    pub fn read(layout: &Layout, id: &SnapshotId) -> Result<Self, StoredError> {
        let path = layout.summary(id);
        let bytes = read_bytes(&path, DEFAULT_LIMIT)?;
        let summary = inputs::unproven_summary(&path, bytes.clone())?;
        if summary.run.id != *id {
            return Err(StoredError::Misplaced { path, found: summary.run.id });
        }
        let problem = match snapshot_id::of(&summary) {
            Ok(made) if made == *id => None,
            Ok(made) => Some(format!("its content has the id {made}")),
            Err(error) => Some(error.to_string()),
        };
        if let Some(text) = problem {
            return Err(StoredError::Changed { path, problem: Problem::new("run.id", text) });
        }
        let entry = entry(&summary, Digest::of_bytes(&bytes), bytes.len() as u64);
        Ok(Self { summary, bytes, entry, path })
    }

    /// Computes all of it again, as when it was published.
    ///
    /// # Errors
    /// When a byte of it differs.
    pub fn prove(&self) -> Result<(), StoredError> {
        let changed = |path: &Path, problem| Err(StoredError::Changed { path: path.to_owned(), problem });
        if let Some(problem) = first_problem(&self.summary)? {
            return changed(&self.path, problem);
        }
        if json_bytes(&self.summary)? != self.bytes {
            return changed(&self.path, Problem::new("", "these are not the bytes that its content has"));
        }
        let points = self.path.with_file_name(POINTS);
        if read_bytes(&points, DEFAULT_LIMIT)? != points_csv::bytes(&self.summary)? {
            return changed(&points, Problem::new("", "it is not the table of the snapshot beside it"));
        }
        Ok(())
    }
}

/// The first thing that is wrong with a snapshot.
pub(super) fn first_problem(summary: &Summary) -> Result<Option<Problem>, FileError> {
    let document = serde_json::to_value(summary).map_err(|source| FileError::NotSerializable { source })?;
    let first = schema_problems(FileKind::Summary, &document).into_iter().next();
    drop(document);
    Ok(first.or_else(|| summary_problems(summary).into_iter().next()))
}

/// The ids of all snapshots that are there.
pub(super) fn ids(layout: &Layout) -> Result<Vec<SnapshotId>, StoredError> {
    let folder = layout.snapshots();
    let unreadable = |source| StoredError::Folder { path: folder.clone(), source };
    let directories = match fs::read_dir(&folder) {
        Ok(directories) => directories,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut ids = Vec::new();
    for directory in directories {
        let directory = directory.map_err(unreadable)?;
        let name = directory.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        match SnapshotId::new(&*name) {
            Ok(id) if directory.path().is_dir() => ids.push(id),
            _ => return Err(StoredError::Stray(directory.path())),
        }
    }
    Ok(ids)
}
