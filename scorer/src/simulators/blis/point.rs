//! One point: its files are written, the build is run, its answer is read.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use shared::outcome::{Outcome, Reason};
use shared::plan::PointRequest;
use tempfile::TempDir;

use super::argv::{self, Flags, files};
use super::dialect::Dialect;
use super::result::counts::Counts;
use super::result::means::{self, Means};
use super::result::{ResultError, rows, text};
use super::trace::{self, ClosedLoop};
use super::{Scenarios, Setup, accept, failure, scenario, support};
use crate::files::read_bytes;
use crate::process::{self, Finished, Program};
use crate::simulators::{Reply, blocking, not_scored, not_written, request_list};
use crate::workload::RequestList;

/// The largest file of rows, in bytes: some 5 million requests.
const METRICS_LIMIT: u64 = 2 << 30;

/// A point that is ready to be run.
struct Prepared {
    directory: TempDir,
    args: Vec<OsString>,
    asked: Asked,
}

/// What a point is asked for.
enum Asked {
    /// The latencies of these requests.
    Requests { list: RequestList, form: ClosedLoop },
    /// The means of a recorded conversation.
    Agentic,
}

/// The prediction of a point, or the reason why there is none.
pub(super) async fn answer(setup: Arc<Setup>, request: &PointRequest) -> Reply {
    let ready = {
        let (setup, request) = (Arc::clone(&setup), request.clone());
        blocking(move || prepare(&setup, &request)).await
    };
    let prepared = match ready {
        Ok(prepared) => prepared,
        Err(refusal) => return refusal.into(),
    };
    let program = Program {
        path: setup.installation.binary.clone(),
        args: prepared.args.clone(),
        // Points run beside each other; threads of a build's own would only take their processors away.
        env: vec![("GOMAXPROCS".into(), "1".into())],
        directory: prepared.directory.path().to_owned(),
    };
    let finished = match process::run(&program, &setup.limits).await {
        Ok(finished) => finished,
        Err(error) => return error.into(),
    };
    let (may_pass, peak_memory) = (setup.limits.may_pass(finished.ended), finished.peak_memory);
    let outcome =
        blocking(move || judge(&setup, &prepared, &finished)).await.unwrap_or_else(|refusal| refusal);
    Reply::of_program(outcome, may_pass, peak_memory)
}

fn prepare(setup: &Setup, request: &PointRequest) -> Result<Prepared, Outcome> {
    support::check(request)?;
    let directory = tempfile::Builder::new().prefix("scorer-blis-").tempdir().map_err(not_written)?;
    if support::is_agentic(&request.workload) {
        let args = agentic(setup, request, directory.path())?;
        return Ok(Prepared { directory, args, asked: Asked::Agentic });
    }
    let list = request_list(request)?;
    let dialect = setup.installation.interface.dialect();
    let form = match dialect {
        Dialect::Zero | Dialect::A => ClosedLoop::Rounds { concurrency: request.concurrency },
        Dialect::B | Dialect::C => ClosedLoop::Pool,
    };
    let args = match dialect {
        Dialect::C => by_scenario(setup, request, directory.path())?,
        Dialect::Zero | Dialect::A | Dialect::B => by_flags(setup, request, directory.path())?,
    };
    let rows = trace::data(&list, form)
        .map_err(|error| not_scored(Reason::RunError, format!("the trace cannot be written: {error}")))?;
    write(&directory.path().join(files::TRACE_HEADER), trace::HEADER.as_bytes())?;
    write(&directory.path().join(files::TRACE_DATA), &rows)?;
    Ok(Prepared { directory, args, asked: Asked::Requests { list, form } })
}

/// Describes model and GPU to a build that takes flags.
fn by_flags(setup: &Setup, request: &PointRequest, directory: &Path) -> Result<Vec<OsString>, Outcome> {
    let deployment = &request.deployment;
    let interface = &setup.installation.interface;
    let layout = support::layout(request, interface)?;
    let descriptions = &setup.descriptions;
    let model = descriptions.model(&deployment.model, &deployment.precision).ok_or_else(|| {
        let what = if descriptions.knows_model(&deployment.model) {
            format!("no `{}` checkpoint of `{}`", deployment.precision, deployment.model)
        } else {
            format!("no model `{}`", deployment.model)
        };
        not_scored(Reason::UnsupportedModel, format!("blis/models.toml has {what}"))
    })?;
    let hardware = descriptions.gpu_name(&deployment.hardware).ok_or_else(|| {
        let detail = format!("blis/hardware.toml has no GPU `{}`", deployment.hardware);
        not_scored(Reason::UnsupportedHardware, detail)
    })?;
    let model_folder = directory.join(files::MODEL);
    fs::create_dir(&model_folder).map_err(not_written)?;
    write(&model_folder.join("config.json"), model.config.to_string().as_bytes())?;
    write(&directory.join(files::HARDWARE), descriptions.hardware_file())?;
    if let Some(defaults) = &setup.defaults {
        fs::copy(defaults, directory.join(files::DEFAULTS)).map_err(not_written)?;
    }
    if let Some(catalog) = &setup.catalog {
        link(catalog, &directory.join(files::CATALOG))?;
    }
    let flags = Flags {
        model: &model.repository,
        hardware,
        layout,
        engine: request.engine,
        concurrency: request.concurrency,
        latency_model: setup.latency_model,
        with_catalog: setup.catalog.is_some(),
    };
    Ok(argv::by_flags(interface, &flags))
}

