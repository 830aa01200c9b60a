//! Whether an outcome can be the answer to its point: a replay that answered has completed every request,
//! and a published prediction is the one that was published.

use shared::id::EstimatorId;
use shared::outcome::{Basis, Outcome, Prediction, SimulatorIdentity};

use crate::simulators::published;

/// What is known of a point and an estimator before it answers.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// How many requests the client sends.
    pub requests: u32,
    /// The published prediction of the estimator, as latencies.
    pub published: Option<Prediction>,
    /// Whether the estimator only repeats what was published.
    pub is_published: bool,
}

/// An outcome says what cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnswerError {
    /// A replay that answered has not done what it was asked.
    #[error("{completed} requests are completed, but the client sends {requests}")]
    Completed {
        /// How many it completed.
        completed: u32,
        /// How many the client sends.
        requests: u32,
    },
    /// A published prediction is another one than was published.
    #[error("the prediction is {found}, but {published} was published with the measurements")]
    Published {
        /// What the outcome says.
        found: String,
        /// What was published.
        published: String,
    },
}

/// Whether the estimator of that id only repeats what was published.
#[must_use]
pub fn is_published(simulators: &[SimulatorIdentity], id: &EstimatorId) -> bool {
    simulators.iter().any(|simulator| simulator.id == *id && simulator.kind == published::KIND)
}

/// Checks that an outcome can be true.
///
/// # Errors
/// When it cannot.
pub fn check(outcome: &Outcome, known: Known) -> Result<(), AnswerError> {
    let scored = match outcome {
        Outcome::Scored(prediction) => Some(*prediction),
        Outcome::NotScored(_) => None,
    };
    if let Some(completed) = scored.and_then(|prediction| prediction.completed)
        && completed != known.requests
    {
        return Err(AnswerError::Completed { completed, requests: known.requests });
    }
    let claims_it = scored.is_some_and(|prediction| prediction.basis == Basis::PublishedRatio);
    if (known.is_published || claims_it) && scored != known.published {
        let (found, published) = (text(scored), text(known.published));
        return Err(AnswerError::Published { found, published });
    }
    Ok(())
}

fn text(prediction: Option<Prediction>) -> String {
    prediction.map_or_else(
        || "none".to_owned(),
        |Prediction { ttft_ms, tpot_ms, .. }| {
            format!("TTFT {} ms and TPOT {} ms", ttft_ms.get(), tpot_ms.get())
        },
    )
}

#[cfg(test)]
mod tests {
    use shared::millis::Millis;
    use shared::outcome::{NotScored, Reason};

    use super::*;

    fn prediction(tpot: f64, completed: Option<u32>, basis: Basis) -> Prediction {
        let (ttft_ms, tpot_ms) = (Millis::new(50.0).unwrap(), Millis::new(tpot).unwrap());
        Prediction { ttft_ms, tpot_ms, completed, basis }
    }

    #[test]
    fn a_replay_that_answered_has_completed_every_request() {
        let known = Known { requests: 40, published: None, is_published: false };
        let of = |completed| Outcome::Scored(prediction(5.0, completed, Basis::PerRequest));
        assert_eq!(check(&of(Some(40)), known), Ok(()));
        assert_eq!(check(&of(None), known), Ok(()));
        for completed in [39, 41, 0] {
            let refused = AnswerError::Completed { completed, requests: 40 };
            assert_eq!(check(&of(Some(completed)), known), Err(refused));
        }
    }

    #[test]
    fn a_published_prediction_is_the_one_that_was_published_to_the_bit() {
        let published = prediction(5.0, None, Basis::PublishedRatio);
        let known = Known { requests: 40, published: Some(published), is_published: true };
        let missing = Outcome::NotScored(NotScored { reason: Reason::Timeout, detail: String::new() });
        assert_eq!(check(&Outcome::Scored(published), known), Ok(()));
        assert_eq!(check(&missing, Known { published: None, ..known }), Ok(()));
        let forged = Outcome::Scored(prediction(5.0_f64.next_up(), None, Basis::PublishedRatio));
        for outcome in [&forged, &missing, &Outcome::Scored(prediction(5.0, None, Basis::Estimate))] {
            assert!(matches!(check(outcome, known), Err(AnswerError::Published { .. })), "{outcome:?}");
        }
        // What says that it was published must have been, whoever says it.
        let other = Known { published: None, is_published: false, ..known };
        let error = check(&Outcome::Scored(published), other).unwrap_err().to_string();
        assert_eq!(
            error,
            "the prediction is TTFT 50 ms and TPOT 5 ms, but none was published with the measurements"
        );
    }
}
