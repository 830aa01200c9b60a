//! Publishing a snapshot: all or nothing, and whatever happens the site shows whole snapshots only.
//!
//! The snapshots' directories are the truth; the list of snapshots, the copy of the newest and the
//! note of what was published last are made from them, in this order. So a publish does two things:
//! it adds the snapshot's directory in one rename (`snapshot.rs`), and it brings the rest up to date
//! (`refresh.rs`), each file in one rename. Killed between any two system calls, it leaves either the
//! site as it was, or a snapshot that is not listed yet; the next publish lists it.
//!
//! All of it happens under a lock on the data directory, which the operating system lets go of when
//! the process ends.

mod disk;
mod refresh;
mod snapshot;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shared::id::SnapshotId;
use shared::summary::{Label, Summary};

pub use disk::{Disk, RealDisk};

use crate::console::Console;
use crate::data_folder::{Layout, POINTS, SUMMARY};
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, lock};
use crate::inputs::InputError;
use crate::summarize::points_csv::PointsError;
use crate::validate::Problem;

/// What a publish did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    /// The snapshot is there now.
    Added(SnapshotId),
    /// It was there already, with this content; the earlier file stays.
    Unchanged(SnapshotId),
}

/// A snapshot is not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// It cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It is experimental.
    #[error("snapshot {0} is experimental: its figures are nobody's accuracy and are not published")]
    Experimental(SnapshotId),
    /// It lacks outcomes, or has some that no point asks for.
    #[error("snapshot {id} is partial or unbalanced")]
    Unbalanced {
        /// The snapshot.
        id: SnapshotId,
        /// What is missing.
        source: shared::coverage::CoverageError,
    },
    /// Something else is wrong with it.
    #[error("{}: is not valid: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The first problem.
        problem: Problem,
    },
    /// There is another snapshot of that id.
    #[error("{}: has the id {id} too, but other content", path.display())]
    IdTaken {
        /// The snapshot that is there.
        path: PathBuf,
        /// The id.
        id: SnapshotId,
    },
    /// A snapshot that is there is not the one that its directory names.
    #[error("{}: is snapshot {found}, but stands in the directory of another", path.display())]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// The id in the file.
        found: SnapshotId,
    },
    /// Somebody else is publishing.
    #[error("{}: another publisher has held the lock for {} s", path.display(), waited.as_secs())]
    Locked {
        /// The data directory.
        path: PathBuf,
        /// How long this one waited.
        waited: Duration,
    },
    /// The system refuses.
    #[error("{}: cannot be written", path.display())]
    Disk {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A snapshot has no digest.
    #[error(transparent)]
    Id(#[from] shared::snapshot_id::SnapshotIdError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table of points cannot be written.
    #[error(transparent)]
    Points(#[from] PointsError),
}

impl Failure for PublishError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(error) => error.exit_code(),
            Self::Experimental(_) | Self::Unbalanced { .. } | Self::IdTaken { .. } => ExitCode::Refused,
            Self::Invalid { .. } | Self::Misplaced { .. } => ExitCode::InputInvalid,
            Self::Locked { .. } => ExitCode::Locked,
            Self::Disk { .. } => ExitCode::OutputNotWritten,
            Self::File(error) => error.exit_code(),
            Self::Points(error) => error.exit_code(),
            Self::Id(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Input(error) => return error.advice(),
            Self::Experimental(_) => "write it elsewhere with --out DIR",
            Self::Unbalanced { .. } => "finish the run and summarize again",
            Self::Invalid { .. } => "`scorer validate` lists all problems; make the snapshot again",
            Self::IdTaken { .. } => "published snapshots never change: find out which of the two is wrong",
            Self::Misplaced { .. } => "move the directory away, or give it the snapshot's id as its name",
            Self::Locked { .. } => "wait for the other one, or give a longer --lock-timeout",
            Self::Disk { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull => "free some space and publish again",
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "name a data directory where you may write"
                }
                _ => return None,
            },
            Self::File(error) => return error.advice(),
            Self::Points(_) | Self::Id(_) => return None,
        };
        Some(advice.to_owned())
    }
}

