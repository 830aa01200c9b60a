//! Joining shards into the file that one machine would have written.

use std::path::{Path, PathBuf};

use shared::outcome::{OutcomeRecord, OutcomesHeader};

use super::journal::header_difference;
use super::outcomes::{self, OutcomesError, Torn};
use super::work::ItemKey;
use crate::exit::{ExitCode, Failure};

/// What merging made.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The header of the whole.
    pub header: OutcomesHeader,
    /// The outcomes, in the plan's order.
    pub records: Vec<OutcomeRecord>,
    /// How many items of the plan have no outcome.
    pub missing: u64,
}

/// The word in the header of a merge that lacks items, so that nobody takes it for the whole.
pub const PARTIAL: &str = "partial";

/// Files cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to merge.
    #[error("no files to merge")]
    Nothing,
    /// A file cannot be used.
    #[error(transparent)]
    Outcomes(#[from] OutcomesError),
    /// Two files do not belong together.
    #[error("{} and {} are of different runs ({differs} differs)", first.display(), other.display())]
    Differs {
        /// The first file.
        first: PathBuf,
        /// The other one.
        other: PathBuf,
        /// What differs.
        differs: &'static str,
    },
    /// Two files answer one item differently.
    #[error("the files disagree on {0}: an estimator is not deterministic, or a file was changed")]
    Disagree(ItemKey),
    /// More outcomes than the plan has items.
    #[error("the files have {found} outcomes, but their plan has only {items} items")]
    TooMany {
        /// Different outcomes in the files.
        found: u64,
        /// Items of the plan.
        items: u64,
    },
    /// Items have no outcome.
    #[error("{missing} of {items} items have no outcome (files merged: {shards})")]
    Missing {
        /// Items without an outcome.
        missing: u64,
        /// Items of the plan.
        items: u64,
        /// The shards of the files.
        shards: String,
    },
}

impl Failure for MergeError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Nothing => ExitCode::Usage,
            Self::Outcomes(error) => error.exit_code(),
            Self::Differs { .. } | Self::Missing { .. } => ExitCode::Refused,
            Self::Disagree(_) | Self::TooMany { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Outcomes(error) => error.advice(),
            Self::Missing { .. } => {
                Some("name the files of all shards, or give --partial (which cannot be published)".to_owned())
            }
            Self::Differs { .. } => {
                Some("merge files of one plan, made by one version of the scorer".to_owned())
            }
            _ => None,
        }
    }
}

/// Merges files of outcomes of one plan; with `partial`, items may be missing.
///
/// The result does not depend on how the work was split, nor on the order of the files.
///
/// # Errors
/// When the files do not belong together, disagree, or (without `partial`) lack items.
pub fn merge(paths: &[PathBuf], partial: bool) -> Result<Merged, MergeError> {
    let torn = if partial { Torn::Ignored } else { Torn::Refused };
    let mut header: Option<(&Path, OutcomesHeader)> = None;
    let mut shards = Vec::new();
    let mut records = Vec::new();
    for path in paths {
        let file = outcomes::read(path, torn)?;
        let mut whole = file.header;
        shards.push(whole.shard.take().unwrap_or_else(|| "all".to_owned()));
        match &header {
            None => header = Some((path, whole)),
            Some((first, expected)) => {
                if let Some(differs) = header_difference(expected, &whole) {
                    let (first, other) = ((*first).to_owned(), path.clone());
                    return Err(MergeError::Differs { first, other, differs });
                }
            }
        }
        records.extend(file.records);
    }
    let Some((_, mut header)) = header else { return Err(MergeError::Nothing) };
    records.sort_by(ItemKey::compare);
    let disagree = |[a, b]: &&[OutcomeRecord; 2]| ItemKey::compare(a, b).is_eq() && a != b;
    if let Some([record, _]) = records.array_windows().find(disagree) {
        return Err(MergeError::Disagree(ItemKey::of_record(record)));
    }
    records.dedup();
    let (found, items) = (records.len() as u64, header.items);
    if found > items {
        return Err(MergeError::TooMany { found, items });
    }
    let missing = items - found;
    if missing > 0 {
        if !partial {
            return Err(MergeError::Missing { missing, items, shards: shards.join(", ") });
        }
        header.shard = Some(PARTIAL.to_owned());
    }
    Ok(Merged { header, records, missing })
}
