use std::rc::Rc;
use std::sync::Arc;

use proptest::prelude::*;
use shared::compare::{Comparer, Row};
use shared::id::{EstimatorId, SnapshotId};
use shared::metric::Metric;
use shared::summary::GroupBy;
use shared::tier::Tier;

use super::*;
use crate::message::Question;
use crate::testing;
use crate::views::export::model::Sheet;
use crate::views::grid::model::{Grid, Line};
use crate::views::overview::model::compare::Compared;
use crate::views::overview::model::lead::Piece;
use crate::views::scene::Links;

const RIGHT: testing::Ratios = [Some(1.0); 3];

fn sim() -> EstimatorId {
    EstimatorId::new("sim").unwrap()
}

/// Both compared with intervals, all tiers, by family.
fn judged(a: &Summary, b: &Summary) -> Compared {
    let id = |text| SnapshotId::new(text).unwrap();
    let question =
        Question { a: id("a"), b: id("b"), estimator: sim(), tier: Tier::All, by: GroupBy::Family };
    let comparer = Comparer::new(a, b);
    let views = Metric::ALL.map(|metric| comparer.view(&question.estimator, metric));
    let mut compared = Compared::open(a, &comparer, &views, &question);
    for (view, rows) in views.iter().zip(&mut compared.rows) {
        for row in rows.iter_mut() {
            *row = view.row(&row.of, true);
        }
    }
    compared
}

/// Six sweeps of llama and six of kimi, off by these ratios.
fn snapshot(llama: f64, kimi: f64) -> Summary {
    let sweeps = ('0'..='9').chain('a'..='b').enumerate().map(|(place, id)| {
        let (family, by) = if place < 6 { ("llama", llama) } else { ("kimi", kimi) };
        let by = by + place as f64 / 1000.0;
        testing::sweep(id, family, "PARTIAL", [Some(by); 3], RIGHT)
    });
    testing::summary(sweeps.collect())
}

fn names(grid: &Grid) -> Vec<&str> {
    grid.rows.iter().map(|line| line.name.as_str()).collect()
}

fn delta(line: &Line, column: usize) -> Option<(String, Shown)> {
    line.cells[column].cell.delta.as_ref().map(|delta| (delta.text.clone(), delta.shown))
}

#[test]
fn the_greatest_difference_stands_first_and_rows_can_be_narrowed_to_regressions() {
    let compared = judged(&snapshot(1.1, 1.1), &snapshot(1.2, 1.05));
    let grid = |only, order| groups::changes(&compared, Metric::Tpot, only, order);
    assert_eq!(names(&grid(Only::All, Order::Size)), ["llama", "kimi"]);
    assert_eq!(names(&grid(Only::All, Order::Name)), ["kimi", "llama"]);
    assert_eq!(names(&grid(Only::Worse, Order::Size)), ["llama"]);
    assert_eq!(names(&grid(Only::Better, Order::Size)), ["kimi"]);
    assert_eq!(delta(&grid(Only::Worse, Order::Size).rows[0], 1).unwrap().1, Shown::Worse);
    assert_eq!(grid(Only::Better, Order::Size).total.unwrap().name, "Total");
}

#[test]
fn the_parts_of_a_change_add_up_to_the_change_of_the_whole_runs() {
    let (a, mut b) = (snapshot(1.1, 1.1), snapshot(1.2, 1.1));
    // Measured again: the first point took twice as long.
    let point = &mut b.sweeps[0].points[0];
    point.tpot_ms = shared::millis::Millis::new(point.tpot_ms.get() * 2.0).unwrap();
    let compared = judged(&a, &b);
    for row in compared.groups(Metric::Tpot).chain(compared.total(Metric::Tpot)) {
        for change in [&row.mape, &row.shape] {
            let why = change.why.unwrap();
            assert!((why.simulator + why.remeasured + why.coverage - why.total).abs() < 1e-9);
            assert!((change.all_b.unwrap() - change.all_a.unwrap() - why.total).abs() < 1e-9);
        }
    }
    let grid = groups::parts(&compared, Metric::Tpot, Only::All, Order::Name);
    let texts: Vec<&str> = grid.rows[0].cells[..4].iter().map(|item| item.cell.text.as_str()).collect();
    assert_eq!(texts, ["0.0", "0.0", "0.0", "0.0"], "nothing changed for kimi");
    assert_ne!(grid.rows[1].cells[1].cell.text, "0.0", "llama was measured again");
}

#[test]
fn sweeps_lead_down_to_the_points_that_differ() {
    let (a, b) = (snapshot(1.1, 1.1), snapshot(1.2, 1.1));
    let comparer = Comparer::new(&a, &b);
    let found = Metric::ALL.into_iter().flat_map(|metric| comparer.view(&sim(), metric).sweeps());
    let found: Vec<_> = found.map(Arc::new).collect();
    let differences = |only| sweeps::differences(&found, Tier::All, only, Order::Size);
    let links: Links = Rc::new(|id| format!("?sweep={id}"));
    let all = differences(Only::All);
    assert_eq!(all.len(), 12, "six sweeps in two metrics");
    let points = sweeps::points(&all[0]).rows;
    assert_eq!(points.len(), 3);
    assert_eq!(points[1].name, "8");
    assert_eq!(points[1].cells[2].cell.text, "▲ +10.0");
    let table = sweeps::table(&all, Only::All, &links);
    let sheet = Sheet::of(&table);
    let place = sheet.columns.iter().position(|column| column.name == "MAPE, run A").unwrap();
    assert_eq!(sheet.rows[0][place..place + 3], ["10.2", "20.2", "▲ +10.0"], "each figure has its column");
    assert!(table.rows[0].link.as_deref().unwrap().starts_with("?sweep="));
    assert_eq!(differences(Only::Worse).len(), 12);
    assert_eq!(differences(Only::Better), []);
    let strict = sweeps::differences(&found, Tier::Strict, Only::All, Order::Size);
    assert_eq!(strict, []);
}

