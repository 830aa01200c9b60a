//! `scorer cache`: what is kept from one run to the next.

use serde::Serialize;

use crate::cli::cache::{CacheAction, CacheArgs, CacheCommandArgs};
use crate::cli::format::Format;
use crate::console::printable;
use crate::exit::{CommandResult, ExitCode, Failure};
use crate::files::{Destination, json_bytes, user_cache};
use crate::replay::cache::{Cache, Holding};

/// There is no place for a cache.
#[derive(Debug, thiserror::Error)]
#[error("there is no folder of caches: neither `XDG_CACHE_HOME` nor `HOME` names one")]
pub struct NoPlace;

impl Failure for NoPlace {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn advice(&self) -> Option<String> {
        Some("name one with --cache-dir, or run with --no-cache".to_owned())
    }
}

/// The cache that a run should use.
///
/// # Errors
/// When none is named and the user has no folder of caches.
pub fn wanted(args: &CacheArgs) -> Result<Option<Cache>, NoPlace> {
    if args.no_cache {
        return Ok(None);
    }
    named(args.cache_dir.as_deref()).map(Some)
}

fn named(folder: Option<&std::path::Path>) -> Result<Cache, NoPlace> {
    let folder = folder.map(ToOwned::to_owned).or_else(|| Some(user_cache()?.join("outcomes")));
    folder.map(Cache::new).ok_or(NoPlace)
}

/// Counts or removes the answers.
pub fn run(args: &CacheCommandArgs) -> CommandResult {
    let cache = named(args.cache_dir.as_deref())?;
    match args.action {
        CacheAction::Stats { format } => {
            let holdings = cache.holdings()?;
            let bytes = match format {
                Format::Text => text(&cache, &holdings).into_bytes(),
                Format::Json => json_bytes(&Stats::of(&cache, &holdings))?,
            };
            Destination::Stdout.write(&bytes)?;
        }
        CacheAction::Clear => {
            let answers: u64 = cache.holdings()?.iter().map(|holding| holding.answers).sum();
            cache.clear()?;
            let folder = cache.folder().display().to_string();
            let line = format!("{}: {answers} answers removed\n", printable(&folder));
            Destination::Stdout.write(line.as_bytes())?;
        }
    }
    Ok(ExitCode::Success)
}

/// What a cache has, as JSON.
#[derive(Serialize)]
struct Stats<'a> {
    folder: String,
    simulators: &'a [Holding],
}

impl<'a> Stats<'a> {
    fn of(cache: &Cache, simulators: &'a [Holding]) -> Self {
        Self { folder: cache.folder().display().to_string(), simulators }
    }
}

fn text(cache: &Cache, holdings: &[Holding]) -> String {
    let folder = printable(&cache.folder().display().to_string());
    let answers: u64 = holdings.iter().map(|holding| holding.answers).sum();
    let bytes: u64 = holdings.iter().map(|holding| holding.bytes).sum();
    let mut text = format!("{folder}: {answers} answers, {bytes} bytes\n");
    for holding in holdings {
        let simulator = holding.simulator.as_ref();
        let name = simulator.map_or_else(|| "unknown".to_owned(), |simulator| printable(&simulator.title()));
        let line = format!("  {:>8} answers  {:>12} bytes  {name}\n", holding.answers, holding.bytes);
        text.push_str(&line);
    }
    text
}
