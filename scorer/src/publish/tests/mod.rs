//! A publish that is stopped before, in the middle of or after each of its system calls, and one into data that
//! somebody has touched.

mod disks;
#[path = "../../../tests/support/tree.rs"]
mod tree;

use std::time::Duration;

use disks::{DyingDisk, FullDisk, ReadOnlyDisk};
use shared::index::{Index, LastRun};
use shared::night::{LastFailure, Stage};
use tree::tree;

use super::*;
use crate::files::json_bytes;
use crate::testing;

fn candidate(sweeps: usize, generated_at: &str) -> Candidate {
    let summary = testing::snapshot(testing::corpus(sweeps), generated_at);
    Candidate::read(Path::new("summary.json"), json_bytes(&summary).unwrap()).unwrap()
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

/// How far the publish of a snapshot came, for whoever looks: the directory, the list, the latest, the note.
fn progress(candidate: &Candidate, layout: &Layout) -> [bool; 4] {
    let id = &candidate.summary.run.id;
    let index = crate::inputs::index(&layout.index()).unwrap();
    let last: LastRun = serde_json::from_slice(&fs::read(layout.last_run()).unwrap()).unwrap();
    [
        layout.snapshot(id).exists(),
        index.snapshots.iter().any(|entry| entry.id == *id),
        fs::read(layout.latest()).unwrap() == candidate.bytes,
        last.snapshot == *id,
    ]
}

#[test]
fn a_publish_that_dies_anywhere_leaves_one_of_five_states_and_the_next_one_repairs_it() {
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    let expected = tempfile::tempdir().unwrap();
    let layout = Layout::new(expected.path());
    publish_locked(&first, &layout, &RealDisk).unwrap();
    publish_locked(&second, &layout, &RealDisk).unwrap();
    let expected = tree(expected.path());

    let mut seen = Vec::new();
    for calls in 0.. {
        let data = tempfile::tempdir().unwrap();
        let layout = Layout::new(data.path());
        publish_locked(&first, &layout, &RealDisk).unwrap();
        let finished = publish_locked(&second, &layout, &DyingDisk::after(calls)).is_ok();
        assert_whole(&layout);
        seen.push(progress(&second, &layout));
        publish_locked(&second, &layout, &RealDisk).unwrap();
        assert_eq!(tree(data.path()), expected, "after {calls} calls");
        if finished {
            assert!(calls > 15, "the publish took only {calls} calls");
            break;
        }
    }
    seen.dedup();
    let states = [0, 1, 2, 3, 4].map(|done| std::array::from_fn(|step| step < done));
    assert_eq!(seen, states);
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
    let layout = Layout::new(data.path());
    let mut candidate = candidate(2, NIGHT_1);
    published(&candidate, data.path()).unwrap();
    let before = tree(data.path());
    candidate.summary.run.repro.push('!');
    let refused = snapshot::add(&candidate, &layout, &RealDisk);
    assert!(matches!(refused, Err(PublishError::IdTaken { .. })));
    assert_eq!(tree(data.path()), before);
}

/// Changes a snapshot in a way that its size does not tell.
fn touch(layout: &Layout, id: &SnapshotId, file: &str, from: &str, to: &str) -> PathBuf {
    let path = layout.snapshot(id).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let touched = text.replacen(from, to, 1);
    assert!(touched != text && touched.len() == text.len(), "{file} has no {from}");
    fs::write(&path, touched).unwrap();
    path
}

#[test]
fn a_snapshot_that_was_changed_is_never_listed_and_what_to_do_is_said() {
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    let id = &first.summary.run.id;
    for (file, from, to) in [
        (SUMMARY, "\"ttft_ms\":1", "\"ttft_ms\":2"),
        (SUMMARY, "2026-11-29T00:00:00Z\"", "2026-11-29T00:00:00z\""),
        (SUMMARY, "{", "["),
        (POINTS, ",1", ",2"),
    ] {
        for listed in [true, false] {
            let data = tempfile::tempdir().unwrap();
            let layout = Layout::new(data.path());
            published(&first, data.path()).unwrap();
            let path = touch(&layout, id, file, from, to);
            if !listed {
                fs::remove_file(layout.index()).unwrap();
            } else if file == POINTS {
                // No digest covers it while its snapshot is listed; the site makes it again.
                continue;
            }
            let before = tree(data.path());
            for again in [&first, &second] {
                let refused = published(again, data.path()).unwrap_err();
                assert!(matches!(refused, PublishError::Stored(_)), "{refused}");
                assert!(refused.to_string().contains(&path.display().to_string()), "{refused}");
                assert!(refused.advice().unwrap().contains("restore the snapshot's directory"));
                assert_eq!(refused.exit_code(), ExitCode::InputInvalid);
            }
            assert_eq!(tree(data.path()), before, "{file} {from}");
            fs::remove_dir_all(layout.snapshot(id)).unwrap();
            published(&second, data.path()).unwrap();
            published(&first, data.path()).unwrap();
            assert_whole(&layout);
        }
    }
}

#[test]
fn an_entry_that_was_changed_is_made_again() {
    let data = tempfile::tempdir().unwrap();
    let layout = Layout::new(data.path());
    let only = candidate(2, NIGHT_1);
    published(&only, data.path()).unwrap();
    let before = tree(data.path());
    let mut index = crate::inputs::index(&layout.index()).unwrap();
    index.snapshots[0].scored += 1;
    fs::write(layout.index(), json_bytes(&index).unwrap()).unwrap();
    assert!(matches!(published(&only, data.path()), Ok(Published::Repaired(_))));
    assert_eq!(tree(data.path()), before);
}

#[test]
fn what_is_no_snapshot_is_named_and_must_go() {
    let data = tempfile::tempdir().unwrap();
    let layout = Layout::new(data.path());
    let only = candidate(2, NIGHT_1);
    published(&only, data.path()).unwrap();
    fs::write(layout.snapshots().join(".gitkeep"), "").unwrap();
    published(&only, data.path()).unwrap();
    for name in ["file.txt", "a b"] {
        let stray = layout.snapshots().join(name);
        fs::write(&stray, "").unwrap();
        let refused = published(&only, data.path()).unwrap_err();
        assert!(matches!(&refused, PublishError::Stored(StoredError::Stray(path)) if *path == stray));
        assert_eq!(refused.exit_code(), ExitCode::InputInvalid);
        fs::remove_file(stray).unwrap();
    }
    fs::create_dir(layout.snapshots().join("empty")).unwrap();
    let refused = published(&only, data.path()).unwrap_err();
    assert!(refused.to_string().contains("empty/summary.json: no such file"), "{refused}");
}

#[test]
fn an_error_leaves_nothing_unfinished() {
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    for call in 0.. {
        let data = tempfile::tempdir().unwrap();
        let layout = Layout::new(data.path());
        publish_locked(&first, &layout, &RealDisk).unwrap();
        let disk = FullDisk::after(call);
        let finished = publish_locked(&second, &layout, &disk).is_ok();
        for path in tree(data.path()).into_keys() {
            assert!(!path.to_string_lossy().contains(".unfinished-"), "{call}: {}", path.display());
        }
        if finished {
            assert!(call > 3);
            return;
        }
    }
}

#[test]
fn a_disk_that_may_only_be_read_changes_nothing_and_what_to_do_is_said() {
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    let data = tempfile::tempdir().unwrap();
    let layout = Layout::new(data.path());
    publish_locked(&first, &layout, &RealDisk).unwrap();
    let before = tree(data.path());
    let refused = publish_locked(&second, &layout, &ReadOnlyDisk).unwrap_err();
    assert_eq!(refused.exit_code(), ExitCode::OutputNotWritten);
    assert_eq!(refused.advice().as_deref(), Some("name a data directory where you may write"));
    assert_eq!(tree(data.path()), before);
    // What is published already needs no writing.
    assert!(matches!(publish_locked(&first, &layout, &ReadOnlyDisk), Ok(Published::Unchanged(_))));
}

#[test]
fn the_note_of_a_failure_stays_as_long_as_it_is_the_same_one() {
    let data = tempfile::tempdir().unwrap();
    let path = Layout::new(data.path()).last_failure();
    let note = |since: &str, stage| {
        let failure = LastFailure {
            schema: "last-failure.v1".to_owned(),
            since: since.to_owned(),
            stage,
            exit_code: Some(3),
            meaning: "an input is missing".to_owned(),
            simulator: None,
            measurements: None,
        };
        note_failure(&failure, data.path(), Duration::ZERO, &Console::quiet()).unwrap();
        fs::read(&path).unwrap()
    };
    let first = note(NIGHT_1, Stage::Resolve);
    assert_eq!(note(NIGHT_2, Stage::Resolve), first);
    assert_ne!(note(NIGHT_2, Stage::Run), first);
    for _ in 0..2 {
        clear_failure(data.path()).unwrap();
        assert!(!path.exists());
    }
}

#[test]
fn a_snapshot_that_is_withdrawn_is_gone_and_the_others_stay() {
    let data = tempfile::tempdir().unwrap();
    let (first, second) = (candidate(2, NIGHT_1), candidate(3, NIGHT_2));
    published(&first, data.path()).unwrap();
    let before = tree(data.path());
    published(&second, data.path()).unwrap();
    let ids = [second.summary.run.id.clone()];
    for _ in 0..2 {
        withdraw(&ids, data.path(), Duration::ZERO, &Console::quiet()).unwrap();
        assert_eq!(tree(data.path()), before);
    }
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
    assert!(matches!(published(&second, data.path()), Ok(Published::Repaired(_))));
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
