//! `points.csv`: a snapshot's points as a table for spreadsheets and notebooks, one line per point and
//! estimator. Numbers have full precision, units stand in the column's name, what is undefined is an
//! empty cell. docs/files.md describes the columns.

use shared::error::{Pair, shape_error, signed_error};
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::outcome::{Outcome, Prediction};
use shared::summary::Summary;
use shared::sweep::{Flag, Point, Sweep};

/// The names of the columns, in order.
pub const COLUMNS: [&str; 31] = [
    "sweep",
    "model",
    "family",
    "hardware",
    "framework",
    "engine_version",
    "precision",
    "tp",
    "pp",
    "dp",
    "ep",
    "spec_method",
    "isl",
    "osl",
    "concurrency",
    "verdict",
    "tier",
    "repeats",
    "flags",
    "estimator",
    "measured_ttft_ms",
    "measured_tpot_ms",
    "outcome",
    "detail",
    "predicted_ttft_ms",
    "predicted_tpot_ms",
    "ttft_error_percent",
    "tpot_error_percent",
    "ttft_shape_error_percent",
    "tpot_shape_error_percent",
    "completed_requests",
];

/// The table cannot be written; writing to memory never fails.
#[derive(Debug, thiserror::Error)]
#[error("the table of points cannot be written")]
pub struct PointsError(#[from] csv::Error);

impl crate::exit::Failure for PointsError {
    fn exit_code(&self) -> crate::exit::ExitCode {
        crate::exit::ExitCode::Unexpected
    }
}

/// The bytes of the table of a snapshot.
///
/// # Errors
/// Never in practice: the error of the csv library is passed on.
pub fn bytes(summary: &Summary) -> Result<Vec<u8>, PointsError> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for sweep in &summary.sweeps {
        for simulator in &summary.simulators {
            let anchor = sweep.points.iter().find_map(|point| Some((point, scored(point, &simulator.id)?)));
            for point in &sweep.points {
                writer.write_record(row(sweep, point, &simulator.id, anchor))?;
            }
        }
    }
    writer.into_inner().map_err(|error| PointsError(error.into_error().into()))
}

fn scored<'a>(point: &'a Point<Outcome>, estimator: &EstimatorId) -> Option<&'a Prediction> {
    match point.predictions.get(estimator)? {
        Outcome::Scored(prediction) => Some(prediction),
        Outcome::NotScored(_) => None,
    }
}

fn row(
    sweep: &Sweep<Outcome>,
    point: &Point<Outcome>,
    estimator: &EstimatorId,
    anchor: Option<(&Point<Outcome>, &Prediction)>,
) -> [String; COLUMNS.len()] {
    let prediction = scored(point, estimator);
    let (outcome, detail) = match point.predictions.get(estimator) {
        Some(Outcome::NotScored(why)) => (why.reason.key(), why.detail.clone()),
        Some(Outcome::Scored(_)) => ("scored", String::new()),
        None => ("", String::new()),
    };
    let predicted = |metric| prediction.map(|prediction| prediction.get(metric).get());
    let error =
        |metric| prediction.map(|prediction| signed_error(prediction.get(metric), point.measured(metric)));
    let shape = |metric| {
        let (lowest, at_lowest) = anchor.filter(|(lowest, _)| lowest.concurrency != point.concurrency)?;
        let pair = |point: &Point<Outcome>, prediction: &Prediction| Pair {
            measured: point.measured(metric),
            predicted: prediction.get(metric),
        };
        Some(shape_error(pair(point, prediction?), pair(lowest, at_lowest)))
    };
    let flags: Vec<&str> = point
        .flags
        .iter()
        .map(|flag| match flag {
            Flag::TtftSpike => "ttft_spike",
            Flag::SettingsDisagree => "settings_disagree",
        })
        .collect();
    let layout = sweep.parallelism;
    [
        sweep.id.to_string(),
        sweep.model.clone(),
        sweep.family.clone(),
        sweep.hardware.clone(),
        sweep.framework.clone(),
        sweep.engine_version.clone().unwrap_or_default(),
        sweep.precision.clone(),
        layout.tp.to_string(),
        layout.pp.to_string(),
        layout.dp.to_string(),
        layout.ep.to_string(),
        sweep.spec.method.clone(),
        sweep.isl.to_string(),
        sweep.osl.to_string(),
        point.concurrency.to_string(),
        sweep.verdict.name().to_owned(),
        sweep.verdict.tier().key().to_owned(),
        point.repeats.to_string(),
        flags.join(" "),
        estimator.to_string(),
        point.ttft_ms.get().to_string(),
        point.tpot_ms.get().to_string(),
        outcome.to_owned(),
        detail,
        cell(predicted(Metric::Ttft)),
        cell(predicted(Metric::Tpot)),
        cell(error(Metric::Ttft)),
        cell(error(Metric::Tpot)),
        cell(shape(Metric::Ttft)),
        cell(shape(Metric::Tpot)),
        prediction
            .and_then(|prediction| prediction.completed)
            .map_or_else(String::new, |count| count.to_string()),
    ]
}

fn cell(value: Option<f64>) -> String {
    // Adding zero turns -0.0 into 0.0.
    value.map_or_else(String::new, |value| (value + 0.0).to_string())
}
