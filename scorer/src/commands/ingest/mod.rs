//! `scorer ingest`: reads a source of measurements, writes a corpus, tells what became of every row.

mod api;
mod dump;
mod postgres;
mod progress;
mod told;

use std::path::Path;

use crate::cli::ingest::{ArtifactArgs, ClientResultsArgs, CorpusArgs, IngestArgs, IngestSource};
use crate::console::Console;
use crate::exit::{CommandError, CommandResult, ExitCode};
use crate::files::{ClashError, Destination, check_paths, json_bytes};
use crate::measurements::Ingested;
use crate::measurements::artifact::{self, ArtifactPaths};
use crate::measurements::client_results::{self, ClientInputs, ResultFiles};
use crate::measurements::explain::{Reason, check_reason};
use crate::reference::Reference;

/// Reads the chosen source.
pub fn run(args: &IngestArgs, console: &Console) -> CommandResult {
    match &args.source {
        IngestSource::Artifact(args) => run_artifact(args, console),
        IngestSource::ClientResults(args) => run_client_results(args, console),
        IngestSource::Dump(args) => dump::run(args, console),
        IngestSource::Postgres(args) => postgres::run(args, console),
        IngestSource::Api(args) => api::run(args, console),
    }
}

fn run_artifact(args: &ArtifactArgs, console: &Console) -> CommandResult {
    check(&args.common, &artifact::REASONS, &[&args.corpus, &args.absolutes, &args.settings])?;
    let reference = Reference::load(args.common.reference.as_deref())?;
    let paths = ArtifactPaths {
        corpus: args.corpus.clone(),
        absolutes: args.absolutes.clone(),
        settings: args.settings.clone(),
    };
    finish(&artifact::read(&paths, &reference)?, &args.common, console)
}

fn run_client_results(args: &ClientResultsArgs, console: &Console) -> CommandResult {
    let results = ResultFiles::find(&args.results)?;
    let logs = args.log.iter().map(|log| log.path.as_path());
    let inputs: Vec<&Path> = results.paths().chain([args.deployment.as_path()]).chain(logs).collect();
    check(&args.common, &client_results::REASONS, &inputs)?;
    let reference = Reference::load(args.common.reference.as_deref())?;
    let inputs = ClientInputs { results: &results, deployment: &args.deployment, logs: &args.log };
    finish(&client_results::read(&inputs, &reference)?, &args.common, console)
}

/// Checks what is asked for before anything is read.
fn check(args: &CorpusArgs, reasons: &[Reason], inputs: &[&Path]) -> Result<(), CommandError> {
    if let Some(asked) = args.explain.as_deref().filter(|asked| !asked.is_empty()) {
        check_reason(reasons, asked)?;
    }
    Ok(check_outputs(args, inputs)?)
}

/// Checks that no output takes the place of an input. What is explained goes to stdout, so that the corpus cannot.
fn check_outputs(args: &CorpusArgs, inputs: &[&Path]) -> Result<(), ClashError> {
    let mut outputs = vec![&args.output];
    outputs.extend(args.explain.as_ref().map(|_| &Destination::Stdout));
    check_paths(inputs, &outputs)
}

/// Writes the corpus of any source, and tells what is in it and what is not.
fn finish(ingested: &Ingested, args: &CorpusArgs, console: &Console) -> CommandResult {
    let explained = args.explain.as_deref().map(|reason| told::explain(ingested, reason));
    args.output.write(&json_bytes(&ingested.corpus)?)?;
    told::tell(&ingested.corpus, console);
    for note in &ingested.notes {
        console.warning(note);
    }
    if let Some(explained) = explained {
        Destination::Stdout.write(explained.as_bytes())?;
    }
    Ok(ExitCode::Success)
}
