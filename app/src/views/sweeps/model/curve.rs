//! The measured and the predicted curve of a sweep over concurrency, as places in a drawing.

use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::outcome::{Outcome, Prediction};
use shared::sweep::Sweep;

use crate::views::grid::model::Scale;

/// The size of the drawing, in its own units.
pub const SIZE: (f64, f64) = (240.0, 96.0);

/// The edge in which nothing is drawn.
const EDGE: f64 = 6.0;

/// A place in the drawing.
pub type Place = (f64, f64);

/// Both curves of a metric. Concurrency and latency grow by their logarithms, so that equal ratios are equally high.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What was measured.
    pub measured: Vec<Place>,
    /// What was predicted, in pieces: a point that is not scored is a gap.
    pub predicted: Vec<Vec<Place>>,
}

/// The curves of a sweep.
pub fn of(sweep: &Sweep<Outcome>, estimator: &EstimatorId, metric: Metric) -> Curves {
    let predicted = |prediction: Option<&Outcome>| match prediction {
        Some(Outcome::Scored(prediction)) => Some(Prediction::get(prediction, metric).get().ln()),
        _ => None,
    };
    let points: Vec<(f64, f64, Option<f64>)> = sweep
        .points
        .iter()
        .map(|point| {
            let at = f64::from(point.concurrency.max(1)).ln();
            (at, point.measured(metric).get().ln(), predicted(point.predictions.get(estimator)))
        })
        .collect();
    let across = Scale::of(points.iter().map(|(at, ..)| *at));
    let up = Scale::of(
        points.iter().flat_map(|(_, measured, predicted)| std::iter::once(*measured).chain(*predicted)),
    );
    let place = |at: f64, value: f64| -> Place {
        let (width, height) = (SIZE.0 - 2.0 * EDGE, SIZE.1 - 2.0 * EDGE);
        (EDGE + width * across.share(at), EDGE + height * (1.0 - up.share(value)))
    };
    let pieces = points.split(|(.., predicted)| predicted.is_none());
    let piece = |piece: &[(f64, f64, Option<f64>)]| -> Vec<Place> {
        piece.iter().filter_map(|(at, _, predicted)| Some(place(*at, (*predicted)?))).collect()
    };
    Curves {
        measured: points.iter().map(|(at, measured, _)| place(*at, *measured)).collect(),
        predicted: pieces.filter(|points| !points.is_empty()).map(piece).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn equal_ratios_are_equally_high_and_a_point_that_is_not_scored_is_a_gap() {
        let ratios = [Some(1.0), None, Some(1.0)];
        let sweep = testing::sweep('a', "llama", "PARTIAL", ratios, [None; 3]);
        let curves = of(&sweep, &EstimatorId::new("sim").unwrap(), Metric::Tpot);
        let heights: Vec<f64> = curves.measured.iter().map(|(_, y)| y.round()).collect();
        assert_eq!(heights, [90.0, 48.0, 6.0], "10, 20 and 40 ms");
        assert_eq!(curves.predicted, [vec![curves.measured[0]], vec![curves.measured[2]]]);
        let none = of(&sweep, &EstimatorId::new("rival").unwrap(), Metric::Ttft);
        assert!(none.predicted.is_empty());
    }

    #[test]
    fn one_point_stands_in_the_middle_and_none_draws_nothing() {
        let mut sweep = testing::sweep('a', "llama", "PARTIAL", [Some(1.0); 3], [None; 3]);
        let sim = EstimatorId::new("sim").unwrap();
        sweep.points.truncate(1);
        assert_eq!(of(&sweep, &sim, Metric::Tpot).measured, [(120.0, 48.0)]);
        sweep.points.clear();
        assert_eq!(of(&sweep, &sim, Metric::Tpot), Curves { measured: vec![], predicted: vec![] });
    }
}
