//! The published predictions of a point: ratios to the latencies measured at the sweep's anchor.

use std::collections::BTreeMap;

use shared::corpus::{PublishedEstimator, PublishedRatio};
use shared::id::{EstimatorId, IdError};

use super::error::Fault;
use super::files::ArtifactPoint;

/// Half a unit of the last decimal of a printed percentage, and of a ratio.
const PRINTED: (f64, f64) = (0.005, 5e-7);

/// An estimator of the artifact: how we call it, and the fields that hold its predictions.
struct Published {
    id: &'static str,
    name: &'static str,
    tpot: Fields,
    ttft: Fields,
}

struct Fields {
    ratio: (&'static str, fn(&ArtifactPoint) -> Option<f64>),
    printed: (&'static str, fn(&ArtifactPoint) -> Option<f64>),
}

macro_rules! fields {
    ($ratio:ident, $printed:ident) => {
        Fields {
            ratio: (stringify!($ratio), |point| point.$ratio),
            printed: (stringify!($printed), |point| point.$printed),
        }
    };
}

const PUBLISHED: [Published; 2] = [
    Published {
        id: "aisimulate",
        name: "AISimulate",
        tpot: fields!(aisimulate_tpot_relative, aisimulate_tpot_error_pct),
        ttft: fields!(aisimulate_ttft_relative, aisimulate_ttft_error_pct),
    },
    Published {
        id: "aic",
        name: "AIC",
        tpot: fields!(aic_tpot_relative, aic_tpot_error_pct),
        ttft: fields!(aic_ttft_relative, aic_ttft_error_pct),
    },
];

/// The estimators of an artifact, by id.
pub(super) fn estimators(source: &str) -> Result<BTreeMap<EstimatorId, PublishedEstimator>, IdError> {
    let described = |published: &Published| {
        let estimator =
            PublishedEstimator { name: published.name.to_owned(), version: None, source: source.to_owned() };
        Ok((EstimatorId::new(published.id)?, estimator))
    };
    PUBLISHED.iter().map(described).collect()
}

/// The measured ratios of a point to the sweep's anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) tpot: f64,
    pub(super) ttft: f64,
}

/// The predictions of a point. An estimator without a value (absent, `null`, 0) has none.
pub(super) fn of_point(
    point: &ArtifactPoint,
    measured: Measured,
    ids: &BTreeMap<EstimatorId, PublishedEstimator>,
) -> Result<BTreeMap<EstimatorId, PublishedRatio>, Fault> {
    let mut predictions = BTreeMap::new();
    for published in &PUBLISHED {
        let Some(id) = ids.keys().find(|id| id.as_str() == published.id) else { continue };
        let tpot = published.tpot.read(point, measured.tpot)?;
        let ttft = published.ttft.read(point, measured.ttft)?;
        match (tpot, ttft) {
            (Some(tpot), Some(ttft)) => {
                predictions.insert(id.clone(), PublishedRatio { ttft, tpot });
            }
            (None, None) => {}
            (Some(_), None) => return Err(Fault::HalfPrediction(published.ttft.ratio.0)),
            (None, Some(_)) => return Err(Fault::HalfPrediction(published.tpot.ratio.0)),
        }
    }
    Ok(predictions)
}

impl Fields {
    fn read(&self, point: &ArtifactPoint, measured: f64) -> Result<Option<f64>, Fault> {
        let (field, get) = self.ratio;
        let Some(predicted) = get(point).filter(|ratio| *ratio != 0.0) else { return Ok(None) };
        if predicted < 0.0 {
            return Err(Fault::Number { field, value: predicted, rule: "a ratio above 0" });
        }
        let (field, get) = self.printed;
        if let Some(printed) = get(point) {
            let ratio = predicted / measured;
            let computed = 100.0 * (ratio - 1.0).abs();
            // Both ratios were rounded, and so was the percentage.
            let tolerance = PRINTED.0 + 100.0 * PRINTED.1 * (1.0 + ratio) / measured + 1e-9;
            if (printed - computed).abs() > tolerance {
                return Err(Fault::PrintedError { field, printed, computed });
            }
        }
        Ok(Some(predicted))
    }
}
