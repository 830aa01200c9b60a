//! What a corpus and a snapshot have in common: estimators, and sweeps with outcomes.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::{Corpus, PublishedEstimator, PublishedRatio};
use crate::id::EstimatorId;
use crate::outcome::{Basis, NotScored, Outcome, Reason, SimulatorIdentity};
use crate::report::ReportEstimator;
use crate::summary::Summary;
use crate::sweep::{Point, Sweep};

/// The published estimators of a corpus, by id.
pub(super) fn of_corpus(corpus: &Corpus) -> Vec<ReportEstimator> {
    let estimator = |(id, published): (&EstimatorId, &PublishedEstimator)| ReportEstimator {
        id: id.clone(),
        name: published.name.clone(),
        identity: None,
        source: Some(published.source.clone()),
        bases: Vec::new(),
    };
    corpus.published_estimators.iter().map(estimator).collect()
}

/// The estimators of a snapshot, the primary one first.
pub(super) fn of_summary(summary: &Summary) -> Vec<ReportEstimator> {
    let (primary, others): (Vec<_>, Vec<_>) =
        summary.simulators.iter().partition(|simulator| simulator.id == summary.run.primary);
    let estimator = |identity: &SimulatorIdentity| ReportEstimator {
        id: identity.id.clone(),
        name: identity.name.clone(),
        identity: Some(identity.clone()),
        source: None,
        bases: Vec::new(),
    };
    primary.into_iter().chain(others).map(estimator).collect()
}

/// What the means of an estimator's predictions were taken from, each once.
pub(super) fn bases(sweeps: &[Sweep<Outcome>], id: &EstimatorId) -> Vec<Basis> {
    let outcomes =
        sweeps.iter().flat_map(|sweep| &sweep.points).filter_map(|point| point.predictions.get(id));
    let bases: BTreeSet<Basis> = outcomes
        .filter_map(|outcome| match outcome {
            Outcome::Scored(prediction) => Some(prediction.basis),
            Outcome::NotScored(_) => None,
        })
        .collect();
    bases.into_iter().collect()
}

/// The sweeps of a corpus with its published predictions as outcomes: one per point and estimator.
pub(super) fn sweeps(corpus: &Corpus) -> Vec<Sweep<Outcome>> {
    corpus.sweeps.iter().map(|sweep| with_outcomes(sweep, corpus)).collect()
}

fn with_outcomes(sweep: &Sweep<PublishedRatio>, corpus: &Corpus) -> Sweep<Outcome> {
    let anchor = sweep.points.first();
    // By position and not by concurrency, so that a concurrency that is there twice stays wrong.
    let mut points = sweep.points.iter();
    sweep.clone().with_predictions(|_, _| {
        let Some(point) = points.next() else { return BTreeMap::new() };
        // An estimator without a description is kept, so that it is refused and not overlooked.
        let ids = corpus.published_estimators.keys().chain(point.predictions.keys());
        ids.map(|id| (id.clone(), outcome(point, anchor, id))).collect()
    })
}

fn outcome(
    point: &Point<PublishedRatio>,
    anchor: Option<&Point<PublishedRatio>>,
    id: &EstimatorId,
) -> Outcome {
    let Some((ratio, anchor)) = point.predictions.get(id).zip(anchor) else {
        return not_scored(Reason::NotPublished, "the published predictions do not have this point");
    };
    ratio
        .prediction(anchor)
        .map_or_else(|error| not_scored(Reason::BadResult, &error.to_string()), Outcome::Scored)
}

fn not_scored(reason: Reason, detail: &str) -> Outcome {
    Outcome::NotScored(NotScored { reason, detail: detail.to_owned() })
}