/// Puts the scenario of the point where a build that takes scenarios finds it.
fn by_scenario(setup: &Setup, request: &PointRequest, directory: &Path) -> Result<Vec<OsString>, Outcome> {
    let scenarios = scenarios(setup, directory)?;
    let text = scenario::of_point(&scenarios.folder, &request.deployment, &request.engine)?;
    let folder = directory.join(files::SCENARIOS);
    fs::create_dir(&folder).map_err(not_written)?;
    write(&folder.join(files::SCENARIO), text.as_bytes())?;
    Ok(argv::by_scenario(&setup.installation.interface, request.concurrency))
}

fn agentic(setup: &Setup, request: &PointRequest, directory: &Path) -> Result<Vec<OsString>, Outcome> {
    support::check_agentic(&setup.installation.interface)?;
    scenarios(setup, directory)?;
    let sweep = &request.sweep;
    let found = setup.agentic_scenarios.iter().find_map(|folder| {
        let named = |ending| folder.join(format!("{sweep}.{ending}"));
        ["yaml", "yml", "json"].map(named).into_iter().find(|path| path.is_file())
    });
    let path = found.ok_or_else(|| {
        let detail = format!("there is no agentic scenario {sweep}.yaml for this sweep");
        not_scored(Reason::UnsupportedLayout, detail)
    })?;
    fs::copy(path, directory.join(files::AGENTIC)).map_err(not_written)?;
    Ok(argv::agentic(&setup.installation.interface))
}

/// What dialect C needs, with catalog and registry put where the build finds them.
fn scenarios<'a>(setup: &'a Setup, directory: &Path) -> Result<&'a Scenarios, Outcome> {
    let scenarios = setup.scenarios.as_ref().ok_or_else(|| {
        not_scored(Reason::RunError, "no catalog, registry and scenarios were named for this build")
    })?;
    link(&scenarios.catalog, &directory.join(files::CATALOG))?;
    link(&scenarios.registry, &directory.join(files::REGISTRY))?;
    Ok(scenarios)
}

/// Makes a folder appear under another name.
fn link(folder: &Path, name: &Path) -> Result<(), Outcome> {
    let folder = fs::canonicalize(folder).map_err(not_written)?;
    std::os::unix::fs::symlink(folder, name).map_err(not_written)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Outcome> {
    fs::write(path, bytes).map_err(not_written)
}

/// Decides what a finished run says of its point.
fn judge(setup: &Setup, prepared: &Prepared, finished: &Finished) -> Result<Outcome, Outcome> {
    if !finished.ended.is_success() {
        return Err(failure::outcome(finished));
    }
    read(setup, prepared, finished).map_err(|refused| failure::explained(refused, &finished.stderr))
}

fn read(setup: &Setup, prepared: &Prepared, finished: &Finished) -> Result<Outcome, Outcome> {
    let bad = |error: ResultError| not_scored(Reason::BadResult, error.to_string());
    let Asked::Requests { list, form } = &prepared.asked else {
        let (ttft, tpot) =
            text::document(&finished.stdout).and_then(|value| means::agentic(&value)).map_err(bad)?;
        return accept::agentic(ttft, tpot);
    };
    let value = match setup.installation.interface.dialect() {
        Dialect::Zero => text::json(&finished.stdout).map_err(bad)?,
        Dialect::A | Dialect::B => {
            let path = prepared.directory.path().join(files::METRICS);
            let bytes = read_bytes(&path, METRICS_LIMIT)
                .map_err(|_| not_scored(Reason::BadResult, "no file of rows was written"))?;
            text::json(&bytes).map_err(bad)?
        }
        Dialect::C => text::document(&finished.stdout).map_err(bad)?,
    };
    let counts = Counts::read(&value).map_err(bad)?;
    if setup.installation.interface.dialect() == Dialect::Zero {
        let means = Means::read(&value).map_err(bad)?;
        return accept::means(counts, &means, list);
    }
    // Whether it is complete comes first: an incomplete run may well lack rows.
    accept::complete(counts, list)?;
    let rows = rows::read(&value, *form).map_err(bad)?;
    accept::rows(counts, &rows, list)
}
