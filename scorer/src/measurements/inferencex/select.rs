//! From all rows of a source to its corpus.

use std::collections::BTreeMap;

use shared::corpus::{Corpus, MeasurementSource, PublishedRatio, Selection, SourceKind, SourcePart};
use shared::digest::Digest;
use shared::rules::Rules;
use shared::schema::FileKind;
use shared::sweep::Sweep;

use super::deployment::Key;
use super::error::CollectError;
use super::fields::RowError;
use super::joined::Joined;
use super::reason;
use super::sweep::Maker;
use super::window::{self, Versioned};
use super::{attempt, candidate, digest};
use crate::measurements::Ingested;
use crate::measurements::explain::{RowBook, in_words};
use crate::measurements::lengths::LengthJudge;
use crate::reference::{Reference, Version};

/// How many of the newest engine versions are kept when nothing else is asked for.
pub const LATEST_VERSIONS: u32 = 5;

/// What a source is, as far as its rows do not say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// Its kind.
    pub kind: SourceKind,
    /// The release of the measurements, such as `db-dump/2026-09-28`.
    pub tag: Option<String>,
    /// Whether the measurements are a published release.
    pub release: bool,
    /// The day of the release; none: the day of the newest row.
    pub date: Option<String>,
    /// The files that were read.
    pub parts: Vec<SourcePart>,
}

/// What is asked of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectionOptions {
    /// How many of the newest engine versions are kept; none: all.
    pub latest_versions: Option<u32>,
    /// Whether rows without an arguments line are left out.
    pub needs_arguments: bool,
}

impl Default for SelectionOptions {
    fn default() -> Self {
        Self { latest_versions: Some(LATEST_VERSIONS), needs_arguments: false }
    }
}

/// The corpus of some rows, which are in the order of their ids.
pub(super) fn corpus(
    rows: &[Joined<'_>],
    source: SourceFacts,
    options: &SelectionOptions,
    reference: &Reference,
) -> Result<Ingested, CollectError> {
    let rules = Rules::current();
    let mut book = RowBook::new(&reason::ALL);
    let candidates = candidates(rows, options, reference, &mut book)?;
    let by_id: BTreeMap<i64, &Joined<'_>> = rows.iter().map(|row| (row.result.id, row)).collect();

    let mut maker = Maker { facts: reference, rules: &rules, lengths: LengthJudge::default() };
    let mut sweeps = Vec::new();
    for (key, (version, rows)) in groups(candidates, reference) {
        let made = maker.sweep(&key, version, &rows).map_err(|source| {
            let row = rows.first().map_or(0, |row| row.result.id);
            CollectError::Latency { row, source }
        })?;
        match made {
            Some(sweep) => sweeps.push(Versioned { version, sweep }),
            None => rows.iter().for_each(|row| book.skip(reason::FEWER_THAN_THREE, || row.name())),
        }
    }
    let chosen = window::choose(sweeps, options.latest_versions);
    for (reason, versioned) in &chosen.dropped {
        for row in versioned.sweep.source.rows.iter().filter_map(|id| by_id.get(id)) {
            book.skip(reason, || row.name());
        }
    }
    let kept: Vec<Sweep<PublishedRatio>> = chosen.kept.into_values().map(|kept| kept.sweep).collect();
    kept.iter().flat_map(|sweep| &sweep.source.rows).for_each(|_| book.keep());

    let (account, explanation) = book.finish();
    if kept.is_empty() {
        return Err(CollectError::NothingLeft { rows: account.read(), reasons: in_words(&account) });
    }
    let digest = digest::of_rows(rows).map_err(|error| CollectError::Json(error.to_string()))?;
    let corpus = Corpus {
        schema: FileKind::Corpus.schema().to_owned(),
        source: measurement_source(source, rows, digest),
        selection: Selection {
            latest_versions: options.latest_versions,
            version_window: chosen.window.iter().map(ToString::to_string).collect(),
            min_concurrencies: rules.min_concurrencies,
        },
        rows: account,
        published_estimators: BTreeMap::new(),
        sweeps: kept,
    };
    Ok(Ingested { notes: notes(rows), corpus, explanation })
}

/// The rows that may become points; the others are counted.
fn candidates<'a>(
    rows: &[Joined<'a>],
    options: &SelectionOptions,
    reference: &Reference,
    book: &mut RowBook,
) -> Result<Vec<Joined<'a>>, RowError> {
    let mut candidates = Vec::new();
    for row in rows {
        let judged = candidate::judge(row.result, row.config, reference)?;
        match judged.and_then(|()| candidate::judge_passed(row)) {
            Ok(()) => candidates.push(*row),
            Err(reason) => book.skip(reason, || row.name()),
        }
    }
    let superseded = attempt::superseded(&candidates);
    candidates.retain(|row| {
        let reason = if superseded.contains(&row.result.id) {
            reason::SUPERSEDED_ATTEMPT
        } else if options.needs_arguments && row.passed().is_none() {
            reason::NO_ARGUMENTS_LINE
        } else {
            return true;
        };
        book.skip(reason, || row.name());
        false
    });
    Ok(candidates)
}

/// The candidates by sweep, each with its version.
fn groups<'a>(
    candidates: Vec<Joined<'a>>,
    reference: &Reference,
) -> BTreeMap<Key, (Version, Vec<Joined<'a>>)> {
    let table = reference.inferencex();
    let mut groups: BTreeMap<Key, (Version, Vec<Joined<'a>>)> = BTreeMap::new();
    for row in candidates {
        // A candidate has both, or it would be none.
        let version = row.result.image.as_deref().and_then(|image| table.version_of_image(image));
        let (Some(version), Some(model)) = (version, table.model(&row.config.model)) else { continue };
        groups.entry(Key::of(&row, model)).or_insert_with(|| (version, Vec::new())).1.push(row);
    }
    groups
}

fn measurement_source(source: SourceFacts, rows: &[Joined<'_>], digest: Digest) -> MeasurementSource {
    let newest = || rows.iter().map(|row| row.result.date.as_str()).max().unwrap_or_default().to_owned();
    MeasurementSource {
        kind: source.kind,
        name: "SemiAnalysis InferenceX".to_owned(),
        tag: source.tag,
        release: source.release,
        date: source.date.unwrap_or_else(newest),
        digest,
        parts: source.parts,
        retrieved_at: None,
    }
}

/// What a reader should know of the logs.
fn notes(rows: &[Joined<'_>]) -> Vec<String> {
    let unreadable = rows.iter().filter_map(|row| {
        let stated = row.own_log()?.arguments.as_ref()?;
        let problem = stated.value.as_ref().err()?;
        let line = stated.line;
        Some(format!("{}: the arguments in line {line} of its log cannot be read ({problem})", row.name()))
    });
    let foreign = rows.iter().filter_map(|row| Some(format!("{}: {}", row.name(), row.misfit?)));
    let notes = [
        first_of(unreadable, "so it counts as without them"),
        first_of(foreign, "so it counts as without a log"),
    ];
    notes.into_iter().flatten().collect()
}

/// The first of several rows of which the same is to be told, and how many more there are.
fn first_of(mut told: impl Iterator<Item = String>, consequence: &str) -> Option<String> {
    let first = told.next()?;
    let more = match told.count() {
        0 => String::new(),
        more => format!("; so do {more} more"),
    };
    Some(format!("{first}, {consequence}{more}"))
}
