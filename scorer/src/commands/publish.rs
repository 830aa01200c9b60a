//! `scorer publish`: a snapshot into the data directory.

use std::time::Duration;

use crate::cli::publish::PublishArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{DEFAULT_LIMIT, read_bytes};
use crate::publish::{Candidate, Published, publish};

/// Checks the snapshot and publishes it.
pub fn run(args: &PublishArgs, console: &Console) -> CommandResult {
    let bytes = read_bytes(&args.summary, DEFAULT_LIMIT)?;
    let candidate = Candidate::read(&args.summary, bytes)?;
    if let Some(directory) = &args.out {
        candidate.write_elsewhere(directory)?;
        console.status(&format!("snapshot {} is in {}", candidate.summary().run.id, directory.display()));
    }
    if let Some(data) = &args.data {
        match publish(&candidate, data, Duration::from_secs(args.lock_timeout), console)? {
            Published::Added(id) => console.status(&format!("published {id}")),
            Published::Repaired(id) => console.status(&format!(
                "{id} is published already, with this content; the list, the latest or the last run was not up \
                 to date and was made again"
            )),
            Published::Unchanged(id) => {
                console.status(&format!("{id} is published already, with this content: nothing changed"));
            }
        }
    }
    Ok(ExitCode::Success)
}
