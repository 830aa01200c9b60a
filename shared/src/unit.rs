//! `unit.v1`: one sweep's recorded run, frozen; and the corpus that some units make.
//!
//! A ledger is a folder of units. What is scored on a pull request are units, because they stay as they are
//! while dumps come and go: a difference between two runs on them is the simulator's.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::corpus::{
    Corpus, MeasurementSource, PublishedEstimator, PublishedRatio, RowCounter, Selection, SourceKind,
    SourcePart,
};
use crate::digest::Digest;
use crate::id::{EstimatorId, IdError, SweepId, UnitId};
use crate::rules::Rules;
use crate::schema::FileKind;
use crate::snapshot_id::sanitised;
use crate::sweep::Sweep;

/// A unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unit {
    /// `unit.v1`.
    pub schema: String,
    /// The digest of all that follows.
    pub digest: Digest,
    /// What is frozen.
    pub body: UnitBody,
}

/// What is frozen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnitBody {
    /// The unit's id, from its sweep and its source.
    pub id: UnitId,
    /// Where the measurements come from.
    pub source: MeasurementSource,
    /// The estimators whose published predictions the sweep has, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub published_estimators: BTreeMap<EstimatorId, PublishedEstimator>,
    /// The sweep, as it stands in its corpus.
    pub sweep: Sweep<PublishedRatio>,
}

/// A sweep cannot be frozen, or units make no corpus.
#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    /// The corpus was made of units.
    #[error("the corpus is itself made of units: freeze from the one that the units were frozen from")]
    Ledger,
    /// The id would break the rule of ids.
    #[error(transparent)]
    Id(#[from] IdError),
    /// The content cannot be written as JSON.
    #[error("the unit's content cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The content does not have the digest that the unit states.
    #[error("its content was changed: the digest is {found}, but it states {stated}")]
    Changed {
        /// The digest in the file.
        stated: Digest,
        /// The digest of the content.
        found: Digest,
    },
    /// The id does not follow from the content.
    #[error("its id is `{stated}`, but sweep and source make it `{found}`")]
    OtherId {
        /// The id in the file.
        stated: UnitId,
        /// The id of the content.
        found: UnitId,
    },
    /// There is nothing to make a corpus of.
    #[error("there are no units")]
    Nothing,
    /// Two units are of one sweep.
    #[error("`{first}` and `{other}` are both of sweep {sweep}: choose one of them")]
    SameSweep {
        /// The sweep.
        sweep: SweepId,
        /// A unit of it.
        first: UnitId,
        /// Another one.
        other: UnitId,
    },
    /// Two units say different things of an estimator.
    #[error("`{unit}` says other things of the published estimator `{estimator}` than the units before it")]
    Estimator {
        /// The unit.
        unit: UnitId,
        /// The estimator.
        estimator: EstimatorId,
    },
}

impl Unit {
    /// Freezes a sweep of a corpus.
    ///
    /// # Errors
    /// When the corpus is itself made of units, or the sweep cannot be written as JSON.
    pub fn freeze(corpus: &Corpus, sweep: &Sweep<PublishedRatio>) -> Result<Self, UnitError> {
        if corpus.source.kind == SourceKind::Ledger {
            return Err(UnitError::Ledger);
        }
        let predicted: BTreeSet<&EstimatorId> =
            sweep.points.iter().flat_map(|point| point.predictions.keys()).collect();
        let published = corpus.published_estimators.iter().filter(|(id, _)| predicted.contains(id));
        let body = UnitBody {
            id: id(&sweep.id, &corpus.source)?,
            source: corpus.source.clone(),
            published_estimators: published.map(|(id, about)| (id.clone(), about.clone())).collect(),
            sweep: sweep.clone(),
        };
        Ok(Self { schema: FileKind::Unit.schema().to_owned(), digest: Digest::of_json(&body)?, body })
    }

