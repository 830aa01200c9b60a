//! `scorer completions`: the completion script of a shell, made from the command line itself.

use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::cli::completions::CompletionsArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::Destination;

/// Writes the script to stdout.
pub fn run(args: &CompletionsArgs, _console: &Console) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "scorer", &mut script);
    Destination::Stdout.write(&script)?;
    Ok(ExitCode::Success)
}
