//! `scorer simulator`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::format::Format;
use crate::simulators::blis::build::reference::Reference;

/// Builds a simulator, or tells what one can do.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer simulator build --repo https://github.com/inference-sim/inference-sim --ref v0.7.15
  scorer simulator check ~/blis/blis
  scorer simulator check blis --simulators simulators.toml --format json")]
pub struct SimulatorArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What to do with a simulator.
#[derive(Clone, Debug, Subcommand)]
pub enum Action {
    /// Build BLIS from a repository's release tag or commit, once.
    Build(BuildArgs),
    /// Tell what a simulator is and can do.
    Check(CheckArgs),
}

/// Builds BLIS from a repository's release tag or commit, once, and prints the path of the binary.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer simulator build --repo https://github.com/inference-sim/inference-sim --ref v0.7.15
  scorer simulator build --repo ../inference-sim --ref f90a1e3a6787da17c2cd463dab6fb2660b1b1760

Needs git and Go. The build is kept by commit with the files that it reads, and a record of the
version, commit, compiler and SHA-256; the same command finds it again.")]
pub struct BuildArgs {
    /// The repository: a URL, or a folder.
    #[arg(long, value_name = "URL|PATH")]
    pub repo: String,
    /// A release tag or a full commit. A branch is refused: it moves.
    #[arg(long = "ref", value_name = "TAG|COMMIT")]
    pub reference: Reference,
    /// The folder of builds [default: one in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub builds: Option<PathBuf>,
    /// How to print the result.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Tells what a simulator is and can do.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  scorer simulator check ~/blis/blis
  scorer simulator check blis --simulators simulators.toml --format json")]
pub struct CheckArgs {
    /// A binary of BLIS, the folder that it is in, or with --simulators the id of a build in that file.
    #[arg(value_name = "PATH|ID")]
    pub simulator: String,
    /// The file that lists the simulators.
    #[arg(long, value_name = "FILE")]
    pub simulators: Option<PathBuf>,
    /// Facts about models, GPUs and engines.
    #[command(flatten)]
    pub reference: super::plan::ReferenceArgs,
    /// How to print the result.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}
