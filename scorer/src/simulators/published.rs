//! `published`: predictions that came with the measurements, as an estimator like any other.
//!
//! A corpus has them as ratios to the measured anchor; the plan has them as latencies. They do not
//! depend on the settings profile of a plan: their authors chose the settings.

use std::collections::BTreeMap;

use serde::Serialize;
use shared::corpus::PublishedEstimator;
use shared::digest::Digest;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::{Outcome, Prediction, Reason, SettingsProfile, SimulatorData, SimulatorIdentity};
use shared::plan::{PlannedSweep, PointRequest};

use super::{Answer, Simulator, not_scored};

/// How a published estimator is driven, as its identity says.
pub const KIND: &str = "published";

/// The published predictions of one estimator.
#[derive(Clone, Debug)]
pub struct Published {
    identity: SimulatorIdentity,
    predictions: BTreeMap<(SweepId, u32), Prediction>,
}

impl Published {
    /// The predictions of one estimator among all that stand in the sweeps of a plan.
    ///
    /// # Errors
    /// When a prediction cannot be written as JSON to take its digest.
    pub fn new(
        id: &EstimatorId,
        about: &PublishedEstimator,
        sweeps: &[PlannedSweep],
    ) -> Result<Self, serde_json::Error> {
        let predictions = predictions_of(id, sweeps);
        let data = SimulatorData::digested(&about.source, digest(&predictions)?);
        let identity = SimulatorIdentity {
            id: id.clone(),
            name: about.name.clone(),
            kind: KIND.to_owned(),
            version: about.version.clone().unwrap_or_else(|| SimulatorIdentity::UNVERSIONED.to_owned()),
            commit: None,
            binary_sha256: None,
            release: true,
            data: vec![data],
            settings: SettingsProfile::Published,
        };
        Ok(Self { identity, predictions })
    }

    /// The estimator again, from a plan that names it.
    ///
    /// # Errors
    /// When a prediction cannot be written as JSON to take its digest.
    pub fn of_plan(identity: &SimulatorIdentity, sweeps: &[PlannedSweep]) -> Result<Self, serde_json::Error> {
        let predictions = predictions_of(&identity.id, sweeps);
        let mut identity = identity.clone();
        if let [data] = identity.data.as_mut_slice() {
            data.sha256 = Some(digest(&predictions)?);
        }
        Ok(Self { identity, predictions })
    }
}

fn predictions_of(id: &EstimatorId, sweeps: &[PlannedSweep]) -> BTreeMap<(SweepId, u32), Prediction> {
    sweeps
        .iter()
        .flat_map(|sweep| sweep.points.iter().map(move |point| (sweep, point)))
        .filter_map(|(sweep, point)| {
            let prediction = point.published.get(id)?;
            Some(((sweep.id.clone(), point.concurrency), *prediction))
        })
        .collect()
}

fn digest(predictions: &BTreeMap<(SweepId, u32), Prediction>) -> Result<Digest, serde_json::Error> {
    #[derive(Serialize)]
    struct Row<'a>(&'a SweepId, u32, &'a Prediction);
    let rows: Vec<Row<'_>> = predictions
        .iter()
        .map(|((sweep, concurrency), prediction)| Row(sweep, *concurrency, prediction))
        .collect();
    Digest::of_json(&rows)
}

impl Simulator for Published {
    fn identity(&self) -> &SimulatorIdentity {
        &self.identity
    }

    fn cost(&self, _: &PointRequest) -> f64 {
        1e-6
    }

    fn is_worth_caching(&self) -> bool {
        false
    }

    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
        let key = (request.sweep.clone(), request.concurrency);
        let outcome = self.predictions.get(&key).map_or_else(
            || {
                let detail = format!("{} has no published prediction of this point", self.identity.name);
                not_scored(Reason::NotPublished, detail)
            },
            |prediction| Outcome::Scored(*prediction),
        );
        Box::pin(std::future::ready(outcome.into()))
    }
}
