//! Disks that fail.

use std::cell::Cell;
use std::io;
use std::path::Path;

use crate::publish::{Disk, RealDisk};

/// A disk on which nothing happens any more after some number of calls; the last of them is torn.
pub(super) struct DyingDisk {
    left: Cell<usize>,
}

impl DyingDisk {
    pub(super) fn after(calls: usize) -> Self {
        Self { left: Cell::new(calls) }
    }

    /// Whether the next call still works: wholly, half, or not at all.
    fn next(&self) -> Option<bool> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        (left > 0).then_some(left > 1)
    }

    fn call(&self, call: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        if self.next().is_some() { call() } else { Err(io::Error::other("the power is gone")) }
    }
}

impl Disk for DyingDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.make_folder(path))
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        match self.next() {
            Some(true) => RealDisk.write_new(path, bytes),
            Some(false) => {
                RealDisk.write_new(path, &bytes[..bytes.len() / 2])?;
                Err(io::Error::other("the power is gone"))
            }
            None => Err(io::Error::other("the power is gone")),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|| RealDisk.rename(from, to))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.sync_folder(path))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.remove(path))
    }
}

/// A disk that may only be read.
pub(super) struct ReadOnlyDisk;

impl ReadOnlyDisk {
    fn refuse() -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }
}

impl Disk for ReadOnlyDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        // What is there already need not be made.
        if path.is_dir() { Ok(()) } else { Self::refuse() }
    }

    fn write_new(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Self::refuse()
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        Self::refuse()
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        Self::refuse()
    }
}

/// A disk that has no room for one of the files.
pub(super) struct FullDisk {
    before: Cell<usize>,
}

impl FullDisk {
    pub(super) fn after(files: usize) -> Self {
        Self { before: Cell::new(files) }
    }
}

impl Disk for FullDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.make_folder(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let before = self.before.get();
        self.before.set(before.wrapping_sub(1));
        if before > 0 {
            return RealDisk.write_new(path, bytes);
        }
        RealDisk.write_new(path, &bytes[..bytes.len() / 2])?;
        Err(io::ErrorKind::StorageFull.into())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.sync_folder(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove(path)
    }
}
