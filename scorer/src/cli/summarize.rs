//! `scorer summarize`.

use std::path::PathBuf;

use clap::Args;
use shared::id::EstimatorId;

use super::run::CommitArgs;
use crate::files::Destination;
use crate::summarize::Moment;

/// Compares the outcomes with the measurements: the snapshot, with every figure in it.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer summarize corpus.json outcomes.jsonl -o summary.json
  scorer summarize corpus.json outcomes.jsonl -o summary.json --points points.csv --primary aic")]
pub struct SummarizeArgs {
    /// The measured sweeps; `-` is stdin.
    #[arg(value_name = "CORPUS")]
    pub corpus: PathBuf,
    /// The outcomes of a complete run on them; `-` is stdin.
    #[arg(value_name = "OUTCOMES")]
    pub outcomes: PathBuf,
    /// Where to write the snapshot; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
    /// Where to write one line per point and estimator; `-` is stdout.
    #[arg(long, value_name = "FILE")]
    pub points: Option<Destination>,
    /// The estimator that the snapshot is about [default: roofline, else the first].
    #[arg(long, value_name = "ID")]
    pub primary: Option<EstimatorId>,
    /// When the snapshot was made, such as 2026-11-30T00:00:00Z [default: `SOURCE_DATE_EPOCH`, else now].
    #[arg(long, value_name = "TIME")]
    pub generated_at: Option<Moment>,
    /// Which sources the program was built from.
    #[command(flatten)]
    pub commit: CommitArgs,
}
