//! From JSON to a checked index or snapshot.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use shared::index::Index;
use shared::outline::Outline;
use shared::schema::{FileKind, SchemaError};

use super::failure::Failure;
use super::files;
use super::json::{Fault, Reader, Value};

/// Reads `data/index.json`. An index without snapshots is no data yet. `json` is the parsed file, or why
/// it is no JSON.
pub fn index<V: Value>(file: &str, json: Result<V, String>) -> Result<Index, Failure> {
    let snapshots = read(file, json, FileKind::Index, |file| Some(files::index(file)))?;
    if snapshots.is_empty() {
        return Err(Failure::NoData);
    }
    Ok(Index { schema: FileKind::Index.schema().to_owned(), snapshots })
}

/// Reads what the tables need of a `summary.json`.
pub fn outline<V: Value>(file: &str, json: Result<V, String>) -> Result<Outline, Failure> {
    read(file, json, FileKind::Summary, files::outline)
}

/// Reads a file whose `schema` field says that it is of this kind; else the field decides what to tell the
/// reader, whatever the rest looks like.
fn read<V: Value, T>(
    file: &str,
    json: Result<V, String>,
    kind: FileKind,
    read: impl Fn(&Reader<'_, V>) -> Option<T>,
) -> Result<T, Failure> {
    let unreadable = |detail| Failure::Unreadable { file: file.to_owned(), detail };
    let fault = Fault::default();
    let content = Reader::new(json.map_err(unreadable)?, &fault);
    if let Some(said) = content.find("schema") {
        check_schema(file, kind, &said.text())?;
    }
    let found = read(&content);
    fault.or(found).map_err(unreadable)
}

/// Reads a file whole, by what serde knows of it: for the explorer, which computes.
pub fn whole<T: DeserializeOwned>(file: &str, bytes: &[u8], kind: FileKind) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<String>,
    }
    let unreadable =
        |error: serde_json::Error| Failure::Unreadable { file: file.to_owned(), detail: error.to_string() };
    let head: Head = serde_json::from_slice(bytes).map_err(unreadable)?;
    if let Some(said) = head.schema {
        check_schema(file, kind, &said)?;
    }
    serde_json::from_slice(bytes).map_err(unreadable)
}

fn check_schema(file: &str, kind: FileKind, said: &str) -> Result<(), Failure> {
    kind.check(said).map_err(|error| match error {
        SchemaError::Newer { found, .. } => Failure::Newer { file: file.to_owned(), found },
        SchemaError::Other { .. } => Failure::Unreadable { file: file.to_owned(), detail: error.to_string() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "data/index.json";

    fn failure(text: &str) -> Failure {
        let json = serde_json::from_str::<serde_json::Value>(text);
        index(FILE, json.map_err(|error| error.to_string())).unwrap_err()
    }

    #[test]
    fn an_empty_index_is_no_data_yet() {
        assert_eq!(failure(r#"{"schema":"index.v1","snapshots":[]}"#), Failure::NoData);
    }

    #[test]
    fn a_newer_schema_is_told_from_a_damaged_file_even_when_its_shape_has_changed() {
        let newer = |found: &str| Failure::Newer { file: FILE.to_owned(), found: found.to_owned() };
        assert_eq!(failure(r#"{"schema":"index.v2","snapshots":[]}"#), newer("index.v2"));
        assert_eq!(failure(r#"{"schema":"index.v3","runs":{}}"#), newer("index.v3"));
    }

    #[test]
    fn half_a_file_another_kind_and_no_json_are_unreadable() {
        for text in [r#"{"schema":"index.v1","snap"#, r#"{"schema":"summary.v1"}"#, "<!doctype html>", ""] {
            assert!(matches!(failure(text), Failure::Unreadable { .. }), "{text}");
        }
        assert!(failure("\u{fffd}").text().contains("data/index.json is damaged"));
    }

    #[test]
    fn a_file_that_is_read_whole_tells_the_same_failures_apart() {
        let read = |text: &str| whole::<Index>(FILE, text.as_bytes(), FileKind::Index);
        let empty = read(r#"{"schema":"index.v1","snapshots":[],"later":1}"#).unwrap();
        assert_eq!(empty.snapshots, []);
        assert!(matches!(read(r#"{"schema":"index.v9","runs":{}}"#), Err(Failure::Newer { .. })));
        for text in [r#"{"schema":"index.v1","snap"#, r#"{"schema":"summary.v1"}"#, "<!doctype html>", ""] {
            assert!(matches!(read(text), Err(Failure::Unreadable { .. })), "{text}");
        }
    }

    #[test]
    fn unknown_fields_are_tolerated() {
        let text = r#"{"schema":"index.v1","snapshots":[],"later":1}"#;
        assert_eq!(failure(text), Failure::NoData);
    }
}
