//! What each command does, one file each: read, call the library, print.

mod cache;
mod compare;
mod completions;
mod demo;
mod harness;
mod ingest;
mod ledger;
mod merge;
mod nightly;
mod plan;
mod publish;
mod report;
mod resolve;
mod run;
mod schema;
mod simulator;
mod site;
mod summarize;
mod validate;
mod workload;

use crate::cli::Command;
use crate::console::Console;
use crate::exit::CommandResult;

/// Runs one command.
pub fn run(command: &Command, console: &Console) -> CommandResult {
    match command {
        Command::Resolve(args) => resolve::run(args, console),
        Command::Nightly(args) => nightly::run(args, console),
        Command::Ingest(args) => ingest::run(args, console),
        Command::Plan(args) => plan::run(args, console),
        Command::Run(args) => run::run(args, console),
        Command::Cache(args) => cache::run(args),
        Command::Merge(args) => merge::run(args, console),
        Command::Simulator(args) => simulator::run(args, console),
        Command::Summarize(args) => summarize::run(args, console),
        Command::Compare(args) => compare::run(args, console),
        Command::Validate(args) => validate::run(args, console),
        Command::Publish(args) => publish::run(args, console),
        Command::Harness(args) => harness::run(args, console),
        Command::Ledger(args) => ledger::run(args, console),
        Command::Site(args) => site::run_site(args, console),
        Command::Serve(args) => site::run_serve(args, console),
        Command::Demo(args) => demo::run(args, console),
        Command::Schema(args) => schema::run(args, console),
        Command::Report(args) => report::run(args, console),
        Command::Workload(args) => workload::run(args, console),
        Command::Completions(args) => completions::run(args, console),
    }
}
