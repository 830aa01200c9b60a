//! `scorer ledger`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use shared::id::SweepId;

use super::format::Format;

/// Where units are, unless another folder is named.
pub const LEDGER: &str = "data/ledger";

/// Freezes sweeps as units, which `scorer harness` scores, and proves them.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ledger freeze data/sample/corpus.json --cheapest --ledger data/ledger
  scorer ledger list
  scorer ledger verify data/ledger

A unit is one sweep's recorded run with its provenance and its own digest, in a file of its own. It
never changes: freezing adds units and replaces none. docs/harness.md says more.")]
pub struct LedgerArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: LedgerAction,
}

/// What to do with a ledger.
#[derive(Clone, Debug, Subcommand)]
pub enum LedgerAction {
    /// Make units from the sweeps of a corpus.
    Freeze(FreezeArgs),
    /// List the units of a ledger.
    List(LedgerListArgs),
    /// Prove every unit of a ledger.
    Verify(LedgerListArgs),
}

/// Makes units from the sweeps of a corpus.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ledger freeze corpus.json --sweeps 1f7ca29bf62b42ed,9687d9f0351d994b
  scorer ledger freeze corpus.json --cheapest --ledger data/ledger")]
pub struct FreezeArgs {
    /// The measured sweeps; `-` is stdin.
    #[arg(value_name = "CORPUS")]
    pub corpus: PathBuf,
    /// The sweeps, by id [default: all].
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub sweeps: Vec<SweepId>,
    /// Of these only the sweep of each model, GPU and precision that is the least work to replay.
    #[arg(long)]
    pub cheapest: bool,
    /// The folder of units; it is made when it is not there.
    #[arg(long, value_name = "DIR", default_value = LEDGER)]
    pub ledger: PathBuf,
}

/// Looks through a ledger.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer ledger list
  scorer ledger verify data/ledger --format json")]
pub struct LedgerListArgs {
    /// The folder of units.
    #[arg(value_name = "DIR", default_value = LEDGER)]
    pub ledger: PathBuf,
    /// How to print it.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}
