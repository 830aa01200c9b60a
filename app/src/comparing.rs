//! Compares two snapshots: at once without intervals, then again with them, a slice at a time.

use shared::compare::{Comparer, View};
use shared::metric::Metric;
use shared::summary::Summary;

use crate::message::Question;
use crate::pace::Slice;
use crate::views::overview::model::compare::Compared;

/// Answers a question twice; gives up as soon as the second answer is no longer wanted. `say` is also given what the
/// answer was made from, for TPOT and TTFT.
pub async fn run(
    a: &Summary,
    b: &Summary,
    question: &Question,
    is_wanted: impl Fn() -> bool,
    mut say: impl FnMut(&Compared, &[View<'_, '_>; 2]),
) {
    let comparer = Comparer::new(a, b);
    let views = Metric::ALL.map(|metric| comparer.view(&question.estimator, metric));
    let mut answer = Compared::open(a, &comparer, &views, question);
    say(&answer, &views);
    if !answer.is_comparable() {
        return;
    }
    let mut slice = Slice::begin();
    for (view, rows) in views.iter().zip(&mut answer.rows) {
        for row in rows {
            *row = view.row(&row.of, true);
            if slice.rest().await && !is_wanted() {
                return;
            }
        }
    }
    say(&answer, &views);
}
