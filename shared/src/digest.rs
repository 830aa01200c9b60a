//! SHA-256 digests: the identity of every file, request and rule set.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

#[cfg(feature = "schema")]
crate::schema::text_schema!(Digest, "^[0-9a-f]{64}$");

/// The text is not a SHA-256 digest.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 digest (64 lower-case hexadecimal digits): `{0}`")]
pub struct DigestError(String);

impl Digest {
    /// The digest of some bytes.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(hexadecimal(&Sha256::digest(bytes)))
    }

    /// The digest of a value's compact JSON.
    ///
    /// Types that are digested have a fixed field order and sorted maps, so equal values have equal
    /// digests on every machine.
    ///
    /// # Errors
    /// When the value cannot be written as JSON (a map with keys that are not strings).
    pub fn of_json<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        let mut hasher = Hasher::default();
        serde_json::to_writer(&mut hasher, value)?;
        Ok(hasher.finish())
    }

    /// All 64 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first `digits` digits, for ids and for showing.
    #[must_use]
    pub fn short(&self, digits: usize) -> &str {
        &self.0[..digits.min(self.0.len())]
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = DigestError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let valid = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if valid { Ok(Self(text)) } else { Err(DigestError(text.chars().take(80).collect())) }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

/// Collects bytes as they stream by and gives their digest at the end.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes in the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes taken in.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest(hexadecimal(&self.0.finalize()))
    }
}

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_abc_is_the_one_of_the_standard() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of_bytes(b"abc").as_str(), expected);
        let mut hasher = Hasher::default();
        hasher.update(b"a");
        hasher.update(b"bc");
        assert_eq!(hasher.finish().as_str(), expected);
    }

    #[test]
    fn the_digest_of_a_value_is_that_of_its_json() {
        let value: Vec<(f64, String)> = (0..999).map(|n| (f64::from(n) / 7.0, format!("\"{n}\""))).collect();
        assert_eq!(Digest::of_json(&value).unwrap(), Digest::of_bytes(&serde_json::to_vec(&value).unwrap()));
    }

    #[test]
    fn upper_case_or_short_text_is_refused() {
        assert!(Digest::try_from("AB".to_owned()).is_err());
        assert!(Digest::try_from("A".repeat(64)).is_err());
        assert!(Digest::try_from("a".repeat(64)).is_ok());
    }
}
