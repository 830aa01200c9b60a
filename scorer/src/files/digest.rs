//! SHA-256 of files.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use shared::digest::{Digest, Hasher};

use super::FileError;
use super::read::open;

/// The SHA-256 of a file of any size.
///
/// # Errors
/// When the file cannot be opened or read, or is none whose bytes stay: a device, a pipe.
pub fn sha256_of_file(path: &Path) -> Result<Digest, FileError> {
    // Before it is opened, since a pipe is open only when somebody writes.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return Err(FileError::NotRegular { path: path.to_owned() });
    }
    let file = open(path)?;
    sha256_of_reader(file).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })
}

fn sha256_of_reader(mut file: File) -> io::Result<Digest> {
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(count) => hasher.update(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_digest_of_its_bytes_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 3, (1 << 16) - 1, 1 << 16, 200_000] {
            let bytes = vec![b'a'; length];
            fs::write(&path, &bytes).unwrap();
            assert_eq!(sha256_of_file(&path).unwrap(), Digest::of_bytes(&bytes), "{length}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_lasting_bytes_has_no_digest() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe] {
            assert!(matches!(sha256_of_file(path), Err(FileError::NotRegular { .. })), "{}", path.display());
        }
    }
}
