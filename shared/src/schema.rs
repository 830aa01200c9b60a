//! The kinds of files and their versions.

use serde::Deserialize;

/// A kind of file that the stages exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// Measured sweeps.
    Corpus,
    /// The frozen work list.
    Plan,
    /// The journal of outcomes; its schema describes the first line.
    Outcomes,
    /// A snapshot.
    Summary,
    /// The list of snapshots.
    Index,
    /// What was published last.
    LastRun,
    /// The night that failed last.
    LastFailure,
    /// A frozen sweep of a ledger.
    Unit,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Corpus,
        Self::Plan,
        Self::Outcomes,
        Self::Summary,
        Self::Index,
        Self::LastRun,
        Self::LastFailure,
        Self::Unit,
    ];

    /// The value of the file's `schema` field.
    #[must_use]
    pub fn schema(self) -> &'static str {
        match self {
            Self::Corpus => "corpus.v1",
            Self::Plan => "plan.v1",
            Self::Outcomes => "outcomes.v1",
            Self::Summary => "summary.v1",
            Self::Index => "index.v1",
            Self::LastRun => "last-run.v1",
            Self::LastFailure => "last-failure.v1",
            Self::Unit => "unit.v1",
        }
    }

    fn parts(self) -> (&'static str, u32) {
        let schema = self.schema();
        schema.rsplit_once(".v").map_or((schema, 1), |(name, version)| (name, version.parse().unwrap_or(1)))
    }

    /// The kind of the file whose `schema` field says `text`, whatever its version.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (name, _) = text.rsplit_once(".v")?;
        Self::ALL.into_iter().find(|kind| kind.parts().0 == name)
    }

    /// Checks the `schema` field of a file that is read as this kind.
    pub fn check(self, text: &str) -> Result<(), SchemaError> {
        if text == self.schema() {
            return Ok(());
        }
        let expected = self.schema();
        let (name, version) = self.parts();
        let found: String = text.chars().take(60).collect();
        match text.rsplit_once(".v") {
            Some((other, newer))
                if other == name && newer.parse::<u32>().is_ok_and(|newer| newer > version) =>
            {
                Err(SchemaError::Newer { found, expected })
            }
            _ => Err(SchemaError::Other { found, expected }),
        }
    }
}

/// The `schema` field does not say what was expected.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The file was written by a newer version of this product.
    #[error("schema `{found}` is newer than `{expected}`, which this version reads: update it")]
    Newer {
        /// What the file says.
        found: String,
        /// What this version reads.
        expected: &'static str,
    },
    /// The file is something else.
    #[error("schema is `{found}`, but a file of schema `{expected}` is needed here")]
    Other {
        /// What the file says.
        found: String,
        /// What this version reads.
        expected: &'static str,
    },
}

/// Only the `schema` field of a file, to find out what it is before it is read.
#[derive(Debug, Deserialize)]
pub struct SchemaField {
    /// The value of the field.
    pub schema: String,
}

/// The JSON Schema of a validated text.
#[cfg(feature = "schema")]
macro_rules! text_schema {
    ($name:ident, $pattern:expr) => {
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    };
}

#[cfg(feature = "schema")]
pub(crate) use text_schema;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_version_is_told_from_another_kind() {
        let kind = FileKind::Summary;
        assert_eq!(kind.check("summary.v1"), Ok(()));
        assert!(matches!(kind.check("summary.v2"), Err(SchemaError::Newer { .. })));
        for text in ["corpus.v1", "summary", "summary.v0", "summary.vx", ""] {
            assert!(matches!(kind.check(text), Err(SchemaError::Other { .. })), "{text}");
        }
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in FileKind::ALL {
            assert_eq!(FileKind::named(kind.schema()), Some(kind));
        }
        assert_eq!(FileKind::named("units.v1"), None);
    }
}
