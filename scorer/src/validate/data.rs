//! A data directory: whether the list of snapshots says what the files beside it are.

use std::fs;
use std::path::Path;

use shared::digest::Digest;
use shared::index::{Index, IndexEntry, LastRun};

use super::Problem;
use crate::data_folder::{Layout, entry, last_run};
use crate::files::{DEFAULT_LIMIT, read_bytes};
use crate::inputs;

/// What is wrong with the list alone.
#[must_use]
pub fn index_problems(index: &Index) -> Vec<Problem> {
    let unordered = index
        .snapshots
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| (&pair[0].generated_at, &pair[0].id) <= (&pair[1].generated_at, &pair[1].id));
    let mut problems: Vec<Problem> = unordered
        .map(|(place, pair)| {
            let text = format!("{} is there twice or not in order, newest first", pair[1].id);
            Problem::new(format!("snapshots[{}]", place + 1), text)
        })
        .collect();
    let mut ids: Vec<_> = index.snapshots.iter().map(|entry| &entry.id).collect();
    ids.sort_unstable();
    if let Some([id, _]) = ids.array_windows().find(|[a, b]| a == b) {
        problems.push(Problem::new("snapshots", format!("{id} is there twice")));
    }
    problems
}

/// What is wrong with the files that the list in `path` names, if it stands in a data directory.
pub(super) fn files_beside(path: &Path, index: &Index) -> Vec<Problem> {
    let root = path.parent().filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let layout = Layout::new(root);
    let mut problems = Vec::new();
    for (place, entry) in index.snapshots.iter().enumerate() {
        problems.extend(
            index_entry_problems(&layout, entry)
                .into_iter()
                .map(|text| Problem::new(format!("snapshots[{place}]"), text)),
        );
    }
    let listed = |name: &str| index.snapshots.iter().any(|entry| entry.id.as_str() == name);
    let directories = fs::read_dir(layout.snapshots()).into_iter().flatten().flatten();
    for name in directories.filter_map(|directory| directory.file_name().into_string().ok()) {
        if !name.starts_with('.') && !listed(&name) {
            problems.push(Problem::new("snapshots", format!("{name} is in the directory, but not listed")));
        }
    }
    if let Some(newest) = index.snapshots.first() {
        let latest = read_bytes(&layout.latest(), DEFAULT_LIMIT).map(|bytes| Digest::of_bytes(&bytes));
        if latest.ok().as_ref() != Some(&newest.sha256) {
            problems.push(Problem::new("snapshots[0]", "latest/summary.json is not a copy of it"));
        }
    }
    problems
}

/// What is wrong with the file of one entry.
#[must_use]
pub fn index_entry_problems(layout: &Layout, listed: &IndexEntry) -> Vec<String> {
    let path = layout.summary(&listed.id);
    let bytes = match read_bytes(&path, DEFAULT_LIMIT) {
        Ok(bytes) => bytes,
        Err(error) => return vec![error.to_string()],
    };
    let (digest, size) = (Digest::of_bytes(&bytes), bytes.len() as u64);
    if digest != listed.sha256 || size != listed.bytes {
        let text = format!(
            "{} has {size} bytes and the digest {digest}, but {} and {} are listed",
            path.display(),
            listed.bytes,
            listed.sha256
        );
        return vec![text];
    }
    match inputs::unproven_summary(&path, bytes) {
        Err(error) => vec![error.to_string()],
        Ok(summary) if entry(&summary, digest, size) != *listed => {
            vec![format!("does not say what {} says", path.display())]
        }
        Ok(_) => Vec::new(),
    }
}

/// What is wrong with the note of the last run.
pub(super) fn last_run_problems(path: &Path, last: &LastRun) -> Vec<Problem> {
    let Some(root) = path.parent().and_then(Path::parent) else { return Vec::new() };
    let file = Layout::new(root).summary(&last.snapshot);
    let summary = read_bytes(&file, DEFAULT_LIMIT).map_err(inputs::InputError::from);
    match summary.and_then(|bytes| inputs::unproven_summary(&file, bytes)) {
        Ok(summary) if last_run(&summary) == *last => Vec::new(),
        Ok(_) => vec![Problem::new("", format!("does not say what {} says", file.display()))],
        Err(error) => vec![Problem::new("snapshot", error.to_string())],
    }
}
