//! What is read of a row's `metrics`: the client's means, the throughputs that tell the sent lengths,
//! and the sizes that no column has.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The metrics of a row that are used; any of them may be missing, since old rows have few.
///
/// Times are in seconds, throughputs in tokens per second and GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metrics {
    /// The client's mean time to first token.
    #[serde(deserialize_with = "number")]
    pub mean_ttft: Option<f64>,
    /// The client's mean time per output token.
    #[serde(deserialize_with = "number")]
    pub mean_tpot: Option<f64>,
    /// All tokens.
    #[serde(deserialize_with = "number")]
    pub tput_per_gpu: Option<f64>,
    /// Input tokens.
    #[serde(deserialize_with = "number")]
    pub input_tput_per_gpu: Option<f64>,
    /// Output tokens.
    #[serde(deserialize_with = "number")]
    pub output_tput_per_gpu: Option<f64>,
    /// Pipeline stages.
    #[serde(deserialize_with = "count")]
    pub pp: Option<u64>,
    /// Decode context parallelism.
    #[serde(deserialize_with = "count")]
    pub dcp_size: Option<u64>,
    /// Prefill context parallelism.
    #[serde(deserialize_with = "count")]
    pub pcp_size: Option<u64>,
    /// The KV pools of all data-parallel engines together, in tokens.
    #[serde(deserialize_with = "count")]
    pub kv_cache_pool_tokens: Option<u64>,
}

impl Metrics {
    /// Reads the JSON object of the column; other keys, of whatever kind, are passed over.
    ///
    /// # Errors
    /// When the text is not a JSON object.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        // Serde would also read a list, field by field.
        if !text.trim_start().starts_with('{') {
            return Err(serde::de::Error::custom("a JSON object is needed"));
        }
        serde_json::from_str(text)
    }
}

/// A finite number, also one that was written as a text; anything else says nothing.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let value = match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    Ok(value.filter(|number| number.is_finite()))
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let whole = number(deserializer)?.filter(|number| number.fract() == 0.0 && (0.0..9e15).contains(number));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and within 0 to 9e15"
    )]
    Ok(whole.map(|number| number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_texts_of_other_keys_tolerated() {
        let text = r#"{"pp": 1, "mean_ttft": 0.032, "mean_tpot": "0.0042", "p99.9_ttft": 1, "offload_mode": "off",
            "kv_cache_pool_tokens": 375856, "router": {"name": "x"}, "tput_per_gpu": null, "pcp_size": "two"}"#;
        let metrics = Metrics::from_json(text).unwrap();
        assert_eq!((metrics.mean_ttft, metrics.mean_tpot), (Some(0.032), Some(0.0042)));
        assert_eq!((metrics.pp, metrics.pcp_size), (Some(1), None));
        assert_eq!((metrics.kv_cache_pool_tokens, metrics.tput_per_gpu), (Some(375_856), None));
    }

    #[test]
    fn what_is_no_number_says_nothing() {
        let metrics =
            Metrics::from_json(r#"{"mean_ttft": "inf", "mean_tpot": "NaN", "pp": -1, "pcp_size": 1.5}"#);
        assert_eq!(metrics.unwrap(), Metrics::default());
        for text in ["", "[]", "1", "null", "{", r#"{"mean_ttft": 1e999}"#] {
            assert!(Metrics::from_json(text).is_err(), "{text}");
        }
    }
}
