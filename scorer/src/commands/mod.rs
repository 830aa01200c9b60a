//! What each command does, one file each: read, call the library, print.

mod completions;
mod workload;

use crate::cli::Command;
use crate::console::Console;
use crate::exit::CommandResult;

/// Runs one command.
pub fn run(command: &Command, console: &Console) -> CommandResult {
    match command {
        Command::Workload(args) => workload::run(args, console),
        Command::Completions(args) => completions::run(args, console),
    }
}
