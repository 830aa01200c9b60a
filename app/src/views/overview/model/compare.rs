//! Two runs side by side: which figures are asked of `shared::compare`, and how its answers are shown.
//!
//! The figures come first without, then with their intervals: only then can a difference be told from
//! noise. The table and the sentence above it take the same words from [`Shown`], so that they never
//! contradict each other.

use shared::compare::{Change, Comparer, Judgement, Lists, Row as Figures};
use shared::format;
use shared::grade;
use shared::id::{EstimatorId, SnapshotId};
use shared::metric::Metric;
use shared::summary::{AggregateKey, GroupBy, Summary};
use shared::tier::Tier;

use super::choice::tier_name;
use super::lead::Piece;
use super::table::{Before, Cell, Column, Delta, Row, Table};
use super::typeset;

/// Which points are compared, and how they are grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The estimator, the same in both runs.
    pub estimator: EstimatorId,
    /// The tier.
    pub tier: Tier,
    /// What the rows stand for.
    pub by: GroupBy,
}

/// What is known of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The two runs.
    pub runs: [SnapshotId; 2],
    /// What was compared of them.
    pub subject: Subject,
    /// Why nothing is compared; then there are no rows.
    pub obstacle: Option<String>,
    /// What went into the runs that differs, in sentences.
    pub facts: Vec<String>,
    /// The groups and the total, for TPOT and TTFT.
    pub rows: [Vec<Figures>; 2],
    /// The points that only one run scored or has, for the estimator.
    pub lists: Lists,
}

impl Compared {
    /// Everything but the rows.
    pub fn begin(a: &Summary, b: &Summary, comparer: &Comparer<'_>, subject: &Subject) -> Self {
        let mut lists = comparer.lists();
        lists.newly_failing.retain(|point| point.estimator == subject.estimator);
        lists.newly_scored.retain(|point| point.estimator == subject.estimator);
        let obstacle = comparer.comparability().sentence().or_else(|| {
            let shared = comparer.estimators().contains(&subject.estimator);
            (!shared).then(|| {
                format!(
                    "B has no estimator “{}”, so nothing is compared. Choose another one.",
                    subject.estimator
                )
            })
        });
        Self {
            runs: [a.run.id.clone(), b.run.id.clone()],
            subject: subject.clone(),
            obstacle,
            facts: comparer.facts().sentences(),
            rows: [Vec::new(), Vec::new()],
            lists,
        }
    }

    /// Everything, without intervals: nothing is judged yet.
    pub fn open(a: &Summary, b: &Summary, subject: &Subject) -> Self {
        let comparer = Comparer::new(a, b);
        let mut answer = Self::begin(a, b, &comparer, subject);
        if answer.obstacle.is_none() {
            answer.rows = Metric::ALL.map(|metric| {
                let view = comparer.view(&subject.estimator, metric);
                subject.keys(&view.keys()).map(|key| view.row(key, false)).collect()
            });
        }
        answer
    }

    /// Whether this is the same question, whatever is known of its answer.
    pub fn asks_like(&self, other: &Self) -> bool {
        self.runs == other.runs && self.subject == other.subject
    }

    /// The row of everything.
    fn total(&self, metric: Metric) -> Option<&Figures> {
        self.rows_of(metric).iter().find(|row| row.of.by == GroupBy::All)
    }

    fn groups(&self, metric: Metric) -> impl Iterator<Item = &Figures> {
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

impl Subject {
    /// The keys of the table's rows among all keys.
    pub fn keys<'k>(&self, keys: &'k [AggregateKey]) -> impl Iterator<Item = &'k AggregateKey> {
        let Self { tier, by, .. } = *self;
        keys.iter().filter(move |key| key.tier == tier && (key.by == by || key.by == GroupBy::All))
    }
}

/// A difference in the words that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// B's error is smaller, beyond noise.
    Better,
    /// B's error is greater, beyond noise.
    Worse,
    /// A signed error moved beyond noise.
    Moved,
    /// It moved beyond noise, by less than is shown.
    Tiny,
    /// Every sweep says the same.
    Same,
    /// It may be chance.
    Noise,
    /// Too few sweeps to tell.
    Unsure,
    /// It is being worked out.
    Open,
    /// There is none.
    Absent,
}

