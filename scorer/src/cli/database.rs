//! `scorer ingest dump` and `scorer ingest postgres`: the InferenceX database, dumped and restored.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};

use super::ingest::{CorpusArgs, SelectionArgs};
use super::quantity::Size;
use crate::measurements::dump::location::DumpLocation;
use crate::measurements::dump::release::{DumpTag, REPOSITORY};

/// Reads the public dump of the InferenceX database in one pass, without PostgreSQL and without a disk.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ingest dump latest -o corpus.json
  scorer ingest dump db-dump/2026-09-28 --keep-parts ~/dumps -o corpus.json
  scorer ingest dump ~/dumps -o corpus.json
  scorer ingest dump inferencex-2026-09-28.dump.zst.part* -o corpus.json
  scorer ingest dump https://mirror.example/inferencex/2026-09-28/ -o corpus.json
  cat inferencex-*.part* | scorer ingest dump - --sums SHA256SUMS -o corpus.json

Every part is checked against SHA256SUMS while it is read, and nothing is written before all that
was read is proven. A download goes on where a connection broke. GITHUB_TOKEN raises GitHub's limit
of requests, HTTPS_PROXY names a proxy, GITHUB_API_URL another GitHub. docs/measurements.md says
more.")]
pub struct DumpArgs {
    /// `latest`, the tag of a release (`db-dump/YYYY-MM-DD`), an address, a folder of parts, the parts
    /// themselves, or `-` for stdin.
    #[arg(required = true, value_name = "SOURCE", value_parser = OsStringValueParser::new().map(DumpLocation::of))]
    pub source: Vec<DumpLocation>,
    /// The digests of the parts [default: SHA256SUMS beside them].
    #[arg(long, value_name = "FILE")]
    pub sums: Option<PathBuf>,
    /// The size of every part but the last [default: that of the first; of stdin 1900M].
    #[arg(long, value_name = "SIZE")]
    pub part_size: Option<Size>,
    /// Folder in which downloaded parts are kept, and looked for first.
    #[arg(long, value_name = "DIR")]
    pub keep_parts: Option<PathBuf>,
    /// Where dumps are released.
    #[arg(long, value_name = "OWNER/NAME", default_value = REPOSITORY)]
    pub repository: String,
    /// Which sweeps are kept.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// What every source takes.
    #[command(flatten)]
    pub common: CorpusArgs,
}

/// Reads an InferenceX dump that was restored into a PostgreSQL database.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ingest postgres --url postgres://me@localhost/inferencex -o corpus.json
  DATABASE_URL=postgres://me:secret@db.example/inferencex?sslmode=require \\
      scorer ingest postgres --tag db-dump/2026-09-28 -o corpus.json

Only the four tables that are needed are read, in one read-only transaction. With --tag the corpus
says of which release it is; it then has the sweeps, rows and digest that `scorer ingest dump`
gives.")]
pub struct PostgresArgs {
    /// The database; a password is better put into PGPASSWORD, where other users cannot see it.
    #[arg(long, value_name = "URL", env = "DATABASE_URL", hide_env_values = true)]
    pub url: String,
    /// The release that was restored.
    #[arg(long, value_name = "TAG")]
    pub tag: Option<DumpTag>,
    /// Which sweeps are kept.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// What every source takes.
    #[command(flatten)]
    pub common: CorpusArgs,
}
