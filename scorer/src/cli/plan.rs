//! `scorer plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shared::id::{EstimatorId, SweepId};
use shared::outcome::SettingsProfile;

use crate::files::Destination;

/// Freezes the work: which points are predicted by which estimators, with which engine settings.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer plan corpus.json -o plan.json
  scorer plan corpus.json -o plan.json --settings defaults --estimators roofline,aic
  scorer plan corpus.json -o plan.json --blis ~/blis/blis --estimators blis,roofline
  scorer plan corpus.json -o plan.json --simulators simulators.toml

Without --simulators there are the built-in baseline `roofline` and the predictions that came with
the corpus. What a simulator is (version, commit, digests of its binary and data) is frozen in the
plan.")]
pub struct PlanArgs {
    /// The measured sweeps; `-` is stdin.
    #[arg(value_name = "CORPUS")]
    pub corpus: PathBuf,
    /// Where to write the plan; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
    /// Which engine settings the simulators are given.
    #[arg(long, value_enum, value_name = "PROFILE", default_value_t)]
    pub settings: Settings,
    /// The estimators, by id [default: all that there are].
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub estimators: Vec<EstimatorId>,
    /// The sweeps, by id [default: all].
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub sweeps: Vec<SweepId>,
    /// Which simulators there are.
    #[command(flatten)]
    pub simulators: SimulatorArgs,
    /// Facts about models, GPUs and engines.
    #[command(flatten)]
    pub reference: ReferenceArgs,
}

/// Which simulators there are.
#[derive(Args, Clone, Debug, Default)]
pub struct SimulatorArgs {
    /// The file that lists the simulators: see docs/simulators.md.
    #[arg(long, value_name = "FILE")]
    pub simulators: Option<PathBuf>,
    /// Also a build of BLIS, as estimator `blis`: its binary, or the folder that it is in.
    #[arg(long, value_name = "PATH")]
    pub blis: Option<PathBuf>,
}

/// Which tables of facts are used.
#[derive(Args, Clone, Debug, Default)]
pub struct ReferenceArgs {
    /// A folder whose tables replace the built-in ones of data/reference.
    #[arg(long, value_name = "DIR")]
    pub reference: Option<PathBuf>,
}

/// Which engine settings simulators are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Settings {
    /// Those of the measured run, as far as they are known.
    #[default]
    Recorded,
    /// The engine's defaults for every point.
    Defaults,
}

impl From<Settings> for SettingsProfile {
    fn from(settings: Settings) -> Self {
        match settings {
            Settings::Recorded => Self::Recorded,
            Settings::Defaults => Self::Defaults,
        }
    }
}
