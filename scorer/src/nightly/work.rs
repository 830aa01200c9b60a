//! The work directory of a night: the files of its stages, and which of them are done. The harness takes of it only the place and the lock.
//!
//! `night.json` notes a stage when it is done, with the digest of all that it depended on and the digests of the files
//! that it left. A stage is done only as long as both are still true, so that neither half a file nor one of other
//! inputs is taken for the stage's. What a stage left is an input of those that read it, so they are done again when it
//! became another; a new release of the simulator leaves the measurements as they are.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared::digest::Digest;
use shared::night::Stage;

use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, lock, read_json, sha256_of_file, write_json};

/// The value of [`Night::schema`].
pub const SCHEMA: &str = "night.v1";

/// The note of the stages, in the work directory.
const NIGHT: &str = "night.json";

/// What of a night is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Night {
    /// `night.v1`.
    pub schema: String,
    /// The stages that are done, in their order.
    pub stages: Vec<Done>,
    /// Whether all of it is: the next call begins another night.
    pub finished: bool,
}

/// A stage that is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Done {
    /// The stage.
    pub stage: Stage,
    /// The digest of its options and of the files that it read.
    pub inputs: Digest,
    /// The digests of the files that it left, by their paths in the work directory.
    pub files: BTreeMap<String, Digest>,
}

impl Default for Night {
    fn default() -> Self {
        Self { schema: SCHEMA.to_owned(), stages: Vec::new(), finished: false }
    }
}

/// The work directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// It cannot be made or opened.
    #[error("{}: cannot be used as the work directory", path.display())]
    Folder {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another night, or the harness, goes on in it.
    #[error("{}: somebody else is at work here", .0.display())]
    InUse(PathBuf),
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The options of a stage have no digest.
    #[error("the options of a stage cannot be written as JSON")]
    Options(#[source] serde_json::Error),
}

impl Failure for WorkError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Folder { .. } => ExitCode::OutputNotWritten,
            Self::InUse(_) => ExitCode::Locked,
            Self::File(error) => error.exit_code(),
            Self::Options(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Folder { .. } => Some("name a directory where you may write with --work".to_owned()),
            Self::InUse(_) => Some("wait for it, or name another directory with --work".to_owned()),
            Self::File(error) => error.advice(),
            Self::Options(_) => None,
        }
    }
}

/// The work directory of a night or of a harness. Nobody else uses it as long as this is there.
#[derive(Debug)]
pub struct Work {
    folder: PathBuf,
    night: Night,
    _lock: File,
}

impl Work {
    /// Opens a directory, or makes it. A note that cannot be read is none: everything is done again.
    ///
    /// Shards run beside each other: with `shared`, others that share may use it too, and nothing is noted.
    ///
    /// # Errors
    /// When the system refuses, or somebody else uses it.
    pub fn open(folder: &Path, shared: bool) -> Result<Self, WorkError> {
        let refused = |source| WorkError::Folder { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(refused)?;
        let take = if shared { lock::share_folder } else { lock::lock_folder };
        let lock = take(folder, Duration::ZERO, || {}).map_err(refused)?;
        let lock = lock.ok_or_else(|| WorkError::InUse(folder.to_owned()))?;
        let night = read_json::<Night>(&folder.join(NIGHT)).ok().filter(|night| night.schema == SCHEMA);
        Ok(Self { folder: folder.to_owned(), night: night.unwrap_or_default(), _lock: lock })
    }

    /// A file of the directory.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether this night is over, or none has begun here.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.night.finished || self.night.stages.is_empty()
    }

