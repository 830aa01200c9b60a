//! `scorer report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::files::Destination;

/// Reports the accuracy of all estimators of a corpus or a snapshot.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer report corpus.json
  scorer report summary.json --format markdown -o report.md

Of a corpus, its published estimators are reported. A sweep is taken whole or not at all, on the
same points for all estimators; spikes of the measured TTFT are left out of TTFT. What is left out
is named.")]
pub struct ReportArgs {
    /// A corpus or a snapshot (`corpus.v1`, `summary.v1`); `-` is stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to print it.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: ReportFormat,
    /// Where to write it; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
}

/// How to print a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Tables for a terminal.
    #[default]
    Text,
    /// Tables for GitHub.
    Markdown,
    /// Everything in full precision, as one object.
    Json,
    /// Everything in full precision, as one table.
    Csv,
}
