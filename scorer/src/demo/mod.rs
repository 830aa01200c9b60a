//! The demonstration: the embedded corpus, scored twice and published, without any other file or the
//! network.
//!
//! It goes through the same steps as the commands do, and leaves what each of them writes. The first
//! snapshot gives the simulators vLLM's default settings for every point, the second those of the
//! measured runs, so that their comparison shows what knowing the settings is worth. When they were
//! made is fixed, and so is every byte: the two snapshots in data/ are the output of this.

mod claim;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use shared::digest::Digest;
use shared::format;
use shared::id::SnapshotId;
use shared::outcome::SettingsProfile;

use claim::Claim;

use crate::console::Console;
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, json_bytes, write_atomically};
use crate::identity::{self, Provenance};
use crate::inputs::{self, InputError};
use crate::process::Limits;
use crate::publish::{Candidate, PublishError, publish, withdraw};
use crate::reference::{Reference, ReferenceError};
use crate::replay::journal::forget_another;
use crate::replay::outcomes::{self, OutcomesError, Torn};
use crate::replay::{self, PlanError, PlanOptions, RunError, RunOptions};
use crate::simulators::Config;
use crate::simulators::registry::{self, RegistryError};
use crate::summarize::points_csv::{self, PointsError};
use crate::summarize::{MomentError, SummarizeError, SummarizeOptions, summarize};

/// The corpus: see data/sample/README.md.
pub const CORPUS: &[u8] = include_bytes!("../../../data/sample/corpus.json");

/// The two snapshots, and when they are said to have been made: the day on which the corpus was frozen.
/// The one with the recorded settings is the newer, so it is the one that the page opens with.
const SNAPSHOTS: [(SettingsProfile, &str); 2] = [
    (SettingsProfile::Defaults, "2026-11-30T00:00:00Z"),
    (SettingsProfile::Recorded, "2026-11-30T00:01:00Z"),
];

