//! `corpus.v1`: sweeps of measured points, with every input row accounted for.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::millis::{Millis, MillisError};
use crate::outcome::{Basis, Prediction};
use crate::sweep::{Point, Sweep};

/// A corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Corpus {
    /// `corpus.v1`.
    pub schema: String,
    /// Where the measurements come from.
    pub source: MeasurementSource,
    /// How sweeps were selected.
    pub selection: Selection,
    /// What became of every row that was read.
    pub rows: RowAccount,
    /// The estimators whose predictions came with the measurements, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub published_estimators: BTreeMap<crate::id::EstimatorId, PublishedEstimator>,
    /// The sweeps, by id.
    pub sweeps: Vec<Sweep<PublishedRatio>>,
}

/// Where measurements come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementSource {
    /// The kind of source.
    pub kind: SourceKind,
    /// Who measured, in words.
    pub name: String,
    /// The release of the measurements, such as `db-dump/2026-09-28`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Whether the measurements are a published release.
    pub release: bool,
    /// The day of the measurements' release, `YYYY-MM-DD`; else of the newest point.
    pub date: String,
    /// The digest of the list of input digests.
    pub digest: Digest,
    /// The input files or parts, in the order in which they were read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<SourcePart>,
    /// When the measurements were fetched, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<String>,
}

/// A kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The InferenceX database dump.
    InferencexDump,
    /// The InferenceX API.
    InferencexApi,
    /// A restored database.
    Postgres,
    /// The three files that metricscore reads.
    Artifact,
    /// Result files of the benchmark client.
    ClientResults,
    /// Frozen units.
    Ledger,
}

/// One input file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcePart {
    /// The file's name, without its directory.
    pub name: String,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// Its size.
    pub bytes: u64,
}

/// How sweeps were selected from the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Selection {
    /// How many of the newest engine versions are kept; none: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_versions: Option<u32>,
    /// The engine versions that were kept, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub version_window: Vec<String>,
    /// How many distinct concurrencies a sweep needs.
    pub min_concurrencies: u32,
}

/// What became of every row that was read: `read = kept + Σ skipped`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "RawRowAccount")]
pub struct RowAccount {
    read: u64,
    kept: u64,
    skipped: Vec<SkippedRows>,
}

/// Rows that were read and not kept, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedRows {
    /// The reason, as one word with underscores.
    pub reason: String,
    /// How many rows.
    pub count: u64,
    /// The first of them by name, at most [`RowAccount::NAMED`].
    pub named: Vec<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RawRowAccount {
    read: u64,
    kept: u64,
    skipped: Vec<SkippedRows>,
}

/// The counts of a [`RowAccount`] do not add up.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowAccountError {
    /// A row was lost or counted twice.
    #[error("rows do not balance: {read} read, but {kept} kept and {skipped} skipped")]
    Unbalanced {
        /// Rows read.
        read: u64,
        /// Rows kept.
        kept: u64,
        /// Rows skipped, over all reasons.
        skipped: u64,
    },
    /// A reason stands twice, is out of order, or has no rows.
    #[error("skip reason `{0}` is listed twice, out of order, without rows, or with more names than rows")]
    Reason(String),
}

impl RowAccount {
    /// How many skipped rows are named for each reason.
    pub const NAMED: usize = 200;

    /// Rows read.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Rows kept: they are in the corpus.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Rows not kept, by reason.
    #[must_use]
    pub fn skipped(&self) -> &[SkippedRows] {
        &self.skipped
    }
}

impl TryFrom<RawRowAccount> for RowAccount {
    type Error = RowAccountError;

    fn try_from(raw: RawRowAccount) -> Result<Self, Self::Error> {
        let RawRowAccount { read, kept, skipped } = raw;
        for (index, entry) in skipped.iter().enumerate() {
            let ordered = index == 0 || skipped[index - 1].reason < entry.reason;
            if !ordered || entry.count == 0 || entry.named.len() as u64 > entry.count {
                return Err(RowAccountError::Reason(entry.reason.clone()));
            }
        }
        let total = skipped.iter().try_fold(0_u64, |sum, entry| sum.checked_add(entry.count));
        let balanced = total.and_then(|total| total.checked_add(kept)) == Some(read);
        if balanced {
            Ok(Self { read, kept, skipped })
        } else {
            Err(RowAccountError::Unbalanced { read, kept, skipped: total.unwrap_or(u64::MAX) })
        }
    }
}

