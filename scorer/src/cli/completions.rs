//! `scorer completions`.

use clap::Args;
use clap_complete::Shell;

/// Prints a completion script for a shell.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Example:\n  scorer completions bash > ~/.local/share/bash-completion/completions/scorer"
)]
pub struct CompletionsArgs {
    /// The shell that reads the script.
    #[arg(value_enum)]
    pub shell: Shell,
}
