//! `blis`: the simulator BLIS, a Go program that is run once for every point.
//!
//! Builds differ in what they are told and how they answer: [`dialect`] finds out which one it is, [`argv`], [`trace`], [`describe`]
//! and [`scenario`] make what it is given, [`result`] reads its answer and [`accept`] decides whether that is one. [`support`] says
//! what cannot be asked, [`failure`] what went wrong. [`build`] makes a build from sources. docs/blis.md tells it for readers.

pub mod accept;
pub mod argv;
pub mod build;
pub mod describe;
pub mod dialect;
pub mod failure;
pub mod installation;
mod point;
mod profile;
pub mod result;
pub mod scenario;
pub mod support;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod trace;
mod yaml;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use shared::deployment::Workload;
use shared::id::EstimatorId;
use shared::outcome::{SimulatorData, SimulatorIdentity};
use shared::plan::PointRequest;

use super::config::SetUp;
use super::{Answer, Label, Simulator};
use crate::exit::{ExitCode, Failure};
use crate::files::FileError;
use crate::process::Limits;
pub use profile::Profile;

use argv::LatencyModel;
use describe::Descriptions;
use dialect::Dialect;
use installation::{BuildRecord, Installation, InstallationError, file_data, folder_data};

/// How it is driven, as its identity says.
pub const KIND: &str = "blis";

/// Its name as people write it, where no other is stated.
pub const NAME: &str = "BLIS";

/// The version of this adapter: raised whenever an answer changes for equal builds and descriptions.
pub const ADAPTER: &str = "1";

/// What a configuration says of a build.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlisEntry {
    /// Its name as people write it [default: `BLIS`].
    #[serde(default)]
    pub name: Option<Label>,
    /// The binary, or the folder that it is in.
    pub binary: PathBuf,
    /// Its version, where no record beside the binary tells.
    #[serde(default)]
    pub version: Option<String>,
    /// Its commit, where no record beside the binary tells.
    #[serde(default)]
    pub commit: Option<String>,
    /// The dialect, where its help should not decide.
    #[serde(default)]
    pub dialect: Option<Dialect>,
    /// How it estimates the duration of a step [default: as BLIS does].
    #[serde(default)]
    pub latency_model: LatencyModel,
    /// The file of defaults [default: the one beside the binary].
    #[serde(default)]
    pub defaults: Option<PathBuf>,
    /// The catalog's folder, for dialects B and C.
    #[serde(default)]
    pub catalog: Option<PathBuf>,
    /// The registry's folder, for dialect C.
    #[serde(default)]
    pub registry: Option<PathBuf>,
    /// The folder of scenarios, for dialect C.
    #[serde(default)]
    pub scenarios: Option<PathBuf>,
    /// The folder of agentic scenarios, named by sweep id, for dialect C.
    #[serde(default)]
    pub agentic_scenarios: Option<PathBuf>,
}

impl BlisEntry {
    /// A binary of which nothing else is said.
    #[must_use]
    pub fn of_binary(binary: PathBuf) -> Self {
        Self {
            name: None,
            binary,
            version: None,
            commit: None,
            dialect: None,
            latency_model: LatencyModel::default(),
            defaults: None,
            catalog: None,
            registry: None,
            scenarios: None,
            agentic_scenarios: None,
        }
    }

    /// Whether it reads folders of which nothing proves that they are a release.
    fn rests_on_folders(&self) -> bool {
        [&self.catalog, &self.registry, &self.scenarios, &self.agentic_scenarios]
            .iter()
            .any(|folder| folder.is_some())
    }

    /// The same with relative paths as seen from a folder.
    #[must_use]
    pub fn within(&self, folder: &Path) -> Self {
        let join = |path: &Option<PathBuf>| path.as_ref().map(|path| folder.join(path));
        Self {
            binary: folder.join(&self.binary),
            defaults: join(&self.defaults),
            catalog: join(&self.catalog),
            registry: join(&self.registry),
            scenarios: join(&self.scenarios),
            agentic_scenarios: join(&self.agentic_scenarios),
            ..self.clone()
        }
    }
}

