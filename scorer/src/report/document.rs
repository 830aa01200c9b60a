//! A report as titled tables of cells, the same for text and Markdown. Numbers are rounded here.

use shared::format;
use shared::metric::Metric;
use shared::outcome::{Basis, SimulatorIdentity};
use shared::report::{DroppedSweep, FamilyFigures, Report, ReportEstimator, TierFigures};
use shared::tier::{Tier, Verdict};

/// A report, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is about.
    pub title: String,
    /// What it rests on: names and values.
    pub facts: Vec<(String, String)>,
    /// The tables and lists.
    pub sections: Vec<Section>,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// A table.
    Table(Table),
    /// Items one below the other.
    List {
        /// What they are.
        title: String,
        /// The items.
        items: Vec<String>,
    },
}

impl Section {
    /// What it shows.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::Table(table) => &table.title,
            Self::List { title, .. } => title,
        }
    }
}

/// A table of cells that are not escaped yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows, and in what unit.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell per column.
    pub rows: Vec<Vec<String>>,
    /// Whether the first column has long runs of the same value, which may be drawn as headings.
    pub is_grouped: bool,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Whether its cells are numbers, drawn to the right.
    pub is_number: bool,
}

const fn words(name: &'static str) -> Column {
    Column { name, is_number: false }
}

const fn number(name: &'static str) -> Column {
    Column { name, is_number: true }
}

impl Document {
    /// The tables of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let mut sections = vec![Section::Table(verdicts(report)), Section::Table(unpassed(report))];
        if !report.spikes.is_empty() {
            let items = report.spikes.iter().map(|spike| format!("{} c={}", spike.name, spike.concurrency));
            let title = format!(
                "Left out of TTFT: {} whose measured TTFT is an isolated spike",
                format::counted(report.spikes.len() as u64, "point")
            );
            sections.push(Section::List { title, items: items.collect() });
        }
        if !report.dropped.is_empty() {
            let title = format!(
                "Left out whole: {} that some estimator does not predict at every point",
                format::counted(report.dropped.len() as u64, "sweep")
            );
            let items = report.dropped.iter().map(|sweep| dropped(report, sweep)).collect();
            sections.push(Section::List { title, items });
        }
        if report.estimators.is_empty() {
            let title = "No estimators".to_owned();
            let items = vec!["the corpus came without published predictions".to_owned()];
            sections.push(Section::List { title, items });
        } else {
            sections.extend(Metric::ALL.map(|metric| Section::Table(families(report, metric))));
            sections.push(Section::Table(tiers(report)));
        }
        Self { title: title(report), facts: facts(report), sections }
    }
}

fn title(report: &Report) -> String {
    let primary = report.run.as_ref().map(|run| report.name_of(&run.primary));
    match primary {
        Some(name) => format!("How accurately {name} predicts the measurements of a snapshot"),
        None => "How accurately the published estimators predict the measurements of a corpus".to_owned(),
    }
}

fn facts(report: &Report) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |name: &str, value: String| facts.push((name.to_owned(), value));
    if let Some(run) = &report.run {
        add("snapshot", format!("{} ({}), {}", run.id, run.label.name(), run.generated_at));
        let commit = run.scorer.commit.as_ref().map(|commit| format!("+{commit}")).unwrap_or_default();
        add("scorer", format!("{}{commit}", run.scorer.version));
    }
    let measurements = &report.measurements;
    let tag = measurements.tag.as_deref().unwrap_or("no release tag");
    add("measurements", format!("{}, {tag}, {}", measurements.name, measurements.date));
    add("input sha256", measurements.digest.to_string());
    add(
        "points",
        format!("{} of {}", format::counted(report.points, "point"), format::counted(report.sweeps, "sweep")),
    );
    if report.run.is_none() {
        add("binary", "none: the predictions came with the measurements".to_owned());
    }
    for estimator in &report.estimators {
        add(&estimator.name, about(estimator));
    }
    facts
}

/// What exactly an estimator is: its version, commit and binary, or where its predictions come from.
fn about(estimator: &ReportEstimator) -> String {
    let what = match (&estimator.identity, &estimator.source) {
        (Some(identity), _) => about_identity(identity),
        (None, Some(source)) => format!("predictions of {source}"),
        (None, None) => "nothing is known of it".to_owned(),
    };
    let other_means = estimator.bases.iter().filter_map(|basis| match basis {
        Basis::PerRequest | Basis::PublishedRatio => None,
        Basis::Aggregate => Some("means are its own, no request is seen (basis: aggregate)"),
        Basis::Estimate => Some("no requests are replayed (basis: estimate)"),
    });
    std::iter::once(what.as_str()).chain(other_means).collect::<Vec<_>>().join(", ")
}

