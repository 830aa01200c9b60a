//! Computes a snapshot again and compares, to the bit.
//!
//! Everything that follows from the sweeps of a summary is worked out once more by the code that made
//! it: order, flags, verdicts, coverage, every aggregate, the label, the rules' digest and the id. The
//! scorer does it before it publishes; the page does it in the background, step by step.

use serde::Serialize;

use crate::aggregate::Table;
use crate::assemble;
use crate::coverage;
use crate::format::shortened;
use crate::id::EstimatorId;
use crate::outcome::{Outcome, Prediction};
use crate::rules::{Grading, RuleBook, Rules, RulesError};
use crate::schema::FileKind;
use crate::snapshot_id;
use crate::spike;
use crate::summary::{Aggregate, AggregateKey, Figures, Grade, Interval, Summary};
use crate::sweep::{Flag, Sweep};
use crate::verdict;

/// Why a summary is not verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// It differs from what follows from its sweeps; this is the first difference.
    #[error("{place}: the file says {stated}, but {computed} follows from its sweeps")]
    Differs {
        /// Where.
        place: String,
        /// What the file says.
        stated: String,
        /// What was computed.
        computed: String,
    },
    /// It was computed by formulas that this version does not have, so nothing is known against it.
    #[error(
        "definitions of the rules: the file follows version {stated} of them and this program knows version \
         {known} only, so it cannot be computed again here: use the program that made it"
    )]
    OtherDefinitions {
        /// The version that the file follows.
        stated: u32,
        /// The version of this program.
        known: u32,
    },
    /// Nobody can compute by its rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// Compares two values; the place is only worked out when they differ.
fn same<T: PartialEq + Serialize>(
    place: impl FnOnce() -> String,
    stated: &T,
    computed: &T,
) -> Result<(), Unverified> {
    if stated == computed {
        return Ok(());
    }
    Err(Unverified::Differs { place: place(), stated: json(stated), computed: json(computed) })
}

/// A value as it stands in the file, cut where it is long.
fn json(value: &impl Serialize) -> String {
    shortened(&serde_json::to_string(value).unwrap_or_default(), 200)
}

/// Verifies a whole summary, one step after the other.
pub fn summary(summary: &Summary) -> Result<(), Unverified> {
    Steps::new(summary).collect()
}

/// Verifies a whole summary; `compute` gives the aggregates, for instance with several threads.
pub fn summary_with(
    summary: &Summary,
    compute: impl FnOnce(&Table, &Rules, &Grading) -> Vec<Aggregate>,
) -> Result<(), Unverified> {
    head(summary)?;
    sweeps(summary)?;
    counts(summary)?;
    let table = table(summary)?;
    let aggregates = compute(&table, &summary.rules.rules, &summary.grading);
    for (stated, computed) in summary.aggregates.iter().zip(&aggregates) {
        aggregate(stated, &computed.figures)?;
    }
    same(|| "number of aggregates".to_owned(), &summary.aggregates.len(), &aggregates.len())?;
    id(summary)
}

/// Verifies everything but the figures of the aggregates, whose intervals take seconds: for a reader that
/// computes what it shows from the sweeps.
///
/// # Errors
/// At the first difference, or when the summary follows other definitions.
pub fn without_figures(summary: &Summary) -> Result<(), Unverified> {
    head(summary)?;
    sweeps(summary)?;
    counts(summary)?;
    table(summary)?;
    id(summary)
}

/// The verification in steps of a few milliseconds, for a page that must stay responsive.
///
/// The iterator ends after the first difference, which is its last item.
pub struct Steps<'a> {
    summary: &'a Summary,
    table: Option<Table>,
    next: usize,
}

impl<'a> Steps<'a> {
    /// Begins the verification; nothing is computed yet.
    #[must_use]
    pub fn new(summary: &'a Summary) -> Self {
        Self { summary, table: None, next: 0 }
    }