    /// Checks that the content has the stated digest, and the id that follows from it.
    ///
    /// # Errors
    /// When it was changed.
    pub fn check(&self) -> Result<(), UnitError> {
        let found = Digest::of_json(&self.body)?;
        if found != self.digest {
            return Err(UnitError::Changed { stated: self.digest.clone(), found });
        }
        let found = id(&self.body.sweep.id, &self.body.source)?;
        if found != self.body.id {
            return Err(UnitError::OtherId { stated: self.body.id.clone(), found });
        }
        Ok(())
    }
}

/// The id of a unit: the sweep's id, `_`, and the release of the measurements with `-` for each character that
/// ids do not have. Measurements without a release are named by the beginning of their digest.
fn id(sweep: &SweepId, source: &MeasurementSource) -> Result<UnitId, IdError> {
    let unreleased = || format!("untagged-{}", source.digest.short(8));
    let tag = source.tag.clone().filter(|tag| !tag.is_empty()).unwrap_or_else(unreleased);
    UnitId::new(format!("{sweep}_{}", sanitised(&tag, 60)))
}

/// The corpus of some units, each with the file that it was read from; in any order.
///
/// It is a release when all units are, and of a release of measurements when all are of that one. Its digest is
/// that of the list of the units' digests.
///
/// # Errors
/// When there are none, two are of one sweep, or two contradict each other.
pub fn corpus(mut units: Vec<(Unit, SourcePart)>) -> Result<Corpus, UnitError> {
    units.sort_by(|(a, _), (b, _)| (&a.body.sweep.id, &a.body.id).cmp(&(&b.body.sweep.id, &b.body.id)));
    if let Some(pair) = units.windows(2).find(|pair| pair[0].0.body.sweep.id == pair[1].0.body.sweep.id) {
        let [first, other] = [0, 1].map(|index| pair[index].0.body.id.clone());
        return Err(UnitError::SameSweep { sweep: pair[0].0.body.sweep.id.clone(), first, other });
    }
    let source = source(&units)?;
    let mut published_estimators = BTreeMap::new();
    let mut rows = RowCounter::default();
    let mut sweeps = Vec::with_capacity(units.len());
    for (unit, _) in units {
        for (estimator, about) in unit.body.published_estimators {
            if published_estimators.get(&estimator).is_some_and(|known| *known != about) {
                return Err(UnitError::Estimator { unit: unit.body.id, estimator });
            }
            published_estimators.insert(estimator, about);
        }
        let repeats: u64 = unit.body.sweep.points.iter().map(|point| u64::from(point.repeats)).sum();
        rows.keep_many(repeats);
        sweeps.push(unit.body.sweep);
    }
    Ok(Corpus {
        schema: FileKind::Corpus.schema().to_owned(),
        source,
        selection: Selection {
            latest_versions: None,
            version_window: Vec::new(),
            min_concurrencies: Rules::current().min_concurrencies,
        },
        rows: rows.finish(),
        published_estimators,
        sweeps,
    })
}

