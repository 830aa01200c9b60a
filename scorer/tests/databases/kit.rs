//! Dumps as files, and the command run on them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::archive::{SCHEMA, Split, write_archive, write_parts};
use super::synthetic::{Database, Scale, TABLES};

/// A database that is large enough to have everything, and small enough to be damaged at every byte.
pub const SMALL: Database =
    Database { scale: Scale { sweeps: 16, log_bytes: 600, filler_bytes: 40_000 }, seed: 1 };

/// The parts of a release in small.
pub const SPLIT: Split = Split { level: 3, part_size: 4096 };

/// A folder with parts and SHA256SUMS.
pub fn parts_of(database: &Database, folder: &Path) {
    write_parts(folder, SPLIT, |out| write_archive(database, &TABLES, out)).unwrap();
}

/// A folder with the parts of an archive.
pub fn parts_of_archive(archive: &[u8], folder: &Path) {
    write_parts(folder, SPLIT, |out| out.write_all(archive)).unwrap();
}

/// The archive of a database, not compressed.
pub fn archive_of(database: &Database) -> Vec<u8> {
    let mut archive = Vec::new();
    write_archive(database, &TABLES, &mut archive).unwrap();
    archive
}

/// The statements that make a database, for psql. Tables are filled in an order in which what is referred to is there.
pub fn script_of(database: &Database) -> String {
    let mut script = SCHEMA.to_owned();
    for name in ["configs", "workflow_runs", "server_logs", "agentic_trace_replay", "benchmark_results"]
        .into_iter()
        .chain(["server_log_files", "eval_samples", "gpu_metric_samples"])
    {
        let table = *TABLES.iter().find(|table| table.name == name).unwrap();
        script.push_str(&table.copy_statement());
        database
            .rows(table, &mut |line| {
                script.push_str(line);
                script.push('\n');
                Ok(())
            })
            .unwrap();
        script.push_str("\\.\n");
    }
    script
}

/// The paths of the parts in a folder, in order.
pub fn part_paths(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().contains(".part"));
    paths.sort();
    paths
}

/// Writes SHA256SUMS again, for parts that a test changed on purpose.
pub fn write_sums(folder: &Path) {
    let line = |path: &PathBuf| {
        let digest = shared::digest::Digest::of_bytes(&fs::read(path).unwrap());
        format!("{digest}  {}\n", path.file_name().unwrap().to_str().unwrap())
    };
    let sums: String = part_paths(folder).iter().map(line).collect();
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
}

/// What a run of the command did.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stderr: String,
    pub written: Option<Vec<u8>>,
}

impl Run {
    /// `scorer ingest` with these words; the corpus goes to a file of its own.
    pub fn of(words: &[&str]) -> Self {
        Self::with(words, &[], None)
    }

    pub fn of_folder(folder: &Path) -> Self {
        Self::of(&["dump", folder.to_str().unwrap()])
    }

    pub fn with(words: &[&str], environment: &[(&str, &str)], stdin: Option<&[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("corpus.json");
        let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
        command.arg("ingest").args(words).arg("--verbose").arg("-o").arg(&output);
        command.env("NO_COLOR", "1").envs(environment.iter().copied());
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"] {
            command.env_remove(name);
        }
        command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let Some(bytes) = stdin {
            // A command that refuses what it reads does not read on.
            let _ = child.stdin.take().unwrap().write_all(bytes);
        }
        let done = child.wait_with_output().unwrap();
        assert!(done.stdout.is_empty());
        Self {
            code: done.status.code().unwrap(),
            stderr: String::from_utf8(done.stderr).unwrap(),
            written: fs::read(output).ok(),
        }
    }

    /// The corpus without what only its source can say.
    pub fn corpus(&self) -> Vec<u8> {
        assert_eq!(self.code, 0, "{}", self.stderr);
        without_source(self.written.as_deref().unwrap())
    }

    /// Asserts that it was refused with this code and message, and nothing written.
    pub fn refuses(&self, code: i32, message: &str) {
        assert!(self.stderr.contains(message), "`{message}` is not in:\n{}", self.stderr);
        assert_eq!((self.code, &self.written), (code, &None), "{}", self.stderr);
    }
}

/// A corpus in which kind, release and parts of the source are those of every other; its digest stays, which is one of rows.
pub fn without_source(corpus: &[u8]) -> Vec<u8> {
    let mut corpus: Value = serde_json::from_slice(corpus).unwrap();
    let digest = corpus["source"]["digest"].clone();
    corpus["source"] = json!({ "digest": digest });
    serde_json::to_vec_pretty(&corpus).unwrap()
}