    /// How many steps there are in all, done or not.
    #[must_use]
    pub fn total(&self) -> usize {
        self.summary.aggregates.len() + 5
    }

    fn step(&mut self, step: usize) -> Result<(), Unverified> {
        let summary = self.summary;
        match step {
            0 => head(summary),
            1 => sweeps(summary),
            2 => counts(summary),
            3 => {
                self.table = Some(table(summary)?);
                Ok(())
            }
            _ => match (summary.aggregates.get(step - 4), &self.table) {
                (Some(stated), Some(table)) => {
                    aggregate(stated, &table.figures(&stated.of, &summary.rules.rules, &summary.grading))
                }
                _ => id(summary),
            },
        }
    }
}

impl Iterator for Steps<'_> {
    type Item = Result<(), Unverified>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.next;
        if step >= self.total() {
            return None;
        }
        let result = self.step(step);
        self.next = if result.is_ok() { step + 1 } else { usize::MAX };
        Some(result)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.total().saturating_sub(self.next);
        (left.min(1), Some(left))
    }
}

/// Checks that this program has the definitions that a summary follows.
///
/// # Errors
/// When it has others.
pub fn definitions(summary: &Summary) -> Result<(), Unverified> {
    let (stated, known) = (summary.rules.rules.definitions, Rules::current().definitions);
    if stated == known { Ok(()) } else { Err(Unverified::OtherDefinitions { stated, known }) }
}

fn head(summary: &Summary) -> Result<(), Unverified> {
    same(|| "schema".to_owned(), &summary.schema.as_str(), &FileKind::Summary.schema())?;
    definitions(summary)?;
    let (stated, known) = (&summary.rules.rules, Rules::current());
    stated.check()?;
    same(|| "admission settings".to_owned(), &stated.admission_settings, &known.admission_settings)?;
    let book = RuleBook::of(stated.clone(), &summary.grading);
    same(|| "digest of the rules".to_owned(), &summary.rules.digest, &book.digest)?;
    let ids = summary.simulators.iter().map(|simulator| &simulator.id);
    same(|| "simulators sorted by id".to_owned(), &true, &ids.is_sorted_by(|a, b| a < b))?;
    let label = assemble::label(&summary.simulators, &summary.measurements);
    same(|| "label".to_owned(), &summary.run.label, &label)
}

fn sweeps(summary: &Summary) -> Result<(), Unverified> {
    let ids = summary.sweeps.iter().map(|sweep| &sweep.id);
    same(|| "sweeps sorted by id".to_owned(), &true, &ids.is_sorted_by(|a, b| a < b))?;
    for sweep in &summary.sweeps {
        let place = |what: &str| format!("{what} of sweep {}", sweep.id);
        let sorted = coverage::check_order(sweep).is_ok();
        same(|| place("points sorted by concurrency"), &true, &sorted)?;
        let spikes = spike::found(&sweep.points, summary.rules.rules.spike_factor);
        for (point, is_spike) in sweep.points.iter().zip(spikes) {
            let flagged = point.flags.contains(&Flag::TtftSpike);
            same(|| place(&format!("spike at concurrency {}", point.concurrency)), &flagged, &is_spike)?;
        }
        completed(sweep)?;
        let (verdict, reasons) = verdict::judge(sweep);
        same(|| place("verdict"), &sweep.verdict, &verdict)?;
        same(|| place("reasons of the verdict"), &sweep.verdict_reasons, &reasons)?;
    }
    Ok(())
}

/// Checks that a replay that answered has completed every request of its point.
fn completed(sweep: &Sweep<Outcome>) -> Result<(), Unverified> {
    for point in &sweep.points {
        let requests = sweep.workload().requests(point.concurrency);
        for (estimator, outcome) in &point.predictions {
            let Outcome::Scored(Prediction { completed: Some(completed), .. }) = outcome else { continue };
            let place = || {
                let Sweep { id, .. } = sweep;
                format!(
                    "requests completed by {estimator} at concurrency {} of sweep {id}",
                    point.concurrency
                )
            };
            same(place, completed, &requests)?;
        }
    }
    Ok(())
}

