//! `scorer ingest`, one form per source of measurements.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::database::{DumpArgs, PostgresArgs};
use crate::files::Destination;
use crate::measurements::inferencex::{LATEST_VERSIONS, SelectionOptions};

/// Reads measurements into a corpus.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ingest artifact --corpus aisimulate_e2e.json --absolutes inferencex_absolutes.json \\
      --settings inferencex_engine_settings.json -o corpus.json
  scorer ingest dump latest -o corpus.json")]
pub struct IngestArgs {
    /// Where the measurements come from.
    #[command(subcommand)]
    pub source: IngestSource,
}

/// Where measurements come from.
#[derive(Clone, Debug, Subcommand)]
pub enum IngestSource {
    /// The three files that BLIS's metricscore reads.
    Artifact(ArtifactArgs),
    /// The public dump of the InferenceX database.
    Dump(DumpArgs),
    /// A database into which that dump was restored.
    Postgres(PostgresArgs),
}

/// What every source takes.
#[derive(Args, Clone, Debug)]
pub struct CorpusArgs {
    /// Where to write the corpus; `-` is stdout.
    #[arg(long, short, value_name = "FILE")]
    pub output: Destination,
    /// Print what became of the rows, step by step; with a reason, the rows left out for it.
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "")]
    pub explain: Option<String>,
    /// Folder whose reference tables replace the built-in ones.
    #[arg(long, value_name = "DIR")]
    pub reference: Option<PathBuf>,
}

/// Which sweeps of the InferenceX database are kept.
#[derive(Args, Clone, Copy, Debug)]
pub struct SelectionArgs {
    /// How many of the newest engine versions are kept.
    #[arg(long, value_name = "N", default_value_t = LATEST_VERSIONS, value_parser = clap::value_parser!(u32).range(1..))]
    pub latest_versions: u32,
    /// Keep every engine version.
    #[arg(long, conflicts_with = "latest_versions")]
    pub all_versions: bool,
    /// Leave out rows without a log that states the engine's arguments, as BLIS's own extractor does.
    #[arg(long)]
    pub with_arguments_only: bool,
}

impl From<SelectionArgs> for SelectionOptions {
    fn from(args: SelectionArgs) -> Self {
        Self {
            latest_versions: (!args.all_versions).then_some(args.latest_versions),
            needs_arguments: args.with_arguments_only,
        }
    }
}

/// Joins the three files that BLIS's metricscore reads.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Example:
  scorer ingest artifact --corpus aisimulate_e2e.json --absolutes inferencex_absolutes.json \\
      --settings inferencex_engine_settings.json -o corpus.json

Every point and every measured latency is kept, or counted under a reason and named with --verbose.")]
pub struct ArtifactArgs {
    /// Sweeps with published predictions, as ratios to the measured anchor.
    #[arg(long, value_name = "FILE")]
    pub corpus: PathBuf,
    /// Measured mean TPOT and TTFT by concurrency, in microseconds.
    #[arg(long, value_name = "FILE")]
    pub absolutes: PathBuf,
    /// Engine settings by concurrency, from the server logs.
    #[arg(long, value_name = "FILE")]
    pub settings: PathBuf,
    /// What every source takes.
    #[command(flatten)]
    pub common: CorpusArgs,
}
