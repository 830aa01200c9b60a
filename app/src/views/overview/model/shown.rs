//! What may be said of a difference: the table and the sentence above it take the same words from here, so
//! that they never contradict each other.

use serde::Serialize;
use shared::compare::{Change, Judgement};
use shared::format;

/// A difference in the words that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Shown {
    /// B's error is smaller, beyond noise.
    Better,
    /// B's error is greater, beyond noise.
    Worse,
    /// A signed error moved beyond noise.
    Moved,
    /// It moved beyond noise, by less than is shown.
    Tiny,
    /// Every sweep says the same.
    Same,
    /// It may be chance.
    Noise,
    /// Too few sweeps to tell.
    Unsure,
    /// It is being worked out.
    Open,
    /// There is none.
    Absent,
}

impl Shown {
    /// Every one.
    pub const ALL: [Self; 9] = [
        Self::Better,
        Self::Worse,
        Self::Moved,
        Self::Tiny,
        Self::Same,
        Self::Noise,
        Self::Unsure,
        Self::Open,
        Self::Absent,
    ];

    /// As it stands in a message.
    pub fn key(self) -> &'static str {
        match self {
            Self::Better => "Better",
            Self::Worse => "Worse",
            Self::Moved => "Moved",
            Self::Tiny => "Tiny",
            Self::Same => "Same",
            Self::Noise => "Noise",
            Self::Unsure => "Unsure",
            Self::Open => "Open",
            Self::Absent => "Absent",
        }
    }

    /// What is shown of a change.
    pub fn of(change: &Change) -> Self {
        let rounds_to_zero = format::arrow(change.delta) == Some('=');
        match change.judgement {
            Judgement::Better | Judgement::Worse | Judgement::Changed if rounds_to_zero => Self::Tiny,
            Judgement::Better => Self::Better,
            Judgement::Worse => Self::Worse,
            Judgement::Changed => Self::Moved,
            Judgement::Same => Self::Same,
            Judgement::Noise => Self::Noise,
            Judgement::Unsure => Self::Unsure,
            Judgement::Open => Self::Open,
            Judgement::Absent => Self::Absent,
        }
    }

    /// The word under the difference.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Moved => "moved",
            Self::Tiny => "under 0.05",
            Self::Same => "same",
            Self::Noise => "within noise",
            Self::Unsure => "few sweeps",
            Self::Open => "…",
            Self::Absent => "",
        }
    }

    /// What the word means.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Better => "smaller in B, beyond noise",
            Self::Worse => "greater in B, beyond noise",
            Self::Moved => "moved beyond noise, which is neither better nor worse by itself",
            Self::Tiny => "moved beyond noise, by less than one decimal shows",
            Self::Same => "every common sweep has the same value in both runs",
            Self::Noise => "the 95 % interval of the difference contains 0: it may be chance",
            Self::Unsure => "too few common sweeps to tell a difference from chance",
            Self::Open => "being compared with chance",
            Self::Absent => "no common points",
        }
    }
}