fn counts(summary: &Summary) -> Result<(), Unverified> {
    let coverage = coverage::of(&summary.coverage.rows, &summary.sweeps, &estimators(summary));
    let coverage = coverage.map_err(|error| Unverified::Differs {
        place: "coverage".to_owned(),
        stated: json(&summary.coverage),
        computed: error.to_string(),
    })?;
    same(|| "coverage".to_owned(), &summary.coverage, &coverage)?;
    same(|| "verdicts".to_owned(), &summary.verdicts, &verdict::counts(&summary.sweeps))?;
    same(|| "unpassed settings".to_owned(), &summary.unpassed, &verdict::unpassed(&summary.sweeps))
}

fn estimators(summary: &Summary) -> Vec<EstimatorId> {
    summary.simulators.iter().map(|simulator| simulator.id.clone()).collect()
}

/// Checks that the aggregates are those that there should be, and makes ready to compute them.
fn table(summary: &Summary) -> Result<Table, Unverified> {
    let table = Table::new(&summary.sweeps, &estimators(summary));
    let keys = table.keys();
    let text = |key: Option<&AggregateKey>| key.map_or_else(|| "no more".to_owned(), ToString::to_string);
    for place in 0..keys.len().max(summary.aggregates.len()) {
        let stated = summary.aggregates.get(place).map(|aggregate| &aggregate.of);
        let computed = keys.get(place);
        if stated != computed {
            let place = format!("key of aggregate {}", place + 1);
            return Err(Unverified::Differs { place, stated: text(stated), computed: text(computed) });
        }
    }
    Ok(table)
}

fn aggregate(stated: &Aggregate, computed: &Figures) -> Result<(), Unverified> {
    if stated.figures == *computed {
        return Ok(());
    }
    for ((name, stated_text), (_, computed_text)) in named(&stated.figures).into_iter().zip(named(computed)) {
        same(|| format!("{name} of {}", stated.of), &stated_text, &computed_text)?;
    }
    same(|| format!("figures of {}", stated.of), &stated.figures, computed)
}

/// Every figure as text, with its name.
fn named(figures: &Figures) -> [(&'static str, String); 18] {
    let count = |count: u64| count.to_string();
    let value = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| value.to_string());
    let ends = |interval: Option<Interval>| {
        interval.map_or_else(|| "none".to_owned(), |Interval { low, high }| format!("{low} to {high}"))
    };
    [
        ("sweeps", count(figures.sweeps)),
        ("points", count(figures.points)),
        ("not_scored", count(figures.not_scored)),
        ("shape_points", count(figures.shape_points)),
        ("mape", value(figures.mape)),
        ("signed_mean", value(figures.signed_mean)),
        ("shape", value(figures.shape)),
        ("signed_shape", value(figures.signed_shape)),
        ("at_lowest", value(figures.at_lowest)),
        ("at_highest", value(figures.at_highest)),
        ("median", value(figures.median)),
        ("p90", value(figures.p90)),
        ("share_over", value(figures.share_over)),
        ("cancellation", value(figures.cancellation)),
        ("mape_interval", ends(figures.mape_interval)),
        ("signed_interval", ends(figures.signed_interval)),
        ("shape_interval", ends(figures.shape_interval)),
        ("grade", figures.grade.map_or("none", Grade::letter).to_owned()),
    ]
}

fn id(summary: &Summary) -> Result<(), Unverified> {
    let place = "id of the snapshot".to_owned();
    match snapshot_id::of(summary) {
        Ok(id) => same(|| place, &summary.run.id.as_str(), &id.as_str()),
        Err(error) => Err(Unverified::Differs {
            place,
            stated: summary.run.id.to_string(),
            computed: error.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests;
