//! Bringing the list, the copy of the newest and the note of the last run up to date with the
//! snapshots' directories. Files that are up to date are not touched.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use shared::digest::Digest;
use shared::id::SnapshotId;
use shared::index::{Index, IndexEntry};
use shared::schema::FileKind;
use shared::summary::{Label, Summary};

use super::{Disk, PublishError};
use crate::data_folder::{Layout, entry, last_run, newest_first, unfinished};
use crate::files::{DEFAULT_LIMIT, FileError, json_bytes, read_bytes};
use crate::inputs;

/// Writes whatever does not say what the directories say.
pub(super) fn refresh(layout: &Layout, disk: &dyn Disk) -> Result<(), PublishError> {
    let mut snapshots = entries(layout)?;
    snapshots.sort_by(newest_first);
    let newest = snapshots.iter().find(|entry| entry.label == Label::Released).map(|entry| entry.id.clone());
    let index = Index { schema: FileKind::Index.schema().to_owned(), snapshots };
    put_json(&layout.index(), &index, disk)?;
    if let Some(id) = newest {
        let (bytes, summary) = read(layout, &id)?;
        put(&layout.latest(), &bytes, disk)?;
        put_json(&layout.last_run(), &last_run(&summary), disk)?;
    }
    Ok(())
}

/// The entries of all snapshots. An entry that the list has already, of a file of its size, is taken
/// from there: thousands of snapshots are not read for one more.
fn entries(layout: &Layout) -> Result<Vec<IndexEntry>, PublishError> {
    // A list that cannot be read is made anew.
    let listed: BTreeMap<SnapshotId, IndexEntry> = inputs::index(&layout.index())
        .map(|index| index.snapshots.into_iter().map(|entry| (entry.id.clone(), entry)).collect())
        .unwrap_or_default();
    let folder = layout.snapshots();
    let on_disk = |source| PublishError::Disk { path: folder.clone(), source };
    let mut entries = Vec::new();
    for directory in fs::read_dir(&folder).map_err(on_disk)? {
        let name = directory.map_err(on_disk)?.file_name();
        let Some(id) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let Ok(id) = SnapshotId::new(id) else { continue };
        let path = layout.summary(&id);
        let size = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(source) => return Err(PublishError::Disk { path, source }),
        };
        match listed.get(&id) {
            Some(entry) if entry.bytes == size => entries.push(entry.clone()),
            _ => {
                let (bytes, summary) = read(layout, &id)?;
                entries.push(entry(&summary, Digest::of_bytes(&bytes), size));
            }
        }
    }
    Ok(entries)
}

fn read(layout: &Layout, id: &SnapshotId) -> Result<(Vec<u8>, Summary), PublishError> {
    let path = layout.summary(id);
    let bytes = read_bytes(&path, DEFAULT_LIMIT)?;
    let summary = inputs::unproven_summary(&path, bytes.clone())?;
    if summary.run.id == *id {
        Ok((bytes, summary))
    } else {
        Err(PublishError::Misplaced { path, found: summary.run.id })
    }
}

fn put_json<T: Serialize>(path: &Path, value: &T, disk: &dyn Disk) -> Result<(), PublishError> {
    put(path, &json_bytes(value)?, disk)
}

/// Replaces a file in one step, unless it has these bytes already.
fn put(path: &Path, bytes: &[u8], disk: &dyn Disk) -> Result<(), PublishError> {
    match read_bytes(path, DEFAULT_LIMIT) {
        Ok(found) if found == bytes => return Ok(()),
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
    disk.sync_folder(folder).map_err(on(folder))
}
