//! The digest of the sources that this program is made of: taken by build.rs when it is built, and again when it says which commit
//! it is. It stands alone, because build.rs includes it too.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// The files and folders that a build reads, as seen from the root of the project.
pub const SOURCES: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "data/reference",
    "data/sample/corpus.json",
    "rust-toolchain.toml",
    "scorer/Cargo.toml",
    "scorer/build.rs",
    "scorer/src",
    "shared/Cargo.toml",
    "shared/src",
];

/// The SHA-256 of the names, sizes and bytes of all files below [`SOURCES`], as hexadecimal digits. What is not there has no part in it.
///
/// # Errors
/// When something cannot be read.
pub fn digest(root: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    for name in SOURCES {
        add(root, name, &mut hasher)?;
    }
    let mut digits = String::new();
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _infallible = write!(digits, "{byte:02x}");
    }
    Ok(digits)
}

fn add(root: &Path, name: &str, hasher: &mut Sha256) -> io::Result<()> {
    let path = root.join(name);
    if path.is_dir() {
        let names = fs::read_dir(&path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names = names.collect::<io::Result<Vec<String>>>()?;
        names.sort();
        return names.iter().try_for_each(|below| add(root, &format!("{name}/{below}"), hasher));
    }
    if path.is_file() {
        let bytes = fs::read(&path)?;
        hasher.update(format!("{name}\0{}\0", bytes.len()));
        hasher.update(bytes);
    }
    Ok(())
}
