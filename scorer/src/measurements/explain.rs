//! What became of the rows, step by step: from all that were read to the points of the corpus.

use std::collections::{BTreeMap, BTreeSet};

use shared::corpus::{Corpus, RowAccount, RowCounter};

/// A reason for which a source does not keep rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The reason, as one word with underscores.
    pub name: &'static str,
    /// What the rows are, as the rest of a sentence that begins with their number.
    pub meaning: &'static str,
}

/// The rows that were not kept, all of them by name, with the reasons in the order of asking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    reasons: &'static [Reason],
    rows: BTreeMap<&'static str, BTreeSet<String>>,
}

/// A step of the waterfall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The reason.
    pub reason: Reason,
    /// How many rows are left out for it.
    pub skipped: u64,
    /// How many are left after it.
    pub left: u64,
}

/// A source has no reason of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no reason `{asked}`: the reasons are {reasons}")]
pub struct UnknownReason {
    asked: String,
    reasons: String,
}

impl Explanation {
    /// The steps from the rows of a corpus that were read to those that are kept; only reasons that
    /// have rows.
    #[must_use]
    pub fn steps(&self, corpus: &Corpus) -> Vec<Step> {
        let mut left = corpus.rows.read();
        let skipped: BTreeMap<&str, u64> =
            corpus.rows.skipped().iter().map(|entry| (entry.reason.as_str(), entry.count)).collect();
        let steps = self.reasons.iter().filter_map(|reason| {
            let count = *skipped.get(reason.name)?;
            left = left.saturating_sub(count);
            Some(Step { reason: *reason, skipped: count, left })
        });
        steps.collect()
    }

    /// The rows that are left out for a reason.
    pub fn rows(&self, reason: &str) -> impl Iterator<Item = &str> {
        self.rows.get(reason).into_iter().flatten().map(String::as_str)
    }
}

/// Checks that a source can leave rows out for a reason.
///
/// # Errors
/// When it has no reason of that name.
pub fn check_reason(reasons: &[Reason], asked: &str) -> Result<(), UnknownReason> {
    if reasons.iter().any(|reason| reason.name == asked) {
        return Ok(());
    }
    let names: Vec<&str> = reasons.iter().map(|reason| reason.name).collect();
    Err(UnknownReason { asked: shared::format::shortened(asked, 60), reasons: names.join(", ") })
}

/// Counts and names rows as they are read, so that the account balances by construction.
#[derive(Clone, Debug)]
pub struct RowBook {
    counter: RowCounter,
    explanation: Explanation,
}

impl RowBook {
    /// An empty book for a source with these reasons.
    #[must_use]
    pub fn new(reasons: &'static [Reason]) -> Self {
        Self { counter: RowCounter::default(), explanation: Explanation { reasons, rows: BTreeMap::new() } }
    }

    /// One row went into the corpus.
    pub fn keep(&mut self) {
        self.counter.keep();
    }

    /// One row did not, and why.
    pub fn skip(&mut self, reason: &'static str, name: impl FnOnce() -> String) {
        let name = name();
        self.counter.skip(reason, || name.clone());
        self.explanation.rows.entry(reason).or_default().insert(name);
    }

    /// The account of all rows, and their names.
    #[must_use]
    pub fn finish(self) -> (RowAccount, Explanation) {
        (self.counter.finish(), self.explanation)
    }
}

/// Why nothing is left of the rows, for an error: each reason with its count.
#[must_use]
pub fn in_words(rows: &RowAccount) -> String {
    let reasons: Vec<String> =
        rows.skipped().iter().map(|skipped| format!("{} {}", skipped.reason, skipped.count)).collect();
    reasons.join(", ")
}

#[cfg(test)]
mod tests {
    use shared::corpus::Corpus;

    use super::*;
    use crate::testing::corpus;

    const REASONS: [Reason; 3] = [
        Reason { name: "late", meaning: "too late" },
        Reason { name: "never", meaning: "without rows" },
        Reason { name: "early", meaning: "too early" },
    ];

    fn explained() -> (Corpus, Explanation) {
        let mut book = RowBook::new(&REASONS);
        (0..5).for_each(|row| book.skip("late", || format!("row {row}")));
        book.skip("early", || "row 7".to_owned());
        let mut corpus = corpus(1);
        (0..corpus.rows.kept()).for_each(|_| book.keep());
        let (rows, explanation) = book.finish();
        corpus.rows = rows;
        (corpus, explanation)
    }

    #[test]
    fn steps_are_in_the_order_of_asking_and_end_at_what_is_kept() {
        let (corpus, explanation) = explained();
        let steps = explanation.steps(&corpus);
        let names: Vec<(&str, u64)> = steps.iter().map(|step| (step.reason.name, step.skipped)).collect();
        assert_eq!(names, [("late", 5), ("early", 1)]);
        assert_eq!(steps.last().map(|step| step.left), Some(corpus.rows.kept()));
    }

    #[test]
    fn the_rows_of_a_reason_are_all_named() {
        let (_, explanation) = explained();
        assert_eq!(explanation.rows("late").count(), 5);
        assert_eq!(explanation.rows("never").count(), 0);
    }

    #[test]
    fn a_reason_that_no_row_can_have_is_told_with_those_that_are() {
        assert_eq!(check_reason(&REASONS, "never"), Ok(()));
        let error = check_reason(&REASONS, "soon").unwrap_err().to_string();
        assert_eq!(error, "there is no reason `soon`: the reasons are late, never, early");
    }
}
