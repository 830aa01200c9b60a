//! `scorer site` and `scorer serve`.

use crate::cli::site::{AddressArgs, ServeArgs, SiteArgs};
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::Destination;
use crate::serve::{Listening, ServeError, ServeOptions, listen, serve};
use crate::site::stage;

/// Puts the site together.
pub fn run_site(args: &SiteArgs, console: &Console) -> CommandResult {
    let staged = stage(&args.page, &args.data, &args.output, args.newest, console)?;
    console.status(&format!(
        "{}: the page with {} snapshots, {} files, {} bytes",
        args.output.display(),
        staged.snapshots,
        staged.files,
        staged.bytes
    ));
    Ok(ExitCode::Success)
}

/// Serves a site until it is told to stop.
pub fn run_serve(args: &ServeArgs, console: &Console) -> CommandResult {
    serve_at(&args.site, listen_at(&args.address)?, console)?;
    Ok(ExitCode::Success)
}

/// Takes the port.
pub fn listen_at(address: &AddressArgs) -> Result<Listening, ServeError> {
    listen(ServeOptions { port: address.port, base_path: address.base_path.parse()? })
}

/// Serves a site and prints its address, which others may wait for, on stdout.
pub fn serve_at(site: &std::path::Path, listening: Listening, console: &Console) -> Result<(), ServeError> {
    serve(site, listening, |url| {
        Destination::Stdout.write(format!("{url}\n").as_bytes())?;
        console.status("serving; Ctrl-C ends it");
        Ok(())
    })
}
