//! What a build answers: how many requests came to which end ([`counts`]), and either a row per request ([`rows`]) or means of the
//! build's own ([`means`]), in documents of several shapes ([`text`]).
//!
//! Everything is read from a parsed JSON or YAML value by name and by unit. A latency whose name does not say its unit is refused.

pub mod counts;
pub mod means;
pub mod rows;
pub mod text;

use serde_json::Value;

/// An answer cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultError {
    /// There is none.
    #[error("nothing on stdout that could be a result")]
    Nothing,
    /// It is not text.
    #[error("the result is not UTF-8 text")]
    NotText,
    /// It is neither JSON nor YAML.
    #[error("the result is no JSON or YAML: {0}")]
    Syntax(String),
    /// A field is not there, under any of its names.
    #[error("{place} has no `{name}`")]
    Missing {
        /// Where it was looked for.
        place: String,
        /// The field's first name.
        name: &'static str,
    },
    /// A field has another type.
    #[error("{place}: `{name}` is {found}, not {expected}")]
    Type {
        /// Where it stands.
        place: String,
        /// The field.
        name: String,
        /// Its value, shortened.
        found: String,
        /// What is needed.
        expected: &'static str,
    },
    /// A latency whose name does not say its unit.
    #[error("{place}: `{name}` has no unit: `{name}_ms` or `{name}_us` is needed")]
    NoUnit {
        /// Where it stands.
        place: String,
        /// The field.
        name: &'static str,
    },
    /// A row is of no request that was sent.
    #[error("row {row}: {id} is no request that was sent")]
    UnknownRequest {
        /// The row, counted from 1.
        row: usize,
        /// What it calls itself.
        id: String,
    },
}

/// The first of some fields that is there and not null.
fn first<'a>(value: &'a Value, names: &[&str]) -> Option<(&'a Value, String)> {
    names.iter().find_map(|name| {
        let found = value.get(name).filter(|found| !found.is_null())?;
        Some((found, (*name).to_owned()))
    })
}

/// A whole number under the first of its names.
fn count(value: &Value, names: &'static [&'static str], place: &str) -> Result<u64, ResultError> {
    let missing = || ResultError::Missing { place: place.to_owned(), name: names[0] };
    let (found, name) = first(value, names).ok_or_else(missing)?;
    // Some writers have whole numbers as 40.0.
    let whole = found.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0 && *number < 9e15);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to 9e15, by the filter above"
    )]
    let number = found.as_u64().or_else(|| whole.map(|number| number as u64));
    number.ok_or_else(|| wrong(found, name, place, "a whole number of at least 0"))
}

/// A latency in milliseconds, by the unit in its name.
fn millis(value: &Value, name: &'static str, place: &str) -> Result<f64, ResultError> {
    for (unit, factor) in [("ms", 1.0), ("us", 1e-3)] {
        let key = format!("{name}_{unit}");
        if let Some(found) = value.get(&key).filter(|found| !found.is_null()) {
            let number = found.as_f64().ok_or_else(|| wrong(found, key, place, "a number"))?;
            return Ok(number * factor);
        }
    }
    Err(if value.get(name).is_some() {
        ResultError::NoUnit { place: place.to_owned(), name }
    } else {
        ResultError::Missing { place: place.to_owned(), name }
    })
}

fn wrong(found: &Value, name: String, place: &str, expected: &'static str) -> ResultError {
    let found = found.to_string().chars().take(40).collect();
    ResultError::Type { place: place.to_owned(), name, found, expected }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_latency_is_read_by_the_unit_in_its_name() {
        assert_eq!(millis(&json!({ "ttft_ms": 56.25 }), "ttft", "row 1"), Ok(56.25));
        assert_eq!(millis(&json!({ "ttft_us": 56_250 }), "ttft", "row 1"), Ok(56.25));
        let refused = millis(&json!({ "ttft": 56.25 }), "ttft", "row 1").unwrap_err();
        assert_eq!(refused.to_string(), "row 1: `ttft` has no unit: `ttft_ms` or `ttft_us` is needed");
        assert!(millis(&json!({ "ttft_ms": "fast" }), "ttft", "row 1").is_err());
        assert!(millis(&json!({}), "ttft", "row 1").is_err());
    }

    #[test]
    fn a_count_is_a_whole_number() {
        let names = &["injected", "injected_requests"];
        assert_eq!(count(&json!({ "injected_requests": 40 }), names, "the result"), Ok(40));
        assert_eq!(count(&json!({ "injected": 40.0 }), names, "the result"), Ok(40));
        for bad in [json!(-1), json!(0.5), json!("40"), json!(1e300)] {
            assert!(count(&json!({ "injected": bad }), names, "the result").is_err());
        }
        assert!(count(&json!([]), names, "the result").is_err());
    }
}
