//! The two errors of a prediction, in percent. Everything else is a summary of these.
//!
//! Sources: `docs/scoring.md`, "Errors"; the formulas are those of BLIS's metricscore and of NVIDIA's
//! AISimulate comparison, whose published figures they reproduce.

use crate::millis::Millis;

/// A measured latency and the one predicted for it, at one concurrency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// What was measured.
    pub measured: Millis,
    /// What was predicted.
    pub predicted: Millis,
}

/// The signed error in percent, `100·(p/m − 1)`; positive: the estimator says slower.
///
/// It is finite: latencies have bounds.
#[must_use]
pub fn signed_error(predicted: Millis, measured: Millis) -> f64 {
    100.0 * (predicted.get() / measured.get() - 1.0)
}

/// The shape error in percent at a point other than the anchor:
/// `100·((p/p_anchor)/(m/m_anchor) − 1)`, each side normalised by its own value at the anchor.
///
/// The anchor is the lowest scored concurrency of the sweep. A factor that is the same at every
/// concurrency cancels out, so this error says how well the curve's form is met, whatever its level.
#[must_use]
pub fn shape_error(point: Pair, anchor: Pair) -> f64 {
    let predicted = point.predicted.get() / anchor.predicted.get();
    let measured = point.measured.get() / anchor.measured.get();
    100.0 * (predicted / measured - 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(value: f64) -> Millis {
        Millis::new(value).unwrap()
    }

    fn pair(measured: f64, predicted: f64) -> Pair {
        Pair { measured: millis(measured), predicted: millis(predicted) }
    }

    #[test]
    fn a_slower_prediction_has_a_positive_error() {
        assert_eq!(signed_error(millis(15.0), millis(10.0)), 50.0);
        assert_eq!(signed_error(millis(5.0), millis(10.0)), -50.0);
        assert_eq!(signed_error(millis(7.3), millis(7.3)), 0.0);
    }

    #[test]
    fn the_shape_error_compares_growth_from_the_anchor() {
        // Measured grows fourfold, predicted sixfold: 50 % too steep, though the prediction at this
        // point is right.
        assert_eq!(shape_error(pair(40.0, 60.0), pair(10.0, 10.0)), 50.0);
        assert_eq!(shape_error(pair(10.0, 10.0), pair(10.0, 10.0)), 0.0);
    }

    proptest! {
        #[test]
        fn a_constant_factor_has_no_shape_error(
            anchor in 0.01..1e5_f64, point in 0.01..1e5_f64, factor in 0.01..100.0_f64,
        ) {
            let error = shape_error(pair(point, point * factor), pair(anchor, anchor * factor));
            prop_assert!(error.abs() < 1e-9, "{error}");
            let signed = signed_error(millis(point * factor), millis(point));
            prop_assert!((signed - 100.0 * (factor - 1.0)).abs() < 1e-9 * signed.abs().max(1.0));
        }
    }
}
