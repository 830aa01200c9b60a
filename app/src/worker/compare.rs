//! Compares two snapshots: at once without intervals, then again with them, a slice at a time.

use shared::compare::Comparer;
use shared::metric::Metric;
use shared::summary::Summary;

use super::pace::Slice;
use crate::message::{Comparison, Question};
use crate::views::overview::model::compare::Compared;

/// Answers a question twice; gives up as soon as the second answer is no longer wanted.
pub async fn run(
    a: &Summary,
    b: &Summary,
    question: &Question,
    is_wanted: impl Fn() -> bool,
    say: impl Fn(Comparison),
) {
    let comparer = Comparer::new(a, b);
    let mut answer = Compared::open(a, &comparer, question);
    say(answer.say());
    if !answer.is_comparable() {
        return;
    }
    let mut slice = Slice::begin();
    for (metric, rows) in Metric::ALL.into_iter().zip(&mut answer.rows) {
        let view = comparer.view(&question.estimator, metric);
        for row in rows {
            *row = view.row(&row.of, true);
            if slice.rest().await && !is_wanted() {
                return;
            }
        }
    }
    say(answer.say());
}
