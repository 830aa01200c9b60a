//! What the header says of a run, all of it known from the index.

use shared::format;
use shared::index::IndexEntry;
use shared::outcome::{CommitSource, SettingsProfile};
use shared::outline::Outline;
use shared::summary::Label;

use crate::components::picker::Entry;

/// A fact with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: &'static str,
    /// The fact.
    pub value: String,
    /// More of it, for whoever points at it.
    pub title: String,
}

/// The facts of a run; `now` is the present instant, RFC 3339.
pub fn of(entry: &IndexEntry, now: &str) -> Vec<Fact> {
    let fact = |name, value: String, title: &str| Fact { name, value, title: title.to_owned() };
    let day = format::day(&entry.generated_at);
    let made = match format::days_between(&entry.generated_at, now) {
        Some(days) => format!("{day} ({})", ago(days)),
        None => day.to_owned(),
    };
    vec![
        fact("Simulator", entry.simulator.clone(), entry.primary.as_str()),
        fact("Engine settings", settings(entry.settings).to_owned(), settings_title(entry.settings)),
        fact("Measurements", entry.measurements.clone(), "Whose measurements, and which release of them"),
        fact("Made", made, &entry.generated_at),
        fact("Scored", scored(entry), "Points that this simulator predicted, of all points in the corpus"),
    ]
}

/// The label in words, and what it means.
pub fn label(label: Label) -> (&'static str, &'static str) {
    match label {
        Label::Released => (label.name(), "Simulator and measurements are published releases"),
        Label::Experimental => (
            label.name(),
            "Simulator or measurements are not a release: these are not the simulator's accuracy",
        ),
    }
}

/// The program that made a snapshot.
pub fn made_by(outline: &Outline) -> String {
    let scorer = &outline.scorer;
    let made = format!("made by scorer {}", scorer.version);
    match (&scorer.commit, scorer.commit_source) {
        (Some(commit), CommitSource::Checked) => format!("{made}, commit {commit}"),
        (Some(commit), _) => format!("{made}, commit {commit} by assertion"),
        (None, _) => made,
    }
}

/// The run as a choice in a list.
pub fn entry(entry: &IndexEntry) -> Entry {
    Entry {
        key: entry.id.to_string(),
        title: format!("{} · {} · {}", entry.simulator, settings(entry.settings), entry.measurements),
        detail: format!(
            "{} · {} · {} · {}",
            format::day(&entry.generated_at),
            entry.label.name(),
            scored(entry),
            entry.id
        ),
    }
}

/// `today`, `12 days ago`.
pub fn ago(days: i64) -> String {
    let age = format::age(days);
    if days > 0 { age + " ago" } else { age }
}

fn scored(entry: &IndexEntry) -> String {
    format!("{} of {}", format::count(entry.scored), format::counted(entry.points, "point"))
}

/// A profile of engine settings as people read it.
pub fn settings(profile: SettingsProfile) -> &'static str {
    match profile {
        SettingsProfile::Recorded => "recorded settings",
        SettingsProfile::Defaults => "default settings",
        SettingsProfile::Published => "publisher's settings",
    }
}

fn settings_title(profile: SettingsProfile) -> &'static str {
    match profile {
        SettingsProfile::Recorded => {
            "Each point with the engine settings of its own run, where they are known"
        }
        SettingsProfile::Defaults => "Every point with the engine's default settings, whatever its run used",
        SettingsProfile::Published => "The settings that those who published the predictions chose",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn index_entry() -> IndexEntry {
        serde_json::from_value(json!({
            "id": "2026-09-28_sim-1.0_00000000", "generated_at": "2026-11-30T08:00:00Z", "label": "released",
            "primary": "sim", "simulator": "Sim 1.0", "settings": "recorded", "measurements": "db-dump/2026-09-28",
            "sweeps": 113, "points": 1573, "scored": 1, "headline": [], "sha256": "0".repeat(64), "bytes": 1,
        }))
        .unwrap()
    }

    #[test]
    fn a_run_says_what_it_is_made_of_and_how_old_it_is() {
        let facts = of(&index_entry(), "2026-12-12T01:00:00Z");
        let values: Vec<&str> = facts.iter().map(|fact| fact.value.as_str()).collect();
        assert_eq!(
            values,
            [
                "Sim 1.0",
                "recorded settings",
                "db-dump/2026-09-28",
                "2026-11-30 (12 days ago)",
                "1 of 1,573 points"
            ]
        );
    }

    #[test]
    fn an_age_that_is_not_known_is_left_out() {
        let entry = IndexEntry { generated_at: "soon".to_owned(), ..index_entry() };
        assert_eq!(of(&entry, "2026-12-12T01:00:00Z")[3].value, "soon");
    }

    #[test]
    fn a_choice_is_found_by_everything_that_tells_it_from_others() {
        let entry = entry(&index_entry());
        assert_eq!(entry.title, "Sim 1.0 · recorded settings · db-dump/2026-09-28");
        assert_eq!(entry.detail, "2026-11-30 · released · 1 of 1,573 points · 2026-09-28_sim-1.0_00000000");
    }
}
