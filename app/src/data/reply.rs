//! What the worker replies, from parsed JSON. A test compares with what serde writes.

use shared::metric::Metric;
use shared::summary::{Grade, GroupBy};
use shared::tier::Tier;

use super::json::{Fault, Reader, Value};
use crate::message::{Check, Comparison, List, Question, Reply};
use crate::views::overview::model::cell::{Before, Cell, Delta, Row, Table};
use crate::views::overview::model::lead::Piece;
use crate::views::overview::model::shown::Shown;

/// The reply that the JSON says, or what is wrong: with it, or with the worker.
pub fn read<V: Value>(json: V) -> Result<Reply, String> {
    let fault = Fault::default();
    let content = Reader::new(json, &fault);
    // So says app/worker.js where the worker's program does not start.
    if let Some(why) = content.find("Stopped") {
        return Err(why.text());
    }
    let reply = reply(&content);
    fault.or(reply)
}

fn reply<V: Value>(of: &Reader<'_, V>) -> Option<Reply> {
    if let Some(checked) = of.find("Checked") {
        return Some(Reply::Checked { id: checked.at("id").parse()?, check: check(&checked.at("check")) });
    }
    match of.find("Compared") {
        Some(comparison) => compared(&comparison).map(Reply::Compared),
        None => Some(Reply::Ready),
    }
}

fn check<V: Value>(of: &Reader<'_, V>) -> Check {
    let count = |of: Reader<'_, V>| of.small_count() as usize;
    if let Some(running) = of.find("Running") {
        Check::Running { done: count(running.at("done")), of: count(running.at("of")) }
    } else if let Some(verified) = of.find("Verified") {
        Check::Verified { figures: count(verified.at("figures")) }
    } else if let Some(difference) = of.find("Differs") {
        Check::Differs(difference.text())
    } else if let Some(why) = of.find("Failed") {
        Check::Failed(why.text())
    } else {
        Check::Waiting
    }
}

fn compared<V: Value>(of: &Reader<'_, V>) -> Option<Comparison> {
    Some(Comparison {
        question: question(&of.at("question"))?,
        obstacle: of.find("obstacle").map(|obstacle| obstacle.text()),
        facts: of.at("facts").text(),
        answer: of.at("answer").list(piece),
        tables: of.at("tables").known(table),
        line: of.at("line").text(),
        lists: of.at("lists").list(list),
    })
}

fn question<V: Value>(of: &Reader<'_, V>) -> Option<Question> {
    Some(Question {
        a: of.at("a").parse()?,
        b: of.at("b").parse()?,
        estimator: of.at("estimator").parse()?,
        tier: of.at("tier").one_of(&Tier::ALL, Tier::key)?,
        by: of.at("by").one_of(&GroupBy::ALL, GroupBy::key)?,
    })
}

fn piece<V: Value>(of: &Reader<'_, V>) -> Piece {
    match of.find("Figure") {
        Some(figure) => Piece::Figure(figure.text()),
        None => Piece::Text(of.at("Text").text()),
    }
}

fn list<V: Value>(of: &Reader<'_, V>) -> List {
    List { title: of.at("title").text(), lines: of.at("lines").list(line) }
}

fn line<V: Value>(of: &Reader<'_, V>) -> String {
    of.text()
}

fn table<V: Value>(of: &Reader<'_, V>) -> Option<Table> {
    Some(Table {
        metric: of.at("metric").one_of(&Metric::ALL, Metric::key)?,
        rows: of.at("rows").list(row),
        total: of.find("total").map(|total| row(&total)),
    })
}

fn row<V: Value>(of: &Reader<'_, V>) -> Row {
    Row {
        key: of.at("key").name(),
        cells: of.at("cells").list(cell),
        empty: of.find("empty").map(|why| why.text()),
    }
}

fn cell<V: Value>(of: &Reader<'_, V>) -> Cell {
    Cell {
        text: of.at("text").text(),
        title: of.at("title").text(),
        small: of.find("small").map(|small| small.text()),
        grade: grade(of),
        before: of
            .find("before")
            .map(|before| Before { text: before.at("text").text(), grade: grade(&before) }),
        delta: of.find("delta").and_then(|of| delta(&of)),
    }
}

fn delta<V: Value>(of: &Reader<'_, V>) -> Option<Delta> {
    Some(Delta {
        shown: of.at("shown").one_of(&Shown::ALL, Shown::key)?,
        text: of.at("text").text(),
        interval: of.at("interval").text(),
    })
}

fn grade<V: Value>(of: &Reader<'_, V>) -> Option<Grade> {
    of.find("grade").and_then(|grade| grade.one_of(&Grade::ALL, Grade::letter))
}

#[cfg(test)]
mod tests {
    use shared::compare::Comparer;
    use shared::id::{EstimatorId, SnapshotId};

    use super::*;
    use crate::testing;
    use crate::views::overview::model::compare::Compared;

    #[test]
    fn every_reply_of_the_worker_is_understood() {
        let id = || SnapshotId::new("a").unwrap();
        let checked = |check| Reply::Checked { id: id(), check };
        let question = Question {
            a: id(),
            b: id(),
            estimator: EstimatorId::new("sim").unwrap(),
            tier: Tier::All,
            by: GroupBy::Family,
        };
        let (a, b) = (testing::mixed(), testing::mixed());
        let comparer = Comparer::new(&a, &b);
        let views = Metric::ALL.map(|metric| comparer.view(&question.estimator, metric));
        let compared = Compared::open(&a, &comparer, &views, &question);
        for reply in [
            Reply::Ready,
            checked(Check::Waiting),
            checked(Check::Running { done: 1, of: 2 }),
            checked(Check::Verified { figures: 3 }),
            checked(Check::Differs("one".to_owned())),
            checked(Check::Failed("two".to_owned())),
            Reply::Compared(compared.say()),
            Reply::Compared(Comparison::refused(question, "three".to_owned())),
        ] {
            assert_eq!(read(serde_json::to_value(&reply).unwrap()), Ok(reply));
        }
    }

    #[test]
    fn a_worker_that_did_not_start_says_why() {
        assert_eq!(read(serde_json::json!({ "Stopped": "no memory" })), Err("no memory".to_owned()));
    }

    #[test]
    fn every_word_for_a_difference_is_understood() {
        let written = serde_json::to_value(Shown::ALL).unwrap();
        assert_eq!(written, serde_json::json!(Shown::ALL.map(Shown::key)));
    }
}
