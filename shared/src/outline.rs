//! What the tables of a snapshot need of its file: everything but the measurements.
//!
//! The page shows its tables before it can have computed anything again, so it reads a `summary.v1` as an
//! [`Outline`] first, and only later, in the background, as a whole [`crate::summary::Summary`].

use crate::deployment::Parallelism;
use crate::group::Traits;
use crate::id::EstimatorId;
use crate::outcome::{self, OutcomeCounts, Reason, ScorerIdentity};
use crate::rules::Grading;
use crate::summary::{Aggregate, AggregateKey};
use crate::tier::Verdict;

/// A snapshot without its measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The estimator that the snapshot is about.
    pub primary: EstimatorId,
    /// The program that made it.
    pub scorer: ScorerIdentity,
    /// The estimators, by id.
    pub simulators: Vec<Simulator>,
    /// The least number of sweeps for an interval.
    pub bootstrap_min_sweeps: u64,
    /// The thresholds of the grades.
    pub grading: Grading,
    /// From rows read to points scored.
    pub coverage: Coverage,
    /// Sweeps by verdict, best verdict first.
    pub verdicts: Vec<VerdictCount>,
    /// The figures, by group, key, tier, estimator and metric.
    pub aggregates: Vec<Aggregate>,
    /// What became of every point, by sweep.
    pub sweeps: Vec<SweepOutline>,
}

/// An estimator, as far as people name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulator {
    /// Its id.
    pub id: EstimatorId,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Simulator {
    /// Name and version as people write them; only the name when no version is known.
    #[must_use]
    pub fn title(&self) -> String {
        outcome::title(&self.name, &self.version)
    }
}

/// From rows read to points scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Rows of the source that were read.
    pub rows_read: u64,
    /// Those of them that are in the corpus.
    pub rows_kept: u64,
    /// The others, counted by reason.
    pub rows_skipped: Vec<(String, u64)>,
    /// Sweeps in the corpus.
    pub sweeps: u64,
    /// Points in the corpus.
    pub points: u64,
    /// What became of every point, by estimator.
    pub estimators: Vec<(EstimatorId, OutcomeCounts)>,
}

/// The sweeps of one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictCount {
    /// The verdict.
    pub verdict: Verdict,
    /// Its sweeps.
    pub sweeps: u64,
    /// Their points.
    pub points: u64,
}

/// A sweep as far as it is grouped, and what became of its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepOutline {
    /// The model.
    pub model: String,
    /// The model's family.
    pub family: String,
    /// The GPU.
    pub hardware: String,
    /// The precision of the weights.
    pub precision: String,
    /// The layout over GPUs.
    pub parallelism: Parallelism,
    /// Input length, in tokens.
    pub isl: u32,
    /// Output length, in tokens.
    pub osl: u32,
    /// The engine's version, when known.
    pub engine_version: Option<String>,
    /// How far the run can be reproduced.
    pub verdict: Verdict,
    /// An outcome for every point and estimator: why it was not scored, none when it was.
    pub outcomes: Vec<(EstimatorId, Option<Reason>)>,
}

impl<'a> From<&'a SweepOutline> for Traits<'a> {
    fn from(sweep: &'a SweepOutline) -> Self {
        Self {
            model: &sweep.model,
            family: &sweep.family,
            hardware: &sweep.hardware,
            precision: &sweep.precision,
            parallelism: sweep.parallelism,
            isl: sweep.isl,
            osl: sweep.osl,
            engine_version: sweep.engine_version.as_deref(),
            verdict: sweep.verdict,
        }
    }
}

impl Outline {
    /// What became of the points of a group and tier with an estimator.
    #[must_use]
    pub fn counts(&self, key: &AggregateKey) -> OutcomeCounts {
        let mut counts = OutcomeCounts::default();
        for sweep in &self.sweeps {
            if key.contains(sweep) {
                let of_estimator = sweep.outcomes.iter().filter(|(estimator, _)| *estimator == key.estimator);
                of_estimator.for_each(|(_, reason)| counts.add(*reason));
            }
        }
        counts
    }
}