#[test]
fn what_only_one_run_scored_or_has_is_listed_by_reason() {
    let a = snapshot(1.1, 1.1);
    let mut b = snapshot(1.1, 1.1);
    b.sweeps.remove(11);
    b.sweeps[3].points.remove(0);
    b.sweeps[0] = testing::sweep('0', "llama", "PARTIAL", [None, Some(1.0), None], RIGHT);
    b.sweeps[1] = testing::sweep('1', "llama", "PARTIAL", [None, Some(1.0), Some(1.0)], RIGHT);
    let compared = judged(&a, &b);
    let [failing, scored, only_a, only_b] = lists::all(compared.lists(), Tier::All);
    assert_eq!(failing.title, "Newly failing: 3 points");
    assert_eq!(failing.losses.len(), 1, "the reason is said once");
    assert_eq!((failing.losses[0].reason.as_str(), failing.losses[0].detail.as_str()), ("timeout", "900 s"));
    assert_eq!(failing.losses[0].places[0].points, "c\u{a0}=\u{a0}1, 64");
    assert_eq!(scored.title, "Newly scored: 0 points");
    assert_eq!(only_a.title, "Only in A: 4 points");
    let reasons: Vec<&str> = only_a.losses.iter().map(|loss| loss.reason.as_str()).collect();
    assert_eq!(reasons, ["B does not have the sweep", "B has other concurrencies of the sweep"]);
    assert_eq!(only_b.losses, []);
    let [strict, ..] = lists::all(compared.lists(), Tier::Strict);
    assert_eq!(strict.losses, []);
}

#[test]
fn the_rules_that_differ_are_named() {
    let a = snapshot(1.1, 1.1);
    let mut b = a.clone();
    b.rules.rules.spike_factor = 12.0;
    b.grading.a = 5.0;
    assert_eq!(rules_that_differ(&a, &a), [] as [String; 0]);
    let mut named = rules_that_differ(&a, &b);
    named.sort();
    assert_eq!(named, ["grading.a: 10.0 in A, 5.0 in B", "spike_factor: 10.0 in A, 12.0 in B"]);
}

/// The word of a difference in a sentence, and whether the sentence calls it better or worse.
fn sentence(compared: &Compared) -> String {
    let text = |piece| match piece {
        Piece::Text(text) | Piece::Figure(text) => text,
    };
    compared.answer().into_iter().map(text).collect()
}

fn snapshots() -> impl Strategy<Value = Summary> {
    let ratio = || prop::option::weighted(0.85, prop::sample::select(vec![0.5, 0.9, 1.0, 1.1, 1.3, 2.0]));
    let family = prop::sample::select(vec!["kimi", "llama"]);
    prop::collection::vec((family, prop::array::uniform3(ratio())), 1..16).prop_map(|sweeps| {
        let ids = ('0'..='9').chain('a'..='f');
        let sweeps = ids
            .zip(sweeps)
            .map(|(id, (family, ratios))| testing::sweep(id, family, "PARTIAL", ratios, RIGHT));
        testing::summary(sweeps.collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_sentence_never_contradicts_the_tables(a in snapshots(), b in snapshots()) {
        let compared = judged(&a, &b);
        let text = sentence(&compared);
        let total = |metric| groups::changes(&compared, metric, Only::All, Order::Size).total.unwrap();
        if compared.obstacle().is_some() || compared.total(Metric::Tpot).is_none_or(|row: &Row| row.common.points == 0) {
            prop_assert!(!text.contains("better") && !text.contains("worse"), "{text}");
            return Ok(());
        }
        for metric in Metric::ALL {
            let (delta, shown) = delta(&total(metric), 1).unwrap();
            let word = if shown == Shown::Unsure { "too few sweeps to judge" } else { shown.word() };
            let said = format!("({delta}, {word})");
            prop_assert!(text.contains(&said), "{}: {} is not in: {}", metric.name(), said, text);
            // What the tally says is how many rows the filters leave.
            let count = |only| {
                let rows = groups::changes(&compared, metric, only, Order::Size).rows.len();
                assert_eq!(groups::count(&compared, metric, only), rows);
                if rows == 0 { "none".to_owned() } else { rows.to_string() }
            };
            let tally = format!("{} is better in {} and worse in {}", metric.name(), count(Only::Better), count(Only::Worse));
            prop_assert!(text.contains(&tally), "{} is not in: {}", tally, text);
        }
    }

    #[test]
    fn swapping_the_runs_turns_every_difference_around(a in snapshots(), b in snapshots()) {
        let (one, other) = (judged(&a, &b), judged(&b, &a));
        for metric in Metric::ALL {
            let grid = |compared| groups::parts(compared, metric, Only::All, Order::Name);
            let (one, other) = (grid(&one), grid(&other));
            prop_assert_eq!(names(&one), names(&other));
            for (line, mirror) in one.rows.iter().zip(&other.rows) {
                for (item, mirror) in line.cells.iter().zip(&mirror.cells) {
                    let turned = mirror.cell.text.replace('−', "?").replace('+', "−").replace('?', "+");
                    prop_assert_eq!(&item.cell.text, &turned);
                }
            }
        }
    }
}
