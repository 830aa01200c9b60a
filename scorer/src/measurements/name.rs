//! Names in files that others wrote.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer};

/// The longest name that is read, in characters.
const LONGEST_NAME: usize = 200;

/// A name of something: a scenario, a model, a setting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(String);

impl Name {
    /// A name that stands in this program.
    pub(super) fn of_constant(name: &'static str) -> Self {
        Self(name.to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let short = text.chars().take(LONGEST_NAME + 1).count() <= LONGEST_NAME;
        if !text.is_empty() && short && !text.chars().any(char::is_control) {
            return Ok(Self(text.to_owned()));
        }
        let shown: String = text.chars().take(40).collect();
        Err(format!("`{shown}` is no name: use 1 to {LONGEST_NAME} characters without control characters"))
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_printable() {
        let read = |text: &str| serde_json::from_str::<Name>(&format!("\"{text}\""));
        assert!(read("gpt-oss-120b").is_ok());
        assert!(read(&"a".repeat(LONGEST_NAME)).is_ok());
        for text in ["", "a\\u001b[2J", &"a".repeat(LONGEST_NAME + 1)] {
            assert!(read(text).unwrap_err().to_string().contains("is no name"), "{text}");
        }
    }
}
