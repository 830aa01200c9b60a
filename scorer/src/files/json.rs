//! JSON in and out: errors that name the place in the file, bytes that depend only on the value.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::format::shortened;

use super::read::text;
use super::{DEFAULT_LIMIT, FileError, read_bytes, write_atomically};

/// The longest message that is shown: a value of the file may be part of it.
const LONGEST_MESSAGE: usize = 300;

/// The longest path into the document that is shown: a file may be nested at will.
const LONGEST_PATH: usize = 120;

/// What is wrong with a JSON text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault {
    message: String,
    line: usize,
    column: usize,
    json_path: Option<String>,
    advice: Option<&'static str>,
}

impl JsonFault {
    fn new(error: &serde_json::Error, json_path: Option<String>, text: &str) -> Self {
        let (line, column) = (error.line(), error.column());
        let mut message = error.to_string();
        // serde_json repeats the place at the end of its message.
        if let Some(bare) = message.strip_suffix(&format!(" at line {line} column {column}")) {
            message.truncate(bare.len());
        }
        let message = shortened(&message, LONGEST_MESSAGE);
        let json_path = json_path.map(|path| shortened(&path, LONGEST_PATH));
        Self { message, line, column, json_path, advice: advice(text, line, column) }
    }

    /// Where it is, such as `line 3, column 14, at sweeps[2].points[0].ttft_ms`.
    #[must_use]
    pub fn place(&self) -> String {
        let place = format!("line {}, column {}", self.line, self.column);
        match &self.json_path {
            Some(json_path) => format!("{place}, at {json_path}"),
            None => place,
        }
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in bytes, counted from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// The path from the root of the document, such as `sweeps[2].isl`; absent at the root.
    #[must_use]
    pub fn json_path(&self) -> Option<&str> {
        self.json_path.as_deref()
    }

    pub(super) fn advice(&self) -> Option<&'static str> {
        self.advice
    }
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JsonFault {}

/// What to do about frequent faults, told by the text where the parser stopped.
fn advice(text: &str, line: usize, column: usize) -> Option<&'static str> {
    if text.starts_with('\u{feff}') {
        return Some("the file starts with a byte order mark: save it without one");
    }
    let stopped = text.lines().nth(line.checked_sub(1)?)?;
    // The parser stops at the first letter, or just behind it.
    let rest = stopped.get(column.saturating_sub(2)..)?;
    let number = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if rest.len() - number.len() <= 1 && (number.starts_with("NaN") || number.starts_with("Inf")) {
        return Some("NaN and Infinity are not JSON: leave an undefined value out");
    }
    None
}

/// Reads a JSON file of at most [`DEFAULT_LIMIT`] bytes.
///
/// # Errors
/// When it cannot be read, is not JSON, or does not fit the type; the error names the place.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, FileError> {
    parse_json(path, read_bytes(path, DEFAULT_LIMIT)?)
}

/// The value of a JSON file whose bytes were read already, for example to take their digest.
///
/// # Errors
/// When the bytes are not JSON or do not fit the type; the error names the place.
pub fn parse_json<T: DeserializeOwned>(path: &Path, bytes: Vec<u8>) -> Result<T, FileError> {
    let text = text(path, bytes)?;
    if text.trim_ascii().is_empty() {
        return Err(FileError::Empty { path: path.to_owned() });
    }
    parse(&text).map_err(|(category, fault)| {
        let path = path.to_owned();
        match category {
            serde_json::error::Category::Eof => FileError::Truncated { path, fault },
            serde_json::error::Category::Data => FileError::WrongShape { path, fault },
            serde_json::error::Category::Syntax | serde_json::error::Category::Io => {
                FileError::NotJson { path, fault }
            }
        }
    })
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, (serde_json::error::Category, JsonFault)> {
    let fault =
        |error: &serde_json::Error, json_path| (error.classify(), JsonFault::new(error, json_path, text));
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let json_path = Some(error.path().to_string()).filter(|json_path| json_path != ".");
        fault(error.inner(), json_path)
    })?;
    json.end().map_err(|error| fault(&error, None))?;
    Ok(value)
}

