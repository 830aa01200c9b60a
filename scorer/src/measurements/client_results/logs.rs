//! The server logs of own measurements, scanned as they are read.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use shared::corpus::SourcePart;
use shared::digest::Hasher;

use super::ConcurrencyLog;
use super::error::{ClientResultsError, Fault};
use super::files::part_of;
use crate::files::{FileError, open};
use crate::measurements::engine_log::{LONGEST_LOG, LogFacts, LogScanner};

/// How much of a log is read at once, in bytes.
const PIECE: usize = 1 << 20;

/// What the logs say: of one concurrency, or of all (none).
#[derive(Clone, Debug, Default)]
pub(super) struct Logs(BTreeMap<Option<u32>, (PathBuf, LogFacts)>);

impl Logs {
    /// The log of a point.
    pub(super) fn of(&self, concurrency: u32) -> Option<(&Path, &LogFacts)> {
        let log = self.0.get(&Some(concurrency)).or_else(|| self.0.get(&None));
        log.map(|(path, facts)| (path.as_path(), facts))
    }

    /// All logs.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Path, &LogFacts)> {
        self.0.values().map(|(path, facts)| (path.as_path(), facts))
    }

    /// The first log of a concurrency that nobody measured.
    pub(super) fn unused(&self, measured: impl Fn(u32) -> bool) -> Option<(&Path, u32)> {
        self.0.iter().find_map(|(concurrency, (path, _))| {
            concurrency
                .filter(|concurrency| !measured(*concurrency))
                .map(|concurrency| (path.as_path(), concurrency))
        })
    }
}

/// Reads the logs.
pub(super) fn read(logs: &[ConcurrencyLog], parts: &mut Vec<SourcePart>) -> Result<Logs, ClientResultsError> {
    let mut read = Logs::default();
    for ConcurrencyLog { concurrency, path } in logs {
        let (facts, part) = scan(path, LONGEST_LOG)?;
        let at = |fault| ClientResultsError::at(path, fault);
        match &facts.arguments {
            None => return Err(at(Fault::NoArguments)),
            Some(stated) => {
                if let Err(problem) = &stated.value {
                    let problem = problem.to_string();
                    return Err(at(Fault::UnreadableArguments { line: stated.line, problem }));
                }
            }
        }
        parts.push(part);
        if read.0.insert(*concurrency, (path.clone(), facts)).is_some() {
            return Err(at(Fault::TwiceLog));
        }
    }
    Ok(read)
}

fn scan(path: &Path, limit: u64) -> Result<(LogFacts, SourcePart), FileError> {
    let mut file = open(path)?;
    let mut scanner = LogScanner::default();
    let mut hasher = Hasher::default();
    let mut bytes = 0_u64;
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                scanner.push(&piece[..count]);
                hasher.update(&piece[..count]);
                bytes += count as u64;
                if bytes > limit {
                    return Err(FileError::TooLarge { path: path.to_owned(), limit });
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => return Err(FileError::Unreadable { path: path.to_owned(), source }),
        }
    }
    Ok((scanner.finish(), part_of(path, hasher.finish(), bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_does_not_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server.log");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(scan(&path, 5).unwrap().1.bytes, 5);
        assert!(matches!(scan(&path, 4), Err(FileError::TooLarge { limit: 4, .. })));
    }
}