/// How long another publisher into the same directory is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// The demonstration cannot be made.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[expect(missing_docs, reason = "each is the error of the step that is named like it")]
pub enum DemoError {
    File(#[from] FileError),
    Input(#[from] InputError),
    Reference(#[from] ReferenceError),
    Plan(#[from] PlanError),
    Registry(#[from] RegistryError),
    Run(#[from] RunError),
    Outcomes(#[from] OutcomesError),
    Moment(#[from] MomentError),
    Summarize(#[from] SummarizeError),
    Points(#[from] PointsError),
    Publish(#[from] PublishError),
    /// Something is in the way.
    #[error("{}: is there, and no demonstration made it", .0.display())]
    NotOurs(PathBuf),
    /// A signal came.
    #[error("stopped; the same command goes on")]
    Stopped,
}

impl DemoError {
    fn step(&self) -> Option<&dyn Failure> {
        Some(match self {
            Self::File(error) => error,
            Self::Input(error) => error,
            Self::Reference(error) => error,
            Self::Plan(error) => error,
            Self::Registry(error) => error,
            Self::Run(error) => error,
            Self::Outcomes(error) => error,
            Self::Moment(error) => error,
            Self::Summarize(error) => error,
            Self::Points(error) => error,
            Self::Publish(error) => error,
            Self::NotOurs(_) | Self::Stopped => return None,
        })
    }
}

impl Failure for DemoError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NotOurs(_) => ExitCode::Refused,
            _ => self.step().map_or(ExitCode::Interrupted, Failure::exit_code),
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::NotOurs(_) => Some("name another directory with --out, or remove it".to_owned()),
            _ => self.step().and_then(Failure::advice),
        }
    }
}

/// What a demonstration makes in its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// What is published.
    pub data: PathBuf,
    /// The page with the data beside it.
    pub site: PathBuf,
    /// The files on the way.
    pub work: PathBuf,
}

impl Places {
    /// In the directory `out`.
    #[must_use]
    pub fn of(out: &Path) -> Self {
        Self { data: out.join("data"), site: out.join("site"), work: out.join("work") }
    }
}

/// Scores and publishes the corpus in the directory `out`, in which there is nothing at its [`Places`] or
/// what an earlier demonstration left: that is used again as far as it fits, and snapshots that this one
/// does not make are taken back. The snapshots of a data directory `beside` are published with it.
///
/// # Errors
/// When something else is at one of the places, when the system refuses, or when somebody stops it.
pub fn make(
    out: &Path,
    beside: Option<&Path>,
    jobs: NonZeroUsize,
    console: &Console,
) -> Result<(), DemoError> {
    let mut others = beside.map(Candidate::listed_in).transpose()?.unwrap_or_default();
    let mut claim = Claim::of(out)?;
    let Places { data, work, .. } = Places::of(out);
    let not_written = |source| FileError::NotWritten { path: work.clone(), source };
    fs::create_dir_all(&work).map_err(not_written)?;
    write_atomically(&work.join("corpus.json"), CORPUS)?;
    let reference = Arc::new(Reference::embedded()?);
    let mut candidates = Vec::new();
    for (settings, generated_at) in SNAPSHOTS {
        let folder = work.join(settings.key());
        fs::create_dir_all(&folder).map_err(not_written)?;
        candidates.push(score(&folder, settings, generated_at, jobs, &reference, console)?);
    }
    others.retain(|other| candidates.iter().all(|own| own.summary().run.id != other.summary().run.id));
    let ids: Vec<SnapshotId> =
        candidates.iter().chain(&others).map(|candidate| candidate.summary().run.id.clone()).collect();
    let stale: Vec<_> = claim.published.iter().filter(|id| !ids.contains(id)).cloned().collect();
    claim.note([ids.clone(), stale.clone()].concat())?;
    withdraw(&stale, &data, PATIENCE, console)?;
    for (candidate, (settings, _)) in candidates.iter().zip(SNAPSHOTS) {
        publish(candidate, &data, PATIENCE, console)?;
        console.status(&format!("published {} ({} settings)", candidate.summary().run.id, settings.key()));
    }
    for candidate in &others {
        publish(candidate, &data, PATIENCE, console)?;
    }
    if let Some(beside) = beside {
        console.status(&format!(
            "with {} of {}",
            format::counted(others.len() as u64, "snapshot"),
            beside.display()
        ));
    }
    Ok(claim.note(ids)?)
}

fn score(
    folder: &Path,
    settings: SettingsProfile,
    generated_at: &str,
    jobs: NonZeroUsize,
    reference: &Arc<Reference>,
    console: &Console,
) -> Result<Candidate, DemoError> {
    let corpus = inputs::corpus(Path::new("the embedded corpus"), CORPUS.to_vec())?;
    let digest = Digest::of_bytes(CORPUS);
    let options = PlanOptions { settings, estimators: None, sweeps: None, config: Config::default() };
    let plan = replay::plan(&corpus, digest.clone(), &options, reference)?;
    write_atomically(&folder.join("plan.json"), &json_bytes(&plan)?)?;

    let simulators = registry::of_plan(&plan.body, reference, &options.config, Limits::default())?;
    let journal = folder.join("outcomes.jsonl");
    forget_another(&journal, &plan.digest, &identity::scorer(&Provenance::Unknown))?;
    let options = RunOptions { jobs, shard: None, cache: None };
    // The commit is left out: these bytes are the same for whoever makes them.
    let end =
        replay::run(&plan, &simulators, &journal, &options, identity::scorer(&Provenance::Unknown), console)?;
    if !end.is_complete() {
        return Err(DemoError::Stopped);
    }

    let options = SummarizeOptions {
        primary: None,
        generated_at: generated_at.parse()?,
        scorer: identity::scorer(&Provenance::Unknown),
    };
    let outcomes = outcomes::read(&journal, Torn::Refused)?;
    let summary = summarize(corpus, digest, outcomes, options)?;
    let path = folder.join("summary.json");
    let bytes = json_bytes(&summary)?;
    write_atomically(&path, &bytes)?;
    write_atomically(&folder.join("points.csv"), &points_csv::bytes(&summary)?)?;
    Ok(Candidate::read(&path, bytes)?)
}