/// Where the measurements of some units come from, taken together.
fn source(units: &[(Unit, SourcePart)]) -> Result<MeasurementSource, UnitError> {
    let sources = || units.iter().map(|(unit, _)| &unit.body.source);
    let tags: BTreeSet<Option<&String>> = sources().map(|source| source.tag.as_ref()).collect();
    let names: BTreeSet<&str> = sources().map(|source| source.name.as_str()).collect();
    let digests: Vec<&Digest> = units.iter().map(|(unit, _)| &unit.digest).collect();
    Ok(MeasurementSource {
        kind: SourceKind::Ledger,
        name: names.into_iter().collect::<Vec<_>>().join(", "),
        tag: if tags.len() == 1 { tags.into_iter().next().flatten().cloned() } else { None },
        release: sources().all(|source| source.release),
        date: sources().map(|source| &source.date).max().ok_or(UnitError::Nothing)?.clone(),
        digest: Digest::of_json(&digests)?,
        parts: units.iter().map(|(_, part)| part.clone()).collect(),
        retrieved_at: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Corpus {
        crate::testing::corpus()
    }

    /// Every sweep of the sample as a unit, with a part that names it.
    fn units(corpus: &Corpus) -> Vec<(Unit, SourcePart)> {
        let freeze = |sweep| {
            let unit = Unit::freeze(corpus, sweep).unwrap();
            let part = SourcePart { name: unit.body.id.to_string(), sha256: unit.digest.clone(), bytes: 1 };
            (unit, part)
        };
        corpus.sweeps.iter().map(freeze).collect()
    }

    #[test]
    fn a_unit_is_named_by_its_sweep_and_the_release_of_its_measurements() {
        let mut corpus = sample();
        corpus.source.tag = Some("db-dump/2026-09-28".to_owned());
        let sweep = corpus.sweeps[0].clone();
        let named = |corpus: &Corpus| Unit::freeze(corpus, &sweep).unwrap().body.id.to_string();
        assert_eq!(named(&corpus), format!("{}_db-dump-2026-09-28", sweep.id));
        for tag in [None, Some(String::new())] {
            corpus.source.tag = tag;
            assert_eq!(named(&corpus), format!("{}_untagged-{}", sweep.id, corpus.source.digest.short(8)));
        }
        corpus.source.tag = Some("../é ".repeat(40));
        assert!(named(&corpus).len() <= 77);
    }

    #[test]
    fn every_change_of_a_unit_is_noticed() {
        let corpus = sample();
        let unit = Unit::freeze(&corpus, &corpus.sweeps[0]).unwrap();
        assert!(unit.check().is_ok());
        let mut changed = unit.clone();
        changed.body.sweep.points[0].repeats += 1;
        assert!(matches!(changed.check(), Err(UnitError::Changed { .. })));
        let mut renamed = unit;
        renamed.body.id = UnitId::new(format!("{}_another", renamed.body.sweep.id)).unwrap();
        renamed.digest = Digest::of_json(&renamed.body).unwrap();
        assert!(matches!(renamed.check(), Err(UnitError::OtherId { .. })));
    }

    #[test]
    fn the_units_of_a_corpus_make_its_sweeps_again_in_whatever_order() {
        let original = sample();
        let made = corpus(units(&original)).unwrap();
        assert_eq!(made.sweeps, original.sweeps);
        assert_eq!(made.rows.read(), made.rows.kept());
        assert_eq!((made.source.kind, &made.source.tag), (SourceKind::Ledger, &original.source.tag));
        assert_eq!(made.source.release, original.source.release);
        let mut reversed = units(&original);
        reversed.reverse();
        assert_eq!(corpus(reversed).unwrap(), made);
        assert!(matches!(Unit::freeze(&made, &made.sweeps[0]), Err(UnitError::Ledger)));
    }

    #[test]
    fn units_of_two_releases_are_of_none_and_one_that_is_no_release_makes_all_so() {
        let original = sample();
        let mut other = original.clone();
        other.source.tag = Some("db-dump/2099-01-01".to_owned());
        other.source.date = "2099-01-01".to_owned();
        other.source.release = false;
        let mut mixed = units(&original);
        mixed[0] = units(&other).swap_remove(0);
        let made = corpus(mixed).unwrap();
        assert_eq!((made.source.tag, made.source.release), (None, false));
        assert_eq!(made.source.date, "2099-01-01");
    }

    #[test]
    fn two_units_of_one_sweep_and_no_units_are_refused() {
        let original = sample();
        let mut other = original.clone();
        other.source.tag = Some("db-dump/2099-01-01".to_owned());
        let mut twice = units(&original);
        twice.push(units(&other).swap_remove(0));
        assert!(matches!(corpus(twice), Err(UnitError::SameSweep { .. })));
        assert!(matches!(corpus(Vec::new()), Err(UnitError::Nothing)));
    }

    #[test]
    fn units_that_contradict_each_other_of_an_estimator_are_refused() {
        let about = |version: &str| PublishedEstimator {
            name: "Somebody's".to_owned(),
            version: Some(version.to_owned()),
            source: "a page".to_owned(),
        };
        let mut listed = units(&sample());
        let estimator = EstimatorId::new("somebody").unwrap();
        for (index, version) in ["1", "2"].into_iter().enumerate() {
            listed[index].0.body.published_estimators.insert(estimator.clone(), about(version));
        }
        assert!(matches!(corpus(listed), Err(UnitError::Estimator { .. })));
    }
}
