//! `scorer compare`: two snapshots in, what changed out, and a decision when it is asked for.

use shared::compare::compare;
use shared::gate::{self, Gate, Options, Thresholds};
use shared::id::EstimatorId;
use shared::summary::{GroupBy, Summary};
use shared::tier::Tier;

use crate::cli::compare::{CompareArgs, CompareFormat};
use crate::comparison::{Compared, SCHEMA, csv, document, exit_code, github, snapshot};
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{Destination, json_bytes};
use crate::report::{markdown, text};

/// Compares and prints.
pub fn run(args: &CompareArgs, console: &Console) -> CommandResult {
    let a = snapshot(&args.a, &args.data)?;
    let b = snapshot(&args.b, &args.data)?;
    let gate = (args.gate || args.format == CompareFormat::Github).then(|| decide(&a, &b, args));
    let bytes = match args.format {
        CompareFormat::Json => json_bytes(&compared(&a, &b, args, gate.clone()))?,
        CompareFormat::Csv => csv::bytes(&compared(&a, &b, args, None).comparison.rows)?,
        CompareFormat::Github => gate.as_ref().map(github::annotations).unwrap_or_default().into_bytes(),
        CompareFormat::Text | CompareFormat::Markdown => {
            let document = document::document(&a, &b, &shown(&a, &b, args), gate.as_ref());
            let with_style = args.output == Destination::Stdout && console.colors_stdout();
            match args.format {
                CompareFormat::Markdown => markdown::document(&document),
                _ => text::document(&document, with_style),
            }
            .into_bytes()
        }
    };
    args.output.write(&bytes)?;
    Ok(match gate {
        Some(gate) if args.gate => exit_code(gate.decision),
        _ => ExitCode::Success,
    })
}

fn decide(a: &Summary, b: &Summary, args: &CompareArgs) -> Gate {
    let thresholds = Thresholds { points: args.worse_points, percent: args.worse_percent };
    gate::decide(a, b, &Options { thresholds, estimators: args.estimator.clone(), tier: args.tier })
}

/// Everything, or what was asked for of it.
fn compared(a: &Summary, b: &Summary, args: &CompareArgs, gate: Option<Gate>) -> Compared {
    let mut comparison = compare(a, b);
    let estimator = |id: &EstimatorId| args.estimator.is_empty() || args.estimator.contains(id);
    comparison.rows.retain(|row| {
        estimator(&row.of.estimator)
            && args.tier.is_none_or(|tier| row.of.tier == tier)
            && args.by.is_none_or(|by| row.of.by == by)
    });
    comparison
        .sweeps
        .retain(|sweep| estimator(&sweep.estimator) && args.tier.is_none_or(|tier| sweep.tier <= tier));
    Compared { schema: SCHEMA, comparison, gate }
}

fn shown(a: &Summary, b: &Summary, args: &CompareArgs) -> document::Shown {
    let has = |tier: Tier| {
        let any = |summary: &Summary| summary.sweeps.iter().any(|sweep| tier.contains(sweep.verdict));
        any(a) && any(b)
    };
    let tier = if has(Tier::MeasuredOrResolved) { Tier::MeasuredOrResolved } else { Tier::All };
    document::Shown {
        tier: args.tier.unwrap_or(tier),
        by: args.by.unwrap_or(GroupBy::Family),
        estimators: args.estimator.clone(),
        limit: args.limit,
    }
}
