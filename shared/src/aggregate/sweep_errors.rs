//! What one sweep adds to every figure, for one estimator and metric.

use super::figures::Totals;
use crate::bootstrap::Part;
use crate::error::{Pair, shape_error, signed_error};
use crate::id::EstimatorId;
use crate::metric::Metric;
use crate::outcome::Outcome;
use crate::summary::Figures;
use crate::sweep::{Point, Sweep};

/// The errors of one sweep with one estimator in one metric, summed by ascending concurrency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepErrors {
    /// Absolute errors of the scored points, by ascending concurrency.
    pub absolute: Vec<f64>,
    /// Sum of the absolute errors.
    pub absolute_sum: f64,
    /// Sum of the signed errors.
    pub signed_sum: f64,
    /// Scored points whose signed error is above 0.
    pub over: u32,
    /// Points without a prediction.
    pub not_scored: u32,
    /// Scored points other than the anchor.
    pub shape_points: u32,
    /// Sum of the absolute shape errors.
    pub shape_sum: f64,
    /// Sum of the signed shape errors.
    pub signed_shape_sum: f64,
    /// Signed error at the lowest and at the highest scored concurrency; none without a scored point.
    pub ends: Option<(f64, f64)>,
}

impl SweepErrors {
    /// The errors of a sweep. The points may stand in any order.
    #[must_use]
    pub fn of(sweep: &Sweep<Outcome>, estimator: &EstimatorId, metric: Metric) -> Self {
        Self::of_points(sweep.points.iter().map(|point| (point.concurrency, pair(point, estimator, metric))))
    }

    /// The errors of points that are scored (`Some`) or not, with their concurrencies.
    pub(crate) fn of_points(points: impl Iterator<Item = (u32, Option<Pair>)>) -> Self {
        let mut errors = Self::default();
        let mut scored = Vec::with_capacity(points.size_hint().1.unwrap_or(0));
        for (concurrency, pair) in points {
            match pair {
                Some(pair) => scored.push((concurrency, pair)),
                None => errors.not_scored += 1,
            }
        }
        // Points of a checked file are sorted: this then only looks.
        scored.sort_by_key(|(concurrency, _)| *concurrency);
        let mut anchor = None;
        for (_, pair) in &scored {
            errors.add(*pair, anchor);
            anchor = anchor.or(Some(*pair));
        }
        errors
    }

    /// Adds the next scored point; without an anchor it is the anchor.
    fn add(&mut self, pair: Pair, anchor: Option<Pair>) {
        let signed = signed_error(pair.predicted, pair.measured);
        self.absolute.push(signed.abs());
        self.absolute_sum += signed.abs();
        self.signed_sum += signed;
        self.over += u32::from(signed > 0.0);
        self.ends = Some((self.ends.map_or(signed, |(lowest, _)| lowest), signed));
        if let Some(anchor) = anchor {
            let shape = shape_error(pair, anchor);
            self.shape_points += 1;
            self.shape_sum += shape.abs();
            self.signed_shape_sum += shape;
        }
    }

    /// How many points are scored.
    #[must_use]
    pub fn points(&self) -> u32 {
        u32::try_from(self.absolute.len()).unwrap_or(u32::MAX)
    }

    /// The figures of the sweep alone, without quantiles, intervals and grade.
    #[must_use]
    pub fn figures(&self) -> Figures {
        let mut totals = Totals::default();
        totals.add(self);
        totals.figures()
    }

    /// The part of the sweep in the MAPE.
    #[must_use]
    pub fn mape_part(&self) -> Part {
        Part::new(self.absolute_sum, self.points())
    }

    /// The part of the sweep in the signed mean.
    #[must_use]
    pub fn signed_part(&self) -> Part {
        Part::new(self.signed_sum, self.points())
    }

    /// The part of the sweep in the shape error.
    #[must_use]
    pub fn shape_part(&self) -> Part {
        Part::new(self.shape_sum, self.shape_points)
    }
}

/// The measured and the predicted latency of a point that is scored.
pub(crate) fn pair(point: &Point<Outcome>, estimator: &EstimatorId, metric: Metric) -> Option<Pair> {
    match point.predictions.get(estimator) {
        Some(Outcome::Scored(prediction)) => {
            Some(Pair { measured: point.measured(metric), predicted: prediction.get(metric) })
        }
        Some(Outcome::NotScored(_)) | None => None,
    }
}
