use shared::id::{EstimatorId, SnapshotId};
use shared::tier::Tier;

use super::*;
use crate::testing;
use crate::views::overview::model::cell::Row;
use crate::views::overview::model::lead::Piece;
use crate::views::overview::model::shown::Shown;

const RIGHT: testing::Ratios = [Some(1.0); 3];

fn question(tier: Tier) -> Question {
    let id = |text| SnapshotId::new(text).unwrap();
    Question {
        a: id("a"),
        b: id("b"),
        estimator: EstimatorId::new("sim").unwrap(),
        tier,
        by: GroupBy::Family,
    }
}

/// Six sweeps of one family and one of another; the simulator is off by these ratios.
fn snapshot(llama: [f64; 6], kimi: testing::Ratios) -> Summary {
    let sweeps = ('0'..='5').zip(llama);
    let mut sweeps: Vec<_> =
        sweeps.map(|(id, by)| testing::sweep(id, "llama", "PARTIAL", [Some(by); 3], RIGHT)).collect();
    sweeps.push(testing::sweep('6', "kimi", "PARTIAL", kimi, RIGHT));
    testing::summary(sweeps)
}

/// Both compared in the tier, with intervals.
fn judged(a: &Summary, b: &Summary, tier: Tier) -> Comparison {
    let comparer = Comparer::new(a, b);
    let question = question(tier);
    let views = Metric::ALL.map(|metric| comparer.view(&question.estimator, metric));
    let mut opened = Compared::open(a, &comparer, &views, &question);
    for (view, rows) in views.iter().zip(&mut opened.rows) {
        for row in rows.iter_mut() {
            *row = view.row(&row.of, true);
        }
    }
    opened.say()
}

fn open(a: &Summary, b: &Summary) -> Comparison {
    let comparer = Comparer::new(a, b);
    let question = question(Tier::All);
    let views = Metric::ALL.map(|metric| comparer.view(&question.estimator, metric));
    Compared::open(a, &comparer, &views, &question).say()
}

fn deltas(row: &Row) -> Vec<(String, Shown)> {
    row.cells.iter().filter_map(|cell| cell.delta.clone()).map(|delta| (delta.text, delta.shown)).collect()
}

fn text(compared: &Comparison) -> String {
    let text = |piece| match piece {
        Piece::Text(text) | Piece::Figure(text) => text,
    };
    compared.answer.iter().cloned().map(text).collect()
}

#[test]
fn every_cell_shows_both_values_and_their_difference_in_words() {
    let a = snapshot([1.3, 1.3, 1.3, 1.3, 1.3, 1.3], [Some(1.5); 3]);
    let b = snapshot([1.2, 1.2, 1.2, 1.2, 1.2, 1.1], [Some(1.5), Some(1.5), None]);
    let compared = judged(&a, &b, Tier::All);
    let tpot = &compared.tables[0];
    let [kimi, llama] = &tpot.rows[..] else { panic!("two families") };
    let mape = &llama.cells[3];
    assert_eq!((mape.before.as_ref().unwrap().text.as_str(), mape.text.as_str()), ("30.0", "18.3"));
    assert_eq!(deltas(llama)[1], ("▼ −11.7".to_owned(), Shown::Better));
    assert_eq!(deltas(llama)[0].1, Shown::Moved, "a signed mean is neither better nor worse");
    assert!(mape.delta.as_ref().unwrap().interval.contains(" to "));
    assert!(mape.title.contains("over 18 points in 6 sweeps that both scored"), "{}", mape.title);
    // One sweep says nothing of chance, and both values are over the points that both scored.
    assert_eq!(kimi.cells[1].text, "2");
    assert_eq!(kimi.cells[1].small.as_deref(), Some("A 3 · B 2"));
    assert_eq!(deltas(kimi)[1], ("= 0.0".to_owned(), Shown::Same));
    assert_eq!(compared.line, "1 newly failing · 0 newly scored · 0 only in A · 0 only in B");
    assert!(compared.lists[0].lines[0].ends_with("c = 64: timeout: 900 s"));
}

