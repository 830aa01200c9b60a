//! Which estimators there are: `simulators.toml`, and the flags for the simple cases. docs/simulators.md shows the file.
//!
//! A new kind is a variant of `Entry` and an arm of each `match` on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use shared::corpus::Corpus;
use shared::id::{EstimatorId, IdError};
use shared::outcome::SettingsProfile;
use shared::plan::PlannedSweep;

use super::aiconfigurator::{Aiconfigurator, AiconfiguratorEntry};
use super::blis::{self, Blis, BlisEntry};
use super::command::{Command, CommandConfig};
use super::dynamo::{Dynamo, DynamoEntry};
use super::registry::RegistryError;
use super::{Published, Roofline, Simulator, roofline};
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, read_text};
use crate::process::Limits;
use crate::reference::Reference;

/// The largest configuration that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// The estimators that a run may ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// What was configured; none: what is built in.
    file: Option<File>,
    /// A build of BLIS beside it.
    blis: Option<BlisEntry>,
    /// Where relative paths of the file start: absolute, since programs run in other folders.
    folder: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    simulator: BTreeMap<EstimatorId, Entry>,
}

/// One estimator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Entry {
    /// The built-in baseline.
    Roofline(NoOptions),
    /// Predictions that came with the corpus.
    Published(NoOptions),
    /// A build of BLIS.
    Blis(Box<BlisEntry>),
    /// NVIDIA's AIConfigurator, asked live.
    Aiconfigurator(Box<AiconfiguratorEntry>),
    /// The offline replay of NVIDIA Dynamo.
    Dynamo(Box<DynamoEntry>),
    /// Any program.
    Command(Box<CommandConfig>),
}

/// Nothing can be said about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}

/// What every estimator is set up with.
#[derive(Clone, Copy, Debug)]
pub struct SetUp<'a> {
    /// Which engine settings it is given.
    pub profile: SettingsProfile,
    /// Facts about models, GPUs and engines.
    pub reference: &'a Arc<Reference>,
    /// How far the programs behind it may go.
    pub limits: Limits,
}

impl SetUp<'_> {
    /// Whether what is a release by itself is one with these tables: the engine settings that a point is asked
    /// with come from them, whoever is asked.
    #[must_use]
    pub fn is_release(&self, by_itself: bool) -> bool {
        by_itself && self.reference.is_built_in()
    }
}

/// A configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not TOML of the right shape.
    #[error("{}: is not a list of simulators: {source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
}

impl Failure for ConfigError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Parse { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Parse { .. } => None,
        }
    }
}

