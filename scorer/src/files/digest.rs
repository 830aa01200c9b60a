//! SHA-256 of files.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use shared::digest::{Digest, Hasher};

use super::FileError;
use super::read::open;

/// The SHA-256 of a file of any size.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn sha256_of_file(path: &Path) -> Result<Digest, FileError> {
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
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(sha256_of_file(&path).unwrap(), Digest::of_bytes(&bytes), "{length}");
        }
    }
}
