//! What an estimator gives back: the outcome, and what it is worth another time.

use shared::outcome::{Outcome, Reason};

use super::not_scored;
use crate::process::ProcessError;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What became of the point.
    pub outcome: Outcome,
    /// What the outcome is worth another time.
    pub standing: Standing,
    /// The most memory that was seen in use for it, in bytes, where that is known.
    pub peak_memory: Option<u64>,
}

/// What an outcome is worth another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The estimator says so, and will say so again.
    Fact,
    /// This run says so: a limit was reached, or the estimator failed. Another run may ask again.
    Circumstance,
    /// An accident that may not happen again: this run may ask again.
    Accident,
}

impl From<Outcome> for Reply {
    /// An outcome that the estimator decided by itself; of these, only its own failure may change.
    fn from(outcome: Outcome) -> Self {
        let failed = matches!(
            &outcome,
            Outcome::NotScored(why) if matches!(why.reason, Reason::RunError | Reason::Timeout)
        );
        let standing = if failed { Standing::Circumstance } else { Standing::Fact };
        Self { outcome, standing, peak_memory: None }
    }
}

impl From<ProcessError> for Reply {
    fn from(error: ProcessError) -> Self {
        let standing = if error.may_pass() { Standing::Accident } else { Standing::Circumstance };
        Self { outcome: not_scored(error.reason(), error.detail()), standing, peak_memory: None }
    }
}

impl Reply {
    /// The outcome of a program that ended; it is an accident when `may_pass`.
    #[must_use]
    pub fn of_program(outcome: Outcome, may_pass: bool, peak_memory: Option<u64>) -> Self {
        let reply = Self::from(outcome).with_peak_memory(peak_memory);
        if may_pass { Self { standing: Standing::Accident, ..reply } } else { reply }
    }

    /// The same, with the memory that was seen in use.
    #[must_use]
    pub fn with_peak_memory(self, bytes: Option<u64>) -> Self {
        Self { peak_memory: bytes, ..self }
    }
}
