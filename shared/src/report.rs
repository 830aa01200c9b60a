//! The report that mirrors BLIS's metricscore: one model behind text, Markdown, JSON and CSV.
//!
//! It differs from a snapshot's aggregates in two rules, which metricscore has and a snapshot has not
//! (`docs/scoring.md`, "The report"): a sweep is taken whole or not at all, so that all estimators
//! are compared on the same points; and a measured TTFT spike is left out of TTFT, for all of them.
//! What is left out is named. Nothing is rounded here.

mod points;
mod source;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, MeasurementSource};
use crate::coverage::{self, CoverageError};
use crate::id::{EstimatorId, SweepId};
use crate::metric::Metric;
use crate::outcome::{Basis, Outcome, SimulatorIdentity};
use crate::rules::{Grading, Rules};
use crate::summary::{Figures, Run, Summary, VerdictCount};
use crate::sweep::Sweep;
use crate::tier::Tier;
use crate::verdict;

/// The value of [`Report::schema`].
pub const SCHEMA: &str = "report.v1";

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// `report.v1`.
    pub schema: String,
    /// The snapshot that is reported; none: a corpus with its published estimators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
    /// Where the measurements come from.
    pub measurements: MeasurementSource,
    /// The estimators that are compared, in the order of the tables.
    pub estimators: Vec<ReportEstimator>,
    /// Sweeps measured.
    pub sweeps: u64,
    /// Points measured.
    pub points: u64,
    /// Sweeps and families by verdict, best verdict first.
    pub verdicts: Vec<VerdictCount>,
    /// By admission setting: the `PARTIAL` sweeps in which some point did not pass it.
    pub unpassed: BTreeMap<String, u64>,
    /// Points whose measured TTFT is a spike: left out of TTFT.
    pub spikes: Vec<PointName>,
    /// Sweeps that are left out whole, because an estimator does not predict every point.
    pub dropped: Vec<DroppedSweep>,
    /// Figures by metric, tier, family and estimator. A tier stands here only when it has sweeps that
    /// smaller tiers have not, and a family in it only when such a sweep is of the family: elsewhere
    /// its figures are those of the smaller tier.
    pub families: Vec<FamilyFigures>,
    /// Figures by tier and estimator, every tier.
    pub tiers: Vec<TierFigures>,
}

/// An estimator of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportEstimator {
    /// Its id.
    pub id: EstimatorId,
    /// Its name as people write it.
    pub name: String,
    /// What exactly it is, when the source says so: a snapshot does, a corpus does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<SimulatorIdentity>,
    /// Where its predictions come from, of an estimator of a corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the means of its predictions were taken from, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<Basis>,
}

/// A measured point by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointName {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep as people call it.
    pub name: String,
    /// The concurrency.
    pub concurrency: u32,
}

/// A sweep that is left out whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedSweep {
    /// The sweep.
    pub sweep: SweepId,
    /// The sweep as people call it.
    pub name: String,
    /// How many points it has.
    pub points: u64,
    /// What is missing, by estimator.
    pub missing: Vec<MissingPoints>,
}

/// The points of a sweep that an estimator does not predict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissingPoints {
    /// The estimator.
    pub estimator: EstimatorId,
    /// The concurrencies, ascending.
    pub concurrencies: Vec<u32>,
    /// The reasons, each once, as they stand in files.
    pub reasons: Vec<String>,
}

/// The figures of one family, or of all of them, in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FamilyFigures {
    /// The metric.
    pub metric: Metric,
    /// The tier.
    pub tier: Tier,
    /// The family; none: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The figures.
    pub figures: Figures,
}

/// The figures of one estimator in one tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierFigures {
    /// The tier.
    pub tier: Tier,
    /// The estimator.
    pub estimator: EstimatorId,
    /// The figures of TPOT.
    pub tpot: Figures,
    /// The figures of TTFT, without spikes.
    pub ttft: Figures,
}

impl Report {
    /// The name of an estimator as people write it.
    #[must_use]
    pub fn name_of<'a>(&'a self, id: &'a EstimatorId) -> &'a str {
        let found = self.estimators.iter().find(|estimator| estimator.id == *id);
        found.map_or(id.as_str(), |estimator| &estimator.name)
    }
}

/// The report of a corpus: its published estimators.
///
/// # Errors
/// When a point is there twice or out of order, or is predicted by an estimator without a name.
pub fn of_corpus(corpus: &Corpus) -> Result<Report, CoverageError> {
    let estimators = source::of_corpus(corpus);
    let sweeps = source::sweeps(corpus);
    coverage::of(&corpus.rows, &sweeps, &ids(&estimators))?;
    let rules = Rules::current();
    Ok(report(None, &corpus.source, estimators, &sweeps, &rules, &Grading::default()))
}

/// The report of a snapshot: all its estimators.
///
/// # Errors
/// When a point is there twice or out of order, or has not exactly one outcome of every estimator.
pub fn of_summary(summary: &Summary) -> Result<Report, CoverageError> {
    let estimators = source::of_summary(summary);
    let Summary { run, measurements, sweeps, rules, grading, coverage, .. } = summary;
    coverage::of(&coverage.rows, sweeps, &ids(&estimators))?;
    Ok(report(Some(run.clone()), measurements, estimators, sweeps, &rules.rules, grading))
}

fn ids(estimators: &[ReportEstimator]) -> Vec<EstimatorId> {
    estimators.iter().map(|estimator| estimator.id.clone()).collect()
}

fn report(
    run: Option<Run>,
    measurements: &MeasurementSource,
    mut estimators: Vec<ReportEstimator>,
    sweeps: &[Sweep<Outcome>],
    rules: &Rules,
    grading: &Grading,
) -> Report {
    let ids = ids(&estimators);
    for estimator in &mut estimators {
        estimator.bases = source::bases(sweeps, &estimator.id);
    }
    let taken = points::take(sweeps, &ids);
    let tables = tables::Tables { tpot: &taken.tpot, ttft: &taken.ttft, estimators: &ids, rules, grading };
    Report {
        schema: SCHEMA.to_owned(),
        run,
        measurements: measurements.clone(),
        sweeps: sweeps.len() as u64,
        points: sweeps.iter().map(|sweep| sweep.points.len() as u64).sum(),
        verdicts: verdict::counts(sweeps),
        unpassed: verdict::unpassed(sweeps),
        families: tables.families(),
        tiers: tables.tiers(),
        spikes: taken.spikes,
        dropped: taken.dropped,
        estimators,
    }
}
