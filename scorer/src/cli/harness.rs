//! `scorer harness`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::cache::CacheArgs;
use super::ledger::LEDGER;
use super::plan::Settings;
use super::run::{CommitArgs, LimitArgs};
use crate::files::Destination;
use crate::ledger::choose::Units;
use crate::simulators::blis::build::reference::Reference;

/// Builds the simulator at a tag or commit, and scores units of a ledger with it.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer harness --sim v0.7.15 --units all --pull data/ledger
  scorer harness --sim v0.7.15 --work target/base -o base.json
  scorer harness --sim f90a1e3a6787da17c2cd463dab6fb2660b1b1760 --repo ../inference-sim -o head.json
  scorer compare base.json head.json --gate --estimator blis

Every figure names the commit of this program: the HEAD of the checkout that it was built from. It
is refused when files there differ from HEAD, when it is a folder of another repository, or when
the program was built from other sources. A copy without history states HARNESS_COMMIT, and is
recorded as asserted. The snapshot is experimental unless build and measurements are releases. The
same command goes on after an interrupt (exit code 8). docs/harness.md says more.")]
pub struct HarnessArgs {
    /// A release tag or a full commit of the simulator. A branch is refused: it moves.
    #[arg(long, value_name = "TAG|COMMIT")]
    pub sim: Reference,
    /// The simulator's repository: a URL, or a folder [default: that of BLIS].
    #[arg(long, value_name = "URL|PATH")]
    pub repo: Option<String>,
    /// The catalog's folder, for builds that read one.
    #[arg(long, value_name = "DIR")]
    pub catalog: Option<PathBuf>,
    /// The registry's folder, for builds that read one.
    #[arg(long, value_name = "DIR")]
    pub registry: Option<PathBuf>,
    /// The folder of scenarios, for builds that read them.
    #[arg(long, value_name = "DIR")]
    pub scenarios: Option<PathBuf>,
    /// Which units: `all`, ids with commas between them, or a file that lists ids.
    #[arg(long, value_name = "IDS|FILE|all", default_value = "all")]
    pub units: Units,
    /// The folder of units.
    #[arg(long, value_name = "DIR", default_value = LEDGER)]
    pub pull: PathBuf,
    /// Which engine settings the simulator is given.
    #[arg(long, value_enum, value_name = "PROFILE", default_value_t)]
    pub settings: Settings,
    /// Where the files of the stages are kept; two runs beside each other need two.
    #[arg(long, value_name = "DIR", default_value = "target/harness")]
    pub work: PathBuf,
    /// The folder of builds [default: one in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub builds: Option<PathBuf>,
    /// Where to write the snapshot; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "summary.json")]
    pub output: Destination,
    /// How many points are computed at a time [default: the number of cores].
    #[arg(long, short, value_name = "N", allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// The checkout that this program was built from [default: the one above it, else above the current folder].
    #[arg(long, value_name = "DIR")]
    pub checkout: Option<PathBuf>,
    /// How far the programs that are run may go.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Where answers are kept.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Which sources the program was built from.
    #[command(flatten)]
    pub commit: CommitArgs,
}
