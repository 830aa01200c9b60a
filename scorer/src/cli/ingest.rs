//! `scorer ingest`, one form per source of measurements.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};

use super::api::ApiArgs;
use super::database::{DumpArgs, PostgresArgs};
use crate::files::Destination;
use crate::measurements::client_results::ConcurrencyLog;
use crate::measurements::inferencex::{LATEST_VERSIONS, SelectionOptions};

/// Reads measurements into a corpus.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ingest artifact --corpus aisimulate_e2e.json --absolutes inferencex_absolutes.json \\
      --settings inferencex_engine_settings.json -o corpus.json
  scorer ingest client-results results/ --deployment deployment.toml -o corpus.json
  scorer ingest dump latest -o corpus.json
  scorer ingest api -o corpus.json")]
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
    /// Result files of `vllm bench serve` or of InferenceX's client.
    ClientResults(ClientResultsArgs),
    /// The public dump of the InferenceX database.
    Dump(DumpArgs),
    /// A database into which that dump was restored.
    Postgres(PostgresArgs),
    /// The API over that database: the newest rows of every model.
    Api(ApiArgs),
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

/// Reads the results of one deployment at several concurrencies.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ingest client-results results/ --deployment deployment.toml -o corpus.json
  scorer ingest client-results c1.json c4.json c16.json --deployment deployment.toml \\
      --log server.log -o corpus.json --explain
  scorer ingest client-results results/ --deployment deployment.toml \\
      --log 4=server_c4.log --log 64=server_c64.log -o corpus.json

examples/deployment.toml shows what a deployment file says, docs/own-measurements.md how to
measure.")]
pub struct ClientResultsArgs {
    /// Result files, or folders of them.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub results: Vec<PathBuf>,
    /// What was deployed and how it was loaded.
    #[arg(long, value_name = "FILE")]
    pub deployment: PathBuf,
    /// A server log: of all points, or with `C=` before it of the one at concurrency C.
    #[arg(long, value_name = "[C=]FILE")]
    pub log: Vec<ConcurrencyLog>,
    /// What every source takes.
    #[command(flatten)]
    pub common: CorpusArgs,
}

impl FromStr for ConcurrencyLog {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let of_one = text.split_once('=').and_then(|(concurrency, path)| {
            let concurrency = concurrency.parse().ok().filter(|concurrency| *concurrency > 0)?;
            Some(Self { concurrency: Some(concurrency), path: path.into() })
        });
        Ok(of_one.unwrap_or_else(|| Self { concurrency: None, path: text.into() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_may_be_of_one_concurrency() {
        let log = |text: &str| text.parse::<ConcurrencyLog>().map(|log| (log.concurrency, log.path));
        assert_eq!(log("4=server.log"), Ok((Some(4), "server.log".into())));
        assert_eq!(log("server.log"), Ok((None, "server.log".into())));
        assert_eq!(log("a=b.log"), Ok((None, "a=b.log".into())));
        assert_eq!(log("0=b.log"), Ok((None, "0=b.log".into())));
    }
}
