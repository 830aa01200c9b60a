//! Reading a whole file within a limit, so that a wrong name cannot eat the memory.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use super::FileError;

/// The largest file that is read whole unless the caller says otherwise: 1 GiB.
///
/// A snapshot of 10,000 points has 8 MB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// Whether a name on the command line stands for stdin.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file of at most `limit` bytes; `-` is stdin.
///
/// # Errors
/// When it is missing, a folder, a device, unreadable or larger.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    if is_stdin(path) {
        return read_to_limit(io::stdin().lock(), Vec::new(), path, limit);
    }
    read_open(&open(path)?, path, limit)
}

/// Reads what is left of an open file, at most `limit` bytes; `path` names it in messages.
///
/// # Errors
/// When it is a device, which may have no end, unreadable or larger.
pub fn read_open(file: &File, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let unreadable = |source| FileError::Unreadable { path: path.to_owned(), source };
    let metadata = file.metadata().map_err(unreadable)?;
    if is_device(&metadata) {
        return Err(FileError::IsDevice { path: path.to_owned() });
    }
    // Zero for pipes, whose size only reading tells.
    let size = metadata.len();
    if size > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    let mut bytes = Vec::new();
    usize::try_from(size)
        .map_err(io::Error::other)
        .and_then(|size| bytes.try_reserve_exact(size).map_err(io::Error::other))
        .map_err(unreadable)?;
    read_to_limit(file, bytes, path, limit)
}

fn read_to_limit(
    reader: impl io::Read,
    mut bytes: Vec<u8>,
    path: &Path,
    limit: u64,
) -> Result<Vec<u8>, FileError> {
    reader
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// When it is missing, a folder, unreadable, larger, or not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    text(path, read_bytes(path, limit)?)
}

/// The bytes of a file as text.
pub(super) fn text(path: &Path, bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = error.as_bytes().iter().take(offset);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        FileError::NotUtf8 { path: path.to_owned(), line, offset }
    })
}

/// Opens a file or a pipe, and no folder or device, for reading.
///
/// # Errors
/// When it is missing, a folder, a device, which may have no end, or may not be read.
pub fn open(path: &Path) -> Result<File, FileError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => FileError::NotFound { path: path.to_owned() },
        io::ErrorKind::IsADirectory => FileError::IsFolder { path: path.to_owned() },
        _ => FileError::Unreadable { path: path.to_owned(), source },
    };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    if is_device(&metadata) {
        return Err(FileError::IsDevice { path: path.to_owned() });
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_missing_file_and_a_folder_are_told_apart() {
        let (folder, path) = holding(b"x");
        let missing = folder.path().join("nothing");
        assert!(matches!(read_bytes(&missing, 9), Err(FileError::NotFound { .. })));
        assert!(matches!(read_bytes(folder.path(), 9), Err(FileError::IsFolder { .. })));
        // A component of the path is a file.
        let below = path.join("below");
        assert!(matches!(read_bytes(&below, 9), Err(FileError::Unreadable { .. })));
    }

    #[test]
    fn the_limit_is_the_last_size_that_is_read() {
        let (_folder, path) = holding(b"12345");
        assert_eq!(read_bytes(&path, 5).unwrap(), b"12345");
        assert!(matches!(read_bytes(&path, 4), Err(FileError::TooLarge { limit: 4, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_may_have_no_end_and_is_refused() {
        for device in ["/dev/zero", "/dev/full", "/dev/null"] {
            assert!(matches!(read_bytes(Path::new(device), 9), Err(FileError::IsDevice { .. })), "{device}");
            assert!(matches!(open(Path::new(device)), Err(FileError::IsDevice { .. })), "{device}");
        }
    }

    #[test]
    fn the_place_of_a_bad_byte_is_named() {
        let (_folder, path) = holding(b"ab\ncd\xff");
        let error = read_text(&path, 99).unwrap_err();
        assert!(matches!(error, FileError::NotUtf8 { line: 2, offset: 5, .. }), "{error}");
    }
}
