//! Coverage: what became of every row and of every point. It balances or it is an error.

use std::collections::BTreeMap;

use crate::corpus::RowAccount;
use crate::id::{EstimatorId, SweepId};
use crate::outcome::{Outcome, OutcomeCounts};
use crate::summary::Coverage;
use crate::sweep::Sweep;

/// A point is not accounted for exactly once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoverageError {
    /// An estimator says nothing of a point.
    #[error("point {sweep} at concurrency {concurrency} has no outcome of estimator `{estimator}`: run it")]
    Missing {
        /// The sweep.
        sweep: SweepId,
        /// The concurrency.
        concurrency: u32,
        /// The estimator.
        estimator: EstimatorId,
    },
    /// A point has an outcome of an estimator that the snapshot does not name.
    #[error(
        "point {sweep} at concurrency {concurrency} has an outcome of the unnamed estimator `{estimator}`"
    )]
    Unnamed {
        /// The sweep.
        sweep: SweepId,
        /// The concurrency.
        concurrency: u32,
        /// The estimator.
        estimator: EstimatorId,
    },
    /// Two sweeps have the same id.
    #[error("sweep {0} is there twice")]
    TwiceSweep(SweepId),
    /// The points of a sweep are not by ascending concurrency, or one is there twice.
    #[error("sweep {sweep} has concurrency {concurrency} twice or out of order")]
    Order {
        /// The sweep.
        sweep: SweepId,
        /// The first concurrency that is not greater than the one before.
        concurrency: u32,
    },
}

/// Counts rows, sweeps, points and outcomes, and proves that there is exactly one outcome per point
/// and estimator.
pub fn of(
    rows: &RowAccount,
    sweeps: &[Sweep<Outcome>],
    estimators: &[EstimatorId],
) -> Result<Coverage, CoverageError> {
    let mut ids: Vec<&SweepId> = sweeps.iter().map(|sweep| &sweep.id).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(CoverageError::TwiceSweep(pair[0].clone()));
    }
    let mut counts: BTreeMap<EstimatorId, OutcomeCounts> =
        estimators.iter().map(|estimator| (estimator.clone(), OutcomeCounts::default())).collect();
    let mut points = 0;
    for sweep in sweeps {
        check_order(sweep)?;
        for point in &sweep.points {
            points += 1;
            if let Some(estimator) =
                point.predictions.keys().find(|estimator| !counts.contains_key(*estimator))
            {
                return Err(CoverageError::Unnamed {
                    sweep: sweep.id.clone(),
                    concurrency: point.concurrency,
                    estimator: estimator.clone(),
                });
            }
            for (estimator, count) in &mut counts {
                let outcome = point.predictions.get(estimator).ok_or_else(|| CoverageError::Missing {
                    sweep: sweep.id.clone(),
                    concurrency: point.concurrency,
                    estimator: estimator.clone(),
                })?;
                count.count(outcome);
            }
        }
    }
    Ok(Coverage { rows: rows.clone(), sweeps: sweeps.len() as u64, points, estimators: counts })
}

/// Checks that the points of a sweep are by ascending concurrency, each there once.
pub fn check_order<T>(sweep: &Sweep<T>) -> Result<(), CoverageError> {
    match sweep.points.windows(2).find(|pair| pair[0].concurrency >= pair[1].concurrency) {
        None => Ok(()),
        Some(pair) => Err(CoverageError::Order { sweep: sweep.id.clone(), concurrency: pair[1].concurrency }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::corpus::RowCounter;
    use crate::outcome::Reason;
    use crate::testing::{estimator, not_scored, scored, sweep};

    fn rows() -> RowAccount {
        RowCounter::default().finish()
    }

    #[test]
    fn a_point_without_an_outcome_is_named() {
        let sweeps = [sweep(7).measured(4, 1.0, 1.0).outcome("aic", scored(1.0, 1.0)).build()];
        let error = of(&rows(), &sweeps, &[estimator("aic"), estimator("blis")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "point 0000000000000007 at concurrency 4 has no outcome of estimator `blis`: run it"
        );
        assert!(matches!(of(&rows(), &sweeps, &[]), Err(CoverageError::Unnamed { .. })));
    }

    #[test]
    fn a_point_or_sweep_that_is_there_twice_is_refused() {
        let twice = [sweep(7).build(), sweep(8).build(), sweep(7).build()];
        assert!(matches!(of(&rows(), &twice, &[]), Err(CoverageError::TwiceSweep(_))));
        let twice = [sweep(7).measured(4, 1.0, 1.0).measured(4, 1.0, 1.0).build()];
        assert!(matches!(of(&rows(), &twice, &[]), Err(CoverageError::Order { concurrency: 4, .. })));
    }

    proptest! {
        #[test]
        fn any_subset_of_points_balances(
            outcomes in prop::collection::vec(prop::collection::vec(0..4_u8, 0..6), 0..8),
            keep in any::<u64>(),
        ) {
            let mut sweeps = Vec::new();
            for (number, points) in (0_u64..).zip(&outcomes) {
                let mut builder = sweep(number);
                for (concurrency, outcome) in (1_u32..).zip(points) {
                    builder = builder.measured(concurrency, 1.0, 1.0).outcome("a", match outcome {
                        0 => scored(1.0, 1.0),
                        1 => not_scored(Reason::Timeout),
                        2 => not_scored(Reason::RunError),
                        _ => not_scored(Reason::NoAcceptanceRate),
                    });
                }
                let mut sweep = builder.build();
                let mut index = number * 6;
                sweep.points.retain(|_| {
                    index += 1;
                    keep >> (index % 64) & 1 == 1
                });
                sweeps.push(sweep);
            }
            let coverage = of(&rows(), &sweeps, &[estimator("a")]).unwrap();
            let counts = &coverage.estimators[&estimator("a")];
            let total: usize = sweeps.iter().map(|sweep| sweep.points.len()).sum();
            prop_assert_eq!(coverage.points, total as u64);
            prop_assert_eq!(counts.scored + counts.not_scored, coverage.points);
            prop_assert_eq!(counts.reasons.values().sum::<u64>(), counts.not_scored);
        }
    }
}
