//! `scorer cache`, and where answers are kept.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::format::Format;

/// Where answers are kept from one run to the next.
#[derive(Args, Clone, Debug, Default)]
pub struct CacheArgs {
    /// The folder of the cache [default: blis-accuracy-dashboard/outcomes in the user's folder of caches].
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Ask again for everything, and keep nothing.
    #[arg(long, conflicts_with = "cache_dir")]
    pub no_cache: bool,
}

/// Looks through the answers that are kept from one run to the next, or removes them.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer cache stats
  scorer cache clear --cache-dir /scratch/outcomes

`scorer run` keeps what an estimator answered under the digests of the estimator and of the request,
so a run with one changed estimator asks only that one. What hangs on a run (a deadline, a signal, a
failure) is not kept, nor what the built-in and the published estimators answer.")]
pub struct CacheCommandArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: CacheAction,
    /// The folder of the cache [default: blis-accuracy-dashboard/outcomes in the user's folder of caches].
    #[arg(long, value_name = "DIR", global = true)]
    pub cache_dir: Option<PathBuf>,
}

/// What to do with the cache.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum CacheAction {
    /// Count the answers, by estimator.
    #[command(after_help = "Example:\n  scorer cache stats --format json")]
    Stats {
        /// How to print them.
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Remove all answers.
    #[command(after_help = "Example:\n  scorer cache clear")]
    Clear,
}
