//! What no schema can say about a snapshot: all of it is computed again.

use shared::summary::Summary;
use shared::sweep::Identity;
use shared::verify;

use super::Problem;
use crate::summarize::figures;

/// What is wrong with a snapshot.
#[must_use]
pub fn summary_problems(summary: &Summary) -> Vec<Problem> {
    let mut problems = Vec::new();
    if summary.run.generated_at.parse::<jiff::Timestamp>().is_err()
        || !summary.run.generated_at.ends_with('Z')
    {
        let text = format!("`{}` is no moment in UTC", summary.run.generated_at);
        problems.push(Problem::new("run.generated_at", text));
    }
    if !summary.simulators.iter().any(|simulator| simulator.id == summary.run.primary) {
        let text = format!("`{}` is not among the estimators", summary.run.primary);
        problems.push(Problem::new("run.primary", text));
    }
    for (index, sweep) in summary.sweeps.iter().enumerate() {
        let id = Identity::of(sweep).id();
        if id != sweep.id {
            let text = format!("is {}, but the sweep's content makes it {id}", sweep.id);
            problems.push(Problem::new(format!("sweeps[{index}].id"), text));
        }
    }
    if let Err(difference) = verify::summary_with(summary, figures) {
        problems.push(Problem::new("", difference.to_string()));
    }
    problems
}
