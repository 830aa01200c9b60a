//! Where things stand in a data directory, and how unfinished things are told from finished ones.

use std::path::{Path, PathBuf};

use shared::id::SnapshotId;

/// The snapshot itself.
pub const SUMMARY: &str = "summary.json";

/// Its points as a table.
pub const POINTS: &str = "points.csv";

/// How the names of unfinished files and directories begin. Nobody reads them; the next publish removes
/// what a crash left behind.
pub const UNFINISHED: &str = ".unfinished-";

/// A data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// Of the directory `root`.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The list of snapshots.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.root.join("index.json")
    }

    /// The directory of all snapshots.
    #[must_use]
    pub fn snapshots(&self) -> PathBuf {
        self.root.join("snapshots")
    }

    /// The directory of one snapshot.
    #[must_use]
    pub fn snapshot(&self, id: &SnapshotId) -> PathBuf {
        self.snapshots().join(id.as_str())
    }

    /// The file of one snapshot.
    #[must_use]
    pub fn summary(&self, id: &SnapshotId) -> PathBuf {
        self.snapshot(id).join(SUMMARY)
    }

    /// The copy of the newest released snapshot.
    #[must_use]
    pub fn latest(&self) -> PathBuf {
        self.root.join("latest").join(SUMMARY)
    }

    /// What was published last.
    #[must_use]
    pub fn last_run(&self) -> PathBuf {
        self.root.join("state").join("last-run.json")
    }

    /// The night that failed last; it is there only until one succeeds.
    #[must_use]
    pub fn last_failure(&self) -> PathBuf {
        self.root.join("state").join("last-failure.json")
    }

    /// Every directory in which something unfinished may stand.
    #[must_use]
    pub fn folders(&self) -> [PathBuf; 4] {
        [self.root.clone(), self.snapshots(), self.root.join("latest"), self.root.join("state")]
    }
}

/// The unfinished neighbour of a file or directory.
#[must_use]
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(UNFINISHED);
    name.push(path.file_name().unwrap_or_default());
    path.with_file_name(name)
}
