//! The client's two means, from the rows of a replay.

use shared::millis::Millis;
use shared::outcome::{Basis, Outcome, Prediction, Reason};

use super::not_scored;

/// Collects the requests of a replay, each once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    ttft: f64,
    tpot: f64,
    requests: u32,
    /// Of these, with more than one output token: only they have a TPOT.
    several: u32,
}

impl Means {
    /// Takes in a request: from sending it to its first token, from there to its last token, and how
    /// many tokens it got. Both times are in one unit, the same for all requests.
    pub fn add(&mut self, ttft: f64, decode: f64, output_tokens: u32) {
        self.ttft += ttft;
        self.requests += 1;
        if output_tokens > 1 {
            self.tpot += decode / f64::from(output_tokens - 1);
            self.several += 1;
        }
    }

    /// The prediction: the mean TTFT over all requests, and the mean of (e2e − TTFT) / (tokens − 1)
    /// over those with more than one token, as the client computes them.
    ///
    /// # Errors
    /// The outcome that says so, when a mean is no latency.
    pub fn prediction(&self, millis_per_unit: f64) -> Result<Prediction, Outcome> {
        let mean = |metric: &str, sum: f64, count: u32| {
            Millis::new(millis_per_unit * sum / f64::from(count)).map_err(|error| {
                not_scored(Reason::BadResult, format!("no mean {metric} over {count} requests: {error}"))
            })
        };
        Ok(Prediction {
            ttft_ms: mean("TTFT", self.ttft, self.requests)?,
            tpot_ms: mean("TPOT", self.tpot, self.several)?,
            completed: Some(self.requests),
            basis: Basis::PerRequest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_one_token_has_a_ttft_and_no_tpot() {
        let mut means = Means::default();
        means.add(0.25, 1.0, 5);
        means.add(0.75, 0.0, 1);
        let prediction = means.prediction(1e3).unwrap();
        assert_eq!((prediction.ttft_ms.get(), prediction.tpot_ms.get()), (500.0, 250.0));
        assert_eq!(prediction.completed, Some(2));
    }

    #[test]
    fn no_mean_is_made_of_nothing() {
        let Err(Outcome::NotScored(why)) = Means::default().prediction(1.0) else { panic!("scored") };
        assert_eq!(why.reason, Reason::BadResult);
        let mut means = Means::default();
        means.add(1.0, 0.0, 1);
        assert!(means.prediction(1.0).is_err());
    }
}