/// A build cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum BlisError {
    /// It cannot be used.
    #[error(transparent)]
    Installation(#[from] InstallationError),
    /// Something that its answers rest on cannot be read.
    #[error(transparent)]
    Data(#[from] FileError),
    /// The configuration contradicts the record.
    #[error("{}: {what} `{stated}` was stated, but it was built from `{recorded}`", binary.display())]
    Contradiction {
        /// The binary.
        binary: PathBuf,
        /// `version` or `commit`.
        what: &'static str,
        /// What the configuration says.
        stated: String,
        /// What the record says.
        recorded: String,
    },
    /// It needs a file of defaults.
    #[error("{}: there is no {} beside it: name the one of its commit with `defaults`", binary.display(), installation::DEFAULTS)]
    NoDefaults {
        /// The binary.
        binary: PathBuf,
    },
    /// It needs a folder.
    #[error("{}: speaks dialect C, which needs `{what}`", binary.display())]
    NoFolder {
        /// The binary.
        binary: PathBuf,
        /// `catalog`, `registry` or `scenarios`.
        what: &'static str,
    },
    /// The descriptions cannot be written.
    #[error("what BLIS is told of models and GPUs cannot be written as JSON")]
    Describe(#[from] serde_json::Error),
}

impl Failure for BlisError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Installation(error) => error.exit_code(),
            Self::Data(error) => error.exit_code(),
            Self::Contradiction { .. } | Self::NoDefaults { .. } | Self::NoFolder { .. } => {
                ExitCode::InputInvalid
            }
            Self::Describe(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Installation(error) => error.advice(),
            Self::Data(error) => error.advice(),
            _ => None,
        }
    }
}

/// The simulator BLIS.
#[derive(Clone, Debug)]
pub struct Blis {
    identity: SimulatorIdentity,
    setup: Arc<Setup>,
}

/// All that a point is replayed with.
#[derive(Debug)]
struct Setup {
    installation: Installation,
    descriptions: Descriptions,
    latency_model: LatencyModel,
    defaults: Option<PathBuf>,
    catalog: Option<PathBuf>,
    scenarios: Option<Scenarios>,
    agentic_scenarios: Option<PathBuf>,
    limits: Limits,
}

/// What dialect C needs.
#[derive(Debug)]
struct Scenarios {
    catalog: PathBuf,
    registry: PathBuf,
    folder: PathBuf,
}

impl Blis {
    /// Sets up a build, given engine settings of this profile.
    ///
    /// # Errors
    /// When it cannot be used, or something is missing that it needs.
    pub fn open(id: EstimatorId, entry: &BlisEntry, with: SetUp<'_>) -> Result<Self, BlisError> {
        let setup = Setup::new(entry, with)?;
        let installation = &setup.installation;
        let record = installation.record.as_ref();
        let version = agreed(entry, "version", entry.version.as_deref(), record.map(BuildRecord::version))?;
        let commit =
            agreed(entry, "commit", entry.commit.as_deref(), record.map(|record| record.commit.as_str()))?;
        let identity = SimulatorIdentity {
            id,
            name: entry.name.clone().map_or_else(|| NAME.to_owned(), String::from),
            kind: KIND.to_owned(),
            version: version.unwrap_or_else(|| SimulatorIdentity::UNVERSIONED.to_owned()),
            commit,
            binary_sha256: Some(installation.sha256.clone()),
            release: with
                .is_release(record.is_some_and(|record| record.tag.is_some()) && !entry.rests_on_folders()),
            data: setup.data()?,
            settings: with.profile,
        };
        Ok(Self { identity, setup: Arc::new(setup) })
    }

    /// The build behind it.
    #[must_use]
    pub fn installation(&self) -> &Installation {
        &self.setup.installation
    }
}

