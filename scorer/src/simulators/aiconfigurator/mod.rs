//! `aiconfigurator`: NVIDIA's estimator from `PyPI`, asked live.
//!
//! A Python of one's own that has the package `aiconfigurator` runs a small program of ours (`child.py`),
//! which stays from point to point and keeps what AIConfigurator has loaded. `question` makes what it is
//! asked; its answers are those of docs/simulator-contract.md. docs/aiconfigurator.md tells it for readers.

mod names;
mod question;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use shared::digest::Digest;
use shared::id::EstimatorId;
use shared::outcome::{Reason, SimulatorData, SimulatorIdentity};
use shared::plan::PointRequest;

use super::command::{Pool, Template};
use super::config::SetUp;
use super::python::{self, PythonSimulatorError};
use super::{Answer, Label, Reply, Rest, Simulator, not_scored};
use crate::process;
use crate::reference::Reference;
use crate::replay;
pub use names::{ExpertLayout, Names};
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
    pub name: Option<Label>,
    /// A Python that has the package, such as that of a virtual environment. A name without `/` is looked up in `PATH`.
    pub python: PathBuf,
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
    ) -> Result<Self, PythonSimulatorError> {
        let python = process::located(&entry.python, folder);
        let [version, core] = python::versions(&python, PACKAGES, PACKAGES[0])?;
        let identity = SimulatorIdentity {
            id,
            name: entry.name.clone().map_or_else(|| "AIConfigurator".to_owned(), String::from),
            kind: KIND.to_owned(),
            version,
            commit: None,
            binary_sha256: None,
            // What pip installs under a version is a release.
            release: with.is_release(true),
            data: vec![
                SimulatorData::tagged(PACKAGES[1], core),
                SimulatorData::digested("child", Digest::of_bytes(CHILD.as_bytes())),
                SimulatorData::digested("names and formats", with.reference.aiconfigurator_digest()?),
            ],
            settings: with.profile,
        };
        let template = Template { path: python, args: vec!["-c".into(), CHILD.into()], env: Vec::new() };
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
