//! Two runs side by side: which figures are asked of `shared::compare`, and how its answers are said.
//!
//! The figures come first without, then with their intervals: only then can a difference be told from
//! noise.

mod lists;
mod sentence;
mod tables;
#[cfg(test)]
mod tests;

use shared::compare::{Comparer, Lists, Row as Figures, View};
use shared::metric::Metric;
use shared::rules::Grading;
use shared::summary::{AggregateKey, GroupBy, Summary};

use crate::message::{Comparison, Question};
use crate::views::overview::model::cell::Cell;
use crate::views::overview::model::column::Column;
use crate::views::overview::model::lead::Piece;

/// What is known of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What was compared of them.
    question: Question,
    /// A's thresholds of the grades.
    grading: Grading,
    /// Why nothing is compared; then there are no rows.
    obstacle: Option<String>,
    /// What went into the runs that differs, in sentences.
    facts: Vec<String>,
    /// The groups and the total, for TPOT and TTFT.
    pub rows: [Vec<Figures>; 2],
    /// The points that only one run scored or has, for the estimator.
    lists: Lists,
}

impl Compared {
    /// Everything, without intervals: nothing is judged yet. `a` is the question's first run, and the comparer's `views`
    /// are those of the question's estimator, of TPOT and TTFT.
    pub fn open(
        a: &Summary,
        comparer: &Comparer<'_>,
        views: &[View<'_, '_>; 2],
        question: &Question,
    ) -> Self {
        let mut lists = comparer.lists();
        lists.newly_failing.retain(|point| point.estimator == question.estimator);
        lists.newly_scored.retain(|point| point.estimator == question.estimator);
        let obstacle = comparer.comparability().sentence().or_else(|| {
            let shared = comparer.estimators().contains(&question.estimator);
            (!shared).then(|| {
                format!(
                    "B has no estimator “{}”, so nothing is compared. Choose another one.",
                    question.estimator
                )
            })
        });
        let rows = views.each_ref().map(|view| {
            if obstacle.is_some() {
                return Vec::new();
            }
            rows_of(question, &view.keys()).map(|key| view.row(key, false)).collect()
        });
        let facts = comparer.facts().sentences();
        Self { question: question.clone(), grading: a.grading, obstacle, facts, rows, lists }
    }

    /// Whether there is something to judge.
    pub fn is_comparable(&self) -> bool {
        self.obstacle.is_none()
    }

    /// What was compared.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Why nothing is compared.
    pub fn obstacle(&self) -> Option<&str> {
        self.obstacle.as_deref()
    }

    /// What went into the runs that differs, in sentences.
    pub fn facts(&self) -> String {
        self.facts.join(" ")
    }

    /// What the comparison says on the whole.
    pub fn answer(&self) -> Vec<Piece> {
        sentence::answer(self)
    }

    /// The points that only one run scored or has, for the estimator.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// A cell of a row.
    pub fn cell(&self, column: Column, row: &Figures) -> Cell {
        tables::cell(column, row, &self.grading)
    }

    /// All of it in words.
    pub fn say(&self) -> Comparison {
        Comparison {
            question: self.question.clone(),
            obstacle: self.obstacle.clone(),
            facts: self.facts(),
            answer: self.answer(),
            tables: if self.is_comparable() { tables::both(self).into() } else { Vec::new() },
            line: lists::line(self),
            lists: lists::all(self),
        }
    }

    /// The row of everything.
    pub fn total(&self, metric: Metric) -> Option<&Figures> {
        self.rows_of(metric).iter().find(|row| row.of.by == GroupBy::All)
    }

    /// The rows of the groups.
    pub fn groups(&self, metric: Metric) -> impl Iterator<Item = &Figures> {
        self.rows_of(metric).iter().filter(|row| row.of.by != GroupBy::All)
    }

    fn rows_of(&self, metric: Metric) -> &[Figures] {
        let [tpot, ttft] = &self.rows;
        match metric {
            Metric::Tpot => tpot,
            Metric::Ttft => ttft,
        }
    }
}

/// The keys of the table's rows among all keys.
fn rows_of<'k>(question: &Question, keys: &'k [AggregateKey]) -> impl Iterator<Item = &'k AggregateKey> {
    let Question { tier, by, .. } = *question;
    keys.iter().filter(move |key| key.tier == tier && (key.by == by || key.by == GroupBy::All))
}
