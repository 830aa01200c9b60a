//! The site's files as signals: the index, the snapshots that were asked for, and what checking each
//! of them has shown.

pub mod check;
mod decode;
pub mod failure;
mod fetch;

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::digest::Digest;
use shared::id::SnapshotId;
use shared::index::Index;
use shared::summary::Summary;

use check::Check;
use failure::Failure;

/// Something that is being loaded.
#[derive(Debug)]
pub enum Load<T> {
    /// It is on its way.
    Loading,
    /// It is here.
    Ready(Arc<T>),
    /// It is not, and why.
    Failed(Failure),
}

impl<T> Load<T> {
    /// The thing, once it is here.
    pub fn ready(&self) -> Option<Arc<T>> {
        match self {
            Self::Ready(value) => Some(Arc::clone(value)),
            _ => None,
        }
    }
}

impl<T> Clone for Load<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Loading => Self::Loading,
            Self::Ready(value) => Self::Ready(Arc::clone(value)),
            Self::Failed(failure) => Self::Failed(failure.clone()),
        }
    }
}

impl<T> PartialEq for Load<T> {
    /// Loaded things never change, so that the same allocation is the same thing.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Loading, Self::Loading) => true,
            (Self::Ready(one), Self::Ready(other)) => Arc::ptr_eq(one, other),
            (Self::Failed(one), Self::Failed(other)) => one == other,
            _ => false,
        }
    }
}

/// A snapshot with the bytes it was read from, which are checked against the index.
#[derive(Debug)]
pub struct Snapshot {
    /// The snapshot.
    pub summary: Summary,
    /// Its file.
    pub bytes: Vec<u8>,
}

impl PartialEq for Snapshot {
    /// A loaded snapshot never changes, so that the same allocation is the same snapshot.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

const INDEX: &str = "data/index.json";

/// Where a snapshot's file is, below the page.
pub fn summary_file(id: &SnapshotId) -> String {
    format!("data/snapshots/{id}/summary.json")
}

/// Everything that has been loaded.
#[derive(Clone, Copy)]
pub struct Library {
    index: RwSignal<Load<Index>>,
    snapshots: RwSignal<BTreeMap<SnapshotId, Load<Snapshot>>>,
    checks: RwSignal<BTreeMap<SnapshotId, Check>>,
}

impl Library {
    /// An empty library that has begun to load the index.
    pub fn open() -> Self {
        let library = Self {
            index: RwSignal::new(Load::Loading),
            snapshots: RwSignal::new(BTreeMap::new()),
            checks: RwSignal::new(BTreeMap::new()),
        };
        library.load_index();
        library
    }

    /// The index.
    pub fn index(self) -> ReadSignal<Load<Index>> {
        self.index.read_only()
    }

    /// Loads the index, again if need be.
    pub fn load_index(self) {
        self.index.set(Load::Loading);
        spawn_local(async move {
            let loaded = match fetch::current(INDEX).await {
                Ok(bytes) => decode::index(INDEX, &bytes),
                Err(Failure::Missing { .. }) => Err(Failure::NoData),
                Err(failure) => Err(failure),
            };
            self.index.set(match loaded {
                Ok(index) => Load::Ready(Arc::new(index)),
                Err(failure) => Load::Failed(failure),
            });
        });
    }

    /// A snapshot, as far as it is loaded.
    pub fn snapshot(self, id: &SnapshotId) -> Load<Snapshot> {
        self.snapshots.with(|all| all.get(id).cloned().unwrap_or(Load::Loading))
    }

    /// Begins to load a snapshot that nobody has asked for yet.
    pub fn need(self, id: &SnapshotId) {
        if !self.snapshots.with_untracked(|all| all.contains_key(id)) {
            self.load_snapshot(id.clone());
        }
    }

    /// Loads a snapshot, again if need be.
    pub fn load_snapshot(self, id: SnapshotId) {
        self.put(id.clone(), Load::Loading);
        spawn_local(async move {
            let file = summary_file(&id);
            let loaded = match fetch::immutable(&file).await {
                Ok(bytes) => decode::summary(&file, &bytes).map(|summary| (summary, bytes)),
                Err(failure) => Err(failure),
            };
            self.put(
                id,
                match loaded {
                    Ok((summary, bytes)) => Load::Ready(Arc::new(Snapshot { summary, bytes })),
                    Err(failure) => Load::Failed(failure),
                },
            );
        });
    }

    fn put(self, id: SnapshotId, load: Load<Snapshot>) {
        self.snapshots.update(|all| {
            all.insert(id, load);
        });
    }

    /// What checking a snapshot has shown so far.
    pub fn check(self, id: &SnapshotId) -> Check {
        self.checks.with(|all| all.get(id).cloned().unwrap_or(Check::Waiting))
    }

    /// Begins to check a loaded snapshot that nobody has checked yet.
    pub fn verify(self, id: &SnapshotId, expected: Digest, snapshot: Arc<Snapshot>) {
        if self.checks.with_untracked(|all| all.contains_key(id)) {
            return;
        }
        let id = id.clone();
        let report = move |check: Check| {
            self.checks.update(|all| {
                all.insert(id.clone(), check);
            });
        };
        report(Check::Waiting);
        spawn_local(async move { check::run(&snapshot, &expected, report).await });
    }
}
