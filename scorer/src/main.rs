//! The command `scorer`: reads the command line, runs one command, and turns its outcome into an
//! exit code. Everything else is in the library, so that tests and benches can reach it.

use std::process;

use clap::{CommandFactory as _, FromArgMatches as _};
use scorer::cli::{self, Cli};
use scorer::console::Console;
use scorer::{commands, exit};

fn main() -> process::ExitCode {
    let color = cli::color_before_parsing(std::env::args_os());
    let parsed = Cli::command()
        .color(color.into())
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        // Help and version also arrive here; a reader that went away is no reason to complain.
        Err(refusal) => {
            let code = exit::of_command_line(&refusal);
            let _ = refusal.print();
            return code.into();
        }
    };
    let console = Console::new(&cli.global);
    let code = commands::run(&cli.command, &console).unwrap_or_else(|error| {
        console.failure(&error);
        error.exit_code()
    });
    code.into()
}
