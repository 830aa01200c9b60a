//! `scorer workload`.

use clap::{Args, ValueEnum};

use crate::files::Destination;

/// Prints the exact request list of the InferenceX client.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer workload --isl 1024 --osl 1024 --conc 4
  scorer workload --isl 8192 --osl 1024 --conc 16 --template-k 12 --format json -o requests.json")]
pub struct WorkloadArgs {
    /// Nominal input length, the upper end of the drawn lengths, in tokens.
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    pub isl: u32,
    /// Nominal output length, the upper end of the drawn lengths, in tokens.
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    pub osl: u32,
    /// Requests in flight at once.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub conc: u32,
    /// Shortest length as a share of the nominal one, 0 to 1.
    #[arg(long, value_name = "RATIO", default_value_t = 0.8, allow_negative_numbers = true)]
    pub ratio: f64,
    /// Number of requests [default: 10 × the concurrency].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub num_prompts: Option<u32>,
    /// Tokens that the chat template adds to each prompt.
    #[arg(long, value_name = "TOKENS", default_value_t = 0, allow_negative_numbers = true)]
    pub template_k: u32,
    /// How to print the list.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
    /// Where to write it; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
}

/// How to print the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A header and one line per request.
    #[default]
    Csv,
    /// One object with the parameters, the sums and the two lists.
    Json,
}
