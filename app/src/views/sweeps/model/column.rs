//! The columns of the list of sweeps.

use shared::metric::Metric;

use crate::views::figure::Figure;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// What the sweep is called: its model.
    Model,
    /// The GPU.
    Hardware,
    /// The precision of the weights.
    Precision,
    /// The layout over GPUs.
    Parallelism,
    /// Input and output length.
    Workload,
    /// The engine's version.
    Engine,
    /// How far the run can be reproduced.
    Verdict,
    /// Scored points.
    Points,
    /// An error.
    Error(Metric, Figure),
}

impl Column {
    /// Every column, from left to right.
    pub const ALL: [Self; 14] = [
        Self::Model,
        Self::Hardware,
        Self::Precision,
        Self::Parallelism,
        Self::Workload,
        Self::Engine,
        Self::Verdict,
        Self::Points,
        Self::Error(Metric::Tpot, Figure::Mape),
        Self::Error(Metric::Tpot, Figure::Signed),
        Self::Error(Metric::Tpot, Figure::Shape),
        Self::Error(Metric::Ttft, Figure::Mape),
        Self::Error(Metric::Ttft, Figure::Signed),
        Self::Error(Metric::Ttft, Figure::Shape),
    ];

    /// The columns of words: what a list of choices narrows.
    pub const WORDS: [Self; 7] = [
        Self::Model,
        Self::Hardware,
        Self::Precision,
        Self::Parallelism,
        Self::Workload,
        Self::Engine,
        Self::Verdict,
    ];

    /// As it stands in the address, in a filter and in tests.
    pub fn key(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Hardware => "hardware",
            Self::Precision => "precision",
            Self::Parallelism => "parallelism",
            Self::Workload => "workload",
            Self::Engine => "engine",
            Self::Verdict => "verdict",
            Self::Points => "points",
            Self::Error(Metric::Tpot, Figure::Mape) => "tpot-mape",
            Self::Error(Metric::Tpot, Figure::Signed) => "tpot-signed",
            Self::Error(Metric::Tpot, Figure::Shape) => "tpot-shape",
            Self::Error(Metric::Ttft, Figure::Mape) => "ttft-mape",
            Self::Error(Metric::Ttft, Figure::Signed) => "ttft-signed",
            Self::Error(Metric::Ttft, Figure::Shape) => "ttft-shape",
        }
    }

    /// The column of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.key() == key)
    }

    /// The header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Hardware => "Hardware",
            Self::Precision => "Precision",
            Self::Parallelism => "Layout",
            Self::Workload => "Workload",
            Self::Engine => "Engine",
            Self::Verdict => "Verdict",
            Self::Points => "Points",
            Self::Error(Metric::Tpot, Figure::Mape) => "TPOT MAPE",
            Self::Error(Metric::Tpot, Figure::Signed) => "TPOT signed",
            Self::Error(Metric::Tpot, Figure::Shape) => "TPOT shape",
            Self::Error(Metric::Ttft, Figure::Mape) => "TTFT MAPE",
            Self::Error(Metric::Ttft, Figure::Signed) => "TTFT signed",
            Self::Error(Metric::Ttft, Figure::Shape) => "TTFT shape",
        }
    }

    /// The unit; empty for words.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Points => "n scored",
            Self::Error(_, Figure::Mape) => "%, grade",
            Self::Error(_, Figure::Signed | Figure::Shape) => "%",
            _ => "",
        }
    }

    /// What it is, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Model => "The model; the row opens to the points of the sweep",
            Self::Hardware => "The GPU",
            Self::Precision => "The precision of the weights",
            Self::Parallelism => "The layout over GPUs",
            Self::Workload => "Input and output length, in tokens",
            Self::Engine => "The engine's version, when it is known",
            Self::Verdict => "How far the measured run can be reproduced",
            Self::Points => "Scored points, and those that are not",
            Self::Error(_, Figure::Mape) => "Mean absolute error over the scored points, with its grade",
            Self::Error(_, Figure::Signed) => {
                "Mean signed error over the scored points; above 0 the simulator says slower than measured"
            }
            Self::Error(_, Figure::Shape) => {
                "Mean absolute error of the curve's shape: growth over the lowest concurrency"
            }
        }
    }

    /// Whether it holds words rather than numbers.
    pub fn is_words(self) -> bool {
        self.unit().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_leads_back_to_its_column() {
        for column in Column::ALL {
            assert_eq!(Column::from_key(column.key()), Some(column));
            assert_eq!(column.is_words(), Column::WORDS.contains(&column));
        }
    }
}
