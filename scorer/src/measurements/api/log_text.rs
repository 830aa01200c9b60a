//! The text of a log in an answer, as bytes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A JSON string as bytes.
///
/// The API cuts logs by JavaScript's characters, so a chunk can begin or end in the middle of one that has
/// two. Half of it is no text, but it is bytes that the scanner can pass over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogText(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for LogText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(LogTextVisitor)
    }
}

struct LogTextVisitor;

impl Visitor<'_> for LogTextVisitor {
    type Value = LogText;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<LogText, E> {
        Ok(LogText(bytes.to_vec()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LogText, E> {
        Ok(LogText(text.as_bytes().to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_no_error() {
        let read = |json: &str| serde_json::from_str::<Option<LogText>>(json);
        assert_eq!(read(r#""a\nb""#).unwrap(), Some(LogText(b"a\nb".to_vec())));
        let half = read(r#""a\ud83d""#).unwrap().unwrap();
        assert_eq!((half.0[0], half.0.len()), (b'a', 4));
        assert!(read(r#""\ude00b""#).is_ok());
        assert_eq!(read("null").unwrap(), None);
        assert!(read("7").is_err());
    }
}
