//! `scorer run` and `scorer merge`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::paths::real_file_parser;
use super::plan::ReferenceArgs;
use crate::files::Destination;
use crate::identity::{Commit, StatedCommit};
use crate::replay::Shard;

/// Runs a plan, or goes on with it: one outcome per point and estimator.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer run plan.json -o outcomes.jsonl
  scorer run plan.json -o part-2.jsonl --shard 2/3 --jobs 8

The output is a journal while the run goes on: after an interrupt or a crash, the same command
computes only what is missing. The complete file has the same bytes however it was computed; how
long each point took stands beside it, in FILE.timings.jsonl.")]
pub struct RunArgs {
    /// The plan; `-` is stdin.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The file of outcomes; a run goes on from it, so it cannot be stdout.
    #[arg(long, short, value_name = "FILE", value_parser = real_file_parser())]
    pub output: PathBuf,
    /// How many points are computed at a time [default: the number of cores].
    #[arg(long, short, value_name = "N", allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Only one part of the plan: `i/n` balances the parts by cost, `i/n:hash` keeps an item in its
    /// part when others come and go.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Facts about models, GPUs and engines.
    #[command(flatten)]
    pub reference: ReferenceArgs,
    /// Which sources the program was built from.
    #[command(flatten)]
    pub commit: CommitArgs,
}

/// Which sources the program was built from.
#[derive(Args, Clone, Debug, Default)]
pub struct CommitArgs {
    /// The commit of this program's sources, recorded as asserted [default: not recorded]. An empty text
    /// is none.
    #[arg(long, value_name = "SHA", env = "HARNESS_COMMIT")]
    commit: Option<StatedCommit>,
}

impl CommitArgs {
    /// The commit, if somebody stated one.
    #[must_use]
    pub fn commit(&self) -> Option<&Commit> {
        self.commit.as_ref().and_then(StatedCommit::commit)
    }
}

/// Joins the outcomes of shards into the file that one machine would have written.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Example:
  scorer merge part-1.jsonl part-2.jsonl part-3.jsonl -o outcomes.jsonl")]
pub struct MergeArgs {
    /// The files of outcomes, in any order; `-` is stdin.
    #[arg(value_name = "OUTCOMES", required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write the whole; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
    /// Also when items are missing; the result says so and cannot be published.
    #[arg(long)]
    pub partial: bool,
}
