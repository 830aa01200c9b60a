//! The join of the three files by scenario, label and concurrency, with every row accounted for.

use std::collections::{BTreeMap, BTreeSet};

use shared::corpus::{
    Corpus, MeasurementSource, PublishedEstimator, PublishedRatio, Selection, SourceKind, SourcePart,
};
use shared::id::EstimatorId;
use shared::rules::Rules;
use shared::schema::FileKind;
use shared::sweep::Sweep;

use super::check;
use super::error::{ArtifactError, Fault, Place};
use super::files::{Anchor, ArtifactSweep, SettingsRecord};
use super::input::{Input, file_name, reason};
use super::one_sweep::{self, Kept};
use super::predictions;
use crate::measurements::explain::{RowBook, in_words};
use crate::measurements::settings::Facts;
use crate::measurements::{Ingested, source_digest};

/// The engine whose sweeps are read.
const FRAMEWORK: &str = "vllm";
/// Prefill and decode on the same GPUs.
const SERVING: &str = "aggregated";
/// The release tags of the InferenceX database dumps, before the date.
const DUMP_TAG: &str = "db-dump/";

/// Joins the files.
pub(super) fn corpus(
    input: &Input<'_>,
    parts: Vec<SourcePart>,
    facts: &dyn Facts,
) -> Result<Ingested, ArtifactError> {
    check::heads(input)?;
    let anchors = anchors(input)?;
    let records = settings(input)?;
    let published = published(input)?;
    let rules = Rules::current();

    let mut rows = RowBook::new(&reason::ALL);
    let mut notes = Vec::new();
    let mut sweeps: Vec<(Place, Sweep<PublishedRatio>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for sweep in &input.artifact.sweeps {
        let place = Place::sweep(&sweep.scenario, &sweep.label);
        let in_artifact = || check::at(&input.paths.corpus, &place);
        if !seen.insert(place.clone()) {
            return Err(in_artifact()(Fault::TwiceSweep));
        }
        check_points(sweep, &place, input)?;
        let skip_all = |rows: &mut RowBook, reason| {
            for point in &sweep.points {
                rows.skip(reason, || place.at(point.concurrency).to_string());
            }
        };
        if sweep.framework.as_str() != FRAMEWORK {
            skip_all(&mut rows, reason::OTHER_FRAMEWORK);
            continue;
        }
        if sweep.serving.as_str() != SERVING {
            skip_all(&mut rows, reason::NOT_AGGREGATED);
            continue;
        }
        // Before anything is looked up by the label, which may be the wrong one.
        let lengths = check::lengths(sweep).map_err(in_artifact())?;
        let Some(anchor) = anchors.get(&place) else {
            skip_all(&mut rows, reason::NO_ABSOLUTES);
            continue;
        };
        let joined = one_sweep::Joined {
            input,
            place: &place,
            sweep,
            lengths,
            anchor,
            record: records.get(&place).copied(),
            published: &published,
        };
        if let Kept::Sweep(kept, note) = one_sweep::join(&joined, facts, &rules, &mut rows)? {
            notes.extend(note);
            sweeps.push((place, *kept));
        }
    }
    absolutes_without_point(input, &mut rows);
    unknown_settings(&records, &seen, input)?;

    sweeps.sort_by(|a, b| a.1.id.cmp(&b.1.id));
    if let Some([(other, _), (place, sweep)]) = sweeps.array_windows().find(|[a, b]| a.1.id == b.1.id) {
        let fault = Fault::SameSweep { other: other.clone(), id: sweep.id.clone() };
        return Err(check::at(&input.paths.corpus, place)(fault));
    }
    let (rows, explanation) = rows.finish();
    if sweeps.is_empty() {
        let fault = Fault::NothingLeft { rows: rows.read(), reasons: in_words(&rows) };
        return Err(ArtifactError::whole(&input.paths.corpus, fault));
    }
    notes.extend(input.settings.incomplete.iter().map(|record| {
        format!(
            "{} {}: its log is incomplete ({}), so it counts as without one",
            record.scenario, record.label, record.reason
        )
    }));
    let sweeps: Vec<Sweep<PublishedRatio>> = sweeps.into_iter().map(|(_, sweep)| sweep).collect();
    let corpus = Corpus {
        schema: FileKind::Corpus.schema().to_owned(),
        source: source(input, parts),
        selection: Selection {
            latest_versions: None,
            version_window: Vec::new(),
            min_concurrencies: rules.min_concurrencies,
        },
        rows,
        published_estimators: that_predict(published, &sweeps),
        sweeps,
    };
    Ok(Ingested { corpus, notes, explanation })
}

fn anchors<'a>(input: &Input<'a>) -> Result<BTreeMap<Place, &'a Anchor>, ArtifactError> {
    let mut anchors = BTreeMap::new();
    for anchor in &input.absolutes.anchors {
        let place = Place::sweep(&anchor.scenario, &anchor.label);
        let failed = || check::at(&input.paths.absolutes, &place);
        check::anchor(anchor).map_err(failed())?;
        if anchors.insert(place.clone(), anchor).is_some() {
            return Err(failed()(Fault::TwiceSweep));
        }
    }
    Ok(anchors)
}

