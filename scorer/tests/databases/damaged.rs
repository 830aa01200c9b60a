//! Dumps that are damaged or made to harm: told clearly, with an exit code, and nothing is written.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::LazyLock;

use scorer::measurements::dump;
use scorer::measurements::dump::parts::{LocalParts, StdinParts};
use scorer::measurements::inferencex::Collector;
use scorer::reference::Reference;

use super::archive::{write_archive, write_parts};
use super::kit::{Run, SMALL, SPLIT, archive_of, part_paths, parts_of, parts_of_archive, write_sums};
use super::synthetic::{Database, Scale, TABLES};

/// So small that every byte of it can be damaged.
const TINY: Database = Database { scale: Scale { sweeps: 2, log_bytes: 0, filler_bytes: 0 }, seed: 1 };

fn folder_of(database: &Database) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    parts_of(database, folder.path());
    folder
}

/// Reads parts without starting the command; the error as people see it.
fn read(parts: &mut dyn dump::parts::PartSource) -> Result<(), String> {
    static REFERENCE: LazyLock<Reference> = LazyLock::new(|| Reference::embedded().unwrap());
    let mut collector = Collector::new(&REFERENCE);
    dump::read(parts, &mut collector, &|_| {}).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn a_part_that_is_missing_swapped_cut_or_twice_is_named() {
    let folder = folder_of(&SMALL);
    let paths = part_paths(folder.path());
    assert!(paths.len() >= 3, "{paths:?}");
    let whole: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    let again = || paths.iter().zip(&whole).for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    let run = || Run::of_folder(folder.path());

    fs::remove_file(&paths[1]).unwrap();
    run().refuses(3, "part01 is missing");
    again();
    fs::remove_file(paths.last().unwrap()).unwrap();
    run().refuses(3, "is missing");
    again();
    fs::write(&paths[0], &whole[1]).unwrap();
    fs::write(&paths[1], &whole[0]).unwrap();
    run().refuses(4, "part00 is damaged: its SHA-256 is");
    again();
    fs::write(&paths[1], &whole[0]).unwrap();
    run().refuses(4, "part01 is damaged");
    again();
    fs::write(&paths[1], &whole[1][..100]).unwrap();
    run().refuses(4, "part01 has 100 bytes");
    again();
    fs::write(paths.last().unwrap(), &whole.last().unwrap()[..10]).unwrap();
    run().refuses(4, "is damaged");
    again();
    let first = paths[0].to_str().unwrap();
    Run::of(&["dump", first, first]).refuses(4, "named twice");
    Run::of(&["dump", first, paths[1].to_str().unwrap()]).refuses(3, "part02 is missing");
    fs::write(folder.path().join("SHA256SUMS"), "<html>").unwrap();
    run().refuses(4, "SHA256SUMS: line 1 is not");
}

#[test]
fn one_flipped_byte_is_told_wherever_it_is() {
    let folder = folder_of(&TINY);
    let paths = part_paths(folder.path());
    let [path] = &paths[..] else { panic!("{paths:?}") };
    let whole = fs::read(path).unwrap();
    let archive = archive_of(&TINY);
    for index in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[index] ^= 1 << (index % 8);
        fs::write(path, &damaged).unwrap();
        let told = read(&mut LocalParts::find(std::slice::from_ref(path), None, None).unwrap()).unwrap_err();
        assert!(told.contains("part00 is damaged"), "byte {index}: {told}");
        // Without SHA256SUMS, the checksum in the frame tells; its head has bits that change nothing.
        let same = || zstd::decode_all(&damaged[..]).is_ok_and(|bytes| bytes == archive);
        let mut stdin = StdinParts::reading(io::Cursor::new(damaged.clone()), None, None).unwrap();
        assert!(read(&mut stdin).is_err() || same(), "byte {index}");
    }
}

#[test]
fn a_stream_that_is_cut_is_told_wherever_it_is() {
    let folder = folder_of(&TINY);
    let whole = fs::read(&part_paths(folder.path())[0]).unwrap();
    for length in 0..whole.len() {
        let mut stdin = StdinParts::reading(io::Cursor::new(whole[..length].to_vec()), None, None).unwrap();
        let told = read(&mut stdin).unwrap_err();
        assert!(told.contains("ends too early"), "{length}: {told}");
    }
}

#[test]
fn an_archive_that_is_cut_is_told_wherever_it_is() {
    let archive = archive_of(&TINY);
    let reference = Reference::embedded().unwrap();
    for length in 0..archive.len() {
        let mut collector = Collector::new(&reference);
        let read = dump::read_archive(&archive[..length], &mut collector);
        let told = read.unwrap_err().to_string();
        let is_named = ["ends at byte", "is not complete", "ends before the data of"];
        assert!(is_named.iter().any(|words| told.contains(words)), "{length}: {told}");
    }
    let mut collector = Collector::new(&reference);
    dump::read_archive(&archive[..], &mut collector).unwrap();
}

/// An archive in which a text stands for another; the lengths of chunks stay right because both have one length.
fn with(archive: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let at = archive.windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
    let mut changed = archive.to_vec();
    changed[at..at + old.len()].copy_from_slice(new.as_bytes());
    changed
}

