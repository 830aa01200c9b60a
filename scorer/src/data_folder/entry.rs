//! What the list of snapshots and the note of the last run say about a snapshot.

use std::cmp::Ordering;

use shared::aggregate::everything;
use shared::digest::Digest;
use shared::index::{Headline, IndexEntry, LastRun};
use shared::metric::Metric;
use shared::outcome::{SettingsProfile, SimulatorIdentity};
use shared::schema::FileKind;
use shared::summary::Summary;
use shared::tier::Tier;

/// The entry of a snapshot whose file has this digest and size.
#[must_use]
pub fn entry(summary: &Summary, sha256: Digest, bytes: u64) -> IndexEntry {
    let primary = &summary.run.primary;
    let simulator = primary_identity(summary);
    IndexEntry {
        id: summary.run.id.clone(),
        generated_at: summary.run.generated_at.clone(),
        label: summary.run.label,
        primary: primary.clone(),
        simulator: simulator.map_or_else(|| primary.to_string(), SimulatorIdentity::title),
        settings: simulator.map_or(SettingsProfile::Recorded, |simulator| simulator.settings),
        measurements: measurements(summary),
        sweeps: summary.coverage.sweeps,
        points: summary.coverage.points,
        scored: summary.coverage.estimators.get(primary).map_or(0, |counts| counts.scored),
        headline: headline(summary),
        sha256,
        bytes,
    }
}

/// The note that this snapshot was published last.
#[must_use]
pub fn last_run(summary: &Summary) -> LastRun {
    let simulator = primary_identity(summary).map_or_else(
        || summary.run.primary.to_string(),
        |simulator| simulator_words(&simulator.title(), simulator.settings),
    );
    LastRun {
        schema: FileKind::LastRun.schema().to_owned(),
        simulator,
        measurements: measurements(summary),
        snapshot: summary.run.id.clone(),
    }
}

/// How that note names a simulator, by name and version and the settings that it was given.
#[must_use]
pub fn simulator_words(title: &str, settings: SettingsProfile) -> String {
    format!("{title} {}", settings.key())
}

/// Newest first; of equal age the greater id.
#[must_use]
pub fn newest_first(a: &IndexEntry, b: &IndexEntry) -> Ordering {
    b.generated_at.cmp(&a.generated_at).then_with(|| b.id.cmp(&a.id))
}

fn primary_identity(summary: &Summary) -> Option<&SimulatorIdentity> {
    summary.simulators.iter().find(|simulator| simulator.id == summary.run.primary)
}

fn measurements(summary: &Summary) -> String {
    let source = &summary.measurements;
    source.tag.clone().unwrap_or_else(|| format!("{} of {}", source.name, source.date))
}

/// The primary estimator's figures over everything, by tier and metric.
fn headline(summary: &Summary) -> Vec<Headline> {
    let mut headline = Vec::new();
    for tier in Tier::ALL {
        for metric in Metric::ALL {
            let key = everything(tier, &summary.run.primary, metric);
            let found = summary.aggregates.binary_search_by(|aggregate| aggregate.of.cmp(&key));
            if let Some(aggregate) = found.ok().and_then(|place| summary.aggregates.get(place)) {
                let figures = &aggregate.figures;
                headline.push(Headline {
                    tier,
                    metric,
                    points: figures.points,
                    mape: figures.mape,
                    shape: figures.shape,
                });
            }
        }
    }
    headline
}
