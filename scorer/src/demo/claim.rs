//! Whose directory it is: a demonstration writes over and removes only what a demonstration made.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use shared::id::SnapshotId;

use super::{DemoError, Places};
use crate::files::{FileError, read_text, write_atomically};

/// The file that makes the places beside it the demonstration's. It is there before any of them.
const CLAIM: &str = ".scorer-demo";

/// How it begins. The ids of the snapshots that were published follow, one a line.
const WORDS: &str = "# data, site and work beside this file are those of `scorer demo`. It published:\n";

/// The longest such file that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// A directory whose [`Places`] are the demonstration's.
#[derive(Debug)]
pub(super) struct Claim {
    file: PathBuf,
    /// What demonstrations have published there.
    pub published: Vec<SnapshotId>,
}

impl Claim {
    /// Claims the places in a directory, or finds that an earlier demonstration did.
    ///
    /// # Errors
    /// When one of the places is taken by somebody else, or the system refuses.
    pub fn of(out: &Path) -> Result<Self, DemoError> {
        let file = out.join(CLAIM);
        match read_text(&file, LIMIT) {
            Ok(text) => {
                let published = text.lines().filter_map(|line| SnapshotId::new(line).ok()).collect();
                Ok(Self { file, published })
            }
            Err(FileError::NotFound { .. }) => Self::first(out, file),
            Err(error) => Err(error.into()),
        }
    }

    fn first(out: &Path, file: PathBuf) -> Result<Self, DemoError> {
        let Places { data, site, work } = Places::of(out);
        if let Some(taken) = [data, site, work].into_iter().find(|place| place.symlink_metadata().is_ok()) {
            return Err(DemoError::NotOurs(taken));
        }
        let not_written = |source| FileError::NotWritten { path: file.clone(), source };
        fs::create_dir_all(out).map_err(not_written)?;
        // Not by way of a temporary file: a torn one claims as much, and a second demonstration fails here.
        let mut written = OpenOptions::new().write(true).create_new(true).open(&file).map_err(not_written)?;
        written.write_all(WORDS.as_bytes()).and_then(|()| written.sync_all()).map_err(not_written)?;
        Ok(Self { file, published: Vec::new() })
    }

    /// Notes what is published there, before it is.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn note(&mut self, published: Vec<SnapshotId>) -> Result<(), FileError> {
        let lines: Vec<&str> = published.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
        write_atomically(&self.file, format!("{WORDS}{}", lines.concat()).as_bytes())?;
        self.published = published;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_made_is_not_claimed() {
        for place in ["data", "site", "work"] {
            let out = tempfile::tempdir().unwrap();
            fs::create_dir(out.path().join(place)).unwrap();
            let refused = Claim::of(out.path()).unwrap_err();
            assert!(matches!(&refused, DemoError::NotOurs(taken) if taken.ends_with(place)), "{refused}");
            assert!(!out.path().join(CLAIM).exists());
        }
    }

    #[test]
    fn a_claim_that_was_stopped_at_any_moment_holds() {
        let out = tempfile::tempdir().unwrap();
        Claim::of(out.path()).unwrap();
        fs::create_dir(out.path().join("data")).unwrap();
        for torn in ["", "# data, si"] {
            fs::write(out.path().join(CLAIM), torn).unwrap();
            assert_eq!(Claim::of(out.path()).unwrap().published, []);
        }
    }

    #[test]
    fn what_was_published_is_remembered() {
        let out = tempfile::tempdir().unwrap();
        let ids =
            ["2026-01-01_a-1_00000000", "2026-01-02_a-1_00000000"].map(|id| SnapshotId::new(id).unwrap());
        Claim::of(out.path()).unwrap().note(ids.to_vec()).unwrap();
        assert_eq!(Claim::of(out.path()).unwrap().published, ids);
    }
}
