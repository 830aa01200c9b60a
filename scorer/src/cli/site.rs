//! `scorer site`, `scorer serve` and `scorer demo`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

/// Puts the built page and the published snapshots together: the whole site, ready to be copied.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer site --page dist --data data -o target/site
  scorer site --page dist --data data -o target/site --newest 200")]
pub struct SiteArgs {
    /// The built page.
    #[arg(long, value_name = "DIR")]
    pub page: PathBuf,
    /// The data directory.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Where to put the site; an earlier one there is replaced.
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Only so many snapshots, the newest ones [default: all that are listed].
    #[arg(long, value_name = "N")]
    pub newest: Option<NonZeroUsize>,
}

/// Shows a site in the browser, from this machine only.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer serve target/site
  scorer serve target/site --port 9000 --base-path /accuracy/")]
pub struct ServeArgs {
    /// The site.
    #[arg(value_name = "DIR")]
    pub site: PathBuf,
    /// How to serve it.
    #[command(flatten)]
    pub address: AddressArgs,
}

/// How a site is served.
#[derive(Args, Clone, Debug)]
pub struct AddressArgs {
    /// The port; 0 for any free one [default: 8080, or the next one that is free].
    #[arg(long, value_name = "PORT", allow_negative_numbers = true)]
    pub port: Option<u16>,
    /// The path below which the site stands.
    #[arg(long, value_name = "PATH", default_value = "/")]
    pub base_path: String,
}

/// Scores the embedded corpus, publishes two snapshots of it, and shows them: all of it offline.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer demo --page dist
  scorer demo --page dist --beside data
  scorer demo --out target/demo --no-serve

The two snapshots differ in the engine settings that the simulators are given: vLLM's defaults, and
those of the measured runs. What was written on the way stands in DIR/work.")]
pub struct DemoArgs {
    /// Where to put everything; `data`, `site` and `work` in it must not be somebody else's.
    #[arg(long, value_name = "DIR", default_value = "target/demo")]
    pub out: PathBuf,
    /// The built page; without it, only the data is made.
    #[arg(long, visible_alias = "site", value_name = "DIR")]
    pub page: Option<PathBuf>,
    /// A data directory whose snapshots are shown as well.
    #[arg(long, value_name = "DIR")]
    pub beside: Option<PathBuf>,
    /// Do not serve what was made.
    #[arg(long)]
    pub no_serve: bool,
    /// How many points are computed at a time [default: the number of cores].
    #[arg(long, short, value_name = "N", allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// How to serve it.
    #[command(flatten)]
    pub address: AddressArgs,
}