impl Shown {
    /// What is shown of a change.
    pub fn of(change: &Change) -> Self {
        let rounds_to_zero = format::arrow(change.delta) == Some('=');
        match change.judgement {
            Judgement::Better | Judgement::Worse | Judgement::Changed if rounds_to_zero => Self::Tiny,
            Judgement::Better => Self::Better,
            Judgement::Worse => Self::Worse,
            Judgement::Changed => Self::Moved,
            Judgement::Same => Self::Same,
            Judgement::Noise => Self::Noise,
            Judgement::Unsure => Self::Unsure,
            Judgement::Open => Self::Open,
            Judgement::Absent => Self::Absent,
        }
    }

    /// The word under the difference.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Moved => "moved",
            Self::Tiny => "under 0.05",
            Self::Same => "same",
            Self::Noise => "within noise",
            Self::Unsure => "few sweeps",
            Self::Open => "…",
            Self::Absent => "",
        }
    }

    /// What the word means.
    fn meaning(self) -> &'static str {
        match self {
            Self::Better => "smaller in B, beyond noise",
            Self::Worse => "greater in B, beyond noise",
            Self::Moved => "moved beyond noise, which is neither better nor worse by itself",
            Self::Tiny => "moved beyond noise, by less than one decimal shows",
            Self::Same => "every common sweep has the same value in both runs",
            Self::Noise => "the 95 % interval of the difference contains 0: it may be chance",
            Self::Unsure => "too few common sweeps to tell a difference from chance",
            Self::Open => "being compared with chance",
            Self::Absent => "no common points",
        }
    }
}

/// Both tables; `intervals` adds those of the differences.
pub fn tables(compared: &Compared, summary: &Summary, intervals: bool) -> [Table; 2] {
    let row = |figures: &Figures| row(figures, compared, summary, intervals);
    Metric::ALL.map(|metric| Table {
        metric,
        rows: compared.groups(metric).map(row).collect(),
        total: compared.total(metric).map(row),
    })
}

fn row(figures: &Figures, compared: &Compared, summary: &Summary, intervals: bool) -> Row {
    let cells = Column::ALL.into_iter().map(|column| cell(column, figures, summary, intervals)).collect();
    let empty = (figures.common.points == 0).then(|| {
        if figures.all_a.points == 0 && figures.all_b.points == 0 {
            format!("neither run has a scored point in “{}”", tier_name(compared.subject.tier))
        } else {
            format!(
                "no point that both runs scored: A {}, B {}",
                format::count(figures.all_a.points),
                format::count(figures.all_b.points)
            )
        }
    });
    Row { key: figures.of.key.clone(), cells, empty }
}

fn cell(column: Column, figures: &Figures, summary: &Summary, intervals: bool) -> Cell {
    let (common, a, b) = (figures.common, figures.all_a, figures.all_b);
    let count = |common: u64, a: u64, b: u64| Cell {
        text: format::count(common),
        title: format!(
            "{} in both; A has {}, B has {}",
            format::count(common),
            format::count(a),
            format::count(b)
        ),
        small: (a != common || b != common)
            .then(|| format!("A {} · B {}", format::count(a), format::count(b))),
        ..Cell::default()
    };
    let over_points = || {
        let (points, sweeps) =
            (format::counted(common.points, "point"), format::counted(common.sweeps, "sweep"));
        format!("over {points} in {sweeps} that both scored")
    };
    let over = |n: u64, noun: &str| format!("over {} that both scored", format::counted(n, noun));
    match column {
        Column::Sweeps => count(common.sweeps, a.sweeps, b.sweeps),
        Column::Points => count(common.points, a.points, b.points),
        Column::ShapePoints => count(common.shape_points, a.shape_points, b.shape_points),
        Column::Signed => figure(column, &figures.signed_mean, &over_points(), intervals),
        Column::Mape => figure(column, &figures.mape, &over_points(), intervals),
        Column::Shape => figure(column, &figures.shape, &over(common.shape_points, "point"), intervals),
        Column::AtLowest => figure(column, &figures.at_lowest, &over(common.sweeps, "sweep"), intervals),
        Column::AtHighest => figure(column, &figures.at_highest, &over(common.sweeps, "sweep"), intervals),
        Column::Grade => grades(&figures.mape, summary),
    }
}

/// A figure of A, of B, and their difference.
fn figure(column: Column, change: &Change, over: &str, intervals: bool) -> Cell {
    let is_error = matches!(column, Column::Mape | Column::Shape);
    let text =
        |value| typeset(&if is_error { format::percent(value) } else { format::signed_percent(value) });
    let shown = Shown::of(change);
    let delta = (shown != Shown::Absent).then(|| Delta {
        text: typeset(&format::points_with_arrow(change.delta)),
        shown,
        interval: intervals.then(|| match (change.interval, shown) {
            // Takes the room of the interval that is about to come.
            (None, Shown::Open) => "…".to_owned(),
            (interval, _) => typeset(&format::signed_interval(interval)),
        }),
    });
    Cell {
        before: Some(Before { text: text(change.a), grade: None }),
        text: text(change.b),
        title: title(column, change, shown, over),
        delta,
        ..Cell::default()
    }
}

