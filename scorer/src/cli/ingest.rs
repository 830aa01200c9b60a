//! `scorer ingest`, one form per source of measurements.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::files::Destination;

/// Reads measurements into a corpus.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Example:
  scorer ingest artifact --corpus aisimulate_e2e.json --absolutes inferencex_absolutes.json \\
      --settings inferencex_engine_settings.json -o corpus.json")]
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
    /// Folder whose reference tables replace the built-in ones.
    #[arg(long, value_name = "DIR")]
    pub reference: Option<PathBuf>,
    /// Where to write the corpus; `-` is stdout.
    #[arg(long, short, value_name = "FILE")]
    pub output: Destination,
}
