//! `scorer ledger`: sweeps frozen as units; units listed and proven.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;
use shared::format::counted;
use shared::unit::Unit;

use crate::cli::format::Format;
use crate::cli::ledger::{FreezeArgs, LedgerAction, LedgerArgs, LedgerListArgs};
use crate::console::{Console, printable, span};
use crate::exit::{CommandResult, ExitCode};
use crate::files::{DEFAULT_LIMIT, Destination, json_bytes, read_bytes};
use crate::inputs;
use crate::ledger::choose::Units;
use crate::ledger::{Freezing, Ledger, LedgerError, fault, select};

/// Freezes, lists or proves.
pub fn run(args: &LedgerArgs, console: &Console) -> CommandResult {
    match &args.action {
        LedgerAction::Freeze(args) => freeze(args, console),
        LedgerAction::List(args) => list(args),
        LedgerAction::Verify(args) => verify(args),
    }
}

fn freeze(args: &FreezeArgs, console: &Console) -> CommandResult {
    let corpus = inputs::corpus(&args.corpus, read_bytes(&args.corpus, DEFAULT_LIMIT)?)?;
    let ids: BTreeSet<_> = args.sweeps.iter().cloned().collect();
    let mut sweeps = select::named(&corpus, &ids)?;
    if args.cheapest {
        sweeps = select::cheapest(&sweeps);
    }
    let ledger = Ledger::new(&args.ledger);
    let mut added = 0_u64;
    for sweep in &sweeps {
        let unit = Unit::freeze(&corpus, sweep).map_err(LedgerError::from)?;
        let freezing = ledger.add(&unit)?;
        added += u64::from(freezing == Freezing::Added);
        console.detail(&format!("{}: {}", unit.body.id, sweep.title()));
    }
    let there = sweeps.len() as u64 - added;
    console.status(&format!(
        "{}: {} added, {there} there before",
        args.ledger.display(),
        counted(added, "unit")
    ));
    Ok(ExitCode::Success)
}

/// A unit as it is listed.
#[derive(Serialize)]
struct Listed {
    id: String,
    digest: String,
    sweep: String,
    title: String,
    concurrencies: Vec<u32>,
    verdict: &'static str,
    measurements: String,
    release: bool,
    /// The work of all its points, in seconds of one core, as predicted.
    cost_seconds: f64,
}

fn list(args: &LedgerListArgs) -> CommandResult {
    let ledger = Ledger::new(&args.ledger);
    let mut listed = Vec::new();
    for id in Units::All.of(&ledger)? {
        let unit = ledger.read(&id)?.unit;
        let (sweep, source) = (&unit.body.sweep, &unit.body.source);
        listed.push(Listed {
            id: id.to_string(),
            digest: unit.digest.to_string(),
            sweep: sweep.id.to_string(),
            title: sweep.title(),
            concurrencies: sweep.points.iter().map(|point| point.concurrency).collect(),
            verdict: sweep.verdict.name(),
            measurements: source.tag.clone().unwrap_or_else(|| source.name.clone()),
            release: source.release,
            cost_seconds: select::cost(sweep),
        });
    }
    let bytes = match args.format {
        Format::Json => json_bytes(&listed)?,
        Format::Text => text(&listed).into_bytes(),
    };
    Destination::Stdout.write(&bytes)?;
    Ok(ExitCode::Success)
}

fn text(listed: &[Listed]) -> String {
    let mut text = String::new();
    for unit in listed {
        let concurrencies: Vec<String> = unit.concurrencies.iter().map(ToString::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}  {}  c {}  {}  {}",
            unit.id,
            printable(&unit.title),
            concurrencies.join(","),
            unit.verdict,
            span(unit.cost_seconds)
        );
    }
    let cost: f64 = listed.iter().map(|unit| unit.cost_seconds).sum();
    let points: usize = listed.iter().map(|unit| unit.concurrencies.len()).sum();
    let _ = writeln!(
        text,
        "{}, {}, about {} of one core",
        counted(listed.len() as u64, "unit"),
        counted(points as u64, "point"),
        span(cost)
    );
    text
}

/// What is found of one unit.
#[derive(Serialize)]
struct Finding {
    id: String,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

fn verify(args: &LedgerListArgs) -> CommandResult {
    let ledger = Ledger::new(&args.ledger);
    let found = Units::All.of(&ledger)?.into_iter().map(|id| {
        let problem = ledger.read(&id).err().map(fault);
        Finding { id: id.to_string(), valid: problem.is_none(), problem }
    });
    let found: Vec<Finding> = found.collect();
    let faulty = found.iter().filter(|finding| !finding.valid).count() as u64;
    let bytes = match args.format {
        Format::Json => json_bytes(&found)?,
        Format::Text => {
            let mut text = String::new();
            for finding in &found {
                if let Some(problem) = &finding.problem {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{}", printable(problem));
                }
            }
            let _ = writeln!(text, "{}, {faulty} not as frozen", counted(found.len() as u64, "unit"));
            text.into_bytes()
        }
    };
    Destination::Stdout.write(&bytes)?;
    Ok(if faulty == 0 { ExitCode::Success } else { ExitCode::InputInvalid })
}
