//! `scorer resolve`: the newest releases out.

use crate::cli::format::Format;
use crate::cli::nightly::{ReleaseArgs, ResolveArgs};
use crate::console::Console;
use crate::data_folder::Layout;
use crate::exit::{CommandResult, ExitCode};
use crate::files::json_bytes;
use crate::github::{Server, workflow};
use crate::measurements::http::Retry;
use crate::resolve::{ResolveError, ResolveOptions, Resolved, resolve};

/// Finds and prints them.
pub fn run(args: &ResolveArgs, console: &Console) -> CommandResult {
    let resolved = newest(&args.releases, console)?;
    let bytes = match args.format {
        Format::Text => resolved.text().into_bytes(),
        Format::Json => json_bytes(&resolved)?,
    };
    args.output.write(&bytes)?;
    if let Some(path) = &args.github_output {
        workflow::append(path, &workflow::outputs(&resolved.outputs()))?;
    }
    Ok(ExitCode::Success)
}

/// The newest releases, asked live.
///
/// # Errors
/// When they cannot be found out.
pub(super) fn newest(args: &ReleaseArgs, console: &Console) -> Result<Resolved, ResolveError> {
    let retry = Retry { attempts: args.attempts, ..Retry::default() };
    let options = ResolveOptions {
        server: Server::from_environment(retry),
        simulator: args.simulator_repository.clone(),
        measurements: args.dump_repository.clone(),
        settings: args.settings.into(),
    };
    resolve(&options, &Layout::new(&args.data), console)
}
