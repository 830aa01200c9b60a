//! `scorer nightly`: all stages by the commands that each of them has, and the report of it.

mod conclude;
mod error;
mod prepare;
mod stages;

use std::time::Duration;

use shared::night::{LastFailure, Stage};
use shared::schema::FileKind;

use self::error::{Halt, NightlyError};
use self::stages::{Ended, Stages};
use crate::cli::nightly::NightlyArgs;
use crate::console::Console;
use crate::exit::{CommandError, CommandResult, ExitCode};
use crate::files::{Destination, FileError};
use crate::github::workflow;
use crate::nightly::{Work, report};
use crate::publish::{clear_failure, note_failure};
use crate::report::document::Document;
use crate::report::markdown;
use crate::resolve::Resolved;
use crate::summarize::Moment;

/// Runs a night, or what is left of one.
pub fn run(args: &NightlyArgs, console: &Console) -> CommandResult {
    if let Some(stage) = args.failed_at {
        note(args, stage, None, None, console)?;
        return Ok(ExitCode::Success);
    }
    let work = Work::open(&args.work, args.shard.is_some())?;
    let mut stages = Stages::new(args, work, console);
    match stages.run() {
        Ok(ended) => {
            succeed(args, &ended)?;
            stages.end(&ended)?;
            Ok(ExitCode::Success)
        }
        // Whoever stopped it knows; the same call goes on.
        Err(Halt::Stopped(code)) => Ok(code),
        Err(Halt::Failed(error)) => {
            fail(args, &stages, &error, console);
            Err(error)
        }
    }
}

/// Tells what came of a night.
fn succeed(args: &NightlyArgs, ended: &Ended) -> Result<(), CommandError> {
    let mut outputs = Vec::new();
    match ended {
        Ended::Unchanged(resolved) => {
            clear_failure(&args.releases.data)?;
            tell(args, &report::unchanged(resolved))?;
            outputs.extend(resolved.outputs());
        }
        Ended::Stage(resolved) => outputs.extend(resolved.outputs()),
        Ended::Shard => {}
        Ended::Published { resolved, before, summary } => {
            clear_failure(&args.releases.data)?;
            tell(args, &report::published(resolved, before.as_deref(), summary))?;
            outputs.extend(resolved.outputs());
            outputs.push(("published", summary.run.id.to_string()));
        }
    }
    Ok(output(args, &outputs)?)
}

/// Tells that a night failed, wherever that can be told; what stopped it is told last, by whoever called.
fn fail(args: &NightlyArgs, stages: &Stages<'_>, error: &CommandError, console: &Console) {
    let stage = stages.stage();
    console.warning(&format!(
        "the night failed at the stage `{}`: nothing is published, and the earlier snapshot stands",
        stage.key()
    ));
    let told = tell(args, &report::failed(stage, error, stages.resolved()))
        .and_then(|()| output(args, &[("failed", stage.key().to_owned())]));
    if let Err(untold) = told {
        console.warning(&CommandError::from(untold).to_string());
    }
    // A shard has no site; what waits for it tells that it failed.
    if args.shard.is_none()
        && let Err(unnoted) = note(args, stage, Some(error.exit_code()), stages.resolved(), console)
    {
        console.warning(&format!("the failure is not noted in the data directory: {unnoted}"));
    }
}

fn note(
    args: &NightlyArgs,
    stage: Stage,
    code: Option<ExitCode>,
    resolved: Option<&Resolved>,
    console: &Console,
) -> Result<(), CommandError> {
    let failure = LastFailure {
        schema: FileKind::LastFailure.schema().to_owned(),
        since: Moment::now()?.to_string(),
        stage,
        exit_code: code.map(ExitCode::number),
        meaning: code.map_or("no more is known", ExitCode::meaning).to_owned(),
        simulator: resolved.map(|resolved| resolved.simulator.tag.clone()),
        measurements: resolved.map(|resolved| resolved.measurements.tag.clone()),
    };
    let patience = Duration::from_secs(args.lock_timeout);
    Ok(note_failure(&failure, &args.releases.data, patience, console)?)
}

fn tell(args: &NightlyArgs, document: &Document) -> Result<(), FileError> {
    let text = markdown::document(document);
    match &args.summary {
        Destination::Stdout => Destination::Stdout.write(text.as_bytes()),
        Destination::File(path) => workflow::append(path, &text),
    }
}

fn output(args: &NightlyArgs, values: &[(&str, String)]) -> Result<(), FileError> {
    args.github_output.as_deref().map_or(Ok(()), |path| workflow::append(path, &workflow::outputs(values)))
}
