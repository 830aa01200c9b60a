//! The columns of both tables.

use shared::format;

use super::typeset;

/// A column of both tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Sweeps with a scored point.
    Sweeps,
    /// Scored points.
    Points,
    /// Mean signed error.
    Signed,
    /// Mean absolute error.
    Mape,
    /// Mean absolute shape error.
    Shape,
    /// Points of the shape error.
    ShapePoints,
    /// Mean signed error at each sweep's lowest concurrency.
    AtLowest,
    /// Mean signed error at each sweep's highest concurrency.
    AtHighest,
    /// The grade of the mean absolute error.
    Grade,
}

impl Column {
    /// Every column, from left to right.
    pub const ALL: [Self; 9] = [
        Self::Sweeps,
        Self::Points,
        Self::Signed,
        Self::Mape,
        Self::Shape,
        Self::ShapePoints,
        Self::AtLowest,
        Self::AtHighest,
        Self::Grade,
    ];

    /// As tests and style sheets know it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Sweeps => "sweeps",
            Self::Points => "points",
            Self::Signed => "signed_mean",
            Self::Mape => "mape",
            Self::Shape => "shape",
            Self::ShapePoints => "shape_points",
            Self::AtLowest => "at_lowest",
            Self::AtHighest => "at_highest",
            Self::Grade => "grade",
        }
    }

    /// The header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sweeps => "Sweeps",
            Self::Points => "Points",
            Self::Signed => "Signed mean",
            Self::Mape => "MAPE",
            Self::Shape => "Shape",
            Self::ShapePoints => "Shape points",
            Self::AtLowest => "At lowest\u{a0}c",
            Self::AtHighest => "At highest\u{a0}c",
            Self::Grade => "Grade",
        }
    }

    /// The unit under the header.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Sweeps | Self::Points | Self::ShapePoints => "n",
            Self::Signed | Self::Mape | Self::Shape | Self::AtLowest | Self::AtHighest => "%",
            Self::Grade => "A–F",
        }
    }

    /// The unit under the header when two runs are compared.
    pub fn unit_of_both(self) -> &'static str {
        match self {
            Self::Sweeps | Self::Points | Self::ShapePoints => "n in both",
            Self::Signed | Self::Mape | Self::Shape | Self::AtLowest | Self::AtHighest => "%, Δ in points",
            Self::Grade => "A–F",
        }
    }

    /// What it is, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Sweeps => "Sweeps with at least one scored point: a sweep is a deployment and a workload",
            Self::Points => "Scored points: a point is one measured concurrency of a sweep",
            Self::Signed => "Mean signed error over points; above 0 the simulator says slower than measured",
            Self::Mape => "Mean absolute error over points",
            Self::Shape => {
                "Mean absolute error of the curve's shape: growth over the sweep's lowest concurrency, \
                 predicted against measured"
            }
            Self::ShapePoints => {
                "Points the shape error is taken over: all but each sweep's lowest concurrency"
            }
            Self::AtLowest => "Signed error at each sweep's lowest scored concurrency, mean over sweeps",
            Self::AtHighest => "Signed error at each sweep's highest scored concurrency, mean over sweeps",
            Self::Grade => "The grade of the MAPE by this snapshot's thresholds",
        }
    }
}

/// A figure in full precision with its unit and n.
pub fn full(column: Column, value: Option<f64>, over: &str) -> String {
    match value {
        Some(_) => typeset(&format!("{} {} % {over}", column.name(), format::full(value))),
        None => format!("{}: not defined {over}", column.name()),
    }
}