/// A snapshot that may be published, with the bytes that will be.
#[derive(Debug)]
pub struct Candidate {
    summary: Summary,
    bytes: Vec<u8>,
    points: Vec<u8>,
}

impl Candidate {
    /// Reads a snapshot and proves that it is whole. It may still be experimental.
    ///
    /// # Errors
    /// When it is not a valid snapshot.
    pub fn read(path: &Path, bytes: Vec<u8>) -> Result<Self, PublishError> {
        let summary = crate::inputs::unproven_summary(path, bytes)?;
        let estimators: Vec<_> = summary.simulators.iter().map(|simulator| simulator.id.clone()).collect();
        shared::coverage::of(&summary.coverage.rows, &summary.sweeps, &estimators)
            .map_err(|source| PublishError::Unbalanced { id: summary.run.id.clone(), source })?;
        let document =
            serde_json::to_value(&summary).map_err(|source| FileError::NotSerializable { source })?;
        let mut problems = crate::validate::schema_problems(shared::schema::FileKind::Summary, &document);
        drop(document);
        if problems.is_empty() {
            problems = crate::validate::summary_problems(&summary);
        }
        if let Some(problem) = problems.into_iter().next() {
            return Err(PublishError::Invalid { path: path.to_owned(), problem });
        }
        let bytes = crate::files::json_bytes(&summary)?;
        let points = crate::summarize::points_csv::bytes(&summary)?;
        Ok(Self { summary, bytes, points })
    }

    /// The snapshot.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Writes the snapshot into a directory of the caller's, experimental or not, unpublished.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write_elsewhere(&self, directory: &Path) -> Result<(), PublishError> {
        fs::create_dir_all(directory)
            .map_err(|source| PublishError::Disk { path: directory.to_owned(), source })?;
        crate::files::write_atomically(&directory.join(SUMMARY), &self.bytes)?;
        crate::files::write_atomically(&directory.join(POINTS), &self.points)?;
        Ok(())
    }
}

/// Publishes a snapshot into a data directory, waiting up to `patience` for other publishers.
///
/// # Errors
/// When the snapshot is refused, when somebody else holds the lock for too long, or when the system
/// refuses; what was published before is then still there, whole.
pub fn publish(
    candidate: &Candidate,
    data: &Path,
    patience: Duration,
    console: &Console,
) -> Result<Published, PublishError> {
    if candidate.summary.run.label == Label::Experimental {
        return Err(PublishError::Experimental(candidate.summary.run.id.clone()));
    }
    let on_disk = |source| PublishError::Disk { path: data.to_owned(), source };
    fs::create_dir_all(data).map_err(on_disk)?;
    let waiting = || {
        let seconds = patience.as_secs();
        console.status(&format!("{}: waiting up to {seconds} s for another publisher", data.display()));
    };
    let lock = lock::lock_folder(data, patience, waiting).map_err(on_disk)?;
    if lock.is_none() {
        return Err(PublishError::Locked { path: data.to_owned(), waited: patience });
    }
    publish_locked(candidate, &Layout::new(data), &RealDisk)
}

/// The steps of a publish, on a disk that may fail at any of them. The caller holds the lock.
fn publish_locked(
    candidate: &Candidate,
    layout: &Layout,
    disk: &dyn Disk,
) -> Result<Published, PublishError> {
    snapshot::clear_leftovers(layout, disk)?;
    let added = snapshot::add(candidate, layout, disk)?;
    refresh::refresh(layout, disk)?;
    let id = candidate.summary.run.id.clone();
    Ok(if added { Published::Added(id) } else { Published::Unchanged(id) })
}

#[cfg(test)]
mod tests;
