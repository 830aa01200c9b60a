//! The directory of one snapshot: added in one rename, or found to be there already.

use std::fs;
use std::io;
use std::path::Path;

use shared::snapshot_id::content_digest;

use super::{Candidate, Disk, PublishError};
use crate::data_folder::{Layout, POINTS, SUMMARY, UNFINISHED, unfinished};
use crate::files::{DEFAULT_LIMIT, FileError, read_bytes};
use crate::inputs;

/// Removes what a publish that was killed left behind.
pub(super) fn clear_leftovers(layout: &Layout, disk: &dyn Disk) -> Result<(), PublishError> {
    for folder in layout.folders() {
        let on_disk = |source| PublishError::Disk { path: folder.clone(), source };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(on_disk(error)),
        };
        for entry in entries {
            let entry = entry.map_err(on_disk)?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                disk.remove(&entry.path())
                    .map_err(|source| PublishError::Disk { path: entry.path(), source })?;
            }
        }
    }
    Ok(())
}

/// Removes a snapshot's directory: all of it or nothing, for whoever looks.
pub(super) fn remove(folder: &Path, disk: &dyn Disk) -> Result<(), PublishError> {
    let leaving = unfinished(folder);
    let on_disk = |source| PublishError::Disk { path: folder.to_owned(), source };
    disk.rename(folder, &leaving).map_err(on_disk)?;
    disk.remove(&leaving).map_err(on_disk)
}

/// Adds the snapshot's directory; false when it is there already.
pub(super) fn add(candidate: &Candidate, layout: &Layout, disk: &dyn Disk) -> Result<bool, PublishError> {
    let id = &candidate.summary.run.id;
    let existing = layout.summary(id);
    match read_bytes(&existing, DEFAULT_LIMIT) {
        Ok(bytes) => {
            let earlier = inputs::unproven_summary(&existing, bytes)?;
            return if content_digest(&earlier)? == content_digest(&candidate.summary)? {
                Ok(false)
            } else {
                Err(PublishError::IdTaken { path: existing, id: id.clone() })
            };
        }
        Err(FileError::NotFound { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let (folder, target) = (layout.snapshots(), layout.snapshot(id));
    let building = unfinished(&target);
    let on = |path: &Path| {
        let path = path.to_owned();
        move |source| PublishError::Disk { path, source }
    };
    disk.make_folder(&building).map_err(on(&building))?;
    for (name, bytes) in [(SUMMARY, &candidate.bytes), (POINTS, &candidate.points)] {
        let path = building.join(name);
        disk.write_new(&path, bytes).map_err(on(&path))?;
    }
    disk.sync_folder(&building).map_err(on(&building))?;
    disk.rename(&building, &target).map_err(on(&target))?;
    disk.sync_folder(&folder).map_err(on(&folder))?;
    Ok(true)
}