fn refused(archive: &[u8], code: i32, message: &str) {
    let folder = tempfile::tempdir().unwrap();
    parts_of_archive(archive, folder.path());
    Run::of_folder(folder.path()).refuses(code, message);
}

#[test]
fn an_archive_of_another_kind_is_told() {
    let archive = archive_of(&TINY);
    refused(b"PK\x03\x04 and so on", 4, "this is no archive of pg_dump");
    refused(&with(&archive, "PGDMP\x01\x10", "PGDMP\x01\x11"), 4, "archives of version 1.17 are not read");
    refused(
        &with(&archive, "PGDMP\x01\x10\0\x04\x08\x01", "PGDMP\x01\x10\0\x04\x08\x03"),
        4,
        "is of format 3",
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.dump.zst.part00"), &archive).unwrap();
    write_sums(folder.path());
    Run::of_folder(folder.path()).refuses(4, "compress it with `zstd --long=27`");
}

#[test]
fn a_row_that_is_wrong_is_told_with_its_table_and_place() {
    let archive = archive_of(&TINY);
    let cases = [
        ("\th200\tvllm\t", "\th200 vllm\t", "table `configs`: row 1: it has 17 fields, but 18 columns"),
        ("\th200\tvllm\t", "\th200\tvl\tm\t", "table `configs`: row 1: it has more fields than the 18"),
        ("\th200\tvllm\t", "\th200\tvll\\\t", "column `framework` ends in the middle of an escape"),
        ("\t1024\t1024\t16\t", "\t1024\t1024\t9e\t", "column `conc`: `9e` is not a whole number"),
        ("{\"pp\": 1, ", "[\"pp\": 1, ", "column `metrics`: is not the JSON"),
        (
            "COPY public.configs (id, hardware,",
            "COPY public.configs (id, hardwarf,",
            "has no column `hardware`",
        ),
        (
            "COPY public.configs (id, hardware,",
            "COPY public.configs [id, hardware,",
            "columns of table configs",
        ),
    ];
    for (old, new, message) in cases {
        refused(&with(&archive, old, new), 4, message);
    }
}

#[test]
fn a_number_that_overflows_is_told() {
    let archive = archive_of(&TINY);
    let archive =
        with(&archive, "30000000001\t1\tRun Sweep - SYNTHETIC", "30000000001\t99999999999999\tSYNTHETI");
    refused(&archive, 4, "column `run_attempt`: `99999999999999` is not a whole number");
}

#[test]
fn a_table_that_is_missing_is_named() {
    let archive = archive_of(&TINY);
    let renamed = with(
        &archive,
        "\x0d\0\0\0workflow_runs\0\x0a\0\0\0TABLE DATA",
        "\x0d\0\0\0workflow_sunr\0\x0a\0\0\0TABLE DATA",
    );
    refused(&renamed, 4, "no data of table `public.workflow_runs`");
}

#[test]
fn a_bomb_is_given_up_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive_of(&SMALL);
    // The first table is one that nobody needs: its data begin with one chunk of zeros after the other.
    let data = archive.windows(9).position(|window| window == b"1\t\\\\x1f8b").unwrap();
    let before_first_chunk = data - 5;
    let mut chunk = vec![0_u8, 0, 0, 0, 1];
    chunk.extend(std::iter::repeat_n(0, 1 << 24));
    write_parts(folder.path(), SPLIT, |out| {
        out.write_all(&archive[..before_first_chunk])?;
        (0..140).try_for_each(|_| out.write_all(&chunk))
    })
    .unwrap();
    Run::of_folder(folder.path()).refuses(4, "this is no dump");
}

#[test]
fn bytes_after_the_frame_are_refused_where_everything_is_read() {
    let folder = folder_of(&TINY);
    let mut whole = fs::read(&part_paths(folder.path())[0]).unwrap();
    whole.push(0);
    let run = Run::with(&["dump", "-"], &[], Some(&whole));
    run.refuses(4, "bytes follow the end of the zstd frame");
}

#[test]
fn what_follows_the_last_needed_table_is_hashed_but_not_understood() {
    let archive = archive_of(&TINY);
    let folder = tempfile::tempdir().unwrap();
    let longer = [&archive[..], b"and so on"].concat();
    parts_of_archive(&longer, folder.path());
    assert_eq!(Run::of_folder(folder.path()).code, 0);
    flip_last_byte(&part_paths(folder.path()).pop().unwrap());
    Run::of_folder(folder.path()).refuses(4, "is damaged");
}

fn flip_last_byte(path: &Path) {
    let mut bytes = Vec::new();
    fs::File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn logs_that_come_before_the_rows_are_read_all_the_same() {
    let folder = folder_of(&SMALL);
    let expected = Run::of_folder(folder.path()).corpus();
    let mut tables = TABLES;
    tables.reverse();
    let mut archive = Vec::new();
    write_archive(&SMALL, &tables, &mut archive).unwrap();
    let other = tempfile::tempdir().unwrap();
    parts_of_archive(&archive, other.path());
    assert!(Run::of_folder(other.path()).corpus() == expected);
}
