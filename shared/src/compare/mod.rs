//! Two snapshots compared, A then B.
//!
//! Source: `docs/scoring.md`, "Comparing two snapshots". Figures are compared on the points that
//! **both** snapshots scored, joined by sweep id and concurrency, for each estimator; Δ = B − A, and
//! for MAPE and shape a negative Δ is better. The anchor of a shape error is then the lowest common
//! concurrency. A sweep belongs to a group's or tier's common set when it is in the group and tier in
//! both snapshots.
//!
//! Comparing is antisymmetric to the bit: sums run in the same order both ways, and the draws of the
//! bootstrap do not depend on the direction.
//!
//! [`compare`] gives everything at once. A page that shows a few rows uses [`Comparer`] and asks for
//! just those, first without intervals and then with them.

mod changes;
mod facts;
mod lists;
mod pairs;
mod view;

use serde::{Deserialize, Serialize};

pub use changes::{Change, Counts, Judgement, Row, Why};
pub use facts::{Comparability, Facts, SimulatorDifference};
pub use lists::{Lists, OneSided, PointDifference, PointStatus, SweepDifference};
pub use pairs::Comparer;
pub use view::View;

use crate::id::{EstimatorId, SnapshotId};
use crate::summary::{Label, Summary};

/// Two snapshots compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The first snapshot.
    pub a: Side,
    /// The second snapshot.
    pub b: Side,
    /// Whether they may be compared at all. When not, there are no rows and no sweeps.
    pub comparability: Comparability,
    /// What went into them that differs.
    pub facts: Facts,
    /// The figures side by side, by aggregate key.
    pub rows: Vec<Row>,
    /// The sweeps whose errors differ, greatest difference first.
    pub sweeps: Vec<SweepDifference>,
    /// The points that only one of them scored or has.
    pub lists: Lists,
}

/// Which snapshot stands on a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// The snapshot's id.
    pub id: SnapshotId,
    /// When it was made.
    pub generated_at: String,
    /// Whether simulator and data are releases.
    pub label: Label,
    /// The estimator that it is about.
    pub primary: EstimatorId,
}

impl Side {
    fn of(summary: &Summary) -> Self {
        let run = &summary.run;
        Self {
            id: run.id.clone(),
            generated_at: run.generated_at.clone(),
            label: run.label,
            primary: run.primary.clone(),
        }
    }
}

/// Compares two snapshots: every aggregate of every estimator that both have, with intervals.
#[must_use]
pub fn compare(a: &Summary, b: &Summary) -> Comparison {
    let comparer = Comparer::new(a, b);
    let comparability = comparer.comparability();
    let mut rows = Vec::new();
    let mut sweeps = Vec::new();
    if comparability.is_comparable() {
        for estimator in comparer.estimators() {
            for metric in crate::metric::Metric::ALL {
                let view = comparer.view(estimator, metric);
                rows.extend(view.keys().iter().map(|key| view.row(key, true)));
                sweeps.extend(view.sweeps());
            }
        }
        rows.sort_by(|a, b| a.of.cmp(&b.of));
        lists::sort_by_size(&mut sweeps);
    }
    Comparison {
        a: Side::of(a),
        b: Side::of(b),
        comparability,
        facts: comparer.facts(),
        rows,
        sweeps,
        lists: comparer.lists(),
    }
}

#[cfg(test)]
mod tests;
