//! What the header says of a run, all of it known from the index.

use shared::format;
use shared::index::IndexEntry;
use shared::outcome::SettingsProfile;
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

fn settings(profile: SettingsProfile) -> &'static str {
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
