//! Publishing a snapshot: all or nothing, and whatever happens the site shows whole snapshots only.
//!
//! The snapshots' directories are the truth; the list of snapshots, the copy of the newest and the
//! note of what was published last are made from them, in this order. So a publish does two things:
//! it adds the snapshot's directory in one rename (`snapshot.rs`), and it brings the rest up to date
//! (`refresh.rs`), each file in one rename. Killed between any two system calls, it leaves either the
//! site as it was, or a snapshot that is not listed yet, or one that is listed while the copy of the
//! newest, or only the note, is still that of the one before it. Each of these files is whole and of a
//! listed snapshot, and the next publish brings them up to date. Stopped by an error it leaves one of
//! these too, and nothing unfinished.
//!
//! Of the snapshots that are there each is read and held against its id, and one that is not in the list
//! with its very digest is proved before it gets there: a snapshot that was changed stops every publish.
//!
//! All of it happens under a lock on the data directory, which the operating system lets go of when
//! the process ends.

mod disk;
mod failure;
mod refresh;
mod snapshot;
mod stored;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shared::digest::Digest;
use shared::id::SnapshotId;
use shared::index::IndexEntry;
use shared::summary::{Label, Summary};

pub use disk::{Disk, RealDisk};
pub use failure::{clear_failure, note_failure};
pub use stored::{Stored, StoredError};

use crate::console::Console;
use crate::data_folder::{Layout, POINTS, SUMMARY, entry};
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
    /// It was there already, with this content; the earlier file stays. But the list, the latest or the
    /// note of the last run did not say so, and was made again.
    Repaired(SnapshotId),
    /// It was there already, with this content, and nothing was written.
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
    /// A snapshot that is there is not as it was published.
    #[error(transparent)]
    Stored(#[from] StoredError),
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
            Self::Invalid { .. } => ExitCode::InputInvalid,
            Self::Stored(error) => error.exit_code(),
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
            Self::Stored(error) => return error.advice(),
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
        if let Some(problem) = stored::first_problem(&summary)? {
            return Err(PublishError::Invalid { path: path.to_owned(), problem });
        }
        let bytes = crate::files::json_bytes(&summary)?;
        let points = crate::summarize::points_csv::bytes(&summary)?;
        Ok(Self { summary, bytes, points })
    }

    /// The snapshots that a data directory lists, to publish them in another.
    ///
    /// # Errors
    /// When there is no list, or one of them is not as it was published.
    pub fn listed_in(data: &Path) -> Result<Vec<Self>, PublishError> {
        let layout = Layout::new(data);
        let index = crate::inputs::index(&layout.index())?;
        let mut listed: Vec<&IndexEntry> = index.snapshots.iter().collect();
        listed.sort_by(|a, b| a.id.cmp(&b.id));
        listed.dedup();
        let read = |entry: &IndexEntry| {
            let path = layout.summary(&entry.id);
            let stored = Stored::read(&layout, &entry.id)?;
            if stored.entry != *entry {
                let problem = Problem::new("", "the list says something else of it");
                return Err(StoredError::Changed { path, problem }.into());
            }
            Self::read(&path, stored.bytes)
        };
        listed.into_iter().map(read).collect()
    }

    /// The snapshot.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    fn entry(&self) -> IndexEntry {
        entry(&self.summary, Digest::of_bytes(&self.bytes), self.bytes.len() as u64)
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
    publish_on(&RealDisk, candidate, data, patience, console)
}

/// As [`publish`], on a disk of the caller's.
///
/// # Errors
/// As [`publish`].
pub fn publish_on(
    disk: &dyn Disk,
    candidate: &Candidate,
    data: &Path,
    patience: Duration,
    console: &Console,
) -> Result<Published, PublishError> {
    if candidate.summary.run.label == Label::Experimental {
        return Err(PublishError::Experimental(candidate.summary.run.id.clone()));
    }
    let _lock = locked(data, patience, console)?;
    publish_locked(candidate, &Layout::new(data), disk)
}

/// Takes snapshots back: their own maker found them out of date. Those that are not there are passed over.
///
/// # Errors
/// When one of the others is not as it was published, when somebody else holds the lock for too long, or
/// when the system refuses.
pub fn withdraw(
    ids: &[SnapshotId],
    data: &Path,
    patience: Duration,
    console: &Console,
) -> Result<(), PublishError> {
    let layout = Layout::new(data);
    let folders: Vec<_> = ids.iter().map(|id| layout.snapshot(id)).filter(|folder| folder.exists()).collect();
    if folders.is_empty() {
        return Ok(());
    }
    let _lock = locked(data, patience, console)?;
    snapshot::clear_leftovers(&layout, &RealDisk)?;
    refresh::write(refresh::entries(&layout, ids)?, &layout, &RealDisk)?;
    for folder in folders {
        snapshot::remove(&folder, &RealDisk)?;
    }
    Ok(())
}

/// The lock on a data directory, which is made when it is missing.
fn locked(data: &Path, patience: Duration, console: &Console) -> Result<fs::File, PublishError> {
    let on_disk = |source| PublishError::Disk { path: data.to_owned(), source };
    fs::create_dir_all(data).map_err(on_disk)?;
    let waiting = || {
        let seconds = patience.as_secs();
        console.status(&format!("{}: waiting up to {seconds} s for another publisher", data.display()));
    };
    let lock = lock::lock_folder(data, patience, waiting).map_err(on_disk)?;
    lock.ok_or_else(|| PublishError::Locked { path: data.to_owned(), waited: patience })
}

/// The steps of a publish, on a disk that may fail at any of them. The caller holds the lock.
fn publish_locked(
    candidate: &Candidate,
    layout: &Layout,
    disk: &dyn Disk,
) -> Result<Published, PublishError> {
    snapshot::clear_leftovers(layout, disk)?;
    add_and_refresh(candidate, layout, disk).inspect_err(|_| {
        // What stopped it is told; that more room could not be made for others is not.
        let _ = snapshot::clear_leftovers(layout, disk);
    })
}

/// Adds the snapshot beside those that are there, if they are what they should be, and lists them all.
fn add_and_refresh(
    candidate: &Candidate,
    layout: &Layout,
    disk: &dyn Disk,
) -> Result<Published, PublishError> {
    let mut entries = refresh::entries(layout, &[])?;
    let added = snapshot::add(candidate, layout, disk)?;
    if added {
        entries.push(candidate.entry());
    }
    let written = refresh::write(entries, layout, disk)?;
    let id = candidate.summary.run.id.clone();
    Ok(match (added, written) {
        (true, _) => Published::Added(id),
        (false, true) => Published::Repaired(id),
        (false, false) => Published::Unchanged(id),
    })
}

#[cfg(test)]
mod tests;
