//! The estimators of a snapshot on the same points, as plain texts.

use shared::contest::{Contest, Skill, Standing, SweepResult, TIE, Table};
use shared::format;
use shared::id::{EstimatorId, SweepId};
use shared::metric::Metric;
use shared::outcome::SimulatorIdentity;
use shared::summary::{Interval, Summary};
use shared::tier::Tier;

use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name};
use crate::views::overview::model::choice::tier_name;
use crate::views::overview::model::typeset;

/// A sentence on what all of them are compared on, and who is ahead.
pub fn lead(summary: &Summary, tables: [&Table; 2]) -> String {
    let [tpot, _] = tables;
    if tpot.common_points == 0 {
        return format!(
            "No point of “{}” was scored by every estimator of this snapshot, so none can be held against another.",
            tier_name(tpot.tier)
        );
    }
    let best = tables.map(|table| format!("{}: {}", table.metric.name(), best(summary, table)));
    format!(
        "All {} on the {} of {} that every one of them scored. The least MAPE is, of {}.",
        format::counted(tpot.standings.len() as u64, "estimator"),
        format::counted(tpot.common_points, "point"),
        format::counted(tpot.common_sweeps, "sweep"),
        best.join(", of ")
    )
}

/// `AISimulate, 19.7 %`; every one of those that show the same figure.
fn best(summary: &Summary, table: &Table) -> String {
    let mape = |standing: &Standing| standing.figures.mape;
    let least = table.standings.iter().filter_map(mape).min_by(f64::total_cmp);
    let shown = format::percent(least);
    let names: Vec<String> = table
        .standings
        .iter()
        .filter(|standing| mape(standing).is_some() && format::percent(mape(standing)) == shown)
        .map(|standing| title(summary, &standing.estimator))
        .collect();
    format!("{} ({shown} %)", names.join(" and "))
}

/// What the common points leave out: by estimator, what it alone keeps from counting.
pub fn left_out(summary: &Summary, table: &Table) -> Vec<String> {
    let line = |standing: &Standing| {
        let missing = table.points - standing.scored;
        (missing > 0).then(|| {
            format!(
                "{} has no prediction of {} of {}",
                title(summary, &standing.estimator),
                format::count(missing),
                format::counted(table.points, "point")
            )
        })
    };
    table.standings.iter().filter_map(line).collect()
}

/// Every tier and estimator: as the report of BLIS's metricscore shows them, but over the points that all scored.
pub fn tiers(summary: &Summary, contest: &Contest<'_>) -> Grid {
    let figures = [("mape", "MAPE"), ("shape", "shape")];
    let head = |metric: Metric| {
        figures.map(|(key, figure)| {
            let name = format!("{} {figure}", metric.name());
            Head::new(
                format!("{}-{key}", metric.key()),
                name,
                "% (signed mean)",
                "Mean absolute error, and the signed mean",
            )
        })
    };
    let rows = Tier::ALL.into_iter().flat_map(|tier| {
        let tables = Metric::ALL.map(|metric| contest.table(tier, metric, false));
        let line = |place: usize, standing: &Standing| {
            let cells = tables.iter().flat_map(|table| {
                let of = &table.standings[place].figures;
                let over = format!("over {}", format::counted(of.points, "point"));
                let shape_over = format!("over {}", format::counted(of.shape_points, "point"));
                [pair(of.mape, of.signed_mean, &over), pair(of.shape, of.signed_shape, &shape_over)]
            });
            let counts = [Item::words(tier_name(tier)), Item::count(standing.figures.points)];
            Line {
                key: format!("{}-{}", tier.key(), standing.estimator),
                name: title(summary, &standing.estimator),
                link: None,
                cells: counts.into_iter().chain(cells).collect(),
            }
        };
        tables[0]
            .standings
            .iter()
            .enumerate()
            .map(|(place, standing)| line(place, standing))
            .collect::<Vec<_>>()
    });
    let columns = [
        Head::new("estimator", "Estimator", "", "Whatever predicts latencies"),
        Head::new("tier", "Tier", "", "Which sweeps the figures rest on"),
        Head::new("points", "Points", "n, scored by all", "Points that every estimator scored"),
    ];
    Grid {
        key: "tiers",
        title: "By tier".to_owned(),
        about: "mean absolute error with the signed mean, over the same points".to_owned(),
        columns: columns.into_iter().chain(Metric::ALL.into_iter().flat_map(head)).collect(),
        rows: rows.collect(),
        total: None,
    }
}

fn pair(absolute: Option<f64>, signed: Option<f64>, over: &str) -> Item {
    let full = |value| typeset(&format::full(value));
    match absolute {
        Some(_) => Item::text(typeset(&format::absolute_and_signed(absolute, signed))).titled(format!(
            "{} % ({} %) {over}",
            full(absolute),
            full(signed)
        )),
        None => Item::text(format::NONE.to_owned()).titled(format!("not defined {over}")),
    }
}

