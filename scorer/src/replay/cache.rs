//! Answers kept from one run to the next: (simulator identity, request) → outcome.
//!
//! An entry is a small file whose name are the two digests, written whole and renamed, so that any
//! number of runs may share a cache. It states what it answers and a digest of its answer: one that
//! was damaged is ignored and computed again. Only what the estimator will say again is kept; an
//! outcome that hangs on the run (a deadline, a signal) is not.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use shared::digest::Digest;
use shared::id::EstimatorId;
use shared::outcome::{Outcome, SimulatorIdentity};

use crate::exit::{ExitCode, Failure};
use crate::files;
use crate::simulators::Simulators;

/// The value of an entry's `schema` field.
const SCHEMA: &str = "cached-outcome.v1";

/// The file that says whose answers a folder has.
const SIMULATOR: &str = "simulator.json";

/// The largest entry that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// A folder of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// The cache cannot be looked through or emptied.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be {what}", path.display())]
pub struct CacheError {
    path: PathBuf,
    what: &'static str,
    source: io::Error,
}

impl Failure for CacheError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::InputUnreadable
    }
}

/// One answer.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    schema: String,
    simulator: Digest,
    request: Digest,
    outcome: Outcome,
    /// The digest of the outcome.
    digest: Digest,
}

/// What a cache has of one simulator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holding {
    /// The digest of the simulator's identity, by which its answers are found.
    pub digest: String,
    /// The simulator; none when the cache does not say.
    pub simulator: Option<SimulatorIdentity>,
    /// How many answers.
    pub answers: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

impl Cache {
    /// The cache in a folder, which need not be there yet.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where it is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, simulator: &Digest, request: &Digest) -> PathBuf {
        self.folder.join(simulator.as_str()).join(request.short(2)).join(format!("{request}.json"))
    }

    /// The answer to a request; none when it was never kept.
    fn get(&self, simulator: &Digest, request: &Digest) -> Result<Option<Outcome>, CacheError> {
        let path = self.path(simulator, request);
        let unreadable = |source| CacheError { path: path.clone(), what: "read", source };
        let bytes = match fs::metadata(&path) {
            Ok(metadata) if metadata.len() > LARGEST => {
                return Err(unreadable(io::ErrorKind::FileTooLarge.into()));
            }
            Ok(_) => fs::read(&path).map_err(unreadable)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error)),
        };
        let entry: Entry = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.into()))?;
        let digest = Digest::of_json(&entry.outcome).map_err(|error| unreadable(error.into()))?;
        let whole = entry.schema == SCHEMA
            && entry.simulator == *simulator
            && entry.request == *request
            && entry.digest == digest;
        if !whole {
            return Err(unreadable(io::Error::new(io::ErrorKind::InvalidData, "it is damaged")));
        }
        Ok(Some(entry.outcome))
    }

    /// Keeps the answer to a request.
    fn put(&self, simulator: &Digest, request: &Digest, outcome: &Outcome) -> Result<(), CacheError> {
        let path = self.path(simulator, request);
        let write = || {
            let entry = Entry {
                schema: SCHEMA.to_owned(),
                simulator: simulator.clone(),
                request: request.clone(),
                outcome: outcome.clone(),
                digest: Digest::of_json(outcome)?,
            };
            put_file(&path, &entry)
        };
        write().map_err(|source| CacheError { path: path.clone(), what: "written", source })
    }

    /// Says whose answers have this digest.
    fn introduce(&self, digest: &Digest, simulator: &SimulatorIdentity) -> Result<(), CacheError> {
        let path = self.folder.join(digest.as_str()).join(SIMULATOR);
        if path.exists() {
            return Ok(());
        }
        put_file(&path, simulator).map_err(|source| CacheError { path, what: "written", source })
    }

    /// What it has, by simulator.
    ///
    /// # Errors
    /// When a folder of it cannot be looked through.
    pub fn holdings(&self) -> Result<Vec<Holding>, CacheError> {
        let mut holdings = Vec::new();
        for folder in self.simulators()? {
            let Some(digest) = folder.file_name().and_then(|name| name.to_str()) else { continue };
            let simulator =
                fs::read(folder.join(SIMULATOR)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            let mut holding = Holding { digest: digest.to_owned(), simulator, answers: 0, bytes: 0 };
            for shelf in entries(&folder)?.filter(|entry| entry.path().is_dir()) {
                for answer in entries(&shelf.path())? {
                    holding.answers += 1;
                    holding.bytes += answer.metadata().map_or(0, |metadata| metadata.len());
                }
            }
            holdings.push(holding);
        }
        Ok(holdings)
    }

    /// Removes all answers, and says how many simulators' they were.
    ///
    /// # Errors
    /// When a folder of it cannot be removed.
    pub fn clear(&self) -> Result<usize, CacheError> {
        let folders = self.simulators()?;
        for folder in &folders {
            fs::remove_dir_all(folder).map_err(|source| CacheError {
                path: folder.clone(),
                what: "removed",
                source,
            })?;
        }
        Ok(folders.len())
    }

    /// The folders of answers, by digest; whatever else somebody put there is not ours.
    fn simulators(&self) -> Result<Vec<PathBuf>, CacheError> {
        if !self.folder.exists() {
            return Ok(Vec::new());
        }
        let is_digest = |name: &str| Digest::try_from(name.to_owned()).is_ok();
        let mut folders: Vec<PathBuf> = entries(&self.folder)?
            .filter(|entry| entry.file_name().to_str().is_some_and(is_digest))
            .map(|entry| entry.path())
            .collect();
        folders.sort();
        Ok(folders)
    }
}

