//! `scorer demo`: the embedded corpus from the plan to the page.

use std::num::NonZeroUsize;
use std::thread;

use super::site::{listen_at, serve_at};
use crate::cli::site::DemoArgs;
use crate::console::Console;
use crate::demo::{self, Places};
use crate::exit::{CommandResult, ExitCode};
use crate::site::{check, stage};

/// Makes the data, puts the site together, and serves it. What could be refused of it is found out first.
pub fn run(args: &DemoArgs, console: &Console) -> CommandResult {
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let Places { data, site, .. } = Places::of(&args.out);
    let Some(page) = &args.page else {
        demo::make(&args.out, args.beside.as_deref(), jobs, console)?;
        if !args.no_serve {
            console.warning("no page to serve: build it with `make page` and name it with --page dist");
        }
        return Ok(ExitCode::Success);
    };
    check(page, &data, &site)?;
    let listening = if args.no_serve { None } else { Some(listen_at(&args.address)?) };
    demo::make(&args.out, args.beside.as_deref(), jobs, console)?;
    stage(page, &data, &site, None, console)?;
    console.status(&format!("the site is in {}", site.display()));
    if let Some(listening) = listening {
        serve_at(&site, listening, console)?;
    }
    Ok(ExitCode::Success)
}
