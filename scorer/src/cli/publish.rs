//! `scorer publish`.

use std::path::PathBuf;

use clap::Args;

/// Publishes a snapshot: all or nothing, and never over another one.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer publish summary.json --data data
  scorer publish summary.json --out elsewhere      # experimental ones are not published")]
pub struct PublishArgs {
    /// The snapshot; `-` is stdin.
    #[arg(value_name = "SUMMARY")]
    pub summary: PathBuf,
    /// The data directory of the site.
    #[arg(long, value_name = "DIR", required_unless_present = "out", conflicts_with = "out")]
    pub data: Option<PathBuf>,
    /// Only write summary.json and points.csv into this directory, also when experimental.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How long to wait for another publisher, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub lock_timeout: u64,
}
