//! A comparison as titled tables, the same for text and Markdown. Numbers are rounded here.

use shared::compare::{Change, Comparer, Judgement, Row, SweepDifference};
use shared::format;
use shared::gate::{Decision, Finding, Gate};
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::summary::{GroupBy, Summary};
use shared::tier::Tier;

use super::csv::word;
use super::github::lost;
use crate::report::document::{Column, Document, Section, Table};

/// What of a comparison is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The tier.
    pub tier: Tier,
    /// The grouping, besides everything.
    pub by: GroupBy,
    /// The estimators; empty: all that both have.
    pub estimators: Vec<EstimatorId>,
    /// How many sweeps are listed.
    pub limit: usize,
}

/// The document of a comparison, with what the gate says when it was asked.
#[must_use]
pub fn document(a: &Summary, b: &Summary, shown: &Shown, gate: Option<&Gate>) -> Document {
    let comparer = Comparer::new(a, b);
    let mut sections = Vec::new();
    if let Some(gate) = gate {
        sections.extend(gate_sections(gate));
    }
    if comparer.comparability().is_comparable() {
        sections.extend(figures(&comparer, b, shown));
    }
    sections.extend(lists(&comparer, shown));
    Document { title: title(&comparer), facts: facts(a, b, &comparer, shown), sections }
}

/// The tier that is shown when none is asked for: the widest on which conclusions may rest, where both snapshots have
/// sweeps of it.
#[must_use]
pub fn widest_useful_tier(a: &Summary, b: &Summary) -> Tier {
    let tier = Tier::MeasuredOrResolved;
    let has_sweeps = |summary: &Summary| summary.sweeps.iter().any(|sweep| tier.contains(sweep.verdict));
    if has_sweeps(a) && has_sweeps(b) { tier } else { Tier::All }
}

fn title(comparer: &Comparer<'_>) -> String {
    comparer.comparability().sentence().unwrap_or_else(|| "What changed from A to B".to_owned())
}

fn facts(a: &Summary, b: &Summary, comparer: &Comparer<'_>, shown: &Shown) -> Vec<(String, String)> {
    let side = |summary: &Summary| {
        let run = &summary.run;
        format!("{} ({}), {}", run.id, run.label.name(), run.generated_at)
    };
    vec![
        ("A".to_owned(), side(a)),
        ("B".to_owned(), side(b)),
        ("inputs".to_owned(), comparer.facts().sentences().join(" ")),
        ("tier".to_owned(), shown.tier.name().to_owned()),
    ]
}

fn column(name: &'static str, is_number: bool) -> Column {
    Column { name, is_number }
}

/// The figures side by side, and where the changes come from.
fn figures(comparer: &Comparer<'_>, b: &Summary, shown: &Shown) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut why = Vec::new();
    for metric in Metric::ALL {
        let mut rows = Vec::new();
        for estimator in estimators(comparer, shown) {
            let view = comparer.view(estimator, metric);
            let wanted = view
                .keys()
                .into_iter()
                .filter(|key| key.tier == shown.tier && (key.by == GroupBy::All || key.by == shown.by));
            for key in wanted {
                let row = view.row(&key, true);
                if key.by == GroupBy::All {
                    why.extend(why_cells(name(b, estimator), metric, &row));
                }
                rows.push(cells(name(b, estimator), &row));
            }
        }
        sections.push(Section::Table(Table {
            title: format!("{}: errors in percent on the points that both scored, and B − A", metric.name()),
            columns: vec![
                column("estimator", false),
                column(shown.by.name(), false),
                column("points", true),
                column("MAPE A", true),
                column("B", true),
                column("B − A", true),
                column("shape A", true),
                column("B", true),
                column("B − A", true),
            ],
            rows,
            is_grouped: true,
        }));
    }
    // One run of rows per estimator, TPOT before TTFT.
    why.sort_by(|a, b| a.first().cmp(&b.first()));
    sections.push(Section::Table(Table {
        title: "Why the MAPE changed, in percentage points: the three parts add up".to_owned(),
        columns: vec![
            column("estimator", false),
            column("metric", false),
            column("in all", true),
            column("simulator", true),
            column("re-measured", true),
            column("coverage", true),
        ],
        rows: why,
        is_grouped: true,
    }));
    sections
}

fn estimators<'c>(comparer: &'c Comparer<'_>, shown: &'c Shown) -> impl Iterator<Item = &'c EstimatorId> {
    comparer.estimators().iter().filter(|id| shown.estimators.is_empty() || shown.estimators.contains(id))
}

fn name<'s>(summary: &'s Summary, estimator: &'s EstimatorId) -> &'s str {
    let found = summary.simulators.iter().find(|simulator| simulator.id == *estimator);
    found.map_or(estimator.as_str(), |simulator| simulator.name.as_str())
}

