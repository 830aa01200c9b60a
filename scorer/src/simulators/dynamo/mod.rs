//! `dynamo`: the offline replay of NVIDIA Dynamo from `PyPI`, a discrete-event simulator of its own.
//!
//! A Python of one's own that has the package `ai-dynamo` is started for every point, as `python -m dynamo.replay`: `ask` makes
//! what it is given, `report` reads what it leaves. The durations of its steps come from AIConfigurator, which it calls
//! itself. docs/dynamo.md tells it for readers.

mod ask;
mod report;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use shared::id::EstimatorId;
use shared::outcome::{Outcome, SimulatorData, SimulatorIdentity};
use shared::plan::PointRequest;
use tempfile::TempDir;

use super::config::SetUp;
use super::python::{self, PythonSimulatorError};
use super::{Answer, Label, Reply, Simulator, blocking, not_written, request_list};
use crate::process::{self, Limits, Program};
use crate::reference::Reference;
use crate::workload::RequestList;
use ask::Engine;

/// How it is driven, as its identity says.
pub const KIND: &str = "dynamo";

/// The version of this adapter: raised whenever an answer changes for equal packages and tables.
const ADAPTER: &str = "1";

/// The package, the one with its compiled part, and the one whose tables its durations come from.
const PACKAGES: [&str; 3] = ["ai-dynamo", "ai-dynamo-runtime", "aiconfigurator"];

/// Packages of these versions fit each other.
const REQUIREMENT: &str = "ai-dynamo==1.2.1 aiconfigurator==0.10.0 'pyarrow<23' transformers";

/// The files of a point, in its own folder, which is also where the replay runs.
mod files {
    pub const TRACE: &str = "trace.jsonl";
    pub const REPORT: &str = "report.json";
}

/// What a configuration says of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DynamoEntry {
    /// Its name as people write it [default: `Dynamo`].
    #[serde(default)]
    pub name: Option<Label>,
    /// A Python that has the packages, such as that of a virtual environment. A name without `/` is looked up in `PATH`.
    pub python: PathBuf,
    /// The engine version whose measured kernels are used [default: the one that Dynamo is pinned to].
    #[serde(default)]
    pub backend_version: Option<String>,
}

/// Dynamo's replay.
#[derive(Debug)]
pub struct Dynamo {
    identity: SimulatorIdentity,
    setup: Arc<Setup>,
}

#[derive(Debug)]
struct Setup {
    python: PathBuf,
    backend_version: Option<String>,
    reference: Arc<Reference>,
    limits: Limits,
}

impl Dynamo {
    /// Sets it up; relative paths of the entry start at `folder`.
    ///
    /// # Errors
    /// When the Python or one of its packages is not there.
    pub fn open(
        id: EstimatorId,
        entry: &DynamoEntry,
        folder: &Path,
        with: SetUp<'_>,
    ) -> Result<Self, PythonSimulatorError> {
        let python = process::located(&entry.python, folder);
        let [version, runtime, tables] = python::versions(&python, PACKAGES, REQUIREMENT)?;
        let mut data = vec![
            SimulatorData::tagged("adapter", ADAPTER),
            SimulatorData::tagged(PACKAGES[1], runtime),
            SimulatorData::tagged(PACKAGES[2], tables),
            SimulatorData::digested("names and formats", with.reference.aiconfigurator_digest()?),
        ];
        data.extend(
            entry.backend_version.as_ref().map(|told| SimulatorData::tagged("backend version", told)),
        );
        let identity = SimulatorIdentity {
            id,
            name: entry.name.clone().map_or_else(|| "Dynamo".to_owned(), String::from),
            kind: KIND.to_owned(),
            version,
            commit: None,
            binary_sha256: None,
            // What pip installs under a version is a release.
            release: with.is_release(true),
            data,
            settings: with.profile,
        };
        let setup = Setup {
            python,
            backend_version: entry.backend_version.clone(),
            reference: Arc::clone(with.reference),
            limits: with.limits,
        };
        Ok(Self { identity, setup: Arc::new(setup) })
    }
}

impl Simulator for Dynamo {
    fn identity(&self) -> &SimulatorIdentity {
        &self.identity
    }

    fn cost(&self, request: &PointRequest) -> f64 {
        // Within a fifth of what was measured: 52 s for 10,000 steps at concurrency 4, 87 s at 64.
        const SECONDS_PER_STEP: f64 = 5e-3;
        let steps = f64::from(request.workload.prompts_per_concurrency) * f64::from(request.workload.osl);
        steps * SECONDS_PER_STEP * f64::from(request.concurrency).powf(0.15)
    }

    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
        Box::pin(answer(Arc::clone(&self.setup), request))
    }
}

/// A point that is ready to be run.
struct Prepared {
    folder: TempDir,
    args: Vec<OsString>,
    list: RequestList,
}

async fn answer(setup: Arc<Setup>, request: &PointRequest) -> Reply {
    let ready = {
        let (setup, request) = (Arc::clone(&setup), request.clone());
        blocking(move || prepare(&setup, &request)).await
    };
    let Prepared { folder, args, list } = match ready {
        Ok(prepared) => prepared,
        Err(refusal) => return refusal.into(),
    };
    let program = Program {
        path: setup.python.clone(),
        args,
        // Points run beside each other; threads of numeric libraries would only take their processors away.
        env: ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"]
            .map(|name| (name.into(), "1".into()))
            .into(),
        directory: folder.path().to_owned(),
    };
    let finished = match process::run(&program, &setup.limits).await {
        Ok(finished) => finished,
        Err(error) => return error.into(),
    };
    let (may_pass, peak_memory) = (setup.limits.may_pass(finished.ended), finished.peak_memory);
    let judged =
        blocking(move || report::outcome(&finished, &folder.path().join(files::REPORT), &list)).await;
    Reply::of_program(judged.unwrap_or_else(|refusal| refusal), may_pass, peak_memory)
}

fn prepare(setup: &Setup, request: &PointRequest) -> Result<Prepared, Outcome> {
    let engine = Engine::of(request, &setup.reference, setup.backend_version.as_deref())?;
    let list = request_list(request)?;
    engine.fits(&list)?;
    let folder = tempfile::Builder::new().prefix("scorer-dynamo-").tempdir().map_err(not_written)?;
    fs::write(folder.path().join(files::TRACE), ask::trace(&list)).map_err(not_written)?;
    let engine = serde_json::to_string(&engine).map_err(|error| not_written(error.into()))?;
    Ok(Prepared { folder, args: ask::args(&engine, request.concurrency), list })
}

#[cfg(test)]
mod tests;
