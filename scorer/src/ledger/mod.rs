//! A ledger: a folder of frozen sweeps, one file each, that are scored again and again while measurements come and go.
//!
//! A unit never changes: freezing adds units and refuses to replace one, and whoever reads a unit proves it.
//! [`choose`] says which units of a ledger are scored.

pub mod choose;
mod error;
pub mod select;

use std::fs;
use std::path::{Path, PathBuf};

use shared::corpus::{Corpus, SourcePart};
use shared::digest::Digest;
use shared::id::UnitId;
use shared::unit::{self, Unit};

pub use error::LedgerError;

use crate::exit::CommandError;
use crate::files::{FileError, json_bytes, read_bytes, write_atomically};
use crate::inputs;

/// The largest unit that is read, in bytes; a sweep of a hundred points has a tenth of a megabyte.
const LIMIT: u64 = 16 << 20;

/// How the name of a unit's file ends.
const SUFFIX: &str = ".json";

/// A folder of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    folder: PathBuf,
}

/// A unit, and the file that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frozen {
    /// The unit.
    pub unit: Unit,
    /// Its file.
    pub part: SourcePart,
}

/// What freezing a sweep did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freezing {
    /// There is a new unit.
    Added,
    /// It was there, with this content.
    Unchanged,
}

impl Ledger {
    /// The ledger in a folder, which need not be there yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The file of a unit.
    #[must_use]
    pub fn path(&self, id: &UnitId) -> PathBuf {
        self.folder.join(format!("{id}{SUFFIX}"))
    }

    /// The ids of all units by the names of their files, sorted. Files of other endings are none.
    ///
    /// # Errors
    /// When the folder cannot be read, or a file that ends like a unit has no unit's name.
    pub fn ids(&self) -> Result<Vec<UnitId>, LedgerError> {
        let unreadable = |source| LedgerError::Folder { path: self.folder.clone(), source };
        let mut ids = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(SUFFIX)) else { continue };
            if stem.starts_with('.') {
                continue;
            }
            let path = self.folder.join(&name);
            ids.push(UnitId::new(stem).map_err(|source| LedgerError::Name { path, source })?);
        }
        ids.sort();
        Ok(ids)
    }

    /// A unit, proven: its digest, its id, all of its sweep, and that the file has the very bytes that freezing writes.
    ///
    /// # Errors
    /// When it is not there, or not as it was frozen.
    pub fn read(&self, id: &UnitId) -> Result<Frozen, LedgerError> {
        let path = self.path(id);
        let bytes = read_bytes(&path, LIMIT).map_err(|error| match error {
            FileError::NotFound { path } => LedgerError::NoUnit { path, id: id.clone() },
            error => error.into(),
        })?;
        let part = SourcePart {
            name: format!("{id}{SUFFIX}"),
            sha256: Digest::of_bytes(&bytes),
            bytes: bytes.len() as u64,
        };
        let unit = inputs::unit(&path, bytes)?;
        if unit.body.id != *id {
            return Err(LedgerError::OtherName { path, id: unit.body.id });
        }
        if Digest::of_bytes(&json_bytes(&unit)?) != part.sha256 {
            return Err(LedgerError::Bytes(path));
        }
        Ok(Frozen { unit, part })
    }

    /// Adds a unit, if it is not there.
    ///
    /// # Errors
    /// When another one has its id, or it cannot be written.
    pub fn add(&self, unit: &Unit) -> Result<Freezing, LedgerError> {
        let path = self.path(&unit.body.id);
        let bytes = json_bytes(unit)?;
        match read_bytes(&path, LIMIT) {
            Ok(found) if found == bytes => Ok(Freezing::Unchanged),
            Ok(_) => Err(LedgerError::Frozen(path)),
            Err(FileError::NotFound { .. }) => {
                fs::create_dir_all(&self.folder)
                    .map_err(|source| FileError::NotWritten { path: self.folder.clone(), source })?;
                write_atomically(&path, &bytes)?;
                Ok(Freezing::Added)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The corpus of some units.
    ///
    /// # Errors
    /// When one is not as it was frozen, or they make no corpus.
    pub fn corpus(&self, ids: &[UnitId]) -> Result<Corpus, LedgerError> {
        let read = |id| self.read(id).map(|Frozen { unit, part }| (unit, part));
        let units = ids.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(unit::corpus(units)?)
    }
}

/// What is wrong with a unit, in one line for people.
#[must_use]
pub fn fault(error: LedgerError) -> String {
    let error = CommandError::from(error);
    let mut words = vec![error.to_string()];
    words.extend(error.causes());
    words.join(": ")
}