impl Config {
    /// Reads a file. Its relative paths are seen from the folder that it is in.
    ///
    /// # Errors
    /// When it cannot be read, or says something that is not understood.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = read_text(path, LIMIT)?;
        let file: File = toml::from_str(&text)
            .map_err(|source| ConfigError::Parse { path: path.to_owned(), source: Box::new(source) })?;
        let whole = std::path::absolute(path)
            .map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
        let folder = whole.parent().unwrap_or(&whole).to_owned();
        Ok(Self { file: Some(file), blis: None, folder })
    }

    /// The same, and a build of BLIS.
    #[must_use]
    pub fn with_blis(self, binary: PathBuf) -> Self {
        Self { blis: Some(BlisEntry::of_binary(binary)), ..self }
    }

    /// The builds of BLIS that the file lists, by id.
    pub fn builds(&self) -> impl Iterator<Item = (EstimatorId, BlisEntry)> {
        self.entries().filter_map(|(id, entry)| match entry {
            Entry::Blis(entry) => Some((id.clone(), entry.within(&self.folder))),
            Entry::Roofline(_)
            | Entry::Published(_)
            | Entry::Aiconfigurator(_)
            | Entry::Dynamo(_)
            | Entry::Command(_) => None,
        })
    }

    fn entries(&self) -> impl Iterator<Item = (&EstimatorId, &Entry)> {
        self.file.iter().flat_map(|file| &file.simulator)
    }

    /// The ids of all estimators that there are for a corpus, in no order; one may be there twice.
    pub(super) fn ids(&self, corpus: &Corpus) -> Result<Vec<EstimatorId>, IdError> {
        let mut ids: Vec<EstimatorId> = self.entries().map(|(id, _)| id.clone()).collect();
        if self.file.is_none() {
            ids.push(EstimatorId::new(roofline::KIND)?);
            ids.extend(corpus.published_estimators.keys().cloned());
        }
        if self.blis.is_some() {
            ids.push(EstimatorId::new(blis::KIND)?);
        }
        Ok(ids)
    }

    /// The estimator of an id for the sweeps of a corpus; none when there is none.
    pub(super) fn simulator(
        &self,
        id: &EstimatorId,
        corpus: &Corpus,
        sweeps: &[PlannedSweep],
        with: SetUp<'_>,
    ) -> Result<Option<Arc<dyn Simulator>>, RegistryError> {
        let published = || -> Result<Option<Arc<dyn Simulator>>, RegistryError> {
            let Some(about) = corpus.published_estimators.get(id) else { return Ok(None) };
            let published = Published::new(id, about, sweeps).map_err(RegistryError::Digest)?;
            Ok(Some(Arc::new(published)))
        };
        let baseline = || -> Option<Arc<dyn Simulator>> {
            Some(Arc::new(Roofline::new(id.clone(), Arc::clone(with.reference), with.profile)))
        };
        let entry = self.file.as_ref().and_then(|file| file.simulator.get(id));
        match entry {
            Some(Entry::Roofline(_)) => Ok(baseline()),
            Some(Entry::Published(_)) => published(),
            None if self.file.is_none() && id.as_str() == roofline::KIND => Ok(baseline()),
            None if self.file.is_none() && corpus.published_estimators.contains_key(id) => published(),
            Some(Entry::Blis(_) | Entry::Aiconfigurator(_) | Entry::Dynamo(_) | Entry::Command(_)) | None => {
                self.program(id, with)
            }
        }
    }

    /// The estimator of an id behind which there is a program; none when there is none.
    pub(super) fn program(
        &self,
        id: &EstimatorId,
        with: SetUp<'_>,
    ) -> Result<Option<Arc<dyn Simulator>>, RegistryError> {
        let open = |entry: &BlisEntry| -> Result<Option<Arc<dyn Simulator>>, RegistryError> {
            let blis = Blis::open(id.clone(), entry, with)
                .map_err(|source| RegistryError::Blis { id: id.clone(), source: Box::new(source) })?;
            Ok(Some(Arc::new(blis)))
        };
        let in_python = |source| RegistryError::Python { id: id.clone(), source: Box::new(source) };
        match self.file.as_ref().and_then(|file| file.simulator.get(id)) {
            Some(Entry::Blis(entry)) => open(&entry.within(&self.folder)),
            Some(Entry::Aiconfigurator(entry)) => {
                let live = Aiconfigurator::open(id.clone(), entry, &self.folder, with).map_err(in_python)?;
                Ok(Some(Arc::new(live)))
            }
            Some(Entry::Dynamo(entry)) => {
                let dynamo = Dynamo::open(id.clone(), entry, &self.folder, with).map_err(in_python)?;
                Ok(Some(Arc::new(dynamo)))
            }
            Some(Entry::Command(config)) => {
                let command = Command::new(id.clone(), config, &self.folder, with)
                    .map_err(|source| RegistryError::Command { id: id.clone(), source: Box::new(source) })?;
                Ok(Some(Arc::new(command)))
            }
            Some(Entry::Roofline(_) | Entry::Published(_)) => Ok(None),
            None => match self.blis.as_ref().filter(|_| id.as_str() == blis::KIND) {
                Some(entry) => open(entry),
                None => Ok(None),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<(tempfile::TempDir, Config), ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("simulators.toml");
        std::fs::write(&path, text).unwrap();
        let config = Config::load(&path)?;
        Ok((folder, config))
    }

    fn ids(config: &Config) -> Vec<String> {
        let corpus = crate::testing::corpus(1);
        config.ids(&corpus).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn without_a_file_there_is_what_is_built_in_and_what_came_with_the_corpus() {
        assert_eq!(ids(&Config::default()), ["roofline", "aic", "aisimulate"]);
        let more = Config::default().with_blis("/opt/blis".into());
        assert_eq!(ids(&more), ["roofline", "aic", "aisimulate", "blis"]);
    }

    #[test]
    fn a_file_lists_the_estimators_by_id_and_its_paths_are_seen_from_its_folder() {
        let text = "[simulator.baseline]\nkind = \"roofline\"\n\n[simulator.aic]\nkind = \"published\"\n\n\
                    [simulator.blis-new]\nkind = \"blis\"\nbinary = \"builds/blis\"\n\n\
                    [simulator.blis-old]\nkind = \"blis\"\nbinary = \"/opt/blis\"\ndialect = \"0\"\n\
                    latency_model = \"roofline\"\n\n\
                    [simulator.live]\nkind = \"aiconfigurator\"\npython = \"venv/bin/python\"\n\n\
                    [simulator.event]\nkind = \"dynamo\"\npython = \"venv/bin/python\"\nbackend_version = \"0.14.0\"\n\n\
                    [simulator.mine]\nkind = \"command\"\ncommand = [\"python3\", \"mine.py\"]\n";
        let (folder, config) = load(text).unwrap();
        assert_eq!(ids(&config), ["aic", "baseline", "blis-new", "blis-old", "event", "live", "mine"]);
        let binaries: Vec<PathBuf> = config.builds().map(|(_, entry)| entry.binary).collect();
        assert_eq!(binaries, [folder.path().join("builds/blis"), PathBuf::from("/opt/blis")]);
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        for (text, said) in [
            ("[simulator.a]\nkind = \"oracle\"\n", "oracle"),
            ("[simulator.a]\nkind = \"blis\"\n", "binary"),
            ("[simulator.a]\nkind = \"blis\"\nbinary = \"b\"\nhorizon = 600\n", "horizon"),
            ("[simulator.a]\nkind = \"roofline\"\ncolour = 1\n", "colour"),
            ("[simulator.\"Has Spaces\"]\nkind = \"roofline\"\n", "Has Spaces"),
            ("[simulators.a]\nkind = \"roofline\"\n", "simulators"),
            ("[[", "line 1"),
        ] {
            let refused = load(text).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
            assert!(refused.contains("simulators.toml"), "{refused}");
        }
    }
}
