//! What the gate found, as annotations that GitHub shows on a pull request.

use std::fmt::Write as _;

use shared::compare::PointStatus;
use shared::format::counted;
use shared::gate::{Decision, Gate};

/// How many annotations of a kind GitHub shows for one step.
const SHOWN: usize = 10;

/// The workflow commands, one a line.
#[must_use]
pub fn annotations(gate: &Gate) -> String {
    let mut text = String::new();
    let mut add = |level: &str, title: &str, message: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "::{level} title={}::{}", property(title), data(message));
    };
    match gate.decision {
        Decision::Pass => {
            add(
                "notice",
                "Accuracy gate: pass",
                &format!("{} compared, no sweep is worse", counted(gate.compared, "point")),
            );
        }
        Decision::NotComparable => {
            add("error", "Accuracy gate: not comparable", &gate.undecided().unwrap_or_default());
        }
        Decision::Regression | Decision::CoverageLost => {}
    }
    for finding in gate.worse.iter().take(SHOWN) {
        add("error", "Accuracy gate: worse", &finding.sentence());
    }
    for point in gate.lost.iter().take(SHOWN) {
        add("error", "Accuracy gate: no longer scored", &lost(point));
    }
    let more = gate.worse.len().saturating_sub(SHOWN) + gate.lost.len().saturating_sub(SHOWN);
    if more > 0 {
        add("error", "Accuracy gate", &format!("and {} more", counted(more as u64, "finding")));
    }
    for finding in gate.better.iter().take(SHOWN) {
        add("notice", "Accuracy gate: better", &finding.sentence());
    }
    text
}

/// A point that is not scored by one of the snapshots, in words.
#[must_use]
pub fn lost(point: &PointStatus) -> String {
    let why = point
        .why
        .as_ref()
        .map_or_else(|| "no outcome".to_owned(), |why| format!("{}: {}", why.reason.key(), why.detail));
    format!("{} c={}: {} ({why})", point.title, point.concurrency, point.estimator)
}

/// Text after `::`, as GitHub's toolkit escapes it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, as GitHub's toolkit escapes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_another_command() {
        assert_eq!(data("50 %\n::error::x"), "50 %25%0A::error::x");
        assert_eq!(property("a: b, c"), "a%3A b%2C c");
    }
}
