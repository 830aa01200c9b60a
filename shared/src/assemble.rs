//! From a corpus and its outcomes to a whole snapshot.

use std::collections::BTreeMap;

use crate::aggregate::Table;
use crate::corpus::{Corpus, MeasurementSource};
use crate::coverage::{self, CoverageError};
use crate::digest::Digest;
use crate::id::{EstimatorId, SnapshotId, SweepId};
use crate::outcome::{Outcome, OutcomeRecord, ScorerIdentity, SimulatorIdentity};
use crate::rules::{Grading, RuleBook, Rules};
use crate::schema::FileKind;
use crate::snapshot_id::{self, SnapshotIdError};
use crate::spike;
use crate::summary::{Aggregate, Label, Run, Summary};
use crate::sweep::Sweep;
use crate::verdict;

/// What a snapshot is made of.
#[derive(Clone, Debug)]
pub struct Ingredients {
    /// The measurements.
    pub corpus: Corpus,
    /// The digest of the corpus file.
    pub corpus_digest: Digest,
    /// The estimators, in any order.
    pub simulators: Vec<SimulatorIdentity>,
    /// The estimator that the snapshot is about.
    pub primary: EstimatorId,
    /// The program that makes the snapshot.
    pub scorer: ScorerIdentity,
    /// When it is made, RFC 3339 in UTC.
    pub generated_at: String,
    /// How to compute one sweep again; `{sweep}` stands for its id.
    pub repro: String,
    /// The thresholds of the grades.
    pub grading: Grading,
}

/// The ingredients do not make a snapshot.
#[derive(Debug, thiserror::Error)]
pub enum AssembleError {
    /// There are two outcomes of one point and estimator.
    #[error("estimator `{estimator}` has two outcomes for point {sweep} at concurrency {concurrency}")]
    Twice {
        /// The sweep.
        sweep: SweepId,
        /// The concurrency.
        concurrency: u32,
        /// The estimator.
        estimator: EstimatorId,
    },
    /// There is an outcome of a point that was not measured.
    #[error(
        "estimator `{estimator}` has an outcome for point {sweep} at concurrency {concurrency}, which the corpus does not have: use the corpus of the plan"
    )]
    Stranger {
        /// The sweep.
        sweep: SweepId,
        /// The concurrency.
        concurrency: u32,
        /// The estimator.
        estimator: EstimatorId,
    },
    /// Two simulators have the same id.
    #[error("simulator `{0}` is named twice")]
    Simulator(EstimatorId),
    /// Some point is not accounted for.
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    /// The snapshot has no id.
    #[error(transparent)]
    Id(#[from] SnapshotIdError),
}

/// Makes a snapshot. It is complete and balanced, or it is an error: there is exactly one outcome for
/// every point and estimator. Flags and verdicts are worked out anew.
///
/// `compute` gives the aggregates: [`Table::all`], or the same spread over threads.
pub fn assemble(
    ingredients: Ingredients,
    outcomes: impl IntoIterator<Item = OutcomeRecord>,
    compute: impl FnOnce(&Table, &Rules, &Grading) -> Vec<Aggregate>,
) -> Result<Summary, AssembleError> {
    let Ingredients { corpus, corpus_digest, mut simulators, primary, scorer, generated_at, repro, grading } =
        ingredients;
    simulators.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = simulators.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(AssembleError::Simulator(pair[0].id.clone()));
    }
    let estimators: Vec<EstimatorId> = simulators.iter().map(|simulator| simulator.id.clone()).collect();
    let book = RuleBook::current(&grading);
    let sweeps = join(corpus.sweeps, outcomes, book.rules.spike_factor)?;
    let coverage = coverage::of(&corpus.rows, &sweeps, &estimators)?;
    let aggregates = compute(&Table::new(&sweeps, &estimators), &book.rules, &grading);
    let label = label(&simulators, &corpus.source);
    // The id depends on all the rest: it is set last.
    let id = SnapshotId::new("unset").map_err(SnapshotIdError::from)?;
    let mut summary = Summary {
        schema: FileKind::Summary.schema().to_owned(),
        run: Run { id, generated_at, label, primary, scorer, repro },
        simulators,
        measurements: corpus.source,
        corpus: corpus_digest,
        selection: corpus.selection,
        rules: book,
        grading,
        coverage,
        verdicts: verdict::counts(&sweeps),
        unpassed: verdict::unpassed(&sweeps),
        aggregates,
        sweeps,
    };
    summary.run.id = snapshot_id::of(&summary)?;
    Ok(summary)
}

/// A snapshot is a release when its measurements and all its simulators are.
#[must_use]
pub fn label(simulators: &[SimulatorIdentity], measurements: &MeasurementSource) -> Label {
    if measurements.release && simulators.iter().all(|simulator| simulator.release) {
        Label::Released
    } else {
        Label::Experimental
    }
}