/// What is stated and what is recorded, which must not contradict each other.
fn agreed(
    entry: &BlisEntry,
    what: &'static str,
    stated: Option<&str>,
    recorded: Option<&str>,
) -> Result<Option<String>, BlisError> {
    match (stated, recorded) {
        (Some(stated), Some(recorded)) if stated != recorded => Err(BlisError::Contradiction {
            binary: entry.binary.clone(),
            what,
            stated: stated.to_owned(),
            recorded: recorded.to_owned(),
        }),
        (stated, recorded) => Ok(recorded.or(stated).map(str::to_owned)),
    }
}

impl Setup {
    fn new(entry: &BlisEntry, with: SetUp<'_>) -> Result<Self, BlisError> {
        let installation = Installation::open(&entry.binary, entry.dialect)?;
        let binary = || entry.binary.clone();
        let by_scenario = installation.interface.dialect() == Dialect::C;
        let defaults = entry.defaults.clone().or_else(|| installation.defaults.clone());
        if defaults.is_none() && !by_scenario {
            return Err(BlisError::NoDefaults { binary: binary() });
        }
        let needed = |what: &'static str, path: &Option<PathBuf>| {
            path.clone().ok_or_else(|| BlisError::NoFolder { binary: binary(), what })
        };
        let scenarios = if by_scenario {
            Some(Scenarios {
                catalog: needed("catalog", &entry.catalog)?,
                registry: needed("registry", &entry.registry)?,
                folder: needed("scenarios", &entry.scenarios)?,
            })
        } else {
            None
        };
        Ok(Self {
            descriptions: Descriptions::new(with.reference)?,
            latency_model: entry.latency_model,
            defaults: defaults.filter(|_| !by_scenario),
            catalog: entry.catalog.clone(),
            scenarios,
            agentic_scenarios: entry.agentic_scenarios.clone(),
            limits: with.limits,
            installation,
        })
    }

    /// Everything beside the binary that an answer rests on, in a fixed order.
    fn data(&self) -> Result<Vec<SimulatorData>, FileError> {
        let dialect = self.installation.interface.dialect();
        let mut data =
            vec![SimulatorData::tagged("adapter", ADAPTER), SimulatorData::tagged("dialect", dialect.key())];
        let record = self.installation.record.as_ref();
        if let Some(scenarios) = &self.scenarios {
            let catalog = record.and_then(|record| record.catalog.clone());
            let registry = record.and_then(|record| record.registry.clone());
            data.push(folder_data("catalog", &scenarios.catalog, catalog)?);
            data.push(folder_data("registry", &scenarios.registry, registry)?);
            data.push(folder_data("scenarios", &scenarios.folder, None)?);
        } else {
            data.push(SimulatorData::tagged("latency model", self.latency_model.key()));
            data.push(SimulatorData::digested("models", self.descriptions.models_digest().clone()));
            data.push(SimulatorData::digested("hardware", self.descriptions.hardware_digest().clone()));
            if let Some(defaults) = &self.defaults {
                data.push(file_data(installation::DEFAULTS, defaults)?);
            }
            if let Some(catalog) = &self.catalog {
                data.push(folder_data("catalog", catalog, None)?);
            }
        }
        if let Some(folder) = &self.agentic_scenarios {
            data.push(folder_data("agentic scenarios", folder, None)?);
        }
        Ok(data)
    }
}

impl Simulator for Blis {
    fn identity(&self) -> &SimulatorIdentity {
        &self.identity
    }

    fn cost(&self, request: &PointRequest) -> f64 {
        seconds(request.workload, request.concurrency)
    }

    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
        let setup = Arc::clone(&self.setup);
        Box::pin(point::answer(setup, request))
    }
}

/// Seconds of one core that a point takes: fitted by eye to measured replays, within a factor of 2.5.
#[must_use]
pub fn seconds(workload: Workload, concurrency: u32) -> f64 {
    const START: f64 = 0.1;
    const PER_OUTPUT_TOKEN: f64 = 1.3e-6;
    const PER_INPUT_TOKEN: f64 = 2.2e-7;
    let requests = f64::from(workload.prompts_per_concurrency) * f64::from(concurrency);
    let tokens = f64::from(workload.osl) * PER_OUTPUT_TOKEN + f64::from(workload.isl) * PER_INPUT_TOKEN;
    START + requests * tokens
}
