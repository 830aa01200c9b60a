//! `scorer run`: plan in, outcomes out.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use shared::format::counted;

use super::cache;
use crate::cli::run::RunArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{Destination, check_paths};
use crate::identity;
use crate::inputs;
use crate::reference::Reference;
use crate::replay::cluster::{self, ClusterError};
use crate::replay::{self, RunOptions, Shard, journal};
use crate::simulators::registry;

/// Runs a plan into a file that is the caller's own, and may have outcomes of another plan or program from an earlier time: those are forgotten.
pub(super) fn run_afresh(args: &RunArgs, console: &Console) -> CommandResult {
    let plan = inputs::plan(&args.plan)?.digest;
    journal::forget_another(&args.output, &plan, &identity::scorer(&args.commit.provenance()))?;
    run(args, console)
}

/// Runs the plan.
pub fn run(args: &RunArgs, console: &Console) -> CommandResult {
    check_paths(&[&args.plan], &[&Destination::File(args.output.clone())])?;
    let shard = shard(args.shard, console)?;
    let plan = inputs::plan(&args.plan)?;
    let reference = Arc::new(Reference::load(args.reference.reference.as_deref())?);
    let config = inputs::simulators(&args.simulators)?;
    let simulators = registry::of_plan(&plan.body, &reference, &config, args.limits.of_a_program())?;
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let jobs = args.limits.admitted(jobs);
    let options = RunOptions { jobs, shard, cache: cache::wanted(&args.cache)? };
    let scorer = identity::scorer(&args.commit.provenance());
    let end = replay::run(&plan, &simulators, &args.output, &options, scorer, console)?;
    for (estimator, counts) in &end.counts {
        let points = counted(counts.scored, "point");
        let mut text = format!("{estimator}: {points} scored, {} not", counts.not_scored);
        for (reason, count) in &counts.reasons {
            // Writing to a string cannot fail.
            let _ = write!(text, ", {} {count}", reason.key());
        }
        console.status(&text);
    }
    if end.cached > 0 {
        console.status(&format!("{} of these answers came from the cache", end.cached));
    }
    if end.is_complete() {
        return Ok(ExitCode::Success);
    }
    console.warning(&format!(
        "stopped with {} of {} points done and saved in {}: the same command goes on",
        end.done,
        end.items,
        args.output.display()
    ));
    Ok(ExitCode::Interrupted)
}

/// The part of the plan that was asked for, else the one that a cluster gave this process; tells which.
fn shard(asked: Option<Shard>, console: &Console) -> Result<Option<Shard>, ClusterError> {
    if let Some(shard) = asked {
        console.status(&format!("shard {shard}: as --shard says"));
        return Ok(asked);
    }
    let assigned = cluster::assigned(std::env::var_os)?;
    if let Some(assignment) = &assigned {
        console.status(&assignment.to_string());
    }
    Ok(assigned.map(|assignment| assignment.shard))
}
