//! Engine settings as facts: a value, and where it is known from.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The four settings that decide whether a run can be reproduced.
pub const ADMISSION_SETTINGS: [&str; 4] =
    ["block_size", "enable_prefix_caching", "max_num_batched_tokens", "max_num_seqs"];

/// Where a setting's value is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It stands on the engine's arguments line.
    Passed,
    /// The engine's log resolves it, or the default table of the engine's version does.
    Resolved,
    /// Nothing is known.
    Absent,
}

impl Origin {
    /// The origin as one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Resolved => "resolved",
            Self::Absent => "absent",
        }
    }
}

/// A setting of one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// The value; none when the origin is `absent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<SettingValue>,
    /// Where the value is known from.
    pub origin: Origin,
}

impl Setting {
    /// A value on the arguments line.
    pub fn passed(value: impl Into<SettingValue>) -> Self {
        Self { value: Some(value.into()), origin: Origin::Passed }
    }

    /// A value from the log's resolved lines or from the default table.
    pub fn resolved(value: impl Into<SettingValue>) -> Self {
        Self { value: Some(value.into()), origin: Origin::Resolved }
    }

    /// Nothing is known.
    #[must_use]
    pub fn absent() -> Self {
        Self { value: None, origin: Origin::Absent }
    }
}

/// A setting's value: a JSON boolean, integer, number or string.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number with a fraction.
    Number(f64),
    /// Anything else that the arguments line says.
    Text(String),
}

impl SettingValue {
    /// The value as a count, if it is one.
    #[must_use]
    pub fn as_count(&self) -> Option<u32> {
        match self {
            Self::Integer(value) => u32::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The value as a number, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The value as a flag, if it is one.
    #[must_use]
    pub fn as_flag(&self) -> Option<bool> {
        match self {
            Self::Flag(value) => Some(*value),
            _ => None,
        }
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => value.fmt(formatter),
            Self::Integer(value) => value.fmt(formatter),
            Self::Number(value) => value.fmt(formatter),
            Self::Text(value) => value.fmt(formatter),
        }
    }
}

impl From<bool> for SettingValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<u32> for SettingValue {
    fn from(value: u32) -> Self {
        Self::Integer(i64::from(value))
    }
}

impl From<f64> for SettingValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl Serialize for SettingValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
        }
    }
}

impl<'de> Deserialize<'de> for SettingValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SettingValueVisitor)
    }
}

struct SettingValueVisitor;

impl Visitor<'_> for SettingValueVisitor {
    type Value = SettingValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a boolean, a number or a string")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(SettingValue::Flag(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(SettingValue::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        i64::try_from(value)
            .map(SettingValue::Integer)
            .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &"an integer below 2^63"))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(SettingValue::Number(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(SettingValue::Text(value.to_owned()))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SettingValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SettingValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["boolean", "number", "string"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_kind_through_json() {
        for (text, value) in [
            ("true", SettingValue::Flag(true)),
            ("8192", SettingValue::Integer(8192)),
            ("0.9", SettingValue::Number(0.9)),
            ("\"fp8\"", SettingValue::Text("fp8".to_owned())),
        ] {
            assert_eq!(serde_json::from_str::<SettingValue>(text).unwrap(), value);
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
        }
        assert!(serde_json::from_str::<SettingValue>("[1]").is_err());
        assert!(serde_json::from_str::<SettingValue>("18446744073709551615").is_err());
    }
}
