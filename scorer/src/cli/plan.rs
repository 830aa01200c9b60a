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
  scorer plan corpus.json -o plan.json --settings defaults --estimators roofline,aic")]
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
    /// The estimators, by id [default: the built-in and the published ones].
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub estimators: Vec<EstimatorId>,
    /// The sweeps, by id [default: all].
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub sweeps: Vec<SweepId>,
    /// Facts about models, GPUs and engines.
    #[command(flatten)]
    pub reference: ReferenceArgs,
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