fn entries(folder: &Path) -> Result<impl Iterator<Item = fs::DirEntry>, CacheError> {
    let entries = fs::read_dir(folder).map_err(|source| CacheError {
        path: folder.to_owned(),
        what: "looked through",
        source,
    })?;
    Ok(entries.flatten())
}

/// Writes a file whole or not at all. It need not survive a crash of the machine: what is damaged is
/// computed again.
fn put_file(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(&files::json_bytes(value).map_err(io::Error::other)?)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A cache as one run uses it: for the simulators whose answers are worth keeping.
#[derive(Debug)]
pub struct RunCache {
    cache: Cache,
    simulators: BTreeMap<EstimatorId, Digest>,
    troubles: Mutex<Troubles>,
}

/// What did not go well; a run goes on all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// How many entries could not be read or written.
    pub count: u64,
    /// The first of them, and why.
    pub first: Option<String>,
}

impl RunCache {
    /// For the simulators of a run.
    ///
    /// # Errors
    /// When an identity cannot be written as JSON.
    pub fn new(cache: Cache, simulators: &Simulators) -> Result<Self, serde_json::Error> {
        let worthwhile = simulators.iter().filter(|simulator| simulator.is_worth_caching());
        let mut digests = BTreeMap::new();
        let mut troubles = Troubles::default();
        for simulator in worthwhile {
            let identity = simulator.identity();
            let digest = Digest::of_json(identity)?;
            if let Err(error) = cache.introduce(&digest, identity) {
                troubles.add(&error);
            }
            digests.insert(identity.id.clone(), digest);
        }
        Ok(Self { cache, simulators: digests, troubles: Mutex::new(troubles) })
    }

    /// The answer of a simulator to a request, when it is there and whole.
    #[must_use]
    pub fn get(&self, simulator: &EstimatorId, request: &Digest) -> Option<Outcome> {
        let found = self.cache.get(self.simulators.get(simulator)?, request);
        self.noting(found).flatten()
    }

    /// Keeps the answer of a simulator to a request.
    pub fn put(&self, simulator: &EstimatorId, request: &Digest, outcome: &Outcome) {
        if let Some(simulator) = self.simulators.get(simulator) {
            self.noting(self.cache.put(simulator, request, outcome));
        }
    }

