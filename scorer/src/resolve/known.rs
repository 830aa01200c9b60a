//! What a data directory says of a pair of releases.

use shared::id::SnapshotId;
use shared::index::{IndexEntry, LastRun};
use shared::outcome::SettingsProfile;
use shared::schema::FileKind;
use shared::summary::Label;

use crate::console::Console;
use crate::data_folder::{Layout, simulator_words};
use crate::exit::CommandError;
use crate::files::{DEFAULT_LIMIT, FileError, read_bytes};
use crate::inputs::{self, InputError};
use crate::simulators::blis;

/// What is published.
pub(super) struct Known {
    /// Last.
    pub(super) last: Option<LastRun>,
    /// Of the pair.
    pub(super) published: Option<SnapshotId>,
}

/// Looks the pair up: in the note of what was published last, and in the list. A release that was taken back makes an
/// older one the newest again; its snapshot is in the list, and need not be made anew.
///
/// What cannot be read counts as not there: the next publish makes it again.
pub(super) fn of(
    data: &Layout,
    simulator: &str,
    measurements: &str,
    settings: SettingsProfile,
    console: &Console,
) -> Known {
    let last = usable(last_run(data), console);
    let entries = usable(inputs::index(&data.index()), console).map(|index| index.snapshots);
    let title = format!("{} {simulator}", blis::NAME);
    let words = simulator_words(&title, settings);
    let of_last = last
        .as_ref()
        .filter(|last| last.simulator == words && last.measurements == measurements)
        .map(|last| last.snapshot.clone());
    let is_of_pair = |entry: &&IndexEntry| {
        entry.label == Label::Released
            && entry.simulator == title
            && entry.settings == settings
            && entry.measurements == measurements
    };
    let listed = || entries.iter().flatten().find(is_of_pair).map(|entry| entry.id.clone());
    let published = of_last.or_else(listed);
    Known { last, published }
}

fn last_run(data: &Layout) -> Result<LastRun, InputError> {
    let path = data.last_run();
    inputs::parse(FileKind::LastRun, &path, read_bytes(&path, DEFAULT_LIMIT)?)
}

/// The value; a warning when there is a file and it has none.
fn usable<T>(read: Result<T, InputError>, console: &Console) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(InputError::File(FileError::NotFound { .. })) => None,
        Err(error) => {
            let error = CommandError::from(error);
            console.warning(&format!("{error}: taken as not there, the next publish makes it again"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::files::json_bytes;

    fn note(simulator: &str, measurements: &str) -> LastRun {
        LastRun {
            schema: "last-run.v1".to_owned(),
            simulator: simulator.to_owned(),
            measurements: measurements.to_owned(),
            snapshot: SnapshotId::new("night-1").unwrap(),
        }
    }

    fn published(root: &Path, simulator: &str, settings: SettingsProfile) -> Option<String> {
        let known = of(&Layout::new(root), simulator, "db-dump/2026-09-28", settings, &Console::quiet());
        known.published.map(|id| id.to_string())
    }

    #[test]
    fn the_note_of_the_last_run_tells_whether_anything_changed() {
        let data = tempfile::tempdir().unwrap();
        let recorded = SettingsProfile::Recorded;
        assert_eq!(published(data.path(), "v0.7.15", recorded), None);
        fs::create_dir(data.path().join("state")).unwrap();
        let path = data.path().join("state/last-run.json");
        fs::write(&path, json_bytes(&note("BLIS v0.7.15 recorded", "db-dump/2026-09-28")).unwrap()).unwrap();
        assert_eq!(published(data.path(), "v0.7.15", recorded).as_deref(), Some("night-1"));
        assert_eq!(published(data.path(), "v0.7.1", recorded), None);
        assert_eq!(published(data.path(), "v0.7.15", SettingsProfile::Defaults), None);
        fs::write(&path, "{\"schema\": \"last-ru").unwrap();
        assert_eq!(published(data.path(), "v0.7.15", recorded), None);
    }

    #[test]
    fn a_release_that_is_the_newest_again_is_found_in_the_list() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        let listed = published(&data, "v0.7.12", SettingsProfile::Recorded);
        assert_eq!(listed.as_deref(), Some("2026-09-28_blis-v0.7.12_a5a42a7b"));
        assert_eq!(published(&data, "v0.7.11", SettingsProfile::Recorded), None);
    }
}
