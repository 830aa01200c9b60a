//! What became of every row and every point, as plain texts: from rows read to points scored.

use std::collections::BTreeMap;

use shared::corpus::SkippedRows;
use shared::format;
use shared::id::EstimatorId;
use shared::outcome::Outcome;
use shared::summary::Summary;
use shared::sweep::{Point, Sweep};

use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name, reason};
use crate::views::losses::model::{LONGEST_DETAIL, Loss, Missing, Place, extent, gather};
use crate::views::overview::model::capitalised;

/// A step on the way from rows to scored points.
struct Step {
    key: String,
    name: String,
    count: u64,
    /// Whether it is what is left, rather than a loss.
    remains: bool,
}

/// The way from rows read to points scored: of one run, or of both side by side.
pub fn way(a: &Summary, b: Option<&Summary>, estimator: &EstimatorId) -> Grid {
    let of_a = steps(a, estimator);
    let of_b = b.map(|b| steps(b, estimator));
    let count_in =
        |steps: &[Step], key: &str| steps.iter().find(|step| step.key == key).map_or(0, |step| step.count);
    let all = merged(&of_a, of_b.as_deref().unwrap_or_default());
    let line = |step: &Step| {
        let item = |count: u64| {
            let text =
                if step.remains { format::count(count) } else { format!("−{}", format::count(count)) };
            let text = if count == 0 && !step.remains { "0".to_owned() } else { text };
            Item::text(text).marked(if step.remains { Mark::Strong } else { Mark::Plain })
        };
        let in_a = count_in(&of_a, &step.key);
        let mut cells = vec![item(in_a)];
        if let Some(of_b) = &of_b {
            let in_b = count_in(of_b, &step.key);
            cells.extend([item(in_b), difference(in_a, in_b)]);
        }
        Line { key: step.key.clone(), name: step.name.clone(), link: None, cells }
    };
    let mut columns = vec![Head::new("step", "Step", "", "From rows read to points scored")];
    if of_b.is_some() {
        columns.extend([
            Head::new("a", "A", "n", "In run A"),
            Head::new("b", "B", "n", "In run B"),
            Head::new("delta", "B − A", "n", "How many more in B"),
        ]);
    } else {
        columns.push(Head::new("a", "Count", "n", "How many"));
    }
    Grid {
        key: "way",
        title: "From rows read to points scored".to_owned(),
        about: format!("estimator {estimator}"),
        columns,
        rows: all.into_iter().map(line).collect(),
        total: None,
    }
}

fn difference(a: u64, b: u64) -> Item {
    let text = match b.cmp(&a) {
        std::cmp::Ordering::Less => format!("−{}", format::count(a - b)),
        std::cmp::Ordering::Equal => "0".to_owned(),
        std::cmp::Ordering::Greater => format!("+{}", format::count(b - a)),
    };
    Item::text(text).marked(if a == b { Mark::Quiet } else { Mark::Plain })
}

/// The steps of A, and after their neighbours those that only B has.
fn merged<'s>(a: &'s [Step], b: &'s [Step]) -> Vec<&'s Step> {
    let mut all: Vec<&Step> = a.iter().collect();
    for (place, step) in b.iter().enumerate() {
        if all.iter().all(|known| known.key != step.key) {
            let before = place.checked_sub(1).and_then(|before| b.get(before));
            let after = before.and_then(|before| all.iter().position(|known| known.key == before.key));
            all.insert(after.map_or(0, |after| after + 1), step);
        }
    }
    all
}

fn steps(summary: &Summary, estimator: &EstimatorId) -> Vec<Step> {
    let coverage = &summary.coverage;
    let step = |key: String, name: String, count, remains| Step { key, name, count, remains };
    let remains = |key: &str, name: &str, count| step(key.to_owned(), name.to_owned(), count, true);
    let mut steps = vec![remains("read", "Rows read", coverage.rows.read())];
    steps.extend(coverage.rows.skipped().iter().map(|skipped| {
        step(
            format!("skipped-{}", skipped.reason),
            format!("skipped: {}", reason(&skipped.reason)),
            skipped.count,
            false,
        )
    }));
    steps.push(remains("kept", "Rows kept", coverage.rows.kept()));
    let repeats = coverage.rows.kept().saturating_sub(coverage.points);
    if repeats > 0 {
        steps.push(step(
            "repeats".to_owned(),
            "averaged with a row of the same point".to_owned(),
            repeats,
            false,
        ));
    }
    steps.push(remains("points", "Measured points", coverage.points));
    if let Some(counts) = coverage.estimators.get(estimator) {
        steps.extend(counts.reasons.iter().map(|(why, count)| {
            step(format!("not-{}", why.key()), format!("not scored: {}", reason(why.key())), *count, false)
        }));
        steps.push(remains("scored", "Points scored", counts.scored));
    }
    steps
}

