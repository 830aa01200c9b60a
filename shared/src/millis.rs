//! Latencies.

use serde::{Deserialize, Serialize};

/// A latency in milliseconds, from [`Millis::LEAST`] to [`Millis::GREATEST`].
///
/// The bounds are those of what can be measured, a nanosecond to some thirty years. Within them every quotient of
/// latencies, and so every error and every mean of errors, is a finite number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Millis(f64);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Millis {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Millis".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": Self::LEAST, "maximum": Self::GREATEST })
    }
}

/// The number cannot be a latency.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a latency must be a number of milliseconds from 0.000001 to 1000000000000, not {0}")]
pub struct MillisError(f64);

impl Millis {
    /// The least latency: a nanosecond, in milliseconds.
    pub const LEAST: f64 = 1e-6;

    /// The greatest latency: some 31.7 years, in milliseconds.
    pub const GREATEST: f64 = 1e12;

    /// Checks the number and makes the latency.
    pub fn new(value: f64) -> Result<Self, MillisError> {
        if (Self::LEAST..=Self::GREATEST).contains(&value) {
            Ok(Self(value))
        } else {
            Err(MillisError(value))
        }
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

    #[test]
    fn what_nobody_can_have_measured_is_not_a_latency() {
        for value in [5e-324, Millis::LEAST.next_down(), Millis::GREATEST.next_up(), 1e308] {
            let error = Millis::new(value).unwrap_err().to_string();
            assert!(error.contains("from 0.000001 to 1000000000000"), "{error}");
        }
        for value in [Millis::LEAST, Millis::GREATEST] {
            assert_eq!(Millis::new(value).unwrap().get(), value);
        }
    }
}
