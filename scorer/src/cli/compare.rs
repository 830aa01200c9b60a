//! `scorer compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shared::id::EstimatorId;
use shared::summary::GroupBy;
use shared::tier::Tier;

use crate::files::Destination;

/// Compares two snapshots, A then B, on the points that both scored.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer compare before.json after.json
  scorer compare 2026-09-28_roofline-1_be6a3766 latest --data data --by model --format markdown
  scorer compare before.json after.json --gate --format github
  scorer compare before.json after.json --gate --format comment -o comment.md

Differences are B − A in percentage points; less error is better. A difference whose 95 % interval
contains 0 is called noise. With --gate the exit code tells: 0 pass, 10 a sweep is worse, 11 a point
is no longer scored, 12 not comparable.")]
pub struct CompareArgs {
    /// The earlier snapshot: a file, a folder with summary.json, an id, `latest`, or `-` for stdin.
    #[arg(value_name = "A")]
    pub a: String,
    /// The later snapshot.
    #[arg(value_name = "B")]
    pub b: String,
    /// The data directory in which ids are looked up.
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// How to print it; `github` and `junit` need --gate.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        requires_if("github", "gate"),
        requires_if("junit", "gate")
    )]
    pub format: CompareFormat,
    /// Where to write it; `-` is stdout.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: Destination,
    /// Only this tier: strict, measured-or-resolved, all [default: measured-or-resolved where it has
    /// sweeps; json and csv have all].
    #[arg(long, value_name = "TIER", value_parser = tier)]
    pub tier: Option<Tier>,
    /// Group by: family, model, hardware, workload, precision, parallelism, `engine_version`,
    /// tier [default: family; json and csv have all].
    #[arg(long, value_name = "GROUPING", value_parser = grouping)]
    pub by: Option<GroupBy>,
    /// Only these estimators, by id [default: all that both have; of the gate: the primary of B].
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub estimator: Vec<EstimatorId>,
    /// How many sweeps are listed in text and Markdown, the greatest differences first.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Decide whether B may follow A.
    #[arg(long)]
    pub gate: bool,
    /// The gate: a sweep is worse only by at least this many percentage points …
    #[arg(long, value_name = "POINTS", default_value_t = 2.0, value_parser = threshold, requires = "gate")]
    pub worse_points: f64,
    /// … and by at least this share of its value in A, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0, value_parser = threshold, requires = "gate")]
    pub worse_percent: f64,
}

/// How to print a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// Tables for a terminal.
    #[default]
    Text,
    /// Tables for GitHub.
    Markdown,
    /// Everything in full precision, as one object.
    Json,
    /// Every figure in full precision, as one table.
    Csv,
    /// A comment on a pull request: Markdown with the decision first, never too long for GitHub.
    Comment,
    /// What the gate found, as annotations of a GitHub workflow.
    Github,
    /// What the gate found, as JUnit XML: a test for every sweep that is judged.
    Junit,
}

fn tier(text: &str) -> Result<Tier, String> {
    let known = || Tier::ALL.map(Tier::key).join(", ");
    Tier::from_key(text).ok_or_else(|| format!("choose from {}", known()))
}

fn grouping(text: &str) -> Result<GroupBy, String> {
    let known = || GroupBy::ALL.map(GroupBy::key).join(", ");
    GroupBy::from_key(text).ok_or_else(|| format!("choose from {}", known()))
}

fn threshold(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("give a number of at least 0".to_owned()),
    }
}