#[test]
fn the_sentence_says_the_words_of_the_table_and_hides_no_group() {
    let a = snapshot([1.3; 6], [Some(1.2); 3]);
    let b = snapshot([1.2, 1.2, 1.2, 1.2, 1.2, 1.1], [Some(1.9); 3]);
    let compared = judged(&a, &b, Tier::All);
    let tpot = &compared.tables[0];
    let total = tpot.total.as_ref().unwrap();
    let (delta, shown) = deltas(total)[1].clone();
    let text = text(&compared);
    assert!(text.contains(&format!("({delta}, {})", shown.word())), "{text}");
    assert!(
        text.contains("Of 2 groups by family, in MAPE or shape, TPOT is better in 1 and worse in none;"),
        "{text}"
    );
    assert_eq!(deltas(&tpot.rows[0])[1].1, Shown::Unsure, "one sweep is too few to call it worse");
}

#[test]
fn a_run_against_itself_is_the_same_everywhere() {
    let a = snapshot([1.3, 1.1, 0.9, 1.0, 1.4, 1.2], RIGHT);
    let compared = judged(&a, &a, Tier::All);
    let shown: Vec<(String, Shown)> = compared.tables[0].rows.iter().flat_map(deltas).collect();
    assert!(shown.iter().all(|shown| *shown == ("= 0.0".to_owned(), Shown::Same)), "{shown:?}");
    assert!(text(&compared).contains("stays at 15.7 % (= 0.0, same)"), "{}", text(&compared));
}

#[test]
fn before_it_is_judged_a_difference_has_no_colour_and_the_sentence_no_tally() {
    let a = snapshot([1.3; 6], RIGHT);
    let b = snapshot([1.2; 6], RIGHT);
    let compared = open(&a, &b);
    assert_eq!(deltas(&compared.tables[0].rows[1])[1].1, Shown::Open);
    let text = text(&compared);
    assert!(text.contains("being judged") && text.ends_with("still being compared with chance."), "{text}");
}

#[test]
fn a_difference_too_small_to_show_is_not_called_better() {
    let a = snapshot([1.3; 6], RIGHT);
    let b = snapshot([1.2999; 6], RIGHT);
    let compared = judged(&a, &b, Tier::All);
    assert_eq!(deltas(&compared.tables[0].rows[1])[1], ("= 0.0".to_owned(), Shown::Tiny));
}

#[test]
fn other_rules_or_a_missing_estimator_are_an_obstacle() {
    let a = snapshot([1.3; 6], RIGHT);
    let mut b = snapshot([1.2; 6], RIGHT);
    b.simulators.retain(|simulator| simulator.id.as_str() != "sim");
    let compared = open(&a, &b);
    assert!(compared.obstacle.clone().unwrap().contains("B has no estimator “sim”"));
    assert_eq!(compared.tables, []);
    b.rules.digest = shared::digest::Digest::of_bytes(b"other");
    let compared = open(&a, &b);
    assert!(text(&compared).contains("different scoring rules"), "{}", text(&compared));
}

#[test]
fn a_group_without_common_points_says_so() {
    let a = snapshot([1.3; 6], RIGHT);
    let b = snapshot([1.3; 6], [None; 3]);
    let compared = judged(&a, &b, Tier::All);
    let tpot = &compared.tables[0];
    assert_eq!(tpot.rows[0].empty.as_deref(), Some("no point that both runs scored: A 3, B 0"));
    let strict = judged(&a, &b, Tier::Strict);
    let tpot = &strict.tables[0];
    assert!(tpot.rows[0].empty.as_deref().unwrap().starts_with("neither run has a scored point"));
    assert!(text(&strict).starts_with("No point of this tier was scored by both"));
}