/// Puts the outcomes in the place of the published ratios; sorts, flags and judges the sweeps.
fn join<T>(
    sweeps: Vec<Sweep<T>>,
    outcomes: impl IntoIterator<Item = OutcomeRecord>,
    spike_factor: f64,
) -> Result<Vec<Sweep<Outcome>>, AssembleError> {
    let mut by_point: BTreeMap<(SweepId, u32), BTreeMap<EstimatorId, Outcome>> = BTreeMap::new();
    for OutcomeRecord { sweep, concurrency, estimator, outcome, request: _ } in outcomes {
        let outcomes = by_point.entry((sweep.clone(), concurrency)).or_default();
        if outcomes.contains_key(&estimator) {
            return Err(AssembleError::Twice { sweep, concurrency, estimator });
        }
        outcomes.insert(estimator, outcome);
    }
    let mut joined = Vec::with_capacity(sweeps.len());
    for sweep in sweeps {
        let mut sweep = sweep.with_predictions(|id, point| {
            by_point.remove(&(id.clone(), point.concurrency)).unwrap_or_default()
        });
        spike::flag(&mut sweep.points, spike_factor);
        (sweep.verdict, sweep.verdict_reasons) = verdict::judge(&sweep);
        joined.push(sweep);
    }
    if let Some(((sweep, concurrency), outcomes)) = by_point.pop_first()
        && let Some((estimator, _)) = outcomes.into_iter().next()
    {
        return Err(AssembleError::Stranger { sweep, concurrency, estimator });
    }
    joined.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{corpus, ingredients, outcomes, summary};
    use crate::tier::Verdict;

    fn with(outcomes: Vec<OutcomeRecord>) -> Result<Summary, AssembleError> {
        assemble(ingredients(), outcomes, Table::all)
    }

    #[test]
    fn a_snapshot_does_not_depend_on_the_order_of_its_ingredients() {
        let mut ingredients = ingredients();
        ingredients.corpus.sweeps.reverse();
        ingredients.simulators.reverse();
        let mut outcomes = outcomes();
        outcomes.reverse();
        let other = assemble(ingredients, outcomes, Table::all).unwrap();
        assert_eq!(serde_json::to_string(&other).unwrap(), serde_json::to_string(&summary()).unwrap());
    }

    #[test]
    fn every_figure_of_the_snapshot_is_there() {
        let summary = summary();
        assert_eq!(summary.run.label, Label::Released);
        assert_eq!(summary.sweeps.len(), corpus().sweeps.len());
        assert!(summary.sweeps.iter().any(|sweep| sweep.verdict == Verdict::Partial));
        assert!(summary.sweeps.iter().all(|sweep| !sweep.verdict_reasons.is_empty()));
        assert_eq!(summary.coverage.estimators.len(), summary.simulators.len());
        let estimators: Vec<EstimatorId> = summary.simulators.iter().map(|it| it.id.clone()).collect();
        let keys = crate::aggregate::keys(&summary.sweeps, &estimators);
        assert!(summary.aggregates.iter().map(|aggregate| &aggregate.of).eq(&keys));
    }

    #[test]
    fn a_lost_a_doubled_and_a_foreign_outcome_are_refused() {
        let mut lost = outcomes();
        lost.pop();
        assert!(matches!(with(lost), Err(AssembleError::Coverage(CoverageError::Missing { .. }))));
        let mut doubled = outcomes();
        doubled.push(doubled[3].clone());
        assert!(matches!(with(doubled), Err(AssembleError::Twice { .. })));
        let mut foreign = outcomes();
        foreign.push(OutcomeRecord { concurrency: 77, ..foreign[0].clone() });
        assert!(matches!(with(foreign), Err(AssembleError::Stranger { concurrency: 77, .. })));
    }

    #[test]
    fn a_simulator_or_primary_that_is_not_clear_is_refused() {
        let mut twice = ingredients();
        twice.simulators.push(twice.simulators[0].clone());
        let error = assemble(twice, outcomes(), Table::all).unwrap_err();
        assert!(matches!(error, AssembleError::Simulator(_)), "{error}");
        let mut nobody = ingredients();
        nobody.primary = EstimatorId::new("nobody").unwrap();
        assert!(matches!(assemble(nobody, outcomes(), Table::all), Err(AssembleError::Id(_))));
    }

    #[test]
    fn one_part_that_is_no_release_makes_the_snapshot_experimental() {
        let mut simulator = ingredients();
        simulator.simulators[0].release = false;
        let mut measurements = ingredients();
        measurements.corpus.source.release = false;
        for ingredients in [simulator, measurements] {
            let summary = assemble(ingredients, outcomes(), Table::all).unwrap();
            assert_eq!(summary.run.label, Label::Experimental);
        }
    }
}
