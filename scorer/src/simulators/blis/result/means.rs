//! Means that a build takes itself: of a dialect without rows for all requests, and of agentic scenarios.

use serde_json::Value;

use super::{ResultError, count, millis};

/// The means of a dialect without rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// Mean TTFT over requests, in milliseconds.
    pub ttft_ms: f64,
    /// Mean time between tokens over all tokens of all requests, in milliseconds. The client takes the mean over requests; where
    /// both are known they differ by less than 0.01 %.
    pub itl_ms: f64,
    /// All input tokens.
    pub input_tokens: u64,
    /// All output tokens.
    pub output_tokens: u64,
}

impl Means {
    /// Reads the aggregate that a build prints.
    ///
    /// # Errors
    /// When a figure is missing.
    pub fn read(value: &Value) -> Result<Self, ResultError> {
        let place = "the result";
        Ok(Self {
            ttft_ms: millis(value, "ttft_mean", place)?,
            itl_ms: millis(value, "itl_mean", place)?,
            input_tokens: count(value, &["total_input_tokens"], place)?,
            output_tokens: count(value, &["total_output_tokens"], place)?,
        })
    }
}

/// The two means of an agentic scenario, TTFT and TPOT in milliseconds.
///
/// # Errors
/// When a figure is missing.
pub fn agentic(value: &Value) -> Result<(f64, f64), ResultError> {
    let place = value.get("summary").map_or("the result", |_| "`summary`");
    let value = value.get("summary").unwrap_or(value);
    Ok((millis(value, "ttft_mean", place)?, millis(value, "tpot_mean", place)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_means_are_those_of_the_result() {
        let value = json!({
            "ttft_mean_ms": 41.177_425, "itl_mean_ms": 16.957_134_036_924_923, "tpot_mean_ms": 1.0,
            "total_input_tokens": 37068, "total_output_tokens": 36709,
        });
        let means = Means::read(&value).unwrap();
        assert_eq!((means.ttft_ms, means.itl_ms), (41.177_425, 16.957_134_036_924_923));
        assert_eq!((means.input_tokens, means.output_tokens), (37_068, 36_709));
    }

    #[test]
    fn an_agentic_result_has_them_on_top_or_in_its_summary() {
        let means = json!({ "ttft_mean_ms": 500.5, "tpot_mean_ms": 12.5 });
        assert_eq!(agentic(&means), Ok((500.5, 12.5)));
        assert_eq!(agentic(&json!({ "summary": means })), Ok((500.5, 12.5)));
        assert!(agentic(&json!({ "summary": { "ttft_mean_ms": 500.5 } })).is_err());
    }
}
