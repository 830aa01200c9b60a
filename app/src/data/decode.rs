//! From bytes to a checked index or snapshot.

use serde::de::DeserializeOwned;
use shared::index::Index;
use shared::schema::{FileKind, SchemaError, SchemaField};
use shared::summary::Summary;

use super::failure::Failure;

/// Reads `data/index.json`. An index without snapshots is no data yet.
pub fn index(file: &str, bytes: &[u8]) -> Result<Index, Failure> {
    let index: Index = read(file, bytes, FileKind::Index, |index: &Index| &index.schema)?;
    if index.snapshots.is_empty() { Err(Failure::NoData) } else { Ok(index) }
}

/// Reads a `summary.json`.
pub fn summary(file: &str, bytes: &[u8]) -> Result<Summary, Failure> {
    read(file, bytes, FileKind::Summary, |summary: &Summary| &summary.schema)
}

/// Reads a file in one pass; only when that fails, or the file says that it is something else, the
/// `schema` field alone decides what to tell the reader.
fn read<T: DeserializeOwned>(
    file: &str,
    bytes: &[u8],
    kind: FileKind,
    schema: impl Fn(&T) -> &str,
) -> Result<T, Failure> {
    let parsed = serde_json::from_slice::<T>(bytes);
    let said = match &parsed {
        Ok(value) => Some(schema(value).to_owned()),
        Err(_) => serde_json::from_slice::<SchemaField>(bytes).ok().map(|field| field.schema),
    };
    if let Some(said) = said {
        kind.check(&said).map_err(|error| match error {
            SchemaError::Newer { found, .. } => Failure::Newer { file: file.to_owned(), found },
            SchemaError::Other { .. } => unreadable(file, &error),
        })?;
    }
    parsed.map_err(|error| unreadable(file, &error))
}

fn unreadable(file: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::Unreadable { file: file.to_owned(), detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "data/index.json";

    fn failure(bytes: &[u8]) -> Failure {
        index(FILE, bytes).unwrap_err()
    }

    #[test]
    fn an_empty_index_is_no_data_yet() {
        assert_eq!(failure(br#"{"schema":"index.v1","snapshots":[]}"#), Failure::NoData);
    }

    #[test]
    fn a_newer_schema_is_told_from_a_damaged_file_even_when_its_shape_has_changed() {
        let newer = |found: &str| Failure::Newer { file: FILE.to_owned(), found: found.to_owned() };
        assert_eq!(failure(br#"{"schema":"index.v2","snapshots":[]}"#), newer("index.v2"));
        assert_eq!(failure(br#"{"schema":"index.v3","runs":{}}"#), newer("index.v3"));
    }

    #[test]
    fn half_a_file_another_kind_and_no_json_are_unreadable() {
        for text in [r#"{"schema":"index.v1","snap"#, r#"{"schema":"summary.v1"}"#, "<!doctype html>", ""] {
            assert!(matches!(failure(text.as_bytes()), Failure::Unreadable { .. }), "{text}");
        }
        assert!(failure(b"\xff\xfe").text().contains("data/index.json is damaged"));
    }

    #[test]
    fn unknown_fields_are_tolerated() {
        let text = br#"{"schema":"index.v1","snapshots":[],"later":1}"#;
        assert_eq!(failure(text), Failure::NoData);
    }
}
