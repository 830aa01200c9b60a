//! Puts the digest of the sources into the program, by which it can tell whether a checkout is the one that it was built from.

#[path = "src/harness/sources.rs"]
mod sources;

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new("..");
    for name in sources::SOURCES {
        // Of a file that is not there cargo would build anew every time.
        if root.join(name).exists() {
            println!("cargo:rerun-if-changed=../{name}");
        }
    }
    println!("cargo:rustc-env=SCORER_SOURCES={}", sources::digest(root)?);
    Ok(())
}
