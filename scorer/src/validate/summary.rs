//! What no schema can say about a snapshot: all of it is computed again.

use shared::summary::Summary;
use shared::verify::{self, Unverified};

use super::{Problem, sweep};
use crate::summarize::figures;

/// What is wrong with a snapshot.
#[must_use]
pub fn summary_problems(summary: &Summary) -> Vec<Problem> {
    problems(summary, verify::summary_with(summary, figures))
}

/// What is wrong with a snapshot, its figures aside, which take longest to compute.
///
/// Against one of other definitions nothing is said but what its head and its sweeps show.
#[must_use]
pub fn summary_problems_but_figures(summary: &Summary) -> Vec<Problem> {
    let verified = match verify::without_figures(summary) {
        Err(Unverified::OtherDefinitions { .. }) => Ok(()),
        verified => verified,
    };
    problems(summary, verified)
}

fn problems(summary: &Summary, verified: Result<(), Unverified>) -> Vec<Problem> {
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
        problems.extend(sweep::problems(index, sweep));
    }
    if let Err(difference) = verified {
        problems.push(Problem::new("", difference.to_string()));
    }
    problems
}