/// What every estimator made of the points.
pub fn estimators(a: &Summary, b: Option<&Summary>) -> Grid {
    let counts_in = |summary: &Summary, id: &EstimatorId| {
        let counts = summary.coverage.estimators.get(id)?;
        Some((counts.scored, counts.not_scored, summary.coverage.points))
    };
    let simulators = a.simulators.iter().chain(b.into_iter().flat_map(|b| {
        b.simulators.iter().filter(move |simulator| a.simulators.iter().all(|known| known.id != simulator.id))
    }));
    let cells = |counts: Option<(u64, u64, u64)>| match counts {
        Some((scored, not_scored, points)) => {
            let share = (points > 0).then(|| scored as f64 / points as f64);
            [Item::count(scored), Item::count(not_scored), Item::text(format::share(share))]
        }
        None => [(); 3].map(|()| Item::text(format::NONE)),
    };
    let line = |simulator: &shared::outcome::SimulatorIdentity| {
        let of = |summary| cells(counts_in(summary, &simulator.id));
        Line {
            key: simulator.id.to_string(),
            name: name(&simulator.title()),
            link: None,
            cells: std::iter::once(a).chain(b).flat_map(of).collect(),
        }
    };
    let heads = |side: &'static str| {
        let named = |text: &str| if side.is_empty() { capitalised(text) } else { format!("{side}: {text}") };
        let key = side.to_ascii_lowercase();
        [
            Head::new(format!("scored{key}"), named("scored"), "points", "Points with a prediction"),
            Head::new(format!("not-scored{key}"), named("not scored"), "points", "Points without one"),
            Head::new(format!("share{key}"), named("share"), "", "Share of the points with a prediction"),
        ]
    };
    let sides: &[&'static str] = if b.is_some() { &["A", "B"] } else { &[""] };
    Grid {
        key: "by-estimator",
        title: "By estimator".to_owned(),
        about: "each of them has exactly one outcome for every point".to_owned(),
        columns: std::iter::once(Head::new("estimator", "Estimator", "", "Whatever predicts latencies"))
            .chain(sides.iter().flat_map(|side| heads(side)))
            .collect(),
        rows: simulators.map(line).collect(),
        total: None,
    }
}

/// How well the runs behind the sweeps are known.
pub fn verdicts(a: &Summary, b: Option<&Summary>) -> Grid {
    let runs: Vec<&Summary> = std::iter::once(a).chain(b).collect();
    let line = |count: &shared::summary::VerdictCount| {
        let of = |summary: &&Summary| {
            let count = summary.verdicts.iter().find(|other| other.verdict == count.verdict);
            let (sweeps, points) = count.map_or((0, 0), |count| (count.sweeps, count.points));
            [Item::count(sweeps), Item::count(points)]
        };
        Line {
            key: count.verdict.name().to_owned(),
            name: reason(count.verdict.name()),
            link: None,
            cells: runs.iter().flat_map(of).collect(),
        }
    };
    let sides: &[&str] = if b.is_some() { &["A: ", "B: "] } else { &[""] };
    let heads = sides.iter().flat_map(|side| {
        let key = side.trim_end_matches(": ").to_ascii_lowercase();
        let named = |text: &str| if side.is_empty() { capitalised(text) } else { format!("{side}{text}") };
        [
            Head::new(format!("sweeps{key}"), named("sweeps"), "n", "Sweeps with that verdict"),
            Head::new(format!("points{key}"), named("points"), "n", "Their points"),
        ]
    });
    Grid {
        key: "verdicts",
        title: "By what is known of the run".to_owned(),
        about: "strict takes EXACT, measured or resolved takes PARTIAL too".to_owned(),
        columns: std::iter::once(Head::new(
            "verdict",
            "Verdict",
            "",
            "How far the measured run can be reproduced",
        ))
        .chain(heads)
        .collect(),
        rows: a.verdicts.iter().map(line).collect(),
        total: None,
    }
}

/// The points that an estimator did not score, by reason.
pub fn not_scored(summary: &Summary, estimator: &EstimatorId) -> Vec<Loss> {
    gather(summary.sweeps.iter().flat_map(|sweep| missing(sweep, estimator)))
}

fn missing<'a>(sweep: &'a Sweep<Outcome>, estimator: &EstimatorId) -> Vec<Missing<'a>> {
    let missing = |point: &'a Point<Outcome>| {
        let why = match point.predictions.get(estimator) {
            Some(Outcome::Scored(_)) => return None,
            Some(Outcome::NotScored(why)) => Some(why),
            None => None,
        };
        Some(Missing { sweep: &sweep.id, title: sweep.title(), concurrency: point.concurrency, why })
    };
    sweep.points.iter().filter_map(missing).collect()
}