fn cells(estimator: &str, row: &Row) -> Vec<String> {
    let group = if row.of.by == GroupBy::All { "everything" } else { row.of.key.as_str() };
    let mut cells = vec![estimator.to_owned(), group.to_owned(), format::count(row.common.points)];
    for change in [&row.mape, &row.shape] {
        cells.extend([format::percent(change.a), format::percent(change.b), difference(change)]);
    }
    cells
}

/// A difference with what may be said of it, unless its colourless arrow says it already.
fn difference(change: &Change) -> String {
    let shown = format::points_with_arrow(change.delta);
    match change.judgement {
        Judgement::Noise | Judgement::Unsure => format!("{shown} ({})", word(change.judgement)),
        _ => shown,
    }
}

fn why_cells(estimator: &str, metric: Metric, row: &Row) -> Option<Vec<String>> {
    let why = row.mape.why?;
    let parts = [why.total, why.simulator, why.remeasured, why.coverage];
    let mut cells = vec![estimator.to_owned(), metric.name().to_owned()];
    cells.extend(parts.map(|part| format::points(Some(part))));
    Some(cells)
}

/// Where the changes are: sweeps by the size of their difference, and every point that only one of the
/// snapshots scored or has.
fn lists(comparer: &Comparer<'_>, shown: &Shown) -> Vec<Section> {
    let mut sections = Vec::new();
    if comparer.comparability().is_comparable() {
        for metric in Metric::ALL {
            for estimator in estimators(comparer, shown) {
                let sweeps: Vec<SweepDifference> = comparer
                    .view(estimator, metric)
                    .sweeps()
                    .into_iter()
                    .filter(|sweep| sweep.tier <= shown.tier)
                    .collect();
                let all = format::counted(sweeps.len() as u64, "sweep");
                let mut items: Vec<String> = sweeps.iter().take(shown.limit).map(sweep_line).collect();
                if sweeps.len() > shown.limit {
                    let more = sweeps.len() - shown.limit;
                    items.push(format!("and {more} more: --limit {} lists all", sweeps.len()));
                }
                let title = format!("{} of {estimator}: {all} with another error", metric.name());
                sections.push(Section::List { title, items });
            }
        }
    }
    let lists = comparer.lists();
    let points = |title: &str, points: &[shared::compare::PointStatus]| {
        let title = format!("{title}: {}", format::counted(points.len() as u64, "point"));
        Section::List { title, items: points.iter().map(lost).collect() }
    };
    let sided = |title: &str, sided: &[shared::compare::OneSided]| {
        let line = |it: &shared::compare::OneSided| {
            let concurrencies: Vec<String> = it.concurrencies.iter().map(ToString::to_string).collect();
            format!("{} c={}", it.title, concurrencies.join(","))
        };
        let title = format!("{title}: {}", format::counted(sided.len() as u64, "sweep"));
        Section::List { title, items: sided.iter().map(line).collect() }
    };
    sections.push(points("Scored in A, no longer in B", &lists.newly_failing));
    sections.push(points("Scored in B, not yet in A", &lists.newly_scored));
    sections.push(sided("Measured in A only", &lists.only_in_a));
    sections.push(sided("Measured in B only", &lists.only_in_b));
    sections.retain(|section| !matches!(section, Section::List { items, .. } if items.is_empty()));
    sections
}

fn sweep_line(sweep: &SweepDifference) -> String {
    let change = |change: &Change| {
        let (a, b) = (format::percent(change.a), format::percent(change.b));
        format!("{a} → {b} ({})", format::points_with_arrow(change.delta))
    };
    format!("{}: MAPE {}, shape {}", sweep.title, change(&sweep.mape), change(&sweep.shape))
}

/// What the gate's decision rests on.
fn gate_basis(gate: &Gate) -> Vec<String> {
    vec![
        format!("{} compared", format::counted(gate.compared, "point")),
        format!(
            "worse means by at least {} percentage points and {} % of A's value, beyond the repeats' noise",
            gate.options.thresholds.points, gate.options.thresholds.percent
        ),
    ]
}

fn gate_sections(gate: &Gate) -> Vec<Section> {
    let decision = match gate.decision {
        Decision::Pass => "pass",
        Decision::Regression => "a sweep is worse",
        Decision::CoverageLost => "a point is no longer scored",
        Decision::NotComparable => "not comparable",
    };
    let items = gate.undecided().map_or_else(|| gate_basis(gate), |why| vec![why]);
    let mut sections = vec![Section::List { title: format!("Gate: {decision}"), items }];
    let findings = |title: &str, findings: &[Finding]| {
        let title = format!("{title}: {}", findings.len());
        Section::List { title, items: findings.iter().map(Finding::sentence).collect() }
    };
    sections.push(findings("Worse", &gate.worse));
    sections.push(findings("Better", &gate.better));
    sections.push(findings("Changed by new measurements only", &gate.remeasured));
    sections.retain(|section| !matches!(section, Section::List { items, .. } if items.is_empty()));
    sections
}