/// The change in full, and where the difference of the two whole runs comes from.
fn title(column: Column, change: &Change, shown: Shown, over: &str) -> String {
    let full = |value| typeset(&format::full(value));
    let difference = format!(
        "{} A {} %, B {} %, difference {} percentage points {over}: {}",
        column.name(),
        full(change.a),
        full(change.b),
        full(change.delta),
        shown.meaning(),
    );
    let Some(why) = change.why else { return difference };
    let part = |value| typeset(&format::points(Some(value)));
    format!(
        "{difference}. All of A against all of B {}: simulator {}, measured again {}, coverage {}",
        part(why.total),
        part(why.simulator),
        part(why.remeasured),
        part(why.coverage)
    )
}

fn grades(mape: &Change, summary: &Summary) -> Cell {
    let of = |value: Option<f64>| value.map(|value| grade::of(value, &summary.grading));
    let letter = |grade: Option<shared::summary::Grade>| {
        grade.map_or_else(|| format::NONE.to_owned(), |grade| grade.letter().to_owned())
    };
    let (a, b) = (of(mape.a), of(mape.b));
    Cell {
        before: Some(Before { text: letter(a), grade: a }),
        text: letter(b),
        title: format!("Grade of the MAPE over the common points: A {}, B {}", letter(a), letter(b)),
        grade: b,
        ..Cell::default()
    }
}

/// What the comparison says on the whole, from the same words as the table.
pub fn answer(compared: &Compared) -> Vec<Piece> {
    if let Some(obstacle) = &compared.obstacle {
        return vec![Piece::Text(obstacle.clone())];
    }
    let (Some(tpot), Some(ttft)) = (compared.total(Metric::Tpot), compared.total(Metric::Ttft)) else {
        return Vec::new();
    };
    if tpot.common.points == 0 {
        let text = "No point of this tier was scored by both runs, so there is nothing to compare.";
        return vec![Piece::Text(text.to_owned())];
    }
    let mut pieces = vec![Piece::Text(format!(
        "Over {} of {} that both runs scored, the MAPE of TPOT ",
        format::counted(tpot.common.points, "point"),
        format::counted(tpot.common.sweeps, "sweep"),
    ))];
    pieces.extend(moved(&tpot.mape));
    pieces.push(Piece::Text(" and that of TTFT ".to_owned()));
    pieces.extend(moved(&ttft.mape));
    pieces.push(Piece::Text(format!(". {}", tally(compared))));
    pieces
}

/// `goes from 80.8 % to 82.7 % (▲ +1.9, worse)`.
fn moved(mape: &Change) -> [Piece; 3] {
    let (a, b) = (format::percent(mape.a), format::percent(mape.b));
    let word = match Shown::of(mape) {
        Shown::Open => "being judged",
        Shown::Unsure => "too few sweeps to judge",
        shown => shown.word(),
    };
    let start = if a == b { "stays at ".to_owned() } else { format!("goes from {a} % to ") };
    let delta = typeset(&format::points_with_arrow(mape.delta));
    [Piece::Text(start), Piece::Figure(format!("{b} %")), Piece::Text(format!(" ({delta}, {word})"))]
}

/// How many groups moved each way in MAPE or shape, so that a group that got worse is never hidden
/// behind a total that did not.
fn tally(compared: &Compared) -> String {
    let count = |metric: Metric, shown: Shown| {
        let has =
            |row: &&Figures| [&row.mape, &row.shape].into_iter().any(|change| Shown::of(change) == shown);
        compared.groups(metric).filter(has).count() as u64
    };
    let groups = compared.groups(Metric::Tpot).filter(|row| row.common.points > 0).count() as u64;
    let groups = format!("Of {} by {}", format::counted(groups, "group"), compared.subject.by.name());
    if Metric::ALL.into_iter().any(|metric| count(metric, Shown::Open) > 0) {
        return format!("{groups}, each is still being compared with chance.");
    }
    let some = |count: u64| if count == 0 { "none".to_owned() } else { format::count(count) };
    let [tpot, ttft] = Metric::ALL.map(|metric| {
        let (better, worse) = (some(count(metric, Shown::Better)), some(count(metric, Shown::Worse)));
        format!("{} is better in {better} and worse in {worse}", metric.name())
    });
    format!("{groups}, in MAPE or shape, {tpot}; {ttft}.")
}