/// The one way in which we write a value as JSON: compact, fields in the order of the type, floats
/// with the fewest digits that read back as the same double, a line feed at the end.
///
/// A `HashMap` would make the order random: use `BTreeMap`. A NaN or an infinity would become
/// `null`: keep them out by the type.
///
/// # Errors
/// When a key of a map is not a string, or the type's own `Serialize` fails.
pub fn json_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, FileError> {
    let mut bytes = serde_json::to_vec(value).map_err(|source| FileError::NotSerializable { source })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a value as [`json_bytes`], atomically.
///
/// # Errors
/// When it cannot be serialized or written.
pub fn write_json<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), FileError> {
    write_atomically(path, &json_bytes(value)?)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(deny_unknown_fields)]
    struct Sweeps {
        sweeps: Vec<Point>,
    }

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(deny_unknown_fields)]
    struct Point {
        ttft_ms: f64,
    }

    fn read(json: &[u8]) -> Result<Sweeps, FileError> {
        parse_json(Path::new("corpus.json"), json.to_vec())
    }

    #[test]
    fn a_wrong_value_is_named_by_its_path_and_place() {
        let error = read(b"{\"sweeps\": [\n{\"ttft_ms\": 1},\n{\"ttft_ms\": \"x\"}]}").unwrap_err();
        let FileError::WrongShape { fault, .. } = &error else { panic!("{error}") };
        assert_eq!(fault.json_path(), Some("sweeps[1].ttft_ms"));
        assert_eq!((fault.line(), fault.column()), (3, 15));
        assert_eq!(fault.to_string(), "invalid type: string \"x\", expected f64");
        assert_eq!(
            error.to_string(),
            "corpus.json: does not have the expected content \
             (line 3, column 15, at sweeps[1].ttft_ms)"
        );
    }

    #[test]
    fn each_way_to_be_broken_has_its_own_error() {
        let truncated = read(b"{\"sweeps\": [{\"ttft_ms\": 1}").unwrap_err();
        assert!(matches!(truncated, FileError::Truncated { .. }), "{truncated}");
        assert!(matches!(read(b" \n"), Err(FileError::Empty { .. })));
        assert!(matches!(read(b"\xff"), Err(FileError::NotUtf8 { .. })));
        assert!(matches!(read(b"{]"), Err(FileError::NotJson { .. })));
        assert!(matches!(read(b"{\"sweeps\": []} x"), Err(FileError::NotJson { .. })));
        assert!(matches!(read(b"{\"sweeps\": [], \"a\": 1}"), Err(FileError::WrongShape { .. })));
        assert!(matches!(read(b"{\"sweeps\": [], \"sweeps\": []}"), Err(FileError::WrongShape { .. })));
        assert!(matches!(read(b"{\"sweeps\": [{\"ttft_ms\": 1e999}]}"), Err(FileError::NotJson { .. })));
        assert!(read(&b"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn advice_fits_what_python_and_editors_write() {
        use crate::exit::Failure as _;
        for number in ["NaN", "-NaN", "Infinity", "-Infinity"] {
            let json = format!("{{\"sweeps\": [{{\"ttft_ms\": {number}}}]}}");
            let advice = read(json.as_bytes()).unwrap_err().advice().unwrap_or_default();
            assert!(advice.starts_with("NaN and Infinity"), "{number}: {advice}");
        }
        let marked = read("\u{feff}{\"sweeps\": []}".as_bytes()).unwrap_err();
        assert!(marked.advice().unwrap_or_default().contains("byte order mark"));
        assert_eq!(read(b"{\"sweeps\": [x]}").unwrap_err().advice(), None);
    }

    #[test]
    fn a_huge_value_is_not_repeated_whole() {
        let json = format!("{{\"sweeps\": [{{\"ttft_ms\": \"{}\"}}]}}", "é".repeat(10_000));
        let FileError::WrongShape { fault, .. } = read(json.as_bytes()).unwrap_err() else {
            panic!("another error");
        };
        assert_eq!(fault.to_string().chars().count(), LONGEST_MESSAGE + 1);
    }

    #[test]
    fn a_deeply_nested_place_is_not_told_whole() {
        let nested = parse_json::<serde_json::Value>(Path::new("deep.json"), b"[".repeat(10_000));
        let Err(FileError::NotJson { fault, .. }) = nested else { panic!("another error") };
        let path = fault.json_path().unwrap();
        assert!(path.starts_with("[0][0]") && path.ends_with('…'), "{path}");
        assert_eq!(path.chars().count(), LONGEST_PATH + 1);
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let value = Sweeps { sweeps: vec![Point { ttft_ms: 0.1 + 0.2 }, Point { ttft_ms: 5e-324 }] };
        write_json(&path, &value).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "{\"sweeps\":[{\"ttft_ms\":0.30000000000000004},{\"ttft_ms\":5e-324}]}\n"
        );
        assert_eq!(read_json::<Sweeps>(&path).unwrap(), value);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }

        #[test]
        fn no_text_near_json_makes_it_panic(text in "[\\[\\]{}\":,aé0-9NI.e \n-]{0,40}") {
            let _ = read(text.as_bytes());
        }
    }
}
