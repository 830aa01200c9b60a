//! The note that a night failed. It stands beside the note of what was published last, and no snapshot depends on it.

use std::io;
use std::path::Path;
use std::time::Duration;

use shared::night::LastFailure;

use super::{Disk, PublishError, RealDisk, locked, refresh};
use crate::console::Console;
use crate::data_folder::Layout;
use crate::files::read_json;

/// Notes that a night failed, in place of an earlier note; one of the same failure stays, since it says since when.
///
/// # Errors
/// When somebody else holds the lock for too long, or when the system refuses.
pub fn note_failure(
    failure: &LastFailure,
    data: &Path,
    patience: Duration,
    console: &Console,
) -> Result<(), PublishError> {
    let _lock = locked(data, patience, console)?;
    let path = Layout::new(data).last_failure();
    let earlier = read_json::<LastFailure>(&path);
    if !earlier.is_ok_and(|earlier| earlier.is_like(failure)) {
        refresh::put_json(&path, failure, &RealDisk)?;
    }
    Ok(())
}

/// Removes the note, since a night succeeded.
///
/// # Errors
/// When the system refuses.
pub fn clear_failure(data: &Path) -> Result<(), PublishError> {
    let path = Layout::new(data).last_failure();
    match RealDisk.remove(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(PublishError::Disk { path, source: error })
        }
        _ => Ok(()),
    }
}
