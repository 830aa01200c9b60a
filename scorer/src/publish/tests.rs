//! A publish that is stopped before, in the middle of or after each of its system calls.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

use shared::index::{Index, LastRun};

use super::*;
use crate::files::json_bytes;
use crate::testing;

/// A disk on which nothing happens any more after some number of calls; the last of them is torn.
struct DyingDisk {
    left: Cell<usize>,
}

impl DyingDisk {
    fn after(calls: usize) -> Self {
        Self { left: Cell::new(calls) }
    }

    /// Whether the next call still works: wholly, half, or not at all.
    fn next(&self) -> Option<bool> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        (left > 0).then_some(left > 1)
    }

    fn call(&self, call: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        if self.next().is_some() { call() } else { Err(io::Error::other("the power is gone")) }
    }
}

impl Disk for DyingDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.make_folder(path))
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        match self.next() {
            Some(true) => RealDisk.write_new(path, bytes),
            Some(false) => {
                RealDisk.write_new(path, &bytes[..bytes.len() / 2])?;
                Err(io::Error::other("the power is gone"))
            }
            None => Err(io::Error::other("the power is gone")),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|| RealDisk.rename(from, to))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.sync_folder(path))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(|| RealDisk.remove(path))
    }
}

fn candidate(sweeps: usize, generated_at: &str) -> Candidate {
    let summary = testing::snapshot(testing::corpus(sweeps), generated_at);
    Candidate::read(Path::new("summary.json"), json_bytes(&summary).unwrap()).unwrap()
}

/// Every file below a directory with its content.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// What a visitor can see is whole: the list names files that are there, and the newest is a snapshot.
fn assert_whole(layout: &Layout) {
    if layout.index().exists() {
        let index: Index = crate::inputs::index(&layout.index()).unwrap();
        for entry in &index.snapshots {
            assert_eq!(crate::validate::index_entry_problems(layout, entry), Vec::<String>::new());
        }
    }
    if layout.latest().exists() {
        Candidate::read(&layout.latest(), fs::read(layout.latest()).unwrap()).unwrap();
    }
    if layout.last_run().exists() {
        let last: LastRun = serde_json::from_slice(&fs::read(layout.last_run()).unwrap()).unwrap();
        assert!(layout.summary(&last.snapshot).exists());
    }
}

const NIGHT_1: &str = "2026-11-29T00:00:00Z";
const NIGHT_2: &str = "2026-11-30T00:00:00Z";

#[test]
fn a_publish_that_dies_anywhere_leaves_the_site_whole_and_the_next_one_repairs_it() {
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    let expected = tempfile::tempdir().unwrap();
    let layout = Layout::new(expected.path());
    publish_locked(&first, &layout, &RealDisk).unwrap();
    publish_locked(&second, &layout, &RealDisk).unwrap();
    let expected = tree(expected.path());

    for calls in 0.. {
        let data = tempfile::tempdir().unwrap();
        let layout = Layout::new(data.path());
        publish_locked(&first, &layout, &RealDisk).unwrap();
        let before = fs::read(layout.latest()).unwrap();
        let finished = publish_locked(&second, &layout, &DyingDisk::after(calls)).is_ok();
        assert_whole(&layout);
        if calls == 0 {
            assert_eq!(fs::read(layout.latest()).unwrap(), before);
        }
        publish_locked(&second, &layout, &RealDisk).unwrap();
        assert_eq!(tree(data.path()), expected, "after {calls} calls");
        if finished {
            assert!(calls > 15, "the publish took only {calls} calls");
            return;
        }
    }
}

#[test]
fn a_first_publish_that_dies_anywhere_is_repaired_too() {
    let only = candidate(2, NIGHT_1);
    for calls in 0.. {
        let data = tempfile::tempdir().unwrap();
        let layout = Layout::new(data.path());
        let finished = publish_locked(&only, &layout, &DyingDisk::after(calls)).is_ok();
        assert_whole(&layout);
        publish_locked(&only, &layout, &RealDisk).unwrap();
        assert_eq!(tree(data.path()).len(), 5);
        if finished {
            return;
        }
    }
}

fn published(candidate: &Candidate, data: &Path) -> Result<Published, PublishError> {
    publish(candidate, data, Duration::ZERO, &Console::quiet())
}

