//! `scorer demo`: the embedded corpus from the plan to the page.

use std::num::NonZeroUsize;
use std::thread;

use crate::cli::site::DemoArgs;
use crate::console::Console;
use crate::demo;
use crate::exit::{CommandResult, ExitCode};
use crate::site::stage;

/// Makes the data, puts the site together, and serves it.
pub fn run(args: &DemoArgs, console: &Console) -> CommandResult {
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let data = demo::make(&args.out, jobs, console)?;
    let Some(page) = &args.page else {
        if !args.no_serve {
            console.warning("no page to serve: build it with `make page` and name it with --page dist");
        }
        return Ok(ExitCode::Success);
    };
    let site = args.out.join("site");
    stage(page, &data, &site, console)?;
    console.status(&format!("the site is in {}", site.display()));
    if !args.no_serve {
        super::site::serve_at(&site, super::site::listen_at(&args.address)?, console)?;
    }
    Ok(ExitCode::Success)
}
