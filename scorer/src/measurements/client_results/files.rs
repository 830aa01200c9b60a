//! The result files, in the order of their names.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use shared::corpus::SourcePart;
use shared::digest::Digest;

use super::error::ClientResultsError;
use super::result::ResultFile;
use crate::files::{FileError, parse_json, read_bytes};

/// The largest result file that is read: one with every token's latency has some tens of megabytes.
const LARGEST: u64 = 512 << 20;
/// The most result files.
const MOST_FILES: usize = 10_000;

/// A result with the name by which messages call it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedResult {
    pub(super) name: String,
    /// None when the file of a folder is another kind of JSON.
    pub(super) result: Option<ResultFile>,
}

/// Reads all results of some files.
pub(super) fn results(
    files: &ResultFiles,
    parts: &mut Vec<SourcePart>,
) -> Result<Vec<NamedResult>, ClientResultsError> {
    let mut results = Vec::new();
    let mut seen = BTreeMap::new();
    for (path, found) in &files.0 {
        let bytes = read_bytes(path, LARGEST)?;
        let digest = Digest::of_bytes(&bytes);
        parts.push(part_of(path, digest.clone(), bytes.len() as u64));
        let before = results.len();
        let values: Result<Vec<ResultFile>, _> =
            serde_json::Deserializer::from_slice(&bytes).into_iter::<ResultFile>().collect();
        let name = path.display().to_string();
        match values {
            // Such as with `--append-result`: one after another.
            Ok(values) if values.len() > 1 => {
                let named = values.into_iter().enumerate().map(|(index, result)| NamedResult {
                    name: format!("{name}, result {}", index + 1),
                    result: Some(result),
                });
                results.extend(named);
            }
            _ => match parse_json::<ResultFile>(path, bytes) {
                Ok(result) if result.is_result() || *found == Found::InFolder => {
                    results.push(NamedResult { name, result: Some(result) });
                }
                Ok(_) => return Err(ClientResultsError::NotAResult { path: path.clone() }),
                Err(FileError::WrongShape { .. }) if *found == Found::InFolder => {
                    results.push(NamedResult { name, result: None });
                }
                Err(error) => return Err(error.into()),
            },
        }
        let is_result = |named: &NamedResult| named.result.as_ref().is_some_and(ResultFile::is_result);
        if results[before..].iter().any(is_result)
            && let Some(other) = seen.insert(digest, path.clone())
        {
            return Err(ClientResultsError::Twice { path: path.clone(), other });
        }
    }
    Ok(results)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Named,
    InFolder,
}

/// The files with results, in the order in which they are read.
#[derive(Clone, Debug)]
pub struct ResultFiles(Vec<(PathBuf, Found)>);

impl ResultFiles {
    /// Those that some files and folders stand for; of a folder its files that end in `.json`, by name.
    ///
    /// # Errors
    /// When a folder cannot be read or has no result, or there are too many files.
    pub fn find(paths: &[PathBuf]) -> Result<Self, ClientResultsError> {
        let mut files: Vec<(PathBuf, Found)> = Vec::new();
        for path in paths {
            if !path.is_dir() {
                files.push((path.clone(), Found::Named));
                continue;
            }
            let unreadable = |source: io::Error| FileError::Unreadable { path: path.clone(), source };
            let mut inside = Vec::new();
            for entry in std::fs::read_dir(path).map_err(unreadable)? {
                let file = entry.map_err(unreadable)?.path();
                if file.extension() == Some(OsStr::new("json")) && file.is_file() {
                    inside.push((file, Found::InFolder));
                }
            }
            inside.sort_by(|(a, _), (b, _)| a.cmp(b));
            if inside.is_empty() {
                return Err(ClientResultsError::EmptyFolder { path: path.clone() });
            }
            files.extend(inside);
        }
        if files.len() > MOST_FILES {
            return Err(ClientResultsError::TooManyFiles { found: files.len(), limit: MOST_FILES });
        }
        Ok(Self(files))
    }

    /// Where they are.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(path, _)| path.as_path())
    }
}

/// A file as a part of the source.
pub(super) fn part_of(path: &Path, sha256: Digest, bytes: u64) -> SourcePart {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    SourcePart { name, sha256, bytes }
}
