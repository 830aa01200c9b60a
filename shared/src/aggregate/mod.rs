//! Aggregates: the figures of a set of points.
//!
//! Source: `docs/scoring.md`, "Errors". Mean errors are pooled by point, the shape error by point
//! other than the anchor, the errors at the ends by sweep. Sums always run by sweep id and within a
//! sweep by concurrency, so any order of the input gives the same bits.
//!
//! [`Table`] works out each sweep's errors once and then gives any aggregate's figures; it is made for
//! all of a snapshot. [`figures`] is the same for one aggregate alone.

mod figures;
mod key;
mod sweep_errors;
mod table;

pub(crate) use figures::{Totals, pool};
pub(crate) use key::all as all_keys;
pub use key::everything;
pub use sweep_errors::SweepErrors;
pub(crate) use sweep_errors::pair;
pub use table::Table;

use crate::id::EstimatorId;
use crate::outcome::Outcome;
use crate::rules::{Grading, Rules};
use crate::summary::{Aggregate, AggregateKey, Figures};
use crate::sweep::Sweep;

/// The figures of one aggregate. Of `members` those are taken that belong to the key's group and
/// tier, so both all sweeps and those of the group will do.
#[must_use]
pub fn figures(key: &AggregateKey, members: &[&Sweep<Outcome>], rules: &Rules, grading: &Grading) -> Figures {
    let mut members: Vec<&Sweep<Outcome>> =
        members.iter().copied().filter(|sweep| key.contains(*sweep)).collect();
    members.sort_by(|a, b| a.id.cmp(&b.id));
    let errors: Vec<SweepErrors> =
        members.iter().map(|sweep| SweepErrors::of(sweep, &key.estimator, key.metric)).collect();
    pool(key, errors.iter(), rules, grading)
}

/// The keys of all aggregates of some sweeps, sorted: every group of every grouping, in every tier,
/// for every estimator and metric, also where there is no point.
#[must_use]
pub fn keys(sweeps: &[Sweep<Outcome>], estimators: &[EstimatorId]) -> Vec<AggregateKey> {
    key::all(table::groups(&table::by_id(sweeps)).keys(), estimators)
}

/// All aggregates of some sweeps, sorted by key.
#[must_use]
pub fn all(
    sweeps: &[Sweep<Outcome>],
    estimators: &[EstimatorId],
    rules: &Rules,
    grading: &Grading,
) -> Vec<Aggregate> {
    Table::new(sweeps, estimators).all(rules, grading)
}

#[cfg(test)]
mod tests;
