//! What no schema can say about a unit: its digest and id, and all that is said of a corpus of its sweep alone.

use shared::corpus::SourcePart;
use shared::unit::{self, Unit};

use super::{Problem, corpus_problems};

/// What is wrong with a unit.
#[must_use]
pub fn unit_problems(unit: &Unit) -> Vec<Problem> {
    if let Err(error) = unit.check() {
        return vec![Problem::new("body", error.to_string())];
    }
    let part = SourcePart { name: unit.body.id.to_string(), sha256: unit.digest.clone(), bytes: 0 };
    match unit::corpus(vec![(unit.clone(), part)]) {
        Err(error) => vec![Problem::new("body", error.to_string())],
        Ok(corpus) => corpus_problems(&corpus).into_iter().map(of_unit).collect(),
    }
}

/// A problem of the corpus, at its place in the unit.
fn of_unit(problem: Problem) -> Problem {
    let place = problem.place.strip_prefix("sweeps[0]").map(|rest| format!("body.sweep{rest}"));
    Problem { place: place.unwrap_or_else(|| format!("body.{}", problem.place)), text: problem.text }
}
