//! The journal of a run: the file of outcomes while the run goes on.
//!
//! It is append-only, one line a point, and every line is handed to the system at once, so that
//! whatever kills the process costs at most the points that were being computed. A run that finds a
//! journal of its own plan goes on after its last whole line. When every point is there, the file is
//! replaced by one in the plan's order, whose bytes do not depend on how the work went.
//!
//! What does depend on it stands in a second file beside the first, named `….timings.jsonl`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shared::digest::Digest;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::{OutcomeRecord, OutcomesHeader, ScorerIdentity};

use super::executor::Effort;
use super::outcomes::{self, OutcomesError, Torn};
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, lock, read_open, write_atomically};
use crate::simulators::registry::difference;

/// A journal that this process may write, and nobody else.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    header: OutcomesHeader,
    file: File,
    timings: File,
}

/// How the computation of one point went: a line of the file of timings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The sweep.
    pub sweep: SweepId,
    /// The concurrency.
    pub concurrency: u32,
    /// The estimator.
    pub estimator: EstimatorId,
    /// From the first question to the last answer, in milliseconds.
    pub wall_ms: f64,
    /// How often the estimator was asked; 0 when the cache had the answer.
    pub attempts: u32,
    /// The most memory that was seen in use for it, in bytes; a lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

/// A journal cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another run writes it.
    #[error("{}: another run is writing it", .0.display())]
    InUse(PathBuf),
    /// It cannot be opened or written.
    #[error("{}: cannot be written", path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is there and cannot be read.
    #[error(transparent)]
    Outcomes(#[from] OutcomesError),
    /// It belongs to another run.
    #[error("{}: holds outcomes of another run ({differs} differs)", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        differs: &'static str,
    },
    /// It cannot be read, or the complete file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Failure for JournalError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::InUse(_) => ExitCode::Locked,
            Self::NotWritten { .. } => ExitCode::OutputNotWritten,
            Self::Outcomes(error) => error.exit_code(),
            Self::Other { .. } => ExitCode::Refused,
            Self::File(error) => error.exit_code(),
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::InUse(_) => Some("wait for it, or write to another file".to_owned()),
            Self::Other { .. } => Some("write to another file, or delete this one".to_owned()),
            Self::NotWritten { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                Some("free some space and run the same command again: it goes on where it stopped".to_owned())
            }
            Self::NotWritten { .. } => Some("name a file in a folder where you may write".to_owned()),
            Self::Outcomes(error) => error.advice(),
            Self::File(error) => error.advice(),
        }
    }
}

/// Removes a journal of another plan or of another version of the program. A run that somebody asked for refuses such
/// a file; a demonstration, a night and the harness, whose files are their own, are simply made again.
///
/// # Errors
/// When the system refuses.
pub fn forget_another(path: &Path, plan: &Digest, scorer: &ScorerIdentity) -> Result<(), FileError> {
    let fits = outcomes::read(path, Torn::Ignored)
        .is_ok_and(|found| found.header.plan == *plan && found.header.scorer == *scorer);
    if fits || !path.exists() {
        return Ok(());
    }
    fs::remove_file(path).map_err(|source| FileError::NotWritten { path: path.to_owned(), source })
}

impl Journal {
    /// Opens the journal of a run, or makes it, and says what it has already.
    ///
    /// # Errors
    /// When somebody else writes it, when it belongs to another run, or when the system refuses.
    pub fn open(path: &Path, header: &OutcomesHeader) -> Result<(Self, Vec<OutcomeRecord>), JournalError> {
        let not_written = |source| JournalError::NotWritten { path: path.to_owned(), source };
        let locked = lock::open_locked(path).map_err(not_written)?;
        let Some(file) = locked else { return Err(JournalError::InUse(path.to_owned())) };
        let bytes = read_open(&file, path, outcomes::LIMIT)?;
        // A run that was killed within its very first line has done nothing.
        let fresh = !bytes.contains(&b'\n') && header_begins_with(header, &bytes)?;
        let records = if fresh {
            Vec::new()
        } else {
            let found = outcomes::parse(path, &bytes, Torn::Ignored)?;
            if let Some(differs) = header_difference(&found.header, header) {
                return Err(JournalError::Other { path: path.to_owned(), differs });
            }
            if found.whole_bytes < bytes.len() as u64 {
                file.set_len(found.whole_bytes).map_err(not_written)?;
            }
            found.records
        };
        let timings_path = timings_path(path);
        let timings = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&timings_path)
            .and_then(|timings| {
                if fresh {
                    timings.set_len(0)?;
                }
                Ok(timings)
            })
            .map_err(|source| JournalError::NotWritten { path: timings_path, source })?;
        let mut journal = Self { path: path.to_owned(), header: header.clone(), file, timings };
        if fresh {
            journal.file.set_len(0).map_err(not_written)?;
            journal.append_line(&outcomes::line(header)?)?;
        }
        Ok((journal, records))
    }

    /// Adds an outcome; when this returns, it survives the end of the process.
    ///
    /// # Errors
    /// When the system refuses, for example because the disk is full.
    pub fn append(&mut self, record: &OutcomeRecord, effort: &Effort) -> Result<(), JournalError> {
        self.append_line(&outcomes::line(record)?)?;
        let timing = Timing {
            sweep: record.sweep.clone(),
            concurrency: record.concurrency,
            estimator: record.estimator.clone(),
            wall_ms: effort.wall.as_secs_f64() * 1e3,
            attempts: effort.attempts,
            peak_memory_bytes: effort.peak_memory,
        };
        let line = outcomes::line(&timing)?;
        self.timings
            .write_all(&line)
            .map_err(|source| JournalError::NotWritten { path: timings_path(&self.path), source })
    }

    fn append_line(&mut self, line: &[u8]) -> Result<(), JournalError> {
        self.file.write_all(line).map_err(|source| self.not_written(source))
    }

    /// Makes what was appended survive the end of the machine too.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn save(&self) -> Result<(), JournalError> {
        self.file.sync_all().map_err(|source| self.not_written(source))
    }

    /// Replaces the journal by the complete file, in the order of `records`.
    ///
    /// # Errors
    /// When the system refuses; the journal is then still there.
    pub fn complete(self, records: &[&OutcomeRecord]) -> Result<(), JournalError> {
        let bytes = outcomes::bytes(&self.header, records.iter().copied())?;
        write_atomically(&self.path, &bytes)?;
        Ok(())
    }

    fn not_written(&self, source: io::Error) -> JournalError {
        JournalError::NotWritten { path: self.path.clone(), source }
    }
}

/// Where the timings of a run stand: beside its output, and never part of it.
#[must_use]
pub fn timings_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".timings.jsonl");
    name.into()
}

fn header_begins_with(header: &OutcomesHeader, bytes: &[u8]) -> Result<bool, FileError> {
    Ok(outcomes::line(header)?.starts_with(bytes))
}

/// The first part in which two headers differ.
#[must_use]
pub fn header_difference(a: &OutcomesHeader, b: &OutcomesHeader) -> Option<&'static str> {
    if a.plan != b.plan || a.corpus != b.corpus || a.items != b.items {
        return Some("the plan");
    }
    if a.shard != b.shard {
        return Some("the shard");
    }
    if a.scorer != b.scorer {
        return Some("the version of the scorer");
    }
    if a.simulators.len() != b.simulators.len()
        || a.simulators.iter().zip(&b.simulators).any(|(a, b)| difference(a, b).is_some())
    {
        return Some("an estimator");
    }
    None
}
