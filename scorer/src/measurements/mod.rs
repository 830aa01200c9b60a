//! Readers of measurements: each turns one kind of source into a `corpus.v1`, and accounts for
//! every row that it read.
//!
//! [`artifact`] reads the three files that BLIS's metricscore reads. [`settings`] decides, for every
//! source in the same way, which engine settings a point ran with and how they are known.

pub mod artifact;
mod facts;
pub mod settings;

use shared::corpus::SourcePart;
use shared::digest::Digest;

/// The digest of a source: of the JSON list of its parts' digests, in the order of reading.
#[must_use]
pub fn source_digest(parts: &[SourcePart]) -> Digest {
    let list: Vec<String> = parts.iter().map(|part| format!("\"{}\"", part.sha256)).collect();
    Digest::of_bytes(format!("[{}]", list.join(",")).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_the_digest_of_the_json_list_of_its_parts() {
        let digests = [Digest::of_bytes(b"a"), Digest::of_bytes(b"b")];
        let parts: Vec<SourcePart> = digests
            .iter()
            .map(|digest| SourcePart { name: "any".to_owned(), sha256: digest.clone(), bytes: 1 })
            .collect();
        assert_eq!(source_digest(&parts), Digest::of_json(&digests).unwrap());
    }
}
