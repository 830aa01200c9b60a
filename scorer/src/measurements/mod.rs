//! Readers of measurements: each turns one kind of source into a `corpus.v1`, and accounts for
//! every row that it read.
//!
//! [`artifact`] reads the three files that BLIS's metricscore reads. [`inferencex`] makes a corpus of rows
//! of the InferenceX database, whatever source they came from: [`dump`] its public dump, [`postgres`] a
//! restored database, [`api`] its API. [`client_results`] reads what a benchmark client wrote.
//! [`engine_log`] reads the server logs, [`http`] fetches what is far away.
//!
//! What is decided in the same way for every source: [`settings`] says which engine settings a point ran
//! with and how they are known, [`lengths`] whether the client sent what it would draw again, and
//! [`explain`] what became of every row.

pub mod api;
pub mod artifact;
mod buffered;
pub mod client_results;
mod complete;
pub mod dump;
pub mod engine_log;
pub mod explain;
mod facts;
pub mod http;
pub mod inferencex;
pub mod lengths;
mod name;
pub mod postgres;
pub mod settings;
mod tls;

use shared::corpus::{Corpus, SourcePart};

/// The most rows of a table that are read; the real database has less than half a million.
const MOST_ROWS: usize = 2_000_000;
use shared::digest::Digest;

use explain::Explanation;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Ingested {
    /// The corpus.
    pub corpus: Corpus,
    /// What a reader should know of it, one sentence each.
    pub notes: Vec<String>,
    /// What became of the rows that are not in it.
    pub explanation: Explanation,
}

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
