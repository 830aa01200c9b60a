//! The errors that a sweep and a history show.

use shared::format;
use shared::summary::Figures;

/// An error of some points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figure {
    /// The mean absolute error, which has a grade.
    #[default]
    Mape,
    /// The mean absolute shape error.
    Shape,
    /// The mean signed error.
    Signed,
}

impl Figure {
    /// Every figure.
    pub const ALL: [Self; 3] = [Self::Mape, Self::Shape, Self::Signed];

    /// As it stands in menus.
    pub fn key(self) -> &'static str {
        match self {
            Self::Mape => "mape",
            Self::Shape => "shape",
            Self::Signed => "signed",
        }
    }

    /// The figure of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.key() == key)
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mape => "MAPE",
            Self::Shape => "Shape",
            Self::Signed => "Signed mean",
        }
    }

    /// Its value.
    pub fn of(self, figures: &Figures) -> Option<f64> {
        match self {
            Self::Mape => figures.mape,
            Self::Shape => figures.shape,
            Self::Signed => figures.signed_mean,
        }
    }

    /// How many points it is a mean of.
    pub fn points(self, figures: &Figures) -> u64 {
        match self {
            Self::Mape | Self::Signed => figures.points,
            Self::Shape => figures.shape_points,
        }
    }

    /// How it is rounded and shown.
    pub fn rounded(self) -> fn(Option<f64>) -> String {
        match self {
            Self::Mape | Self::Shape => format::percent,
            Self::Signed => format::signed_percent,
        }
    }
}
