//! Dumps that are files, in all the ways in which they can be named.

use std::fs;

use super::kit::{Run, SMALL, part_paths, parts_of};

#[test]
fn a_folder_its_parts_and_stdin_give_one_corpus() {
    let folder = tempfile::tempdir().unwrap();
    parts_of(&SMALL, folder.path());
    let of_folder = Run::of_folder(folder.path());
    let corpus = of_folder.corpus();
    assert!(of_folder.stderr.contains("80 rows read"), "{}", of_folder.stderr);

    let joined: Vec<u8> = part_paths(folder.path()).iter().flat_map(|path| fs::read(path).unwrap()).collect();
    assert!(Run::with(&["dump", "-"], &[], Some(&joined)).corpus() == corpus, "stdin by its checksum");
    let sums = folder.path().join("SHA256SUMS");
    let words = ["dump", "-", "--sums", sums.to_str().unwrap(), "--part-size", "4096"];
    let by_sums = Run::with(&words, &[], Some(&joined));
    assert_eq!(by_sums.written, of_folder.written, "stdin by SHA256SUMS");

    let whole = folder.path().join("whole.dump.zst");
    fs::write(&whole, &joined).unwrap();
    let line = format!("{}  whole.dump.zst\n", shared::digest::Digest::of_bytes(&joined));
    fs::write(folder.path().join("whole.sums"), line).unwrap();
    let sums = folder.path().join("whole.sums");
    let words = ["dump", whole.to_str().unwrap(), "--sums", sums.to_str().unwrap()];
    assert!(Run::of(&words).corpus() == corpus, "one file");
}

#[test]
fn what_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    Run::of_folder(folder.path()).refuses(3, "no part of a dump is there");
    Run::of(&["dump", "/no/such/dump.zst"]).refuses(3, "no such file");
    Run::of(&["dump", "-", "latest"]).refuses(2, "name one release");
    parts_of(&SMALL, folder.path());
    fs::remove_file(folder.path().join("SHA256SUMS")).unwrap();
    Run::of_folder(folder.path()).refuses(3, "there is no SHA256SUMS beside the parts");
}

#[test]
fn parts_of_another_size_than_was_said_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    parts_of(&SMALL, folder.path());
    let words = |size| ["dump", folder.path().to_str().unwrap(), "--part-size", size];
    Run::of(&words("1900M")).refuses(4, "every part before the last has 1992294400");
    assert_eq!(Run::of(&words("4K")).code, 0);
}

#[test]
fn a_full_disk_leaves_no_output() {
    let folder = tempfile::tempdir().unwrap();
    parts_of(&SMALL, folder.path());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_scorer"));
    let done =
        command.args(["ingest", "dump"]).arg(folder.path()).args(["-o", "/dev/full"]).output().unwrap();
    assert_eq!(done.status.code(), Some(5), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn no_file_of_a_dump_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    parts_of(&SMALL, folder.path());
    let sums = folder.path().join("SHA256SUMS");
    let elsewhere = folder.path().join("the.sums");
    fs::copy(&sums, &elsewhere).unwrap();
    let part = part_paths(folder.path()).swap_remove(1);
    for output in [part, sums, elsewhere.clone()] {
        let before = fs::read(&output).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_scorer"));
        command.args(["ingest", "dump"]).arg(folder.path()).arg("-o").arg(&output);
        if output == elsewhere {
            command.arg("--sums").arg(&elsewhere);
        }
        let done = command.output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{told}");
        assert!(told.contains("this is an input, and the output would replace it"), "{told}");
        assert_eq!(fs::read(&output).unwrap(), before);
    }
}