/// The line of what only one run scored or has.
pub fn line(compared: &Compared) -> String {
    let lists = &compared.lists;
    let in_points = |sides: &[shared::compare::OneSided]| {
        format::count(sides.iter().map(|side| side.concurrencies.len() as u64).sum())
    };
    format!(
        "{} newly failing · {} newly scored · {} only in A · {} only in B",
        format::count(lists.newly_failing.len() as u64),
        format::count(lists.newly_scored.len() as u64),
        in_points(&lists.only_in_a),
        in_points(&lists.only_in_b),
    )
}

/// What only one run scored or has, by list: its title and a line a point or sweep.
pub fn lists(compared: &Compared) -> Vec<(&'static str, Vec<String>)> {
    let statuses = |points: &[shared::compare::PointStatus]| {
        let line = |point: &shared::compare::PointStatus| {
            let why = point.why.as_ref().map_or("no outcome".to_owned(), |why| {
                let reason = why.reason.key().replace('_', " ");
                if why.detail.is_empty() { reason } else { format!("{reason}: {}", why.detail) }
            });
            format!("{}, c = {}: {why}", point.title, point.concurrency)
        };
        points.iter().map(line).collect()
    };
    let sides = |sides: &[shared::compare::OneSided]| {
        let line = |side: &shared::compare::OneSided| {
            let concurrencies: Vec<String> = side.concurrencies.iter().map(ToString::to_string).collect();
            format!("{}, c = {}", side.title, concurrencies.join(", "))
        };
        sides.iter().map(line).collect()
    };
    let lists = &compared.lists;
    let all: [(&str, Vec<String>); 4] = [
        ("Newly failing: scored in A, not in B", statuses(&lists.newly_failing)),
        ("Newly scored: in B, not in A", statuses(&lists.newly_scored)),
        ("Only in A", sides(&lists.only_in_a)),
        ("Only in B", sides(&lists.only_in_b)),
    ];
    all.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    const RIGHT: testing::Ratios = [Some(1.0); 3];

    fn subject(tier: Tier) -> Subject {
        Subject { estimator: EstimatorId::new("sim").unwrap(), tier, by: GroupBy::Family }
    }

    /// Six sweeps of one family and one of another; the simulator is off by these ratios.
    fn snapshot(llama: [f64; 6], kimi: testing::Ratios) -> Summary {
        let sweeps = ('0'..='5').zip(llama);
        let mut sweeps: Vec<_> =
            sweeps.map(|(id, by)| testing::sweep(id, "llama", "PARTIAL", [Some(by); 3], RIGHT)).collect();
        sweeps.push(testing::sweep('6', "kimi", "PARTIAL", kimi, RIGHT));
        testing::summary(sweeps)
    }

    fn judged(a: &Summary, b: &Summary, subject: &Subject) -> Compared {
        let comparer = Comparer::new(a, b);
        let mut answer = Compared::begin(a, b, &comparer, subject);
        answer.rows = Metric::ALL.map(|metric| {
            let view = comparer.view(&subject.estimator, metric);
            subject.keys(&view.keys()).map(|key| view.row(key, true)).collect()
        });
        answer
    }

    fn deltas(row: &Row) -> Vec<(String, Shown)> {
        row.cells
            .iter()
            .filter_map(|cell| cell.delta.clone())
            .map(|delta| (delta.text, delta.shown))
            .collect()
    }

    fn text(compared: &Compared) -> String {
        let text = |piece| match piece {
            Piece::Text(text) | Piece::Figure(text) => text,
        };
        answer(compared).into_iter().map(text).collect()
    }

    #[test]
    fn every_cell_shows_both_values_and_their_difference_in_words() {
        let a = snapshot([1.3, 1.3, 1.3, 1.3, 1.3, 1.3], [Some(1.5); 3]);
        let b = snapshot([1.2, 1.2, 1.2, 1.2, 1.2, 1.1], [Some(1.5), Some(1.5), None]);
        let compared = judged(&a, &b, &subject(Tier::All));
        let [tpot, _] = tables(&compared, &a, true);
        let [kimi, llama] = &tpot.rows[..] else { panic!("two families") };
        let mape = &llama.cells[3];
        assert_eq!((mape.before.as_ref().unwrap().text.as_str(), mape.text.as_str()), ("30.0", "18.3"));
        assert_eq!(deltas(llama)[1], ("▼ −11.7".to_owned(), Shown::Better));
        assert_eq!(deltas(llama)[0].1, Shown::Moved, "a signed mean is neither better nor worse");
        assert!(mape.delta.as_ref().unwrap().interval.is_some());
        assert!(mape.title.contains("over 18 points in 6 sweeps that both scored"), "{}", mape.title);
        // One sweep says nothing of chance, and both values are over the points that both scored.
        assert_eq!(kimi.cells[1].text, "2");
        assert_eq!(kimi.cells[1].small.as_deref(), Some("A 3 · B 2"));
        assert_eq!(deltas(kimi)[1], ("= 0.0".to_owned(), Shown::Same));
        assert_eq!(line(&compared), "1 newly failing · 0 newly scored · 0 only in A · 0 only in B");
        assert!(lists(&compared)[0].1[0].ends_with("c = 64: timeout: 900 s"));
    }

    #[test]
    fn the_sentence_says_the_words_of_the_table_and_hides_no_group() {
        let a = snapshot([1.3; 6], [Some(1.2); 3]);
        let b = snapshot([1.2, 1.2, 1.2, 1.2, 1.2, 1.1], [Some(1.9); 3]);
        let compared = judged(&a, &b, &subject(Tier::All));
        let [tpot, _] = tables(&compared, &a, false);
        let total = tpot.total.unwrap();
        let (delta, shown) = deltas(&total)[1].clone();
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
        let compared = judged(&a, &a, &subject(Tier::All));
        let shown: Vec<(String, Shown)> =
            tables(&compared, &a, false)[0].rows.iter().flat_map(deltas).collect();
        assert!(shown.iter().all(|shown| *shown == ("= 0.0".to_owned(), Shown::Same)), "{shown:?}");
        assert!(text(&compared).contains("stays at 15.7 % (= 0.0, same)"), "{}", text(&compared));
    }

    #[test]
    fn before_it_is_judged_a_difference_has_no_colour_and_the_sentence_no_tally() {
        let a = snapshot([1.3; 6], RIGHT);
        let b = snapshot([1.2; 6], RIGHT);
        let compared = Compared::open(&a, &b, &subject(Tier::All));
        assert_eq!(deltas(&tables(&compared, &a, false)[0].rows[1])[1].1, Shown::Open);
        let text = text(&compared);
        assert!(
            text.contains("being judged") && text.ends_with("still being compared with chance."),
            "{text}"
        );
    }

    #[test]
    fn a_difference_too_small_to_show_is_not_called_better() {
        let a = snapshot([1.3; 6], RIGHT);
        let b = snapshot([1.2999; 6], RIGHT);
        let compared = judged(&a, &b, &subject(Tier::All));
        assert_eq!(deltas(&tables(&compared, &a, false)[0].rows[1])[1], ("= 0.0".to_owned(), Shown::Tiny));
    }

    #[test]
    fn other_rules_or_a_missing_estimator_are_an_obstacle() {
        let a = snapshot([1.3; 6], RIGHT);
        let mut b = snapshot([1.2; 6], RIGHT);
        b.simulators.retain(|simulator| simulator.id.as_str() != "sim");
        let compared = Compared::open(&a, &b, &subject(Tier::All));
        assert!(compared.obstacle.clone().unwrap().contains("B has no estimator “sim”"));
        assert_eq!(compared.rows, [vec![], vec![]]);
        b.rules.digest = shared::digest::Digest::of_bytes(b"other");
        let compared = Compared::open(&a, &b, &subject(Tier::All));
        assert!(text(&compared).contains("different scoring rules"), "{}", text(&compared));
    }

    #[test]
    fn a_group_without_common_points_says_so() {
        let a = snapshot([1.3; 6], RIGHT);
        let b = snapshot([1.3; 6], [None; 3]);
        let compared = judged(&a, &b, &subject(Tier::All));
        let [tpot, _] = tables(&compared, &a, false);
        assert_eq!(tpot.rows[0].empty.as_deref(), Some("no point that both runs scored: A 3, B 0"));
        let strict = judged(&a, &b, &subject(Tier::Strict));
        let [tpot, _] = tables(&strict, &a, false);
        assert!(tpot.rows[0].empty.as_deref().unwrap().starts_with("neither run has a scored point"));
        assert!(text(&strict).starts_with("No point of this tier was scored by both"));
    }
}
