//! Parts that are files.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::PartsError;
use super::name::{SUMS, in_order, is_part};
use super::sums::{LARGEST_SUMS, Sums};
use super::{Part, PartSource, check_sizes};
use crate::files::{FileError, open, read_text};

/// Parts that are files, in a folder or named one by one.
#[derive(Debug)]
pub struct LocalParts {
    parts: Vec<Part>,
    paths: Vec<PathBuf>,
    sums: PathBuf,
}

impl LocalParts {
    /// The parts in a folder, or the named files, in the order of their numbers.
    ///
    /// Their digests are those of `sums`, else of the SHA256SUMS beside them; every part but the last has
    /// `part_size` bytes, else as many as the first.
    ///
    /// # Errors
    /// When a part is missing, twice, of another dump, of the wrong size or without a digest.
    pub fn find(named: &[PathBuf], sums: Option<&Path>, part_size: Option<u64>) -> Result<Self, PartsError> {
        let files = match named {
            [folder] if folder.is_dir() => parts_in(folder)?,
            files => files.to_vec(),
        };
        let files: Vec<(String, PathBuf)> =
            files.into_iter().map(|path| Ok((name_of(&path)?, path))).collect::<Result<_, PartsError>>()?;
        let files = in_order(files)?;
        let sizes: Vec<Option<u64>> =
            files.iter().map(|(_, path)| size(path)).collect::<Result<_, PartsError>>()?;
        let sums_path = sums_path(sums, &files);
        let sums = read_sums(&sums_path, sums.is_some())?;
        let part = |((name, _), bytes): (&(String, PathBuf), Option<u64>)| {
            Ok(Part { name: name.clone(), sha256: Some(sums.of(name)?), bytes })
        };
        let parts: Vec<Part> = files.iter().zip(sizes).map(part).collect::<Result<_, PartsError>>()?;
        all_listed(&sums, &parts)?;
        check_sizes(&parts, part_size)?;
        let paths = files.into_iter().map(|(_, path)| path).collect();
        Ok(Self { parts, paths, sums: sums_path })
    }

    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().chain([&self.sums]).map(PathBuf::as_path)
    }
}

impl PartSource for LocalParts {
    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn open(&mut self, index: usize) -> Result<Box<dyn Read + '_>, PartsError> {
        let path = self.paths.get(index).ok_or(PartsError::Nothing)?;
        Ok(Box::new(open(path)?))
    }
}

fn parts_in(folder: &Path) -> Result<Vec<PathBuf>, PartsError> {
    let unreadable = |source| FileError::Unreadable { path: folder.to_owned(), source };
    let mut parts = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.file_name().to_str().is_some_and(is_part) {
            parts.push(entry.path());
        }
    }
    if parts.is_empty() { Err(PartsError::NoParts(folder.to_owned())) } else { Ok(parts) }
}

fn name_of(path: &Path) -> Result<String, PartsError> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| PartsError::Name(path.to_owned()))
}

/// The file with the digests: the named one, else that beside the parts.
fn sums_path(named: Option<&Path>, files: &[(String, PathBuf)]) -> PathBuf {
    let folder = files.first().and_then(|(_, path)| path.parent()).unwrap_or(Path::new(""));
    named.map_or_else(|| folder.join(SUMS), Path::to_owned)
}

fn read_sums(path: &Path, named: bool) -> Result<Sums, PartsError> {
    match read_text(path, LARGEST_SUMS) {
        Ok(text) => Sums::parse(&path.display().to_string(), &text),
        Err(FileError::NotFound { .. }) if !named => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Err(PartsError::NoSums { folder: folder.unwrap_or(Path::new(".")).to_owned() })
        }
        Err(error) => Err(error.into()),
    }
}

/// The size of a file. A pipe has none before it is read.
fn size(path: &Path) -> Result<Option<u64>, PartsError> {
    let metadata =
        open(path)?.metadata().map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
    Ok(metadata.is_file().then_some(metadata.len()))
}

/// The sums name no further part of this dump.
fn all_listed(sums: &Sums, parts: &[Part]) -> Result<(), PartsError> {
    let all = || sums.names().filter(|name| is_part(name)).map(|name| (name.to_owned(), ()));
    let belongs = |name: &str| {
        parts.first().is_some_and(|part| {
            let dump = |name: &str| name.rsplit_once(".part").map(|(dump, _)| dump.to_owned());
            dump(&part.name).is_some() && dump(&part.name) == dump(name)
        })
    };
    let missing = all().find(|(name, ())| belongs(name) && parts.iter().all(|part| part.name != *name));
    missing.map_or(Ok(()), |(name, ())| Err(PartsError::Missing(name)))
}
