//! `scorer run` and `scorer merge`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::cache::CacheArgs;
use super::paths::real_file_parser;
use super::plan::{ReferenceArgs, SimulatorArgs};
use super::quantity::{Size, Span};
use crate::files::Destination;
use crate::identity::{Commit, Provenance, StatedCommit};
use crate::process::Limits;
use crate::replay::Shard;

/// Runs a plan, or goes on with it: one outcome per point and estimator.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer run plan.json -o outcomes.jsonl
  scorer run plan.json -o part-2.outcomes --shard 2/3 --jobs 8
  scorer run plan.json -o outcomes.jsonl --deadline 30m --memory 64G --memory-per-job 4G
  scorer run plan.json -o outcomes.jsonl --blis ~/blis/blis

The output is a journal while the run goes on: after an interrupt or a crash, the same command
computes only what is missing. The complete file has the same bytes however it was computed; how
long each point took stands beside it, in FILE.timings.jsonl. Ctrl-C once finishes and saves the
points under way, twice gives them up; both end with exit code 8. A simulator that
the plan was made with is named here again, and must be the same in every part of its identity.

Without --shard, a task of a Slurm array takes its part by SLURM_ARRAY_TASK_ID (with _COUNT, _MIN,
_MAX and _STEP), a pod of a Kubernetes Indexed Job by JOB_COMPLETION_INDEX and COMPLETIONS, which
the manifest has to set; both say so. What these cannot mean is a usage error; 1/1 is all of the
plan.")]
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
    /// part when others come and go [default: the one that Slurm or Kubernetes gives, else all].
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Which simulators there are.
    #[command(flatten)]
    pub simulators: SimulatorArgs,
    /// How far the programs that are run may go.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Where answers are kept.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Facts about models, GPUs and engines.
    #[command(flatten)]
    pub reference: ReferenceArgs,
    /// Which sources the program was built from.
    #[command(flatten)]
    pub commit: CommitArgs,
}

/// How far the programs that are run may go.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArgs {
    /// How long a program may take for one point.
    #[arg(long, value_name = "TIME", default_value = "15m")]
    pub deadline: Span,
    /// How long a program that was asked to end may take to obey, before it is killed.
    #[arg(long, value_name = "TIME", default_value = "5s")]
    pub grace: Span,
    /// How much address space each program may have (Linux): one that wants more fails by itself.
    #[arg(long, value_name = "SIZE")]
    pub memory_per_job: Option<Size>,
    /// How much all programs together may have: only as many jobs as fit are run at a time.
    #[arg(long, value_name = "SIZE", requires = "memory_per_job")]
    pub memory: Option<Size>,
}

impl LimitArgs {
    /// The limits of one program.
    #[must_use]
    pub fn of_a_program(&self) -> Limits {
        Limits {
            deadline: self.deadline.duration(),
            grace: self.grace.duration(),
            address_space: self.memory_per_job.map(Size::bytes),
            ..Limits::default()
        }
    }

    /// How many of `jobs` fit into the memory; at least one, which has its own limit.
    #[must_use]
    pub fn admitted(&self, jobs: NonZeroUsize) -> NonZeroUsize {
        let (Some(all), Some(each)) = (self.memory, self.memory_per_job) else { return jobs };
        let fitting = usize::try_from(all.bytes() / each.bytes()).unwrap_or(usize::MAX);
        NonZeroUsize::new(fitting).map_or(NonZeroUsize::MIN, |fitting| fitting.min(jobs))
    }
}

/// Which sources the program was built from.
#[derive(Args, Clone, Debug, Default)]
pub struct CommitArgs {
    /// The commit of this program's sources, recorded as asserted [default: not recorded]. An empty text
    /// is none.
    #[arg(long, value_name = "SHA", env = "HARNESS_COMMIT")]
    commit: Option<StatedCommit>,
    /// What is known better than by a statement.
    #[arg(skip)]
    known: Provenance,
}

impl From<Provenance> for CommitArgs {
    fn from(known: Provenance) -> Self {
        Self { commit: None, known }
    }
}

impl CommitArgs {
    /// The commit, if somebody stated one.
    #[must_use]
    pub fn commit(&self) -> Option<&Commit> {
        self.commit.as_ref().and_then(StatedCommit::commit)
    }

    /// What is known of the commit.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        match (&self.known, self.commit()) {
            (Provenance::Unknown, Some(stated)) => Provenance::Asserted(stated.clone()),
            (known, _) => known.clone(),
        }
    }
}

/// Joins the outcomes of shards into the file that one machine would have written.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Example:
  scorer merge part-1.outcomes part-2.outcomes part-3.outcomes -o outcomes.jsonl")]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_jobs_are_admitted_as_fit_into_the_memory() {
        let jobs = |text: &str, each: &str| {
            let limits = LimitArgs {
                deadline: "15m".parse().unwrap(),
                grace: "5s".parse().unwrap(),
                memory_per_job: each.parse().ok(),
                memory: text.parse().ok(),
            };
            limits.admitted(NonZeroUsize::new(8).unwrap()).get()
        };
        assert_eq!(jobs("16G", "4G"), 4);
        assert_eq!(jobs("17G", "4G"), 4);
        assert_eq!(jobs("64G", "4G"), 8);
        assert_eq!(jobs("1G", "4G"), 1);
        assert_eq!(jobs("", "4G"), 8);
    }
}
