//! Whether outcomes are those of a corpus: exactly one per point and estimator, and what else is there
//! or missing by name.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use shared::corpus::Corpus;
use shared::digest::Digest;
use shared::format::counted;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::OutcomeRecord;

use crate::exit::{ExitCode, Failure};
use crate::replay::outcomes::Outcomes;
use crate::replay::{ItemKey, named};
use crate::summarize::answer::{self, AnswerError, Known};

/// The outcomes are not those of the corpus.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// They were made of another corpus.
    #[error("the outcomes are of the corpus {stated}, but this one is {found}")]
    OtherCorpus {
        /// The digest that the outcomes state.
        stated: Digest,
        /// The digest of the corpus file.
        found: Digest,
    },
    /// They are a part of a run.
    #[error("the outcomes are a part of a run (`{0}`), and a snapshot needs all of it")]
    Shard(String),
    /// Some points have none.
    #[error("{} missing: {named}", outcomes(*count))]
    Missing {
        /// How many.
        count: usize,
        /// The first of them.
        named: String,
    },
    /// Some are of no point, or there twice.
    #[error("{} there twice, or of no point or estimator of this corpus: {named}", outcomes(*count))]
    Foreign {
        /// How many.
        count: usize,
        /// The first of them.
        named: String,
    },
    /// One says what cannot be true of its point.
    #[error("the outcome of {item} cannot be")]
    Answer {
        /// Which one.
        item: ItemKey,
        /// Why.
        source: AnswerError,
    },
}

/// `1 outcome is`, `2 outcomes are`.
fn outcomes(count: usize) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {verb}", counted(count as u64, "outcome"))
}

impl Failure for FitError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::OtherCorpus { .. } | Self::Shard(_) | Self::Missing { .. } => ExitCode::Refused,
            Self::Foreign { .. } | Self::Answer { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::OtherCorpus { .. } => "name the corpus that the plan was made of, or plan and run again",
            Self::Shard(_) => "join all shards with `scorer merge`",
            Self::Missing { .. } => {
                "run a plan of the whole corpus to its end; `scorer run` computes only what is missing"
            }
            Self::Foreign { .. } | Self::Answer { .. } => "run the plan again, into another file",
        };
        Some(advice.to_owned())
    }
}

/// Checks that the outcomes are exactly those of the corpus whose file has this digest.
///
/// # Errors
/// When they are of another corpus, a shard, incomplete, or of something else as well, or when one cannot be.
pub fn check(corpus: &Corpus, digest: &Digest, outcomes: &Outcomes) -> Result<(), FitError> {
    let header = &outcomes.header;
    if header.corpus != *digest {
        return Err(FitError::OtherCorpus { stated: header.corpus.clone(), found: digest.clone() });
    }
    if let Some(shard) = &header.shard {
        return Err(FitError::Shard(shard.clone()));
    }
    let mut estimators: Vec<&EstimatorId> = header.simulators.iter().map(|simulator| &simulator.id).collect();
    estimators.sort_unstable();
    let (missing, foreign) = differences(&wanted(corpus, &estimators), &found(&outcomes.records));
    if !foreign.is_empty() {
        return Err(FitError::Foreign { count: foreign.len(), named: named(foreign.iter()) });
    }
    if !missing.is_empty() {
        return Err(FitError::Missing { count: missing.len(), named: named(missing.iter()) });
    }
    answers(corpus, outcomes)
}

/// Checks that no outcome says what cannot be true of its point.
fn answers(corpus: &Corpus, outcomes: &Outcomes) -> Result<(), FitError> {
    let sweeps: BTreeMap<_, _> = corpus.sweeps.iter().map(|sweep| (&sweep.id, sweep)).collect();
    for record in &outcomes.records {
        let Some(sweep) = sweeps.get(&record.sweep) else { continue };
        let point = sweep.points.iter().find(|point| point.concurrency == record.concurrency);
        let ratio = point.and_then(|point| point.predictions.get(&record.estimator));
        let published =
            ratio.zip(sweep.points.first()).and_then(|(ratio, anchor)| ratio.prediction(anchor).ok());
        let known = Known {
            requests: sweep.workload().requests(record.concurrency),
            published,
            is_published: answer::is_published(&outcomes.header.simulators, &record.estimator),
        };
        answer::check(&record.outcome, known)
            .map_err(|source| FitError::Answer { item: ItemKey::of_record(record), source })?;
    }
    Ok(())
}

type Key<'a> = (&'a SweepId, u32, &'a EstimatorId);

fn wanted<'a>(corpus: &'a Corpus, estimators: &[&'a EstimatorId]) -> Vec<Key<'a>> {
    let mut keys = Vec::new();
    for sweep in &corpus.sweeps {
        for point in &sweep.points {
            keys.extend(estimators.iter().map(|estimator| (&sweep.id, point.concurrency, *estimator)));
        }
    }
    keys.sort_unstable();
    keys
}

fn found(records: &[OutcomeRecord]) -> Vec<Key<'_>> {
    let mut keys: Vec<Key<'_>> =
        records.iter().map(|record| (&record.sweep, record.concurrency, &record.estimator)).collect();
    keys.sort_unstable();
    keys
}

/// The keys that are only in `wanted`, and those that are only, or once more, in `found`; both sorted.
fn differences(wanted: &[Key<'_>], found: &[Key<'_>]) -> (Vec<ItemKey>, Vec<ItemKey>) {
    let owned = |key: Key<'_>| ItemKey { sweep: key.0.clone(), concurrency: key.1, estimator: key.2.clone() };
    let (mut missing, mut foreign) = (Vec::new(), Vec::new());
    let (mut wanted, mut found) = (wanted.iter().peekable(), found.iter().peekable());
    loop {
        let order = match (wanted.peek(), found.peek()) {
            (None, None) => return (missing, foreign),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(wanted), Some(found)) => wanted.cmp(found),
        };
        if order.is_lt() {
            missing.extend(wanted.next().map(|key| owned(*key)));
        } else if order.is_gt() {
            foreign.extend(found.next().map(|key| owned(*key)));
        } else {
            wanted.next();
            found.next();
        }
    }
}
