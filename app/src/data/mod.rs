//! The site's files as signals: the index, the snapshots that were asked for, and what the worker finds
//! out about them.

pub mod decode;
pub mod failure;
pub mod fetch;
mod files;
pub mod json;
mod link;
mod reply;
pub mod whole;

use std::sync::Arc;

use js_sys::ArrayBuffer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::digest::Digest;
use shared::id::SnapshotId;
use shared::index::Index;
use shared::outline::Outline;

use crate::message::{Check, Comparison, Question, Reply, Request};
use failure::Failure;
use link::Link;

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

/// A loaded snapshot.
#[derive(Debug)]
pub struct Snapshot {
    /// The id that it was asked for by.
    pub id: SnapshotId,
    /// What its tables say.
    pub outline: Outline,
}

impl PartialEq for Snapshot {
    /// A loaded snapshot never changes, so that the same allocation is the same snapshot.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Where the list of snapshots is, below the page.
pub const INDEX: &str = "data/index.json";

/// Where a snapshot's file is, below the page.
pub fn summary_file(id: &SnapshotId) -> String {
    format!("data/snapshots/{id}/summary.json")
}

/// What is known of a snapshot that was asked for.
struct Record {
    id: SnapshotId,
    load: Load<Snapshot>,
    check: Check,
}

/// Everything that has been loaded.
#[derive(Clone, Copy)]
pub struct Library {
    index: RwSignal<Load<Index>>,
    records: RwSignal<Vec<Record>>,
    comparison: RwSignal<Option<Arc<Comparison>>>,
    asked: StoredValue<Option<Question>>,
    link: StoredValue<Option<Link>, LocalStorage>,
}

impl Library {
    /// An empty library that has begun to load the index.
    pub fn open() -> Self {
        let library = Self {
            index: RwSignal::new(Load::Loading),
            records: RwSignal::new(Vec::new()),
            comparison: RwSignal::new(None),
            asked: StoredValue::new(None),
            link: StoredValue::new_local(None),
        };
        library.link.set_value(Some(Link::new(move |reply| library.hear(reply))));
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
                Ok(bytes) => decode::index(INDEX, fetch::json(&bytes).await),
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
        self.records.with(|all| find(all, id).map_or(Load::Loading, |record| record.load.clone()))
    }

    /// Begins to load a snapshot that nobody has asked for yet, and then to check it against the digest
    /// that the index has.
    pub fn need(self, id: &SnapshotId, sha256: &Digest) {
        if self.records.with_untracked(|all| find(all, id).is_none()) {
            self.load_snapshot(id.clone(), sha256.clone());
        }
    }

    /// Loads a snapshot, again if need be.
    pub fn load_snapshot(self, id: SnapshotId, sha256: Digest) {
        self.put(&id, Load::Loading);
        spawn_local(async move {
            let file = summary_file(&id);
            let loaded = match fetch::immutable(&file).await {
                Ok(bytes) => {
                    decode::outline(&file, fetch::json(&bytes).await).map(|outline| (outline, bytes))
                }
                Err(failure) => Err(failure),
            };
            match loaded {
                Ok((outline, bytes)) => {
                    self.tell(Request::Hold { id: id.clone(), sha256 }, Some(&bytes));
                    self.put(&id, Load::Ready(Arc::new(Snapshot { id: id.clone(), outline })));
                }
                Err(failure) => self.put(&id, Load::Failed(failure)),
            }
        });
    }

    fn put(self, id: &SnapshotId, load: Load<Snapshot>) {
        self.records.update(|all| match all.iter_mut().find(|record| record.id == *id) {
            Some(record) => record.load = load,
            None => all.push(Record { id: id.clone(), load, check: Check::Waiting }),
        });
    }

    /// What checking a snapshot has shown so far.
    pub fn check(self, id: &SnapshotId) -> Check {
        self.records.with(|all| find(all, id).map_or(Check::Waiting, |record| record.check.clone()))
    }

    /// The last comparison that was answered.
    pub fn comparison(self) -> ReadSignal<Option<Arc<Comparison>>> {
        self.comparison.read_only()
    }

    /// Asks the worker for a comparison of two loaded snapshots, unless it was the last thing asked.
    pub fn compare(self, question: Question) {
        if self.asked.get_value().as_ref() == Some(&question) {
            return;
        }
        self.asked.set_value(Some(question.clone()));
        self.tell(Request::Compare(question), None);
    }

    /// Says that a comparison is going to be asked for.
    pub fn prepare_comparison(self) {
        if let Some(link) = self.link.get_value() {
            link.prepare();
        }
    }

    /// Tells the worker something.
    fn tell(self, request: Request, file: Option<&ArrayBuffer>) {
        if let Some(link) = self.link.get_value() {
            link.send(request, file);
        }
    }

    /// What becomes of the worker's answers.
    fn hear(self, reply: Reply) {
        match reply {
            Reply::Ready => {}
            Reply::Checked { id, check } => self.records.update(|all| {
                if let Some(record) = all.iter_mut().find(|record| record.id == id) {
                    record.check = check;
                }
            }),
            Reply::Compared(comparison) => self.comparison.set(Some(Arc::new(comparison))),
        }
    }
}

fn find<'a>(records: &'a [Record], id: &SnapshotId) -> Option<&'a Record> {
    records.iter().find(|record| record.id == *id)
}
