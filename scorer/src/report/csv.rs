//! The report as one CSV table in full precision: a row per fact, the first column says of what kind.

use csv::{Writer, WriterBuilder};
use shared::format;
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::report::Report;
use shared::summary::{Figures, Interval};
use shared::tier::Tier;

use super::cells;

/// The names of the columns.
///
/// `table` is one of `verdict`, `unpassed` (sweeps by setting), `ttft_spike` and `dropped` (named
/// points and sweeps that are left out), `tier` and `family` (figures).
pub const COLUMNS: [&str; 28] = [
    "table",
    "key",
    "tier",
    "estimator",
    "metric",
    "concurrency",
    "detail",
    "sweeps",
    "points",
    "shape_points",
    "mape_percent",
    "signed_mean_percent",
    "shape_percent",
    "signed_shape_percent",
    "at_lowest_percent",
    "at_highest_percent",
    "median_percent",
    "p90_percent",
    "share_over",
    "cancellation",
    "mape_low_percent",
    "mape_high_percent",
    "signed_low_percent",
    "signed_high_percent",
    "shape_low_percent",
    "shape_high_percent",
    "grade",
    "not_scored",
];

/// The table cannot be written; writing to memory never fails.
#[derive(Debug, thiserror::Error)]
#[error("the report cannot be written as CSV")]
pub struct CsvError(#[from] csv::Error);

/// One row, by the names of the columns.
#[derive(Default)]
struct Row<'a> {
    table: &'static str,
    key: &'a str,
    tier: Option<Tier>,
    estimator: Option<&'a EstimatorId>,
    metric: Option<Metric>,
    concurrency: Option<u32>,
    detail: String,
    sweeps: Option<u64>,
    points: Option<u64>,
    figures: Option<&'a Figures>,
}

/// The report.
///
/// # Errors
/// Never in practice: the error of the csv library is passed on.
pub fn render(report: &Report) -> Result<Vec<u8>, CsvError> {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    write_account(report, &mut writer)?;
    for row in &report.tiers {
        for (metric, figures) in [(Metric::Tpot, &row.tpot), (Metric::Ttft, &row.ttft)] {
            let row = Row { tier: Some(row.tier), estimator: Some(&row.estimator), ..Row::of("tier", "all") };
            writer.write_record(Row { metric: Some(metric), figures: Some(figures), ..row }.cells())?;
        }
    }
    for row in &report.families {
        // The rows of all families together are those of the tiers.
        let Some(family) = &row.family else { continue };
        writer.write_record(
            Row {
                tier: Some(row.tier),
                estimator: Some(&row.estimator),
                metric: Some(row.metric),
                figures: Some(&row.figures),
                ..Row::of("family", family)
            }
            .cells(),
        )?;
    }
    writer.into_inner().map_err(|error| CsvError(error.into_error().into()))
}

fn write_account(report: &Report, writer: &mut Writer<Vec<u8>>) -> Result<(), CsvError> {
    for count in &report.verdicts {
        let row = Row { detail: count.families.join(" "), ..Row::of("verdict", count.verdict.name()) };
        writer.write_record(Row { sweeps: Some(count.sweeps), points: Some(count.points), ..row }.cells())?;
    }
    for (name, sweeps) in &report.unpassed {
        writer.write_record(Row { sweeps: Some(*sweeps), ..Row::of("unpassed", name) }.cells())?;
    }
    for spike in &report.spikes {
        let row = Row { metric: Some(Metric::Ttft), ..Row::of("ttft_spike", &spike.name) };
        writer.write_record(Row { concurrency: Some(spike.concurrency), ..row }.cells())?;
    }
    for sweep in &report.dropped {
        for missing in &sweep.missing {
            for concurrency in &missing.concurrencies {
                let row = Row { estimator: Some(&missing.estimator), ..Row::of("dropped", &sweep.name) };
                let detail = missing.reasons.join(" ");
                writer.write_record(Row { concurrency: Some(*concurrency), detail, ..row }.cells())?;
            }
        }
    }
    Ok(())
}

impl<'a> Row<'a> {
    fn of(table: &'static str, key: &'a str) -> Self {
        Self { table, key, ..Self::default() }
    }

    fn cells(&self) -> [String; COLUMNS.len()] {
        let figures = self.figures;
        let counted = |own: Option<u64>, of: fn(&Figures) -> u64| {
            own.or_else(|| figures.map(of)).map(|count| count.to_string()).unwrap_or_default()
        };
        let value = |of: fn(&Figures) -> Option<f64>| number(figures.and_then(of));
        let low = |of: fn(&Figures) -> Option<Interval>| number(figures.and_then(of).map(|ends| ends.low));
        let high = |of: fn(&Figures) -> Option<Interval>| number(figures.and_then(of).map(|ends| ends.high));
        [
            self.table.to_owned(),
            cells::csv(self.key),
            self.tier.map(|tier| tier.key().to_owned()).unwrap_or_default(),
            self.estimator.map(ToString::to_string).unwrap_or_default(),
            self.metric.map(|metric| metric.key().to_owned()).unwrap_or_default(),
            self.concurrency.map(|concurrency| concurrency.to_string()).unwrap_or_default(),
            cells::csv(&self.detail),
            counted(self.sweeps, |figures| figures.sweeps),
            counted(self.points, |figures| figures.points),
            counted(None, |figures| figures.shape_points),
            value(|figures| figures.mape),
            value(|figures| figures.signed_mean),
            value(|figures| figures.shape),
            value(|figures| figures.signed_shape),
            value(|figures| figures.at_lowest),
            value(|figures| figures.at_highest),
            value(|figures| figures.median),
            value(|figures| figures.p90),
            value(|figures| figures.share_over),
            value(|figures| figures.cancellation),
            low(|figures| figures.mape_interval),
            high(|figures| figures.mape_interval),
            low(|figures| figures.signed_interval),
            high(|figures| figures.signed_interval),
            low(|figures| figures.shape_interval),
            high(|figures| figures.shape_interval),
            figures
                .and_then(|figures| figures.grade)
                .map(|grade| grade.letter().to_owned())
                .unwrap_or_default(),
            counted(None, |figures| figures.not_scored),
        ]
    }
}

/// A number that reads back as the same double; an empty cell when it is undefined.
fn number(value: Option<f64>) -> String {
    value.map(|value| format::full(Some(value))).unwrap_or_default()
}
