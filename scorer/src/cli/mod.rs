//! The command line, as clap structs only: one file per command, the global options here.
//!
//! A new command is a file here with its `…Args`, a variant of [`Command`], a file in
//! [`commands`](crate::commands) and an arm there.

pub mod api;
pub mod cache;
pub mod compare;
pub mod completions;
pub mod database;
pub mod format;
pub mod harness;
pub mod ingest;
pub mod ledger;
pub mod nightly;
pub mod paths;
pub mod plan;
pub mod publish;
pub mod quantity;
pub mod report;
pub mod run;
pub mod simulator;
pub mod site;
pub mod summarize;
pub mod validate;
pub mod workload;

use std::ffi::OsString;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};

use crate::exit::ExitCode;

/// Tells how accurately an LLM-inference simulator predicts measured serving latency.
#[derive(Debug, Parser)]
#[command(
    name = "scorer",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Example:\n  scorer workload --isl 1024 --osl 1024 --conc 4",
    after_long_help = format!(
        "Example:\n  scorer workload --isl 1024 --osl 1024 --conc 4\n\nA file that is read can be `-` for stdin, one that is \
         written `-` for stdout.\n\n{}",
        ExitCode::help()
    )
)]
pub struct Cli {
    /// Options that every command takes.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The heading of those options in every help.
const GLOBAL: &str = "Global options";

/// Options that every command takes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct GlobalArgs {
    /// Print only data, warnings and errors.
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub quiet: bool,
    /// Also tell what is being done, step by step.
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub verbose: bool,
    /// When to use colour; `auto` looks at the terminal and at `NO_COLOR`.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t, help_heading = GLOBAL)]
    pub color: When,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

impl From<When> for ColorChoice {
    fn from(when: When) -> Self {
        match when {
            When::Auto => Self::Auto,
            When::Always => Self::Always,
            When::Never => Self::Never,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the newest releases of simulator and measurements.
    Resolve(nightly::ResolveArgs),
    /// Read measurements into a corpus.
    Ingest(ingest::IngestArgs),
    /// Freeze the work: points, estimators and engine settings.
    Plan(plan::PlanArgs),
    /// Run a plan, or go on with it.
    Run(run::RunArgs),
    /// Look through the answers that are kept between runs.
    Cache(cache::CacheCommandArgs),
    /// Join the outcomes of shards.
    Merge(run::MergeArgs),
    /// Build a simulator, or tell what one can do.
    Simulator(simulator::SimulatorArgs),
    /// Make the snapshot of a complete run.
    Summarize(summarize::SummarizeArgs),
    /// Compare two snapshots, and decide whether the second may follow.
    Compare(compare::CompareArgs),
    /// Prove that files are what they say they are.
    Validate(validate::ValidateArgs),
    /// Publish a snapshot into the data directory of a site.
    Publish(publish::PublishArgs),
    /// Do all of it by itself, when there is something new.
    Nightly(Box<nightly::NightlyArgs>),
    /// Score units of a ledger with one build of the simulator.
    Harness(Box<harness::HarnessArgs>),
    /// Freeze sweeps as units, list and prove them.
    Ledger(ledger::LedgerArgs),
    /// Put the page and the data together.
    Site(site::SiteArgs),
    /// Show a site in the browser.
    Serve(site::ServeArgs),
    /// Score, publish and show the embedded corpus.
    Demo(site::DemoArgs),
    /// Print the JSON Schemas of the files.
    Schema(validate::SchemaArgs),
    /// Report the accuracy of all estimators of a corpus or a snapshot.
    Report(report::ReportArgs),
    /// Print the exact request list of the InferenceX client.
    Workload(workload::WorkloadArgs),
    /// Print a completion script for a shell.
    Completions(completions::CompletionsArgs),
}

/// The value of `--color`, for help and usage errors, which clap prints before it has parsed it.
///
/// Anything that is not understood is left for clap to complain about.
pub fn color_before_parsing(args: impl IntoIterator<Item = OsString>) -> When {
    let mut chosen = When::Auto;
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--") => break,
            Some("--color") => args.next().and_then(|value| value.into_string().ok()),
            Some(text) => text.strip_prefix("--color=").map(str::to_owned),
            None => None,
        };
        if let Some(when) = value.and_then(|value| When::from_str(&value, false).ok()) {
            chosen = when;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example_in_its_help() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("\n  scorer {} ", command.get_name());
            assert!(
                help.starts_with("Example") && help.contains(&example),
                "`{}` shows no example",
                command.get_name()
            );
        }
    }

    /// Clap would break a longer line, and go on with the rest of it on a line of its own.
    #[test]
    fn no_line_below_the_help_is_longer_than_the_help_is_wide() {
        fn check(command: &clap::Command) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in help.lines() {
                assert!(line.chars().count() <= 100, "`{}`: {line}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn the_colour_is_known_before_the_command_line_is_parsed() {
        let found = |args: &[&str]| color_before_parsing(args.iter().map(OsString::from));
        assert_eq!(found(&["scorer", "--color", "never", "workload"]), When::Never);
        assert_eq!(found(&["scorer", "workload", "--color=always"]), When::Always);
        assert_eq!(found(&["scorer", "--color=pink"]), When::Auto);
        assert_eq!(found(&["scorer", "--", "--color=always"]), When::Auto);
        assert_eq!(found(&["scorer", "--color"]), When::Auto);
    }
}
