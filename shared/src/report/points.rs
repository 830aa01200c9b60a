//! Which points the report rests on: whole sweeps that every estimator predicts, without spikes of
//! TTFT.

use std::collections::BTreeSet;

use super::{DroppedSweep, MissingPoints, PointName};
use crate::id::EstimatorId;
use crate::outcome::{Outcome, Reason};
use crate::sweep::{Flag, Point, Sweep};

/// The points of a report.
pub(super) struct Taken {
    /// The sweeps for TPOT.
    pub(super) tpot: Vec<Sweep<Outcome>>,
    /// The same sweeps for TTFT, without spikes.
    pub(super) ttft: Vec<Sweep<Outcome>>,
    /// The spikes that were left out of TTFT.
    pub(super) spikes: Vec<PointName>,
    /// The sweeps that were left out whole.
    pub(super) dropped: Vec<DroppedSweep>,
}

/// Takes the sweeps in which every estimator predicts every point.
pub(super) fn take(sweeps: &[Sweep<Outcome>], estimators: &[EstimatorId]) -> Taken {
    let mut taken = Taken { tpot: Vec::new(), ttft: Vec::new(), spikes: Vec::new(), dropped: Vec::new() };
    for sweep in sweeps {
        let missing: Vec<MissingPoints> =
            estimators.iter().filter_map(|estimator| missing(sweep, estimator)).collect();
        if !missing.is_empty() {
            taken.dropped.push(DroppedSweep {
                sweep: sweep.id.clone(),
                name: name(sweep),
                points: sweep.points.len() as u64,
                missing,
            });
            continue;
        }
        let spikes = sweep.points.iter().filter(|point| is_spike(point)).map(|point| PointName {
            sweep: sweep.id.clone(),
            name: name(sweep),
            concurrency: point.concurrency,
        });
        taken.spikes.extend(spikes);
        let mut ttft = sweep.clone();
        ttft.points.retain(|point| !is_spike(point));
        taken.ttft.push(ttft);
        taken.tpot.push(sweep.clone());
    }
    taken.spikes.sort_by(|a, b| (&a.name, a.concurrency).cmp(&(&b.name, b.concurrency)));
    taken.dropped.sort_by(|a, b| (&a.name, &a.sweep).cmp(&(&b.name, &b.sweep)));
    taken
}

fn is_spike<T>(point: &Point<T>) -> bool {
    point.flags.contains(&Flag::TtftSpike)
}

/// A sweep as people call it: its name in the source, else what it is.
fn name(sweep: &Sweep<Outcome>) -> String {
    sweep.source.name.clone().unwrap_or_else(|| {
        let Sweep { model, hardware, precision, framework, parallelism, isl, osl, .. } = sweep;
        format!("{model} {hardware} {precision} {framework} {parallelism} {isl}:{osl}")
    })
}

fn missing(sweep: &Sweep<Outcome>, estimator: &EstimatorId) -> Option<MissingPoints> {
    let mut concurrencies = Vec::new();
    let mut reasons = BTreeSet::new();
    for point in &sweep.points {
        match point.predictions.get(estimator) {
            Some(Outcome::Scored(_)) => continue,
            Some(Outcome::NotScored(why)) => reasons.insert(why.reason.key().to_owned()),
            None => reasons.insert(Reason::NotPublished.key().to_owned()),
        };
        concurrencies.push(point.concurrency);
    }
    (!concurrencies.is_empty()).then(|| MissingPoints {
        estimator: estimator.clone(),
        concurrencies,
        reasons: reasons.into_iter().collect(),
    })
}
