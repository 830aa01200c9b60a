//! `scorer resolve` and `scorer nightly`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use shared::night::Stage;

use super::cache::CacheArgs;
use super::format::Format;
use super::ingest::SelectionArgs;
use super::plan::Settings;
use super::run::{CommitArgs, LimitArgs};
use crate::files::Destination;
use crate::measurements::dump::release::REPOSITORY;
use crate::measurements::http::Retry;
use crate::replay::Shard;
use crate::resolve::SIMULATOR;

/// Finds the newest releases of simulator and measurements, and whether they are published already.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer resolve
  scorer resolve --data data --format json
  scorer resolve --github-output \"$GITHUB_OUTPUT\"

The newest release of the simulator is the one with the greatest version, such as v0.7.15, of those
that are no drafts and no pre-releases; of the measurements it is the newest db-dump/YYYY-MM-DD.
Unchanged means that a snapshot of the two and of these settings is published. GITHUB_TOKEN raises
GitHub's limit of requests, HTTPS_PROXY names a proxy, GITHUB_API_URL another GitHub.")]
pub struct ResolveArgs {
    /// What is looked for.
    #[command(flatten)]
    pub releases: ReleaseArgs,
    /// How to print the result.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
    /// Where to write it; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
    /// Add the result to this file too, as outputs of a workflow's step.
    #[arg(long, value_name = "FILE")]
    pub github_output: Option<PathBuf>,
}

/// Which releases are looked for, and what is known of them.
#[derive(Args, Clone, Debug)]
pub struct ReleaseArgs {
    /// Where the simulator is released.
    #[arg(long, value_name = "OWNER/NAME", default_value = SIMULATOR)]
    pub simulator_repository: String,
    /// Where dumps are released.
    #[arg(long, value_name = "OWNER/NAME", default_value = REPOSITORY)]
    pub dump_repository: String,
    /// Which engine settings the simulators are given.
    #[arg(long, value_enum, value_name = "PROFILE", default_value_t)]
    pub settings: Settings,
    /// The data directory of the site, which says what is published.
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// How often in a row a server is tried before it is given up; the waits between double from half a
    /// second to a minute.
    #[arg(long, value_name = "N", default_value_t = Retry::default().attempts, value_parser = clap::value_parser!(u32).range(1..))]
    pub attempts: u32,
}

/// Makes and publishes the snapshot of the newest releases, when they are new: all stages by themselves.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer nightly --data data --work work
  scorer nightly --work work --until plan            # on one machine
  scorer nightly --work work --shard 3/8             # on each of eight, with a copy of work/
  scorer nightly --work work --outcomes part-*.outcomes --summary summary.md

The stages are resolve, build, ingest, plan, run, merge, summarize, validate and publish. Each
leaves its files in the work directory; the same command goes on after the last one that is done and
whose files are as they were. Nothing is published of a night that fails, and the earlier snapshot
stays; DIR/state/last-failure.json then says which stage it was, until a night succeeds.
docs/nightly.md says more.")]
pub struct NightlyArgs {
    /// What is looked for.
    #[command(flatten)]
    pub releases: ReleaseArgs,
    /// Where the files of the stages and the builds are kept.
    #[arg(long, value_name = "DIR", default_value = "target/nightly")]
    pub work: PathBuf,
    /// End after this stage: resolve, build, ingest, plan, run, merge, summarize, validate, publish.
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    pub until: Option<Stage>,
    /// Run only this part of the plan in the work directory, into DIR/part-I-of-N.outcomes, and end.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["until", "outcomes"])]
    pub shard: Option<Shard>,
    /// The outcomes of all parts of the plan in the work directory, instead of running it.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "until")]
    pub outcomes: Vec<PathBuf>,
    /// Also when a snapshot of these releases is published already.
    #[arg(long)]
    pub force: bool,
    /// Which simulators are asked beside the build: see docs/simulators.md [default: the baseline].
    #[arg(long, value_name = "FILE")]
    pub simulators: Option<PathBuf>,
    /// Folder in which downloaded parts are kept, and looked for first.
    #[arg(long, value_name = "DIR")]
    pub keep_parts: Option<PathBuf>,
    /// How many points are computed at a time [default: the number of cores].
    #[arg(long, short, value_name = "N", allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Publish only if at least this share of the points that the snapshot before scored, and that are
    /// still measured, is scored again.
    #[arg(long, value_name = "PERCENT", default_value_t = 50.0, value_parser = percent)]
    pub least_scored: f64,
    /// How long to wait for another publisher, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub lock_timeout: u64,
    /// Where to add the summary of the night, in Markdown; `-` is stdout.
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub summary: Destination,
    /// Add what was found to this file, as outputs of a workflow's step.
    #[arg(long, value_name = "FILE")]
    pub github_output: Option<PathBuf>,
    /// Do nothing but note in the data directory that the night failed at this stage.
    #[arg(long, value_name = "STAGE", value_parser = stage, conflicts_with_all = ["until", "shard", "outcomes"])]
    pub failed_at: Option<Stage>,
    /// Which sweeps are kept.
    #[command(flatten)]
    pub selection: SelectionArgs,
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

fn stage(text: &str) -> Result<Stage, String> {
    let known = || Stage::ALL.map(Stage::key).join(", ");
    Stage::from_key(text).ok_or_else(|| format!("choose from {}", known()))
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=100.0).contains(&value) => Ok(value),
        _ => Err("give a number from 0 to 100".to_owned()),
    }
}
