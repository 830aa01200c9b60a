//! Latencies.

use serde::{Deserialize, Serialize};

/// A latency in milliseconds: finite and greater than zero.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Millis(f64);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Millis {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Millis".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "exclusiveMinimum": 0 })
    }
}

/// The number cannot be a latency.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a latency must be a finite number of milliseconds greater than 0, not {0}")]
pub struct MillisError(f64);

impl Millis {
    /// Checks the number and makes the latency.
    pub fn new(value: f64) -> Result<Self, MillisError> {
        if value.is_finite() && value > 0.0 { Ok(Self(value)) } else { Err(MillisError(value)) }
    }

    /// The number of milliseconds.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Millis {
    type Error = MillisError;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        Self::new(value)
    }
}

impl From<Millis> for f64 {
    fn from(millis: Millis) -> Self {
        millis.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_negative_infinite_and_nan_are_not_latencies() {
        for value in [0.0, -0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(Millis::new(value).is_err(), "{value}");
        }
        assert_eq!(Millis::new(1.5).unwrap().get(), 1.5);
    }
}
