//! Validated names. They become file names, URL parameters and keys, so each has one constructor
//! that refuses whatever could be read as something else.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// A name that does not follow the rule of its kind.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid {kind} `{text}`: use {rule}")]
pub struct IdError {
    kind: &'static str,
    text: String,
    rule: &'static str,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $rule:literal, $pattern:literal, $valid:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        #[cfg(feature = "schema")]
        crate::schema::text_schema!($name, $pattern);

        impl $name {
            /// Checks the text and makes the id.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                let valid: fn(&str) -> bool = $valid;
                if valid(&text) {
                    Ok(Self(text))
                } else {
                    let text = text.chars().take(100).collect();
                    Err(IdError { kind: $kind, text, rule: $rule })
                }
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

id!(
    /// A sweep's id: the first 16 hexadecimal digits of the digest of its simulator-input identity
    /// (see [`crate::sweep::Identity`]).
    SweepId,
    "sweep id",
    "16 lower-case hexadecimal digits",
    r"^[0-9a-f]{16}$",
    |text| text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
);

id!(
    /// A snapshot's id: a directory name and a URL parameter.
    SnapshotId,
    "snapshot id",
    "1 to 80 of the characters A-Z a-z 0-9 . _ - (not `.` or `..`)",
    r"^[A-Za-z0-9._-]{1,80}$",
    |text| (1..=80).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        && text != "."
        && text != ".."
);

id!(
    /// An estimator's id: a simulator or a published set of predictions.
    EstimatorId,
    "estimator id",
    "1 to 40 of the characters a-z 0-9 . _ -, beginning with a letter or digit",
    r"^[a-z0-9][a-z0-9._-]{0,39}$",
    |text| (1..=40).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte))
        && text.as_bytes()[0].is_ascii_alphanumeric()
);

id!(
    /// A unit's id: the sweep's id, `_`, and the release of the measurements. It is a file name.
    UnitId,
    "unit id",
    "16 lower-case hexadecimal digits, `_`, and 1 to 60 of the characters A-Z a-z 0-9 . -",
    r"^[0-9a-f]{16}_[A-Za-z0-9.-]{1,60}$",
    |text| text.split_once('_').is_some_and(|(sweep, tag)| {
        SweepId::new(sweep).is_ok()
            && (1..=60).contains(&tag.len())
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    })
);

impl SweepId {
    /// The id that begins a digest.
    #[must_use]
    pub fn of_digest(digest: &Digest) -> Self {
        Self(digest.short(16).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_id_cannot_leave_its_directory() {
        for text in ["", ".", "..", "a/b", "../x", "a\\b", "a b", "é", &"a".repeat(81)] {
            assert!(SnapshotId::new(text).is_err(), "{text}");
        }
        assert!(SnapshotId::new("2026-09-28_roofline-1.0.0_0a1b2c3d").is_ok());
    }

    #[test]
    fn a_unit_id_is_a_sweep_and_a_release_and_a_file_name() {
        assert!(UnitId::new("0123456789abcdef_db-dump-2026-09-28").is_ok());
        let long = format!("0123456789abcdef_{}", "x".repeat(61));
        for text in ["", "0123456789abcdef", "0123456789abcdef_", "0123456789abcde_x", &long] {
            assert!(UnitId::new(text).is_err(), "{text}");
        }
        for tag in ["a/b", "a_b", "..\\", "é", " "] {
            assert!(UnitId::new(format!("0123456789abcdef_{tag}")).is_err(), "{tag}");
        }
    }

    #[test]
    fn ids_are_checked_when_they_are_read() {
        assert!(serde_json::from_str::<SweepId>("\"0123456789abcdef\"").is_ok());
        let error = serde_json::from_str::<SweepId>("\"xyz\"").unwrap_err().to_string();
        assert!(error.contains("invalid sweep id `xyz`"), "{error}");
        assert!(EstimatorId::new("-x").is_err());
        assert!(EstimatorId::new("BLIS").is_err());
    }
}
