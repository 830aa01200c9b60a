//! Bringing the list, the copy of the newest and the note of the last run up to date with the
//! snapshots' directories. Files that are up to date are not touched.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use shared::id::SnapshotId;
use shared::index::{Index, IndexEntry};
use shared::schema::FileKind;
use shared::summary::Label;

use super::stored::{self, Stored, StoredError};
use super::{Disk, PublishError};
use crate::data_folder::{Layout, last_run, newest_first, unfinished};
use crate::files::{DEFAULT_LIMIT, FileError, json_bytes, read_bytes};
use crate::inputs;

/// The entries of all snapshots but some. One that the list has with this very digest and size was proved
/// when it came into the list; any other is proved now.
pub(super) fn entries(layout: &Layout, except: &[SnapshotId]) -> Result<Vec<IndexEntry>, StoredError> {
    // A list that cannot be read is made anew.
    let listed: BTreeMap<SnapshotId, IndexEntry> = inputs::index(&layout.index())
        .map(|index| index.snapshots.into_iter().map(|entry| (entry.id.clone(), entry)).collect())
        .unwrap_or_default();
    let mut entries = Vec::new();
    for id in stored::ids(layout)?.iter().filter(|id| !except.contains(id)) {
        let stored = Stored::read(layout, id)?;
        let same = |listed: &IndexEntry| {
            (&listed.sha256, listed.bytes) == (&stored.entry.sha256, stored.entry.bytes)
        };
        if !listed.get(id).is_some_and(same) {
            stored.prove()?;
        }
        entries.push(stored.entry);
    }
    Ok(entries)
}

/// Writes whatever does not say what the entries say; whether anything did not.
pub(super) fn write(
    mut snapshots: Vec<IndexEntry>,
    layout: &Layout,
    disk: &dyn Disk,
) -> Result<bool, PublishError> {
    snapshots.sort_by(newest_first);
    let newest = snapshots.iter().find(|entry| entry.label == Label::Released).map(|entry| entry.id.clone());
    let index = Index { schema: FileKind::Index.schema().to_owned(), snapshots };
    let mut written = put_json(&layout.index(), &index, disk)?;
    if let Some(id) = newest {
        let newest = Stored::read(layout, &id)?;
        written |= put(&layout.latest(), &newest.bytes, disk)?;
        written |= put_json(&layout.last_run(), &last_run(&newest.summary), disk)?;
    }
    Ok(written)
}

pub(super) fn put_json<T: Serialize>(path: &Path, value: &T, disk: &dyn Disk) -> Result<bool, PublishError> {
    put(path, &json_bytes(value)?, disk)
}

/// Replaces a file in one step, unless it has these bytes already; whether it did.
fn put(path: &Path, bytes: &[u8], disk: &dyn Disk) -> Result<bool, PublishError> {
    match read_bytes(path, DEFAULT_LIMIT) {
        Ok(found) if found == bytes => return Ok(false),
        Ok(_) | Err(FileError::NotFound { .. } | FileError::TooLarge { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let folder = path.parent().unwrap_or(path);
    let on = |path: &Path| {
        let path = path.to_owned();
        move |source| PublishError::Disk { path, source }
    };
    let writing = unfinished(path);
    disk.make_folder(folder).map_err(on(folder))?;
    disk.write_new(&writing, bytes).map_err(on(path))?;
    disk.rename(&writing, path).map_err(on(path))?;
    disk.sync_folder(folder).map_err(on(folder))?;
    Ok(true)
}
