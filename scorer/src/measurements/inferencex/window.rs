//! The newest versions, and of sweeps that a simulator cannot tell apart the newest.

use std::collections::{BTreeMap, BTreeSet};

use shared::corpus::PublishedRatio;
use shared::id::SweepId;
use shared::sweep::Sweep;

use super::reason;
use crate::reference::Version;

/// A sweep with its version, before it is known whether it is kept.
#[derive(Debug)]
pub(super) struct Versioned {
    pub(super) version: Version,
    pub(super) sweep: Sweep<PublishedRatio>,
}

/// What became of the sweeps.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Those that are kept, by id.
    pub(super) kept: BTreeMap<SweepId, Versioned>,
    /// The others, each with its reason.
    pub(super) dropped: Vec<(&'static str, Versioned)>,
    /// The versions that are kept, newest first.
    pub(super) window: Vec<Version>,
}

/// Keeps the sweeps of the `latest` newest versions there are, or of all; and of one identity the sweep of
/// the newest version, of equal ones the latest.
///
/// Source: docs/scoring.md, "Unit".
pub(super) fn choose(sweeps: Vec<Versioned>, latest: Option<u32>) -> Chosen {
    let versions: BTreeSet<Version> = sweeps.iter().map(|versioned| versioned.version).collect();
    let most = latest.map_or(usize::MAX, |latest| latest as usize);
    let mut chosen = Chosen { window: versions.into_iter().rev().take(most).collect(), ..Chosen::default() };
    for versioned in sweeps {
        if !chosen.window.contains(&versioned.version) {
            chosen.dropped.push((reason::OUTSIDE_LATEST_VERSIONS, versioned));
            continue;
        }
        let id = versioned.sweep.id.clone();
        let Some(other) = chosen.kept.remove(&id) else {
            chosen.kept.insert(id, versioned);
            continue;
        };
        let (newer, older) =
            if age(&versioned) > age(&other) { (versioned, other) } else { (other, versioned) };
        chosen.kept.insert(id, newer);
        chosen.dropped.push((reason::SUPERSEDED_VERSION, older));
    }
    chosen
}

/// What decides between two sweeps of one identity: the version, then the last day, then the last row.
fn age(versioned: &Versioned) -> (Version, &str, Option<i64>) {
    let Versioned { version, sweep } = versioned;
    (*version, &sweep.dates.last, sweep.source.rows.last().copied())
}
