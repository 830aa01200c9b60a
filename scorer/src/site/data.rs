//! The published data of a site: the list, and what the list names, each checked and then written as it
//! was read.

use std::fs;
use std::path::Path;

use shared::digest::Digest;
use shared::index::{Index, IndexEntry};
use shared::night::LastFailure;
use shared::schema::FileKind;
use shared::summary::{Label, Summary};

use super::{SiteError, Staged};
use crate::data_folder::{Layout, POINTS, last_run};
use crate::files::{DEFAULT_LIMIT, FileError, json_bytes, read_bytes};
use crate::inputs;
use crate::publish::{Stored, StoredError};
use crate::summarize::points_csv;
use crate::validate::{Problem, index_problems};

/// What of the data stands in the page itself.
pub(super) struct Taken {
    /// The newest snapshot.
    pub(super) newest: Option<Summary>,
    /// That the newest night failed.
    pub(super) failure: Option<LastFailure>,
}

/// Takes the data over, with the newest snapshots, at most so many.
pub(super) fn take(from: &Layout, to: &Layout, most: usize, staged: &mut Staged) -> Result<Taken, SiteError> {
    let bytes = read_bytes(&from.index(), DEFAULT_LIMIT)?;
    let mut index: Index = inputs::parse(FileKind::Index, &from.index(), bytes.clone())?;
    if let Some(problem) = index_problems(&index).into_iter().next() {
        return Err(SiteError::OutOfDate { path: from.index(), problem });
    }
    if index.snapshots.len() > most {
        index.snapshots.truncate(most);
        put(&to.index(), &json_bytes(&index)?, staged)?;
    } else {
        put(&to.index(), &bytes, staged)?;
    }
    let mut newest = None;
    for entry in &index.snapshots {
        let stored = checked(from, entry)?;
        put(&to.summary(&entry.id), &stored.bytes, staged)?;
        // No digest covers the table, but it follows from the snapshot.
        let points = points_csv::bytes(&stored.summary).map_err(StoredError::from)?;
        put(&to.snapshot(&entry.id).join(POINTS), &points, staged)?;
        if newest.is_none() && entry.label == Label::Released {
            take_newest(&stored, from, to, staged)?;
            newest = Some(stored.summary);
        }
    }
    let failure = take_failure(from, to, staged)?;
    staged.snapshots = index.snapshots.len();
    Ok(Taken { newest, failure })
}

/// The snapshot of an entry of the list. When the two differ, it is found out which of them is wrong.
fn checked(from: &Layout, listed: &IndexEntry) -> Result<Stored, SiteError> {
    let stored = Stored::read(from, &listed.id)?;
    if stored.entry == *listed {
        return Ok(stored);
    }
    stored.prove()?;
    let text = format!("does not say what {} says", from.summary(&listed.id).display());
    Err(SiteError::OutOfDate { path: from.index(), problem: Problem::new(listed.id.as_str(), text) })
}

/// The copy of the newest, and the note that it was published last.
fn take_newest(newest: &Stored, from: &Layout, to: &Layout, staged: &mut Staged) -> Result<(), SiteError> {
    let note = json_bytes(&last_run(&newest.summary))?;
    let files = [(from.latest(), to.latest(), &newest.bytes), (from.last_run(), to.last_run(), &note)];
    for (source, target, expected) in files {
        let found = read_bytes(&source, DEFAULT_LIMIT).map(|bytes| Digest::of_bytes(&bytes));
        if found.ok() != Some(Digest::of_bytes(expected)) {
            let text = format!("is not what it must be while {} is the newest", newest.entry.id);
            return Err(SiteError::OutOfDate { path: source, problem: Problem::new("", text) });
        }
        put(&target, expected, staged)?;
    }
    Ok(())
}

/// The note that the newest night failed, where there is one.
fn take_failure(from: &Layout, to: &Layout, staged: &mut Staged) -> Result<Option<LastFailure>, SiteError> {
    let path = from.last_failure();
    let bytes = match read_bytes(&path, DEFAULT_LIMIT) {
        Ok(bytes) => bytes,
        Err(FileError::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let failure: LastFailure = inputs::parse(FileKind::LastFailure, &path, bytes)?;
    put(&to.last_failure(), &json_bytes(&failure)?, staged)?;
    Ok(Some(failure))
}

fn put(path: &Path, bytes: &[u8], staged: &mut Staged) -> Result<(), SiteError> {
    let failed = |source| SiteError::Copy { path: path.to_owned(), source };
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    fs::write(path, bytes).map_err(failed)?;
    staged.bytes += bytes.len() as u64;
    staged.files += 1;
    Ok(())
}