fn about_identity(identity: &SimulatorIdentity) -> String {
    let commit = identity.commit.as_ref().map(|commit| format!("+{commit}")).unwrap_or_default();
    let binary = match &identity.binary_sha256 {
        Some(digest) => format!("binary sha256 {digest}"),
        None => format!("no binary ({})", identity.kind),
    };
    let data: Vec<&str> = identity.data.iter().map(|data| data.name.as_str()).collect();
    let data = if data.is_empty() { String::new() } else { format!(", data {}", data.join("; ")) };
    format!("{}{commit}, {binary}, settings {}{data}", identity.version, identity.settings.key())
}

fn dropped(report: &Report, sweep: &DroppedSweep) -> String {
    let missing: Vec<String> = sweep
        .missing
        .iter()
        .map(|missing| {
            let concurrencies: Vec<String> = missing.concurrencies.iter().map(u32::to_string).collect();
            format!(
                "{} misses c={} ({})",
                report.name_of(&missing.estimator),
                concurrencies.join(","),
                missing.reasons.join(", ")
            )
        })
        .collect();
    format!("{}: {}", sweep.name, missing.join("; "))
}

fn verdicts(report: &Report) -> Table {
    let rows = report.verdicts.iter().map(|count| {
        vec![
            count.verdict.name().to_owned(),
            format::count(count.sweeps),
            format::count(count.points),
            if count.families.is_empty() { "--".to_owned() } else { count.families.join(", ") },
        ]
    });
    Table {
        title: "Verdicts: how far the measured runs can be reproduced".to_owned(),
        columns: vec![words("verdict"), number("sweeps"), number("points"), words("families")],
        rows: rows.collect(),
        is_grouped: false,
    }
}

fn unpassed(report: &Report) -> Table {
    let partial = report.verdicts.iter().find(|count| count.verdict == Verdict::Partial);
    let partial = partial.map_or(0, |count| count.sweeps);
    let rows = report.unpassed.iter().map(|(name, sweeps)| vec![name.clone(), format::count(*sweeps)]);
    Table {
        title: format!(
            "Unpassed settings: PARTIAL sweeps of which some point does not pass it (of {})",
            format::count(partial)
        ),
        columns: vec![words("setting"), number("sweeps")],
        rows: rows.collect(),
        is_grouped: false,
    }
}

fn families(report: &Report, metric: Metric) -> Table {
    let row = |row: &FamilyFigures| {
        let figures = &row.figures;
        vec![
            row.tier.name().to_owned(),
            row.family.clone().unwrap_or_else(|| "all".to_owned()),
            report.name_of(&row.estimator).to_owned(),
            format::signed_percent(figures.signed_mean),
            format::percent(figures.mape),
            format::percent(figures.shape),
            format::signed_percent(figures.at_lowest),
            format::signed_percent(figures.at_highest),
            format::count(figures.points),
            format::count(figures.shape_points),
        ]
    };
    Table {
        title: format!(
            "{} by family, errors in % (low, high: at each sweep's lowest, highest c)",
            metric.name()
        ),
        columns: vec![
            words("tier"),
            words("family"),
            words("estimator"),
            number("signed"),
            number("MAPE"),
            number("shape"),
            number("low"),
            number("high"),
            number("points"),
            number("shape n"),
        ],
        rows: report.families.iter().filter(|family| family.metric == metric).map(row).collect(),
        is_grouped: true,
    }
}

fn tiers(report: &Report) -> Table {
    let row = |row: &TierFigures| {
        let TierFigures { tier, estimator, tpot, ttft } = row;
        let pair = format::absolute_and_signed;
        vec![
            Tier::name(*tier).to_owned(),
            report.name_of(estimator).to_owned(),
            format::count(tpot.points),
            pair(tpot.shape, tpot.signed_shape),
            pair(tpot.mape, tpot.signed_mean),
            pair(ttft.shape, ttft.signed_shape),
            pair(ttft.mape, ttft.signed_mean),
        ]
    };
    Table {
        title: "Estimators by tier, on the same points: mean absolute error in % (signed mean)".to_owned(),
        columns: vec![
            words("tier"),
            words("estimator"),
            number("points"),
            number("TPOT shape"),
            number("TPOT mape"),
            number("TTFT shape"),
            number("TTFT mape"),
        ],
        rows: report.tiers.iter().map(row).collect(),
        is_grouped: true,
    }
}

#[cfg(test)]
mod tests {
    use shared::id::EstimatorId;

    use super::*;

    #[test]
    fn means_that_are_not_the_clients_are_told() {
        let mut estimator = ReportEstimator {
            id: EstimatorId::new("blis").unwrap(),
            name: "BLIS".to_owned(),
            identity: None,
            source: Some("a build".to_owned()),
            bases: vec![Basis::PerRequest],
        };
        assert_eq!(about(&estimator), "predictions of a build");
        estimator.bases = vec![Basis::PerRequest, Basis::Aggregate];
        assert!(about(&estimator).ends_with("(basis: aggregate)"), "{}", about(&estimator));
    }
}
