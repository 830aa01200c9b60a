//! `scorer plan`: corpus in, frozen work list out.

use std::collections::BTreeSet;
use std::sync::Arc;

use shared::digest::Digest;
use shared::format::counted;

use crate::cli::plan::PlanArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{DEFAULT_LIMIT, check_paths, json_bytes, read_bytes};
use crate::inputs;
use crate::reference::Reference;
use crate::replay::{PlanOptions, plan};

/// Makes the plan and writes it.
pub fn run(args: &PlanArgs, console: &Console) -> CommandResult {
    check_paths(&[&args.corpus], &[&args.output])?;
    let bytes = read_bytes(&args.corpus, DEFAULT_LIMIT)?;
    let digest = Digest::of_bytes(&bytes);
    let corpus = inputs::corpus(&args.corpus, bytes)?;
    let reference = Arc::new(Reference::load(args.reference.reference.as_deref())?);
    let options = PlanOptions {
        settings: args.settings.into(),
        estimators: some(&args.estimators),
        sweeps: some(&args.sweeps),
        config: inputs::simulators(&args.simulators)?,
    };
    let plan = plan(&corpus, digest, &options, &reference)?;
    // It can be as large as the plan, whose text is made next.
    drop(corpus);
    args.output.write(&json_bytes(&plan)?)?;
    let points: usize = plan.body.sweeps.iter().map(|sweep| sweep.points.len()).sum();
    let names: Vec<&str> = plan.body.simulators.iter().map(|simulator| simulator.id.as_str()).collect();
    console.status(&format!(
        "planned {} of {} for {} ({} settings)",
        counted(points as u64, "point"),
        counted(plan.body.sweeps.len() as u64, "sweep"),
        names.join(", "),
        plan.body.settings.key()
    ));
    Ok(ExitCode::Success)
}

fn some<T: Clone + Ord>(values: &[T]) -> Option<BTreeSet<T>> {
    (!values.is_empty()).then(|| values.iter().cloned().collect())
}