/// The rows that were read and not kept, by reason; only the first of each are known by name.
pub fn skipped(summary: &Summary) -> Vec<Loss> {
    let place = |title: &String| Place { sweep: None, title: name(title), points: String::new() };
    let loss = |rows: &SkippedRows| {
        let unnamed = rows.count.saturating_sub(rows.named.len() as u64);
        let detail = (unnamed > 0).then(|| format!("and {} more", format::count(unnamed)));
        Loss {
            reason: reason(&rows.reason),
            detail: detail.unwrap_or_default(),
            points: rows.count,
            extent: format::counted(rows.count, "row"),
            places: rows.named.iter().map(place).collect(),
        }
    };
    summary.coverage.rows.skipped().iter().map(loss).collect()
}

/// The sweeps that are not EXACT, by what keeps them from it, with all their points.
pub fn not_exact(summary: &Summary) -> Vec<Loss> {
    let mut by_reasons: BTreeMap<(&str, String), Vec<&Sweep<Outcome>>> = BTreeMap::new();
    for sweep in summary.sweeps.iter().filter(|sweep| !sweep.verdict_reasons.is_empty()) {
        let why = (sweep.verdict.name(), sweep.verdict_reasons.join("; "));
        by_reasons.entry(why).or_default().push(sweep);
    }
    let place = |sweep: &&Sweep<Outcome>| Place {
        sweep: Some(sweep.id.clone()),
        title: name(&sweep.title()),
        points: format::counted(sweep.points.len() as u64, "point"),
    };
    let loss = |((verdict, why), sweeps): ((&str, String), Vec<&Sweep<Outcome>>)| {
        let points = sweeps.iter().map(|sweep| sweep.points.len() as u64).sum();
        Loss {
            reason: reason(verdict),
            detail: format::shortened(&why, LONGEST_DETAIL),
            points,
            extent: extent(points, sweeps.len()),
            places: sweeps.iter().map(place).collect(),
        }
    };
    let mut losses: Vec<Loss> = by_reasons.into_iter().map(loss).collect();
    losses.sort_by_key(|loss| std::cmp::Reverse(loss.points));
    losses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn sim() -> EstimatorId {
        EstimatorId::new("sim").unwrap()
    }

    fn texts(grid: &Grid) -> Vec<(String, Vec<String>)> {
        let texts = |line: &Line| line.cells.iter().map(|item| item.cell.text.clone()).collect();
        grid.rows.iter().map(|line| (line.name.clone(), texts(line))).collect()
    }

    #[test]
    fn the_way_leads_from_rows_read_to_points_scored_and_balances() {
        // Three sweeps of three points were three rows here, and two rows were of another framework.
        let summary = testing::mixed();
        let way = texts(&way(&summary, None, &sim()));
        let shown: Vec<(&str, &str)> =
            way.iter().map(|(name, cells)| (name.as_str(), cells[0].as_str())).collect();
        assert_eq!(
            shown,
            [
                ("Rows read", "5"),
                ("skipped: other framework", "−2"),
                ("Rows kept", "3"),
                ("Measured points", "9"),
                ("not scored: timeout", "−4"),
                ("Points scored", "5"),
            ]
        );
    }

    #[test]
    fn both_runs_stand_side_by_side_with_every_loss_of_either() {
        let right = [Some(1.0); 3];
        let a = testing::mixed();
        let b = testing::summary(vec![testing::sweep('a', "gpt-oss", "PARTIAL", right, right)]);
        let way = texts(&way(&a, Some(&b), &sim()));
        let of = |name: &str| way.iter().find(|(row, _)| row == name).unwrap().1.clone();
        assert_eq!(of("not scored: timeout"), ["−4", "0", "−4"]);
        assert_eq!(of("Points scored"), ["5", "3", "−2"]);
        let both = texts(&estimators(&a, Some(&b)));
        assert_eq!(
            both[1],
            ("Sim 1.0".to_owned(), ["5", "4", "56 %", "3", "0", "100 %"].map(str::to_owned).into())
        );
        assert_eq!(texts(&verdicts(&a, Some(&b)))[1].1, ["2", "6", "1", "3"]);
    }

    #[test]
    fn every_point_that_is_not_scored_is_listed_under_its_reason() {
        let losses = not_scored(&testing::mixed(), &sim());
        assert_eq!(losses.len(), 1);
        assert_eq!((losses[0].reason.as_str(), losses[0].detail.as_str()), ("timeout", "900 s"));
        assert_eq!(losses[0].extent, "4 points in 2 sweeps");
        assert_eq!(skipped(&testing::mixed())[0].places.len(), 2);
        assert_eq!(not_exact(&testing::mixed()), []);
    }
}
