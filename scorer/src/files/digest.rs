//! SHA-256 of bytes and of files, as the lower-case hexadecimal text that our files carry.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::FileError;
use super::read::open;

/// The SHA-256 of some bytes: 64 lower-case hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of a file of any size: 64 lower-case hexadecimal digits.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn sha256_of_file(path: &Path) -> Result<String, FileError> {
    let file = open(path)?;
    sha256_of_reader(file).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })
}

fn sha256_of_reader(mut file: File) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hasher.finalize())),
            Ok(count) => hasher.update(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    // FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_digest_is_that_of_the_standard() {
        assert_eq!(sha256(b"abc"), ABC);
    }

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, b"abc").unwrap();
        assert_eq!(sha256_of_file(&path).unwrap(), ABC);
        let long = vec![7; 200_001];
        std::fs::write(&path, &long).unwrap();
        assert_eq!(sha256_of_file(&path).unwrap(), sha256(&long));
    }
}
