//! The system calls of a publish, each of which may be the last one.
//!
//! They stand behind a trait so that a test can stop a publish after any of them, as a power cut would.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use crate::files::sync_folder;

/// What a publish does to the disk.
pub trait Disk {
    /// Makes a directory, and those above it, where they are missing.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes a new file and makes its content survive a crash.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file or directory another name, in place of a file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes the names in a directory survive a crash.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Removes a file, or a directory with all it holds.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The disk.
#[derive(Clone, Copy, Debug)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file: File = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        sync_folder(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
    }
}
