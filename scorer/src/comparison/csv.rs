//! A comparison as one table: a line per aggregate and figure, in full precision. What is undefined is
//! an empty cell; differences are in percentage points.

use shared::compare::{Change, Judgement, Row};

use crate::summarize::points_csv::PointsError;

/// The names of the columns, in order.
const COLUMNS: [&str; 20] = [
    "by",
    "key",
    "tier",
    "estimator",
    "metric",
    "figure",
    "common_sweeps",
    "common_points",
    "common_shape_points",
    "a_percent",
    "b_percent",
    "difference",
    "interval_low",
    "interval_high",
    "judgement",
    "all_a_percent",
    "all_b_percent",
    "by_simulator",
    "by_remeasurement",
    "by_coverage",
];

/// The bytes of the table.
///
/// # Errors
/// Never in practice: the error of the csv library is passed on.
pub fn bytes(rows: &[Row]) -> Result<Vec<u8>, PointsError> {
    let mut writer = ::csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for row in rows {
        for (figure, change) in [
            ("signed_mean", &row.signed_mean),
            ("mape", &row.mape),
            ("shape", &row.shape),
            ("at_lowest", &row.at_lowest),
            ("at_highest", &row.at_highest),
        ] {
            writer.write_record(record(row, figure, change))?;
        }
    }
    Ok(writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?)
}

fn record(row: &Row, figure: &str, change: &Change) -> [String; COLUMNS.len()] {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| (value + 0.0).to_string());
    let why = change.why;
    [
        row.of.by.key().to_owned(),
        row.of.key.clone(),
        row.of.tier.key().to_owned(),
        row.of.estimator.to_string(),
        row.of.metric.key().to_owned(),
        figure.to_owned(),
        row.common.sweeps.to_string(),
        row.common.points.to_string(),
        row.common.shape_points.to_string(),
        number(change.a),
        number(change.b),
        number(change.delta),
        number(change.interval.map(|interval| interval.low)),
        number(change.interval.map(|interval| interval.high)),
        word(change.judgement).to_owned(),
        number(change.all_a),
        number(change.all_b),
        number(why.map(|why| why.simulator)),
        number(why.map(|why| why.remeasured)),
        number(why.map(|why| why.coverage)),
    ]
}

/// A judgement as one word.
#[must_use]
pub fn word(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Better => "better",
        Judgement::Worse => "worse",
        Judgement::Changed => "changed",
        Judgement::Same => "same",
        Judgement::Noise => "noise",
        Judgement::Unsure => "unsure",
        Judgement::Open => "open",
        Judgement::Absent => "absent",
    }
}