    /// The digest of what a stage depends on: its options and some files.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn inputs<O: Serialize>(&self, options: &O, files: &[PathBuf]) -> Result<Digest, WorkError> {
        let digests = files.iter().map(|path| sha256_of_file(path)).collect::<Result<Vec<_>, _>>()?;
        Digest::of_json(&(options, digests)).map_err(WorkError::Options)
    }

    /// Whether a stage is done, of these inputs, and left as it was.
    #[must_use]
    pub fn is_done(&self, stage: Stage, inputs: &Digest) -> bool {
        self.done(stage).is_some_and(|done| done.inputs == *inputs && self.is_intact(done))
    }

    /// The files that a stage left, if it is done and they are as they were.
    #[must_use]
    pub fn files(&self, stage: Stage) -> Option<impl Iterator<Item = &str>> {
        let done = self.done(stage).filter(|done| self.is_intact(done))?;
        Some(done.files.keys().map(String::as_str))
    }

    fn done(&self, stage: Stage) -> Option<&Done> {
        self.night.stages.iter().find(|done| done.stage == stage)
    }

    fn is_intact(&self, done: &Done) -> bool {
        let mut files = done.files.iter();
        files.all(|(name, digest)| sha256_of_file(&self.path(name)).is_ok_and(|found| found == *digest))
    }

    /// Forgets that a stage was done, because it is done now.
    ///
    /// # Errors
    /// When that cannot be noted.
    pub fn begin(&mut self, stage: Stage) -> Result<(), WorkError> {
        self.night.stages.retain(|done| done.stage != stage);
        self.night.finished = false;
        self.save()
    }

    /// Notes that a stage is done, and left these files.
    ///
    /// # Errors
    /// When a file is not there, or it cannot be noted.
    pub fn finish(&mut self, stage: Stage, inputs: Digest, files: Vec<String>) -> Result<(), WorkError> {
        let digested = files.into_iter().map(|name| Ok((sha256_of_file(&self.path(&name))?, name)));
        let files = digested
            .map(|found: Result<_, FileError>| found.map(|(digest, name)| (name, digest)))
            .collect::<Result<_, _>>()?;
        self.night.stages.push(Done { stage, inputs, files });
        self.night.stages.sort_by_key(|done| done.stage);
        self.save()
    }

    /// Notes that all of the night is over.
    ///
    /// # Errors
    /// When that cannot be noted.
    pub fn end(&mut self) -> Result<(), WorkError> {
        self.night.finished = true;
        self.save()
    }

    fn save(&self) -> Result<(), WorkError> {
        Ok(write_json(&self.path(NIGHT), &self.night)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A night with two stages done.
    fn begun(folder: &Path) -> Work {
        let mut work = Work::open(folder, false).unwrap();
        for (stage, name) in [(Stage::Ingest, "corpus.json"), (Stage::Plan, "plan.json")] {
            fs::write(work.path(name), name).unwrap();
            let inputs = work.inputs(&name, &[]).unwrap();
            work.begin(stage).unwrap();
            work.finish(stage, inputs, vec![name.to_owned()]).unwrap();
        }
        work
    }

    fn is_done(work: &Work, stage: Stage, name: &str) -> bool {
        work.is_done(stage, &work.inputs(&name, &[]).unwrap())
    }

    #[test]
    fn what_is_done_is_remembered_with_its_inputs() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path()));
        let work = Work::open(folder.path(), false).unwrap();
        assert!(is_done(&work, Stage::Ingest, "corpus.json") && is_done(&work, Stage::Plan, "plan.json"));
        assert!(!is_done(&work, Stage::Plan, "other options"));
        assert!(!is_done(&work, Stage::Run, "plan.json"));
        let files: Vec<&str> = work.files(Stage::Plan).unwrap().collect();
        assert_eq!(files, ["plan.json"]);
    }

    #[test]
    fn a_file_that_is_gone_or_torn_or_of_other_content_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let work = begun(folder.path());
        let path = work.path("plan.json");
        for content in ["plan.jso", "plan.json ", ""] {
            fs::write(&path, content).unwrap();
            assert!(!is_done(&work, Stage::Plan, "plan.json"), "{content:?}");
        }
        fs::remove_file(&path).unwrap();
        assert!(!is_done(&work, Stage::Plan, "plan.json") && work.files(Stage::Plan).is_none());
        assert!(is_done(&work, Stage::Ingest, "corpus.json"));
    }

    #[test]
    fn a_stage_that_is_done_again_is_not_done_before_it_ends_and_neither_is_the_night() {
        let folder = tempfile::tempdir().unwrap();
        let mut work = begun(folder.path());
        work.end().unwrap();
        assert!(work.is_over());
        work.begin(Stage::Ingest).unwrap();
        let work = reopened(work, folder.path());
        assert!(!is_done(&work, Stage::Ingest, "corpus.json") && is_done(&work, Stage::Plan, "plan.json"));
        assert!(!work.is_over());
    }

    fn reopened(work: Work, folder: &Path) -> Work {
        drop(work);
        Work::open(folder, false).unwrap()
    }

    #[test]
    fn a_note_that_is_torn_is_none() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path()));
        let note = fs::read(folder.path().join(NIGHT)).unwrap();
        for bytes in
            [&note[..note.len() / 2], b"", b"{\"schema\":\"night.v9\",\"stages\":[],\"finished\":true}"]
        {
            fs::write(folder.path().join(NIGHT), bytes).unwrap();
            let work = Work::open(folder.path(), false).unwrap();
            assert!(!is_done(&work, Stage::Ingest, "corpus.json"));
            assert!(work.is_over());
        }
    }

    #[test]
    fn two_nights_are_not_in_one_directory_but_shards_are() {
        let folder = tempfile::tempdir().unwrap();
        let first = Work::open(folder.path(), false).unwrap();
        assert!(matches!(Work::open(folder.path(), false), Err(WorkError::InUse(_))));
        drop(first);
        let shards = [0, 1].map(|_| Work::open(folder.path(), true).unwrap());
        assert!(matches!(Work::open(folder.path(), false), Err(WorkError::InUse(_))));
        drop(shards);
    }
}
