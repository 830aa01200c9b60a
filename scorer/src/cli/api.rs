//! `scorer ingest api`: the InferenceX database as its API shows it.

use std::path::PathBuf;

use clap::Args;
use jiff::civil::Date;

use super::ingest::{CorpusArgs, SelectionArgs};
use crate::measurements::api::{BASE_URL, JOBS};
use crate::measurements::http::Url;

/// Reads the newest rows and their server logs from the InferenceX API.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ingest api -o corpus.json
  scorer ingest api --date 2026-09-28 -o corpus.json --explain
  scorer ingest api --base-url http://127.0.0.1:8000/api/v1 --no-cache -o corpus.json

The API has the newest curve of each deployment; a dump has all of them. More in
docs/measurements.md.")]
pub struct ApiArgs {
    /// Where the API is, up to and with its version.
    #[arg(long, value_name = "URL", default_value = BASE_URL)]
    pub base_url: Url,
    /// The day as of which it answers.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<Date>,
    /// How many logs are asked for at once.
    #[arg(long, value_name = "N", default_value_t = JOBS, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub jobs: u32,
    /// The folder where logs are kept [default: blis-accuracy-dashboard/api in the user's folder of caches].
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Ask again for every log, and keep none.
    #[arg(long, conflicts_with = "cache_dir")]
    pub no_cache: bool,
    /// Which sweeps are kept.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// What every source takes.
    #[command(flatten)]
    pub common: CorpusArgs,
}
