//! `scorer compare`: two snapshots in, what changed out, and a decision when it is asked for.

use shared::compare::{Comparer, compare};
use shared::gate::{self, Gate, Options, Thresholds};
use shared::id::EstimatorId;
use shared::summary::{GroupBy, Summary};

use crate::cli::compare::{CompareArgs, CompareFormat};
use crate::comparison::{Compared, SCHEMA, comment, csv, document, exit_code, find, github, junit, snapshot};
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode, Failure};
use crate::files::{Destination, check_paths, json_bytes};
use crate::report::{markdown, text};

/// An estimator was asked for that is not in both snapshots.
#[derive(Debug, thiserror::Error)]
#[error("the two snapshots do not both have an estimator `{asked}`: choose from {available}")]
struct UnknownEstimator {
    asked: EstimatorId,
    available: String,
}

impl Failure for UnknownEstimator {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

/// Compares and prints.
pub fn run(args: &CompareArgs, console: &Console) -> CommandResult {
    let (a, b) = (find(&args.a, &args.data)?, find(&args.b, &args.data)?);
    check_paths(&[&a, &b], &[&args.output])?;
    let (a, b) = (snapshot(&a)?, snapshot(&b)?);
    check_estimators(&a, &b, &args.estimator)?;
    let gate = args.gate.then(|| decide(&a, &b, args));
    let bytes = match args.format {
        CompareFormat::Json => json_bytes(&compared(&a, &b, args, gate.clone()))?,
        CompareFormat::Csv => csv::bytes(&compared(&a, &b, args, None).comparison.rows)?,
        CompareFormat::Github => gate.as_ref().map(github::annotations).unwrap_or_default().into_bytes(),
        CompareFormat::Junit => gate.as_ref().map(|gate| junit::bytes(&a, &b, gate)).unwrap_or_default(),
        CompareFormat::Text | CompareFormat::Markdown | CompareFormat::Comment => {
            let document = document::document(&a, &b, &shown(&a, &b, args), gate.as_ref());
            let with_style = args.output == Destination::Stdout && console.colors_stdout();
            match args.format {
                CompareFormat::Markdown => markdown::document(&document),
                CompareFormat::Comment => comment::comment(&document),
                _ => text::document(&document, with_style),
            }
            .into_bytes()
        }
    };
    args.output.write(&bytes)?;
    Ok(match gate {
        Some(gate) => exit_code(gate.decision),
        None => ExitCode::Success,
    })
}

/// Checks that both snapshots have what was asked for. Without any estimator in common there is nothing
/// to choose from, and the comparison says so.
fn check_estimators(a: &Summary, b: &Summary, asked: &[EstimatorId]) -> Result<(), UnknownEstimator> {
    let comparer = Comparer::new(a, b);
    let common = comparer.estimators();
    match asked.iter().find(|id| !common.contains(id)) {
        Some(asked) if !common.is_empty() => {
            let available: Vec<&str> = common.iter().map(EstimatorId::as_str).collect();
            Err(UnknownEstimator { asked: asked.clone(), available: available.join(", ") })
        }
        _ => Ok(()),
    }
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
    document::Shown {
        tier: args.tier.unwrap_or_else(|| document::widest_useful_tier(a, b)),
        by: args.by.unwrap_or(GroupBy::Family),
        estimators: args.estimator.clone(),
        limit: args.limit,
    }
}
