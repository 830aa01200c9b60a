//! Locks between processes, held by the operating system: a process that dies lets go of its lock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a lock that somebody holds is tried again.
const POLL: Duration = Duration::from_millis(50);

/// Opens a file for reading and appending, makes it when it is missing, and locks it.
///
/// None when another process holds the lock. The lock is let go when the file is closed.
///
/// # Errors
/// When the system refuses.
pub fn open_locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if !taken(file.try_lock())? {
            return Ok(None);
        }
        // Somebody may have replaced the file between opening and locking it.
        if same(&file, path)? {
            return Ok(Some(file));
        }
    }
}

/// Locks a folder; nothing is left in it. None when somebody held the lock for all of `patience`.
///
/// `waiting` is called once, before the first wait.
///
/// # Errors
/// When the system refuses.
pub fn lock_folder(folder: &Path, patience: Duration, waiting: impl FnOnce()) -> io::Result<Option<File>> {
    wait_for(File::open(folder)?, File::try_lock, patience, waiting)
}

/// As [`lock_folder`], but others may share the lock: whoever only reads keeps out who writes.
///
/// # Errors
/// When the system refuses.
pub fn share_folder(folder: &Path, patience: Duration, waiting: impl FnOnce()) -> io::Result<Option<File>> {
    wait_for(File::open(folder)?, File::try_lock_shared, patience, waiting)
}

fn wait_for(
    file: File,
    attempt: impl Fn(&File) -> Result<(), TryLockError>,
    patience: Duration,
    waiting: impl FnOnce(),
) -> io::Result<Option<File>> {
    let start = Instant::now();
    let mut waiting = Some(waiting);
    while !taken(attempt(&file))? {
        if start.elapsed() >= patience {
            return Ok(None);
        }
        if let Some(waiting) = waiting.take() {
            waiting();
        }
        std::thread::sleep(POLL);
    }
    Ok(Some(file))
}

fn taken(attempt: Result<(), TryLockError>) -> io::Result<bool> {
    match attempt {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(unix)]
fn same(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(named) => Ok((open.dev(), open.ino()) == (named.dev(), named.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn same(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_by_one_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let first = open_locked(&path).unwrap();
        assert!(first.is_some());
        assert!(open_locked(&path).unwrap().is_none());
        drop(first);
        assert!(open_locked(&path).unwrap().is_some());
    }

    #[test]
    fn a_replaced_file_is_locked_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let old = open_locked(&path).unwrap();
        std::fs::write(folder.path().join("new"), b"x").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        let new = open_locked(&path).unwrap().unwrap();
        assert_eq!(new.metadata().unwrap().len(), 1);
        drop(old);
    }

    #[test]
    fn a_folder_is_waited_for_with_patience() {
        let folder = tempfile::tempdir().unwrap();
        let held = lock_folder(folder.path(), Duration::ZERO, || {}).unwrap();
        let mut waited = false;
        let second = lock_folder(folder.path(), Duration::from_millis(60), || waited = true).unwrap();
        assert!(held.is_some() && second.is_none() && waited);
        drop(held);
        assert!(lock_folder(folder.path(), Duration::ZERO, || {}).unwrap().is_some());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn readers_share_a_folder_and_keep_writers_out() {
        let folder = tempfile::tempdir().unwrap();
        let readers = [0, 1].map(|_| share_folder(folder.path(), Duration::ZERO, || {}).unwrap());
        assert!(readers.iter().all(Option::is_some));
        assert!(lock_folder(folder.path(), Duration::ZERO, || {}).unwrap().is_none());
        drop(readers);
        let writer = lock_folder(folder.path(), Duration::ZERO, || {}).unwrap();
        assert!(writer.is_some());
        assert!(share_folder(folder.path(), Duration::ZERO, || {}).unwrap().is_none());
    }
}
