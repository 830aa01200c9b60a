//! A snapshot's id, made of its content: equal inputs give the equal id on any machine.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use crate::corpus::{MeasurementSource, Selection};
use crate::digest::{Digest, Hasher};
use crate::id::{EstimatorId, IdError, SnapshotId};
use crate::outcome::{Outcome, ScorerIdentity, SimulatorIdentity};
use crate::rules::{Grading, RuleBook};
use crate::summary::{Aggregate, Coverage, Label, Run, Summary, VerdictCount};
use crate::sweep::Sweep;

/// A summary has no id.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotIdError {
    /// The primary estimator is not among the simulators.
    #[error("primary estimator `{0}` is not among the snapshot's simulators: name one of them")]
    Primary(EstimatorId),
    /// The content cannot be written as JSON.
    #[error("cannot write the snapshot's content as JSON")]
    Json(#[from] serde_json::Error),
    /// The id would break the rule of ids.
    #[error(transparent)]
    Id(#[from] IdError),
}

/// The id of a summary: `<date of the measurements>_<primary estimator>-<its version>_<digits>`, where
/// the digits are the first eight of the content's digest ([`content_digest`]).
///
/// Characters that ids do not have become `-`, and a long name or version is cut.
pub fn of(summary: &Summary) -> Result<SnapshotId, SnapshotIdError> {
    let primary = &summary.run.primary;
    let simulator = summary
        .simulators
        .iter()
        .find(|simulator| simulator.id == *primary)
        .ok_or_else(|| SnapshotIdError::Primary(primary.clone()))?;
    let digest = content_digest(summary)?;
    let date = sanitised(&summary.measurements.date, 10);
    let name = sanitised(&format!("{primary}-{}", simulator.version), 58);
    Ok(SnapshotId::new(format!("{date}_{name}_{}", digest.short(8)))?)
}

/// A text with only the characters that every id may have; others become `-`, and a long one is cut.
pub(crate) fn sanitised(text: &str, longest: usize) -> String {
    let allowed = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
    text.chars().take(longest).map(|character| if allowed(character) { character } else { '-' }).collect()
}

/// The digest of a summary's compact JSON with `run.id` and `run.generated_at` left out: two summaries
/// with the same digest say the same.
pub fn content_digest(summary: &Summary) -> Result<Digest, SnapshotIdError> {
    let mut sink = Sink::default();
    serde_json::to_writer(&mut sink, &Content::of(summary))?;
    Ok(sink.0.finish())
}

#[derive(Default)]
struct Sink(Hasher);

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A [`Summary`] without what does not bear on its meaning, in the same order.
#[derive(Serialize)]
struct Content<'a> {
    schema: &'a str,
    run: RunContent<'a>,
    simulators: &'a [SimulatorIdentity],
    measurements: &'a MeasurementSource,
    corpus: &'a Digest,
    selection: &'a Selection,
    rules: &'a RuleBook,
    grading: &'a Grading,
    coverage: &'a Coverage,
    verdicts: &'a [VerdictCount],
    unpassed: &'a BTreeMap<String, u64>,
    aggregates: &'a [Aggregate],
    sweeps: &'a [Sweep<Outcome>],
}

#[derive(Serialize)]
struct RunContent<'a> {
    label: Label,
    primary: &'a EstimatorId,
    scorer: &'a ScorerIdentity,
    repro: &'a str,
}

impl<'a> Content<'a> {
    fn of(summary: &'a Summary) -> Self {
        // Without `..`, so that a new field cannot be forgotten here.
        let Summary {
            schema,
            run,
            simulators,
            measurements,
            corpus,
            selection,
            rules,
            grading,
            coverage,
            verdicts,
            unpassed,
            aggregates,
            sweeps,
        } = summary;
        let Run { id: _, generated_at: _, label, primary, scorer, repro } = run;
        let run = RunContent { label: *label, primary, scorer, repro };
        Self {
            schema,
            run,
            simulators,
            measurements,
            corpus,
            selection,
            rules,
            grading,
            coverage,
            verdicts,
            unpassed,
            aggregates,
            sweeps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::summary;

    #[test]
    fn the_id_does_not_depend_on_when_the_summary_was_made() {
        let first = summary();
        let mut later = first.clone();
        later.run.generated_at = "2027-01-01T00:00:00Z".to_owned();
        later.run.id = SnapshotId::new("x").unwrap();
        assert_eq!(of(&later).unwrap(), of(&first).unwrap());
        assert_eq!(first.run.id, of(&first).unwrap());
        let id = first.run.id.as_str();
        assert_eq!(&id[..id.len() - 8], "2026-09-28_blis-0.7.15_");
    }

    #[test]
    fn any_other_change_changes_the_id() {
        let first = summary();
        let mut other = first.clone();
        other.run.repro.push('!');
        assert_ne!(of(&other).unwrap(), first.run.id);
        let mut other = first.clone();
        other.aggregates[0].figures.not_scored += 1;
        assert_ne!(of(&other).unwrap(), first.run.id);
    }

    #[test]
    fn the_content_is_the_file_without_id_and_time() {
        let summary = summary();
        let mut value = serde_json::to_value(&summary).unwrap();
        let run = value["run"].as_object_mut().unwrap();
        assert!(run.remove("id").is_some() && run.remove("generated_at").is_some());
        assert_eq!(serde_json::to_value(Content::of(&summary)).unwrap(), value);
        // The order is that of the file too.
        let file = serde_json::to_string(&summary).unwrap();
        let content = serde_json::to_string(&Content::of(&summary)).unwrap();
        assert!(file.ends_with(content.split_once("\"label\"").unwrap().1));
    }

    #[test]
    fn a_strange_version_or_date_cannot_leave_the_directory() {
        let mut strange = summary();
        strange.simulators.last_mut().unwrap().version = format!("../v1+é {}", "9".repeat(100));
        strange.measurements.date = "../../etc/x".to_owned();
        let id = of(&strange).unwrap();
        assert!(id.as_str().starts_with("..-..-etc-_blis-..-v1---999"), "{id}");
        assert!(id.as_str().len() <= 80);
        strange.run.primary = crate::testing::estimator("nobody");
        assert!(matches!(of(&strange), Err(SnapshotIdError::Primary(_))));
    }
}