fn settings<'a>(input: &Input<'a>) -> Result<BTreeMap<Place, &'a SettingsRecord>, ArtifactError> {
    let mut records = BTreeMap::new();
    for record in &input.settings.settings {
        let place = Place::sweep(&record.scenario, &record.label);
        if records.insert(place.clone(), record).is_some() {
            return Err(check::at(&input.paths.settings, &place)(Fault::TwiceSweep));
        }
        if record.by_concurrency.0.is_empty() {
            return Err(check::at(&input.paths.settings, &place)(Fault::EmptyRecord));
        }
    }
    for record in &input.settings.incomplete {
        let place = Place::sweep(&record.scenario, &record.label);
        if records.contains_key(&place) {
            let fault = Fault::IncompleteAndListed { reason: record.reason.to_string() };
            return Err(check::at(&input.paths.settings, &place)(fault));
        }
    }
    Ok(records)
}

fn published(input: &Input<'_>) -> Result<BTreeMap<EstimatorId, PublishedEstimator>, ArtifactError> {
    predictions::estimators(input.artifact.source.as_str())
        .map_err(|error| ArtifactError::whole(&input.paths.corpus, Fault::Estimator(error)))
}

/// Those estimators that predict at least one point.
fn that_predict(
    published: BTreeMap<EstimatorId, PublishedEstimator>,
    sweeps: &[Sweep<PublishedRatio>],
) -> BTreeMap<EstimatorId, PublishedEstimator> {
    let predicts = |id: &EstimatorId| {
        sweeps.iter().flat_map(|sweep| &sweep.points).any(|point| point.predictions.contains_key(id))
    };
    published.into_iter().filter(|(id, _)| predicts(id)).collect()
}

fn check_points(sweep: &ArtifactSweep, place: &Place, input: &Input<'_>) -> Result<(), ArtifactError> {
    let failed = |place: &Place, fault| Err(check::at(&input.paths.corpus, place)(fault));
    if sweep.points.is_empty() {
        return failed(place, Fault::NoPoints);
    }
    let concurrencies = || sweep.points.iter().map(|point| point.concurrency);
    if concurrencies().any(|concurrency| concurrency == 0) {
        let fault = Fault::Number { field: "concurrency", value: 0.0, rule: "a whole number above 0" };
        return failed(place, fault);
    }
    match check::repeated(concurrencies()) {
        Some(concurrency) => failed(&place.at(concurrency), Fault::TwiceConcurrency),
        None => Ok(()),
    }
}

/// Counts the measured concurrencies that the artifact does not have.
fn absolutes_without_point(input: &Input<'_>, rows: &mut RowBook) {
    let points: BTreeSet<Place> = input
        .artifact
        .sweeps
        .iter()
        .flat_map(|sweep| {
            let place = Place::sweep(&sweep.scenario, &sweep.label);
            sweep.points.iter().map(move |point| place.at(point.concurrency))
        })
        .collect();
    for anchor in &input.absolutes.anchors {
        let place = Place::sweep(&anchor.scenario, &anchor.label);
        let both = anchor.absolute_tpot_us.0.keys().chain(anchor.absolute_ttft_us.0.keys());
        let concurrencies: BTreeSet<u32> = both.map(|concurrency| concurrency.0).collect();
        for point in concurrencies.into_iter().map(|concurrency| place.at(concurrency)) {
            if !points.contains(&point) {
                rows.skip(reason::ABSOLUTE_WITHOUT_POINT, || point.to_string());
            }
        }
    }
}

fn unknown_settings(
    records: &BTreeMap<Place, &SettingsRecord>,
    sweeps: &BTreeSet<Place>,
    input: &Input<'_>,
) -> Result<(), ArtifactError> {
    match records.keys().find(|place| !sweeps.contains(*place)) {
        Some(place) => {
            let fault = Fault::UnknownSweep { corpus: file_name(&input.paths.corpus) };
            Err(check::at(&input.paths.settings, place)(fault))
        }
        None => Ok(()),
    }
}

fn source(input: &Input<'_>, parts: Vec<SourcePart>) -> MeasurementSource {
    let tag = input.absolutes.release_tag.as_str();
    let dump = tag.strip_prefix(DUMP_TAG).filter(|date| check::is_date(date));
    let newest = || input.absolutes.anchors.iter().map(|anchor| anchor.source_run_date.as_str()).max();
    MeasurementSource {
        kind: SourceKind::Artifact,
        name: input.artifact.measurement_source.as_ref().unwrap_or(&input.absolutes.source).to_string(),
        tag: Some(tag.to_owned()),
        release: dump.is_some(),
        date: dump.or_else(newest).unwrap_or_default().to_owned(),
        digest: source_digest(&parts),
        parts,
        retrieved_at: None,
    }
}
