//! Files that are read whole, snapshots above all, for the explorer, which computes from their points.

use std::sync::Arc;

use js_sys::{ArrayBuffer, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use shared::id::SnapshotId;
use shared::schema::FileKind;
use shared::summary::Summary;

use super::failure::Failure;
use super::{Load, decode, fetch, summary_file};

/// The snapshots that were asked for.
#[derive(Clone, Copy)]
pub struct Wholes(RwSignal<Vec<(SnapshotId, Load<Summary>)>>);

impl Wholes {
    /// None yet.
    pub fn open() -> Self {
        Self(RwSignal::new(Vec::new()))
    }

    /// A snapshot, as far as it is loaded.
    pub fn get(self, id: &SnapshotId) -> Load<Summary> {
        let found =
            self.0.with(|all| all.iter().find(|(known, _)| known == id).map(|(_, load)| load.clone()));
        found.unwrap_or(Load::Loading)
    }

    /// Begins to load a snapshot that nobody has asked for yet. The browser has its bytes from the reader of its
    /// tables, or is just loading them.
    pub fn need(self, id: &SnapshotId) {
        if self.0.with_untracked(|all| all.iter().all(|(known, _)| known != id)) {
            self.load(id.clone());
        }
    }

    /// Loads a snapshot, again if need be.
    pub fn load(self, id: SnapshotId) {
        self.put(&id, Load::Loading);
        spawn_local(async move {
            let load = match read(&id).await {
                Ok(summary) => Load::Ready(Arc::new(summary)),
                Err(failure) => Load::Failed(failure),
            };
            self.put(&id, load);
        });
    }

    fn put(self, id: &SnapshotId, load: Load<Summary>) {
        self.0.update(|all| match all.iter_mut().find(|(known, _)| known == id) {
            Some((_, known)) => *known = load,
            None => all.push((id.clone(), load)),
        });
    }
}

async fn read(id: &SnapshotId) -> Result<Summary, Failure> {
    let file = summary_file(id);
    decode(&file, &fetch::immutable(&file).await?, FileKind::Summary)
}

/// The content of a file that was fetched, by what serde knows of it.
pub fn decode<T: DeserializeOwned>(file: &str, bytes: &ArrayBuffer, kind: FileKind) -> Result<T, Failure> {
    decode::whole(file, &Uint8Array::new(bytes).to_vec(), kind)
}