/// Counts rows as they are read, so that the account balances by construction.
#[derive(Clone, Debug, Default)]
pub struct RowCounter {
    kept: u64,
    skipped: BTreeMap<&'static str, Skipped>,
}

/// The rows skipped for one reason; the names are the first of all by name, in whatever order rows come.
#[derive(Clone, Debug, Default)]
struct Skipped {
    count: u64,
    named: BTreeSet<String>,
}

impl RowCounter {
    /// One row went into the corpus.
    pub fn keep(&mut self) {
        self.keep_many(1);
    }

    /// Some rows went into the corpus.
    pub fn keep_many(&mut self, rows: u64) {
        self.kept += rows;
    }

    /// One row did not, and why.
    pub fn skip(&mut self, reason: &'static str, name: impl FnOnce() -> String) {
        let Skipped { count, named } = self.skipped.entry(reason).or_default();
        *count += 1;
        named.insert(name());
        if named.len() > RowAccount::NAMED {
            named.pop_last();
        }
    }

    /// The account of all rows counted.
    #[must_use]
    pub fn finish(self) -> RowAccount {
        let skipped: Vec<SkippedRows> = self
            .skipped
            .into_iter()
            .map(|(reason, Skipped { count, named })| SkippedRows {
                reason: reason.to_owned(),
                count,
                named: named.into_iter().collect(),
            })
            .collect();
        let read = self.kept + skipped.iter().map(|entry| entry.count).sum::<u64>();
        RowAccount { read, kept: self.kept, skipped }
    }
}

/// An estimator whose predictions came with the measurements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PublishedEstimator {
    /// Its name as people write it.
    pub name: String,
    /// Its version, when the source says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where its predictions come from.
    pub source: String,
}

/// A published prediction: ratios to the latency measured at the sweep's anchor, which is the
/// lowest concurrency of the sweep in its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PublishedRatio {
    /// Predicted TTFT over the TTFT measured at the anchor.
    pub ttft: f64,
    /// Predicted TPOT over the TPOT measured at the anchor.
    pub tpot: f64,
}

impl PublishedRatio {
    /// The predicted latencies, given the sweep's anchor. A ratio that is not a positive number gives
    /// none.
    pub fn prediction(&self, anchor: &Point<Self>) -> Result<Prediction, MillisError> {
        Ok(Prediction {
            ttft_ms: Millis::new(self.ttft * anchor.ttft_ms.get())?,
            tpot_ms: Millis::new(self.tpot * anchor.tpot_ms.get())?,
            completed: None,
            basis: Basis::PublishedRatio,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_rows_balance_and_are_named() {
        let mut counter = RowCounter::default();
        counter.keep();
        counter.skip("other_framework", || "b".to_owned());
        counter.skip("other_framework", || "a".to_owned());
        let account = counter.finish();
        assert_eq!((account.read(), account.kept()), (3, 1));
        assert_eq!(account.skipped()[0].named, ["a", "b"]);
        let text = serde_json::to_string(&account).unwrap();
        assert_eq!(serde_json::from_str::<RowAccount>(&text).unwrap(), account);
    }

    #[test]
    fn the_rows_named_are_the_first_by_name_in_whatever_order_they_come() {
        let account = |rows: &mut dyn Iterator<Item = usize>| {
            let mut counter = RowCounter::default();
            rows.for_each(|row| counter.skip("not_success", || format!("{row:04}")));
            counter.finish()
        };
        let forth = account(&mut (0..1000));
        assert_eq!(forth, account(&mut (0..1000).rev()));
        let SkippedRows { count, named, .. } = &forth.skipped()[0];
        assert_eq!((*count, named.len(), named[199].as_str()), (1000, RowAccount::NAMED, "0199"));
    }

    #[test]
    fn an_account_that_lost_a_row_cannot_be_read() {
        let text = r#"{"read":3,"kept":1,"skipped":[{"reason":"x","count":1,"named":[]}]}"#;
        let error = serde_json::from_str::<RowAccount>(text).unwrap_err().to_string();
        assert!(error.contains("3 read, but 1 kept and 1 skipped"), "{error}");
        let huge =
            r#"{"read":0,"kept":1,"skipped":[{"reason":"x","count":18446744073709551615,"named":[]}]}"#;
        assert!(serde_json::from_str::<RowAccount>(huge).is_err());
    }
}