#[test]
fn the_same_content_at_another_time_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let (early, late) = (candidate(2, NIGHT_1), candidate(2, NIGHT_2));
    assert!(matches!(published(&early, data.path()), Ok(Published::Added(_))));
    let before = tree(data.path());
    assert!(matches!(published(&late, data.path()), Ok(Published::Unchanged(_))));
    assert_eq!(tree(data.path()), before);
}

#[test]
fn an_id_that_stands_for_other_content_is_refused_and_nothing_changes() {
    let data = tempfile::tempdir().unwrap();
    let candidate = candidate(2, NIGHT_1);
    published(&candidate, data.path()).unwrap();
    let path = Layout::new(data.path()).summary(&candidate.summary.run.id);
    let mut other = candidate.summary.clone();
    other.run.repro.push('!');
    fs::write(&path, json_bytes(&other).unwrap()).unwrap();
    let before = tree(data.path());
    assert!(matches!(published(&candidate, data.path()), Err(PublishError::IdTaken { .. })));
    assert_eq!(tree(data.path()), before);
}

#[test]
fn an_older_snapshot_that_comes_late_is_listed_and_does_not_become_the_latest() {
    let data = tempfile::tempdir().unwrap();
    let layout = Layout::new(data.path());
    let (old, new) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    published(&new, data.path()).unwrap();
    published(&old, data.path()).unwrap();
    let index = crate::inputs::index(&layout.index()).unwrap();
    let ids: Vec<_> = index.snapshots.iter().map(|entry| &entry.id).collect();
    assert_eq!(ids, [&new.summary.run.id, &old.summary.run.id]);
    assert_eq!(fs::read(layout.latest()).unwrap(), fs::read(layout.summary(&new.summary.run.id)).unwrap());
}

#[test]
fn a_lost_or_broken_list_is_made_again_from_the_directories() {
    let data = tempfile::tempdir().unwrap();
    let layout = Layout::new(data.path());
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    published(&first, data.path()).unwrap();
    published(&second, data.path()).unwrap();
    let before = tree(data.path());
    fs::write(layout.index(), b"{\"schema\": \"ind").unwrap();
    fs::remove_file(layout.latest()).unwrap();
    published(&second, data.path()).unwrap();
    assert_eq!(tree(data.path()), before);
}

#[test]
fn an_experimental_snapshot_is_refused_and_can_be_written_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut corpus = testing::corpus(2);
    corpus.source.release = false;
    let summary = testing::snapshot(corpus, NIGHT_1);
    assert_eq!(summary.run.label, Label::Experimental);
    let candidate = Candidate::read(Path::new("s"), json_bytes(&summary).unwrap()).unwrap();
    let data = folder.path().join("data");
    assert!(matches!(published(&candidate, &data), Err(PublishError::Experimental(_))));
    assert!(!data.exists());
    candidate.write_elsewhere(&folder.path().join("mine")).unwrap();
    assert!(folder.path().join("mine/summary.json").exists());
}

#[test]
fn a_figure_or_an_outcome_that_was_touched_is_refused() {
    let good = testing::snapshot(testing::corpus(2), NIGHT_1);
    let refusal = |summary: &Summary| {
        Candidate::read(Path::new("s"), json_bytes(summary).unwrap()).map(|_| ()).unwrap_err()
    };
    let mut lacking = good.clone();
    lacking.sweeps[0].points[0].predictions.clear();
    assert!(matches!(refusal(&lacking), PublishError::Unbalanced { .. }));
    let mut touched = good.clone();
    let mut figures = touched.aggregates.iter_mut().map(|aggregate| &mut aggregate.figures);
    let mape = figures.find_map(|figures| figures.mape.as_mut()).unwrap();
    *mape += 1e-9;
    assert!(matches!(refusal(&touched), PublishError::Invalid { .. }));
}

#[test]
fn whoever_holds_the_lock_is_waited_for_and_then_named() {
    let data = tempfile::tempdir().unwrap();
    let held = lock::lock_folder(data.path(), Duration::ZERO, || {}).unwrap().unwrap();
    let refused = published(&candidate(2, NIGHT_1), data.path());
    assert!(matches!(refused, Err(PublishError::Locked { .. })));
    drop(held);
    assert!(published(&candidate(2, NIGHT_1), data.path()).is_ok());
}
