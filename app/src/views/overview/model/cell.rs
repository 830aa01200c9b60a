//! A table as it is shown: texts, and what decides their colours.

use serde::Serialize;
use shared::metric::Metric;
use shared::summary::Grade;

use super::shown::Shown;

/// A figure as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// The figure in full, with its n.
    pub title: String,
    /// A second, smaller line.
    pub small: Option<String>,
    /// The grade, in the column of grades.
    pub grade: Option<Grade>,
    /// A's figure, when two runs are compared; the text is then B's.
    pub before: Option<Before>,
    /// How far B's figure is from A's.
    pub delta: Option<Delta>,
}

/// A's figure beside B's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Before {
    /// The text.
    pub text: String,
    /// The grade, in the column of grades.
    pub grade: Option<Grade>,
}

/// A difference as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Delta {
    /// Arrow, sign and size.
    pub text: String,
    /// What may be said of it.
    pub shown: Shown,
    /// Its 95 % interval, which is shown when the reader wants intervals.
    pub interval: String,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The group's key.
    pub key: String,
    /// The cells, in the order of [`super::column::Column::ALL`].
    pub cells: Vec<Cell>,
    /// Why nothing is scored, where nothing is.
    pub empty: Option<String>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The metric.
    pub metric: Metric,
    /// The groups, in the order of the snapshot.
    pub rows: Vec<Row>,
    /// Everything in the tier.
    pub total: Option<Row>,
}
