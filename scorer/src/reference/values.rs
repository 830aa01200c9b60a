//! The values that reference tables are made of: they cannot hold what a table must not say.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A finite number above zero.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Positive(f64);

impl Positive {
    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Positive {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        if value.is_finite() && value > 0.0 {
            Ok(Self(value))
        } else {
            Err(format!("{value} is not a number above 0"))
        }
    }
}

/// A text that says something: a name, a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Text(String);

impl Text {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Text {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.trim().is_empty() {
            Err("an empty text says nothing: fill it in".to_owned())
        } else {
            Ok(Self(text))
        }
    }
}

/// The names of a table's entries so far: no two entries have one name.
#[derive(Debug, Default)]
pub(super) struct Names<'t>(BTreeSet<&'t str>);

impl<'t> Names<'t> {
    /// Adds a name of an entry, which messages call `entry`.
    ///
    /// # Errors
    /// The entry and what is wrong with it, when the name is there already.
    pub fn add(&mut self, name: &'t Text, entry: &str) -> Result<(), (String, String)> {
        if self.0.insert(name.as_str()) {
            Ok(())
        } else {
            Err((entry.to_owned(), "is there twice: keep one".to_owned()))
        }
    }
}

/// A released engine version of three numbers, such as `0.22.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Version([u32; 3]);

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}

impl std::str::FromStr for Version {
    type Err = String;

    /// Three numbers with dots; a suffix after them (`0.22.0.post1`, `0.22.0rc1`) is left out.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || format!("`{text}` is not a version of three numbers such as 0.22.0");
        let mut parts = text.splitn(4, '.');
        let mut number = || {
            let part = parts.next()?;
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            part[..digits].parse().ok()
        };
        let version = [number(), number(), number()];
        match version {
            [Some(major), Some(minor), Some(patch)] => Ok(Self([major, minor, patch])),
            _ => Err(refused()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_above_zero_is_refused() {
        for value in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Positive::try_from(value).is_err(), "{value}");
        }
        assert_eq!(Positive::try_from(0.5).map(Positive::get), Ok(0.5));
    }

    #[test]
    fn versions_compare_as_numbers() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("0.9.2") < version("0.15.1"));
        assert!(version("0.22.0.post1") == version("0.22.0"));
        for text in ["", "0.22", "v0.22.0", "nightly", "0..1"] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }
}
