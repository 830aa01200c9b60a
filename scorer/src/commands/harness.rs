//! `scorer harness`: units in, the snapshot of one build on them out; each stage by its own command.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use shared::format::counted;
use shared::id::EstimatorId;

use super::{merge, plan, run as replay, simulator, summarize};
use crate::cli::harness::HarnessArgs;
use crate::cli::plan::{PlanArgs, ReferenceArgs, SimulatorArgs};
use crate::cli::run::{CommitArgs, MergeArgs, RunArgs};
use crate::cli::simulator::BuildArgs;
use crate::cli::summarize::SummarizeArgs;
use crate::console::Console;
use crate::exit::{CommandError, CommandResult, ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, Destination, check_paths, read_bytes, write_atomically, write_json};
use crate::github::Server;
use crate::harness::checkout;
use crate::identity::Provenance;
use crate::ledger::Ledger;
use crate::measurements::http::Retry;
use crate::nightly::Work;
use crate::replay::Shard;
use crate::resolve::SIMULATOR;
use crate::simulators::blis;
use crate::simulators::registry::RegistryError;
use crate::validate;

/// What only the harness can fail of.
#[derive(Debug, thiserror::Error)]
enum HarnessError {
    /// A folder cannot be named in the list of simulators.
    #[error("{}: this name is not UTF-8, so it cannot stand in a list of simulators", .0.display())]
    Name(PathBuf),
    /// A folder's place cannot be told.
    #[error("{}: its place cannot be told", path.display())]
    Place {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Failure for HarnessError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Name(_) | Self::Place { .. } => ExitCode::Usage,
        }
    }
}

/// Scores the units.
pub fn run(args: &HarnessArgs, console: &Console) -> CommandResult {
    // What is refused is told before anything is built.
    let provenance = checkout::commit(args.checkout.as_deref(), args.commit.commit())?;
    tell(&provenance, console);
    let work = Work::open(&args.work, false)?;
    measurements(args, &work, console)?;
    let simulators = simulators(args, &work, console)?;
    let commit = CommitArgs::from(provenance);
    planned(args, &work, &simulators, console)?;
    match replayed(args, &work, &simulators, &commit, console)? {
        ExitCode::Success => {}
        stopped => return Ok(stopped),
    }
    summarized(args, &work, commit, console)?;
    Ok(ExitCode::Success)
}

/// The files of the stages, in the work directory.
mod files {
    pub const CORPUS: &str = "corpus.json";
    pub const SIMULATORS: &str = "simulators.toml";
    pub const PLAN: &str = "plan.json";
    pub const WHOLE: &str = "whole.outcomes";
    pub const OUTCOMES: &str = "outcomes.jsonl";
    pub const SUMMARY: &str = "summary.json";
    pub const POINTS: &str = "points.csv";
}

fn tell(provenance: &Provenance, console: &Console) {
    match provenance {
        Provenance::Checked(commit) => console.status(&format!("harness: commit {commit}, checked")),
        Provenance::Asserted(commit) => console.status(&format!("harness: commit {commit}, by assertion")),
        Provenance::Unknown => {}
    }
}

/// The corpus of the units.
fn measurements(args: &HarnessArgs, work: &Work, console: &Console) -> Result<(), CommandError> {
    let ledger = Ledger::new(&args.pull);
    let ids = args.units.of(&ledger)?;
    let read: Vec<PathBuf> = ids.iter().map(|id| ledger.path(id)).collect();
    check_paths(&read.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &[&args.output])?;
    let corpus = ledger.corpus(&ids)?;
    console.status(&format!("{} of {}", counted(ids.len() as u64, "unit"), args.pull.display()));
    Ok(write_json(&work.path(files::CORPUS), &corpus)?)
}

/// The build, in a list of simulators beside the baseline.
fn simulators(args: &HarnessArgs, work: &Work, console: &Console) -> Result<SimulatorArgs, CommandError> {
    let repository = || Server::from_environment(Retry::default()).clone_url(SIMULATOR);
    let build = BuildArgs {
        repo: args.repo.clone().unwrap_or_else(repository),
        reference: args.sim.clone(),
        builds: args.builds.clone(),
        format: crate::cli::format::Format::default(),
    };
    let built = simulator::built(&build, console)?;
    let mut text =
        format!("[simulator.roofline]\nkind = \"roofline\"\n\n[simulator.{}]\nkind = \"{0}\"\n", blis::KIND);
    let folders = [("catalog", &args.catalog), ("registry", &args.registry), ("scenarios", &args.scenarios)];
    let folders = folders.into_iter().filter_map(|(key, folder)| Some((key, folder.as_deref()?)));
    for (key, path) in [("binary", built.installation.binary.as_path())].into_iter().chain(folders) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{key} = {}", quoted(path)?);
    }
    let path = work.path(files::SIMULATORS);
    write_atomically(&path, text.as_bytes())?;
    Ok(SimulatorArgs { simulators: Some(path), blis: None })
}

/// A path by its absolute name, as a text of TOML: its escapes are those of JSON.
fn quoted(path: &Path) -> Result<String, HarnessError> {
    let whole =
        std::path::absolute(path).map_err(|source| HarnessError::Place { path: path.to_owned(), source })?;
    let text = OsStr::to_str(whole.as_os_str()).map(|text| serde_json::Value::from(text).to_string());
    text.ok_or_else(|| HarnessError::Name(path.to_owned()))
}

fn planned(
    args: &HarnessArgs,
    work: &Work,
    simulators: &SimulatorArgs,
    console: &Console,
) -> Result<(), CommandError> {
    let args = PlanArgs {
        corpus: work.path(files::CORPUS),
        output: Destination::File(work.path(files::PLAN)),
        settings: args.settings,
        estimators: Vec::new(),
        sweeps: Vec::new(),
        simulators: simulators.clone(),
        reference: ReferenceArgs::default(),
    };
    plan::run(&args, console).map(|_| ())
}

/// Runs what is not run yet; the code says whether all of it is.
fn replayed(
    args: &HarnessArgs,
    work: &Work,
    simulators: &SimulatorArgs,
    commit: &CommitArgs,
    console: &Console,
) -> CommandResult {
    let args = RunArgs {
        plan: work.path(files::PLAN),
        output: work.path(files::WHOLE),
        jobs: args.jobs,
        // All of it, also on a cluster.
        shard: Some(Shard::ALL),
        simulators: simulators.clone(),
        limits: args.limits,
        cache: args.cache.clone(),
        reference: ReferenceArgs::default(),
        commit: commit.clone(),
    };
    replay::run_afresh(&args, console)
}

/// The snapshot, proven, and written where it is wanted.
fn summarized(
    args: &HarnessArgs,
    work: &Work,
    commit: CommitArgs,
    console: &Console,
) -> Result<(), CommandError> {
    let outcomes = work.path(files::OUTCOMES);
    let merged = MergeArgs {
        files: vec![work.path(files::WHOLE)],
        output: Destination::File(outcomes.clone()),
        partial: false,
    };
    merge::run(&merged, console)?;
    let summary = work.path(files::SUMMARY);
    let summarized = SummarizeArgs {
        corpus: work.path(files::CORPUS),
        outcomes,
        output: Destination::File(summary.clone()),
        points: Some(Destination::File(work.path(files::POINTS))),
        primary: Some(EstimatorId::new(blis::KIND).map_err(RegistryError::from)?),
        generated_at: None,
        commit,
    };
    summarize::run(&summarized, console)?;
    validate::prove(std::slice::from_ref(&summary), None)?;
    Ok(args.output.write(&read_bytes(&summary, DEFAULT_LIMIT)?)?)
}