    /// What did not go well so far.
    #[must_use]
    pub fn troubles(&self) -> Troubles {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn noting<T>(&self, result: Result<T, CacheError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.troubles.lock().unwrap_or_else(PoisonError::into_inner).add(&error);
                None
            }
        }
    }
}

impl Troubles {
    fn add(&mut self, error: &CacheError) {
        self.count += 1;
        self.first.get_or_insert_with(|| format!("{error}: {}", error.source));
    }
}

#[cfg(test)]
mod tests {
    use shared::outcome::Reason;

    use super::*;
    use crate::simulators::not_scored;
    use crate::testing;

    fn digest(text: &str) -> Digest {
        Digest::of_bytes(text.as_bytes())
    }

    fn outcome() -> Outcome {
        not_scored(Reason::UnsupportedModel, "no such model")
    }

    fn kept() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("outcomes"));
        cache.put(&digest("simulator"), &digest("request"), &outcome()).unwrap();
        (folder, cache)
    }

    #[test]
    fn an_answer_is_found_by_its_simulator_and_its_request_only() {
        let (_folder, cache) = kept();
        let get = |simulator, request| cache.get(&digest(simulator), &digest(request)).unwrap();
        assert_eq!(get("simulator", "request"), Some(outcome()));
        assert_eq!(get("simulator", "other"), None);
        assert_eq!(get("other", "request"), None);
    }

    #[test]
    fn a_damaged_entry_is_never_an_answer() {
        let (_folder, cache) = kept();
        let (simulator, request) = (digest("simulator"), digest("request"));
        let path = cache.path(&simulator, &request);
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() - 1 {
            fs::write(&path, &whole[..cut]).unwrap();
            assert!(cache.get(&simulator, &request).is_err(), "cut at {cut}");
        }
        let text = String::from_utf8(whole).unwrap();
        for (from, to) in [("no such", "No such"), ("_model", "_layout"), (".v1", ".v2")] {
            assert!(text.contains(from));
            fs::write(&path, text.replace(from, to)).unwrap();
            assert!(cache.get(&simulator, &request).is_err(), "{from}");
        }
        let other = cache.path(&simulator, &digest("other"));
        fs::create_dir_all(other.parent().unwrap()).unwrap();
        fs::write(&other, &text).unwrap();
        assert!(cache.get(&simulator, &digest("other")).is_err());
    }

    #[test]
    fn what_it_has_is_counted_and_cleared_and_the_rest_stays() {
        let (_folder, cache) = kept();
        cache.introduce(&digest("simulator"), &testing::identity("mine")).unwrap();
        fs::write(cache.folder().join("notes"), "mine").unwrap();
        let [holding] = cache.holdings().unwrap().try_into().unwrap();
        assert_eq!((holding.answers, holding.simulator), (1, Some(testing::identity("mine"))));
        assert!(holding.bytes > 100);
        assert_eq!(cache.clear().unwrap(), 1);
        assert_eq!(cache.holdings().unwrap(), []);
        assert!(cache.folder().join("notes").exists());
        assert_eq!(Cache::new("/no/such/folder".into()).clear().unwrap(), 0);
    }

    #[test]
    fn a_cache_that_cannot_be_used_only_troubles() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = RunCache {
            cache: Cache::new(file),
            simulators: BTreeMap::from([(EstimatorId::new("mine").unwrap(), digest("simulator"))]),
            troubles: Mutex::default(),
        };
        let id = EstimatorId::new("mine").unwrap();
        cache.put(&id, &digest("request"), &outcome());
        assert_eq!(cache.get(&id, &digest("request")), None);
        let troubles = cache.troubles();
        assert!(troubles.count >= 1 && troubles.first.unwrap().contains("file"), "{}", troubles.count);
        assert_eq!(cache.get(&EstimatorId::new("other").unwrap(), &digest("request")), None);
    }
}
