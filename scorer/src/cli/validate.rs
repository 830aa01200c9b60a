//! `scorer validate` and `scorer schema`.

use std::path::PathBuf;

use clap::Args;

use super::format::Format;

/// Proves that files are what they say they are.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer validate corpus.json plan.json summary.json
  scorer validate outcomes.jsonl --plan plan.json
  scorer validate data/index.json data/latest/summary.json data/state/last-run.json

What is checked: the JSON Schema, with unknown fields refused; then what no schema can say: order,
ids, digests, balance, and of a snapshot every figure, computed again. Of a list of snapshots, the
files beside it are checked against the list. Of what `report` and `compare` print as JSON, the
schema.")]
pub struct ValidateArgs {
    /// The files: `corpus.v1`, `plan.v1`, `outcomes.v1`, `summary.v1`, `unit.v1`, `index.v1`, `last-run.v1`,
    /// `report.v1`, `comparison.v1`; `-` is stdin.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The plan that files of outcomes must answer, item for item.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<PathBuf>,
    /// How to print the findings.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Prints the JSON Schemas of the files, or writes them.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer schema --out schemas
  scorer schema summary.v1")]
pub struct SchemaArgs {
    /// The kind of file, such as `summary.v1`; without it, an object with all of them is printed.
    #[arg(value_name = "KIND", conflicts_with = "out")]
    pub kind: Option<String>,
    /// Write one file per kind into this folder instead.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
