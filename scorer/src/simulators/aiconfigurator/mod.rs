//! `aiconfigurator`: NVIDIA's estimator from `PyPI`, asked live.
//!
//! A Python of one's own that has the package `aiconfigurator` runs a small program of ours (`child.py`),
//! which stays from point to point and keeps what AIConfigurator has loaded. `question` makes what it is
//! asked; its answers are those of docs/simulator-contract.md. docs/aiconfigurator.md tells it for readers.

mod question;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use shared::digest::Digest;
use shared::id::EstimatorId;
use shared::outcome::{Reason, SimulatorData, SimulatorIdentity};
use shared::plan::PointRequest;

use super::command::{Pool, Template};
use super::config::SetUp;
use super::{Answer, Reply, Rest, Simulator, not_scored};
use crate::exit::{ExitCode, Failure};
use crate::process::{self, Limits, ProcessError, last_line};
use crate::reference::Reference;
use crate::replay;
use question::{Estimate, Question};

/// How it is driven, as its identity says.
pub const KIND: &str = "aiconfigurator";

/// The program that the child runs.
const CHILD: &str = include_str!("child.py");

/// The package, and the one with its data.
const PACKAGES: [&str; 2] = ["aiconfigurator", "aiconfigurator_core"];

/// What a configuration says of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiconfiguratorEntry {
    /// Its name as people write it [default: `AIConfigurator`].
    #[serde(default)]
    pub name: Option<String>,
    /// A Python that has the package, such as that of a virtual environment. A name without `/` is looked up in `PATH`.
    pub python: PathBuf,
}

/// It cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AiconfiguratorError {
    /// The Python cannot be asked what it has.
    #[error("{} does not tell which packages it has", python.display())]
    Versions {
        /// The Python.
        python: PathBuf,
        /// Why.
        source: ProcessError,
    },
    /// The Python answers something else.
    #[error("{} does not tell which packages it has: {said}", python.display())]
    NoVersions {
        /// The Python.
        python: PathBuf,
        /// What it says.
        said: String,
    },
    /// The package is not there.
    #[error("{} has no package `{package}`", python.display())]
    NoPackage {
        /// The Python.
        python: PathBuf,
        /// The package.
        package: &'static str,
    },
    /// The system does not give what is needed to ask.
    #[error("the system does not give what is needed to ask {}", python.display())]
    System {
        /// The Python.
        python: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A digest cannot be taken.
    #[error("the table of names cannot be written as JSON")]
    Digest(#[from] serde_json::Error),
}

impl Failure for AiconfiguratorError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Versions { .. } | Self::NoVersions { .. } | Self::NoPackage { .. } => {
                ExitCode::InputInvalid
            }
            Self::System { .. } | Self::Digest(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::NoPackage { python, .. } => {
                Some(format!("install it with `{} -m pip install aiconfigurator`", python.display()))
            }
            Self::Versions { .. } | Self::NoVersions { .. } => Some(
                "name with `python` the interpreter of an environment that has aiconfigurator".to_owned(),
            ),
            Self::System { .. } | Self::Digest(_) => None,
        }
    }
}

/// AIConfigurator.
#[derive(Debug)]
pub struct Aiconfigurator {
    identity: SimulatorIdentity,
    reference: Arc<Reference>,
    pool: Pool,
}

impl Aiconfigurator {
    /// Sets it up; relative paths of the entry start at `folder`.
    ///
    /// # Errors
    /// When the Python or its package is not there.
    pub fn open(
        id: EstimatorId,
        entry: &AiconfiguratorEntry,
        folder: &Path,
        with: SetUp<'_>,
    ) -> Result<Self, AiconfiguratorError> {
        let python = process::located(&entry.python, folder);
        let versions = versions(&python)?;
        let digested = |name: &str, sha256: Digest| SimulatorData {
            name: name.to_owned(),
            tag: None,
            commit: None,
            sha256: Some(sha256),
        };
        let core = SimulatorData {
            name: PACKAGES[1].to_owned(),
            tag: Some(versions[1].clone()),
            commit: None,
            sha256: None,
        };
        let identity = SimulatorIdentity {
            id,
            name: entry.name.clone().unwrap_or_else(|| "AIConfigurator".to_owned()),
            kind: KIND.to_owned(),
            version: versions[0].clone(),
            commit: None,
            binary_sha256: None,
            // What pip installs under a version is a release.
            release: with.is_release(true),
            data: vec![
                core,
                digested("child", Digest::of_bytes(CHILD.as_bytes())),
                digested("names and formats", with.reference.aiconfigurator_digest()?),
            ],
            settings: with.profile,
        };
        let template = Template { path: python, args: child_args(&[]), env: Vec::new() };
        Ok(Self { identity, reference: Arc::clone(with.reference), pool: Pool::new(template, with.limits) })
    }

    async fn ask(&self, point: &PointRequest) -> Reply {
        let estimate = match Estimate::of(point, &self.reference) {
            Ok(estimate) => estimate,
            Err(refusal) => return refusal.into(),
        };
        let asked = replay::digest(point).map(|digest| digest.to_string()).and_then(|id| {
            let line = serde_json::to_string(&Question { id: &id, estimate })?;
            Ok((id, line))
        });
        let (id, line) = match asked {
            Ok(asked) => asked,
            Err(error) => return not_scored(Reason::RunError, format!("no question: {error}")).into(),
        };
        // It replays no requests.
        self.pool.judged(&line, &id, &[]).await
    }
}

fn child_args(more: &[&str]) -> Vec<OsString> {
    ["-c", CHILD].iter().chain(more).map(OsString::from).collect()
}

/// The versions of [`PACKAGES`].
fn versions(python: &Path) -> Result<[String; 2], AiconfiguratorError> {
    let system = |source| AiconfiguratorError::System { python: python.to_owned(), source };
    let limits = Limits { deadline: Duration::from_mins(1), stdout_bytes: 1 << 16, ..Limits::default() };
    let finished = process::run_apart(python, child_args(&["--versions"]), &limits)
        .map_err(system)?
        .map_err(|source| AiconfiguratorError::Versions { python: python.to_owned(), source })?;
    let found: BTreeMap<String, Option<String>> = serde_json::from_slice(&finished.stdout).map_err(|_| {
        let said = last_line(&finished.stderr).unwrap_or_else(|| "nothing".to_owned());
        AiconfiguratorError::NoVersions { python: python.to_owned(), said }
    })?;
    let version = |package: &'static str| {
        let version = found.get(package).cloned().flatten();
        version.ok_or_else(|| AiconfiguratorError::NoPackage { python: python.to_owned(), package })
    };
    Ok([version(PACKAGES[0])?, version(PACKAGES[1])?])
}

impl Simulator for Aiconfigurator {
    fn identity(&self) -> &SimulatorIdentity {
        &self.identity
    }

    fn cost(&self, _: &PointRequest) -> f64 {
        // An estimate takes about as long for every point.
        0.05
    }

    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
        Box::pin(self.ask(request))
    }

    fn rest(&self) -> Rest<'_> {
        Box::pin(self.pool.rest())
    }
}

#[cfg(test)]
mod tests;