/// Who is ahead in a tier: errors, wins, skill.
pub fn standings(summary: &Summary, contest: &Contest<'_>, table: &Table, intervals: bool) -> Grid {
    let reference = contest.reference();
    let line = |standing: &Standing| {
        let figures = &standing.figures;
        let over = format!("% over {}", format::counted(figures.points, "point"));
        let interval = |interval: Option<Interval>| {
            intervals.then(|| shown_interval(interval, figures.sweeps)).flatten()
        };
        let is_reference = reference == Some(&standing.estimator);
        let cells = vec![
            Item::count(standing.scored),
            Item::number(figures.mape, format::percent, &over)
                .with_small(interval(figures.mape_interval))
                .marked(Mark::Strong),
            Item::grade(figures.grade).titled("The grade of the MAPE by this snapshot's thresholds"),
            Item::count(standing.wins).with_small(shared_wins(standing)),
            skill(standing.skill, is_reference, intervals),
            Item::number(
                figures.shape,
                format::percent,
                &format!("% over {}", format::counted(figures.shape_points, "point")),
            )
            .with_small(interval(figures.shape_interval)),
            skill(standing.shape_skill, is_reference, intervals),
        ];
        let name = title(summary, &standing.estimator);
        Line { key: standing.estimator.to_string(), name, link: None, cells }
    };
    let mut standings: Vec<&Standing> = table.standings.iter().collect();
    // Without a point all are alike, and stay in the order of the snapshot.
    standings.sort_by(|one, other| {
        let mape = |standing: &Standing| standing.figures.mape.unwrap_or(f64::INFINITY);
        mape(one).total_cmp(&mape(other))
    });
    let over = reference.map_or_else(
        || "no roofline in this snapshot".to_owned(),
        |reference| format!("skill over {}", title(summary, reference)),
    );
    Grid {
        key: match table.metric {
            Metric::Tpot => "standings-tpot",
            Metric::Ttft => "standings-ttft",
        },
        title: table.metric.name().to_owned(),
        about: format!(
            "{} · {} of {} scored by all · {over}",
            tier_name(table.tier),
            format::count(table.common_points),
            format::counted(table.points, "point")
        ),
        columns: standing_columns(table),
        rows: standings.into_iter().map(line).collect(),
        total: None,
    }
}

fn standing_columns(table: &Table) -> Vec<Head> {
    let wins = format!("of {}", format::counted(table.common_sweeps, "sweep"));
    vec![
        Head::new("estimator", "Estimator", "least MAPE first", "Whatever predicts latencies"),
        Head::new("scored", "Scored alone", "points", "Points that it scored, whatever the others did"),
        Head::new("mape", "MAPE", "%", "Mean absolute error over the points that every estimator scored"),
        Head::new("grade", "Grade", "A–F", "The grade of the MAPE"),
        Head::new(
            "wins",
            "Wins",
            &wins,
            &format!("Sweeps of which it has the least MAPE; within {TIE} points of it the win is shared"),
        ),
        Head::new(
            "skill",
            "Skill",
            "% of error done away with",
            "1 − its MAPE / the roofline's: 100 is without error, 0 as wrong as the roofline, below 0 worse",
        ),
        Head::new("shape", "Shape", "%", "Mean absolute error of the curve's shape"),
        Head::new(
            "shape-skill",
            "Shape skill",
            "% of error done away with",
            "1 − its shape error / the roofline's",
        ),
    ]
}

fn shared_wins(standing: &Standing) -> Option<String> {
    (standing.shared > 0).then(|| format!("{} shared", format::count(standing.shared)))
}

fn shown_interval(interval: Option<Interval>, sweeps: u64) -> Option<String> {
    match interval {
        Some(_) => Some(typeset(&format::interval(interval))),
        None => (sweeps > 0).then(|| "too few sweeps".to_owned()),
    }
}

fn skill(skill: Option<Skill>, is_reference: bool, intervals: bool) -> Item {
    let percent = |value: f64| 100.0 * value;
    let item = Item::number(
        skill.map(|skill| percent(skill.value)),
        format::signed_percent,
        "% of the roofline's error done away with",
    );
    if is_reference {
        return item.with_small(Some("the reference".to_owned())).marked(Mark::Quiet);
    }
    let interval = skill.and_then(|skill| skill.interval);
    let ends = interval.map(|Interval { low, high }| Interval { low: percent(low), high: percent(high) });
    item.with_small(ends.filter(|_| intervals).map(|ends| typeset(&format::signed_interval(Some(ends)))))
}

