//! Archives that real pg_dump made, committed: PostgreSQL 15 and 17, every compression. tests/data/dumps/README.md says how they were made.

use std::fs;
use std::path::{Path, PathBuf};

use super::kit::{Run, SMALL, parts_of, parts_of_archive, script_of};
use super::server::{Server, of_debian, postgres_17};

const PLAIN: [(&str, &[&str]); 2] = [("none", &["-Z", "0"]), ("gzip", &["-Z", "6"])];
const NEWER: [(&str, &[&str]); 2] = [("lz4", &["--compress=lz4"]), ("zstd", &["--compress=zstd"])];

fn path(version: u32, compression: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    folder.join(format!("pg{version}-{compression}.dump.zst"))
}

fn names() -> impl Iterator<Item = (u32, &'static str)> {
    let plain = [15, 17].into_iter().flat_map(|version| PLAIN.map(|(name, _)| (version, name)));
    plain.chain(NEWER.map(|(name, _)| (17, name)))
}

#[test]
fn real_dumps_give_the_corpus_of_the_generator() {
    if std::env::var_os("WRITE_DUMPS").is_some() {
        write();
    }
    let folder = tempfile::tempdir().unwrap();
    parts_of(&SMALL, folder.path());
    let expected = Run::of_folder(folder.path()).corpus();
    for (version, compression) in names() {
        let packed = fs::read(path(version, compression)).unwrap();
        let archive = zstd::decode_all(&packed[..]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        parts_of_archive(&archive, folder.path());
        assert!(Run::of_folder(folder.path()).corpus() == expected, "PostgreSQL {version}, {compression}");
    }
}

fn write() {
    let programs = [(15, of_debian(15)), (17, postgres_17())];
    for (version, programs) in programs {
        let server = Server::start(&programs.unwrap());
        server.run(&script_of(&SMALL));
        let newer = if version == 17 { &NEWER[..] } else { &[] };
        for (compression, options) in PLAIN.iter().chain(newer) {
            let packed = zstd::encode_all(&server.dump(options)[..], 19).unwrap();
            fs::write(path(version, compression), packed).unwrap();
        }
    }
}
