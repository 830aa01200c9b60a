//! `scorer ingest api`: from the API to a corpus.

use std::path::PathBuf;

use super::{check, finish};
use crate::cli::api::ApiArgs;
use crate::commands::cache::NoPlace;
use crate::console::Console;
use crate::exit::CommandResult;
use crate::files::user_cache;
use crate::measurements::api::{self, ApiError, ApiOptions};
use crate::measurements::http::{Http, Retry};
use crate::measurements::inferencex;
use crate::reference::Reference;

/// Reads the API.
pub(super) fn run(args: &ApiArgs, console: &Console) -> CommandResult {
    check(&args.common, &inferencex::REASONS, &[])?;
    let reference = Reference::load(args.common.reference.as_deref())?;
    let options =
        ApiOptions { base_url: args.base_url.clone(), date: args.date, jobs: args.jobs, cache: cache(args)? };
    let http = Http::new(Retry::default(), console).map_err(ApiError::from)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ApiError::Runtime)?;
    let ingested =
        runtime.block_on(api::read(http, &options, &args.selection.into(), &reference, console))?;
    finish(&ingested, &args.common, console)
}

/// Where logs are kept; none when they are not.
fn cache(args: &ApiArgs) -> Result<Option<PathBuf>, NoPlace> {
    if args.no_cache {
        return Ok(None);
    }
    let folder = args.cache_dir.clone().or_else(|| Some(user_cache()?.join("api")));
    folder.map(Some).ok_or(NoPlace)
}