/// Every sweep with the MAPE of each estimator, the best of them marked.
pub fn sweeps(
    summary: &Summary,
    contest: &Contest<'_>,
    tier: Tier,
    metric: Metric,
    link: &dyn Fn(&SweepId) -> String,
) -> Grid {
    let line = |result: &SweepResult| {
        let over = format!("% over {}", format::counted(result.points, "point"));
        let cells = result.mape.iter().zip(&result.best).map(|(mape, is_best)| {
            let item = Item::number(Some(*mape), format::percent, &over);
            if *is_best { item.with_small(Some("best".to_owned())).marked(Mark::Best) } else { item }
        });
        Line {
            key: result.sweep.to_string(),
            name: name(&result.title),
            link: Some(link(&result.sweep)),
            cells: std::iter::once(Item::count(result.points)).chain(cells).collect(),
        }
    };
    let mut results = contest.sweeps(tier, metric);
    results.sort_by(|one, other| (&one.title, &one.sweep).cmp(&(&other.title, &other.sweep)));
    let estimators = contest.estimators().iter().map(|id| {
        Head::new(id.to_string(), title(summary, id), "MAPE, %", "Its mean absolute error in the sweep")
    });
    let columns = [
        Head::new("sweep", "Sweep", "", "A deployment and a workload over its concurrencies"),
        Head::new("points", "Points", "n, scored by all", "Points that every estimator scored"),
    ];
    Grid {
        key: match metric {
            Metric::Tpot => "wins-tpot",
            Metric::Ttft => "wins-ttft",
        },
        title: format!("Who is nearest, sweep by sweep: {}", metric.name()),
        about: format!("the least MAPE, and whatever is within {TIE} points of it, is marked as best"),
        columns: columns.into_iter().chain(estimators).collect(),
        rows: results.iter().map(line).collect(),
        total: None,
    }
}

/// An estimator as people write it.
fn title(summary: &Summary, id: &EstimatorId) -> String {
    let mut simulators = summary.simulators.iter();
    let found = simulators.find(|simulator| simulator.id == *id);
    name(&found.map_or_else(|| id.to_string(), SimulatorIdentity::title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// The rival is made the roofline.
    fn snapshot() -> Summary {
        let mut summary = testing::summary(vec![
            testing::sweep('a', "gpt-oss", "PARTIAL", [Some(1.1); 3], [Some(1.4); 3]),
            testing::sweep('b', "kimi", "PARTIAL", [Some(1.3), Some(1.3), None], [Some(1.2); 3]),
        ]);
        summary.simulators[0].kind = "roofline".to_owned();
        summary
    }

    fn texts(line: &Line) -> Vec<&str> {
        line.cells.iter().map(|item| item.cell.text.as_str()).collect()
    }

    #[test]
    fn the_best_stands_first_with_wins_and_skill_over_the_roofline() {
        let summary = snapshot();
        let contest = Contest::new(&summary);
        let table = contest.table(Tier::All, Metric::Tpot, true);
        let grid = standings(&summary, &contest, &table, true);
        let names: Vec<&str> = grid.rows.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["Sim 1.0", "Rival"]);
        // Over five points: sim (3·10 + 2·30)/5 = 18, the roofline (3·40 + 2·20)/5 = 32; 1 − 18/32 = 43.75 %,
        // of which a little is missing, since 1.1 has no exact double.
        assert_eq!(texts(&grid.rows[0])[..5], ["5", "18.0", "B", "1", "+43.7"]);
        assert_eq!(grid.rows[1].cells[4].cell.small.as_deref(), Some("the reference"));
        assert_eq!(grid.rows[0].cells[1].cell.small.as_deref(), Some("too few sweeps"));
        assert!(grid.about.contains("5 of 6 points scored by all · skill over Rival"), "{}", grid.about);
        assert_eq!(left_out(&summary, &table), ["Sim 1.0 has no prediction of 1 of 6 points"]);
    }

    #[test]
    fn the_sentence_names_the_least_error_of_each_metric() {
        let summary = snapshot();
        let contest = Contest::new(&summary);
        let tables = Metric::ALL.map(|metric| contest.table(Tier::All, metric, false));
        assert_eq!(
            lead(&summary, tables.each_ref()),
            "All 2 estimators on the 5 points of 2 sweeps that every one of them scored. The least MAPE is, of TPOT: \
             Sim 1.0 (18.0 %), of TTFT: Sim 1.0 (18.0 %)."
        );
        let none = Metric::ALL.map(|metric| contest.table(Tier::Strict, metric, false));
        assert!(lead(&summary, none.each_ref()).starts_with("No point of “Strict”"));
    }

    #[test]
    fn every_sweep_marks_whose_error_is_the_least() {
        let summary = snapshot();
        let grid = sweeps(&summary, &Contest::new(&summary), Tier::All, Metric::Tpot, &|id| format!("?{id}"));
        let marks: Vec<Vec<Mark>> =
            grid.rows.iter().map(|line| line.cells[1..].iter().map(|item| item.mark).collect()).collect();
        assert_eq!(marks, [[Mark::Plain, Mark::Best], [Mark::Best, Mark::Plain]]);
        assert_eq!(grid.rows[0].link.as_deref(), Some("?aaaaaaaaaaaaaaaa"));
    }

    #[test]
    fn the_tiers_show_absolute_and_signed_means_in_two_decimals() {
        let summary = snapshot();
        let grid = tiers(&summary, &Contest::new(&summary));
        assert_eq!(grid.rows.len(), 6);
        assert_eq!(texts(&grid.rows[0])[..3], ["Strict", "0", "–"]);
        assert_eq!(texts(&grid.rows[5])[..3], ["All (approximate)", "5", "18.00 (+18.00)"]);
    }
}
