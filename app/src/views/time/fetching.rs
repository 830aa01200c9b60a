//! Loads what Time needs: the whole index, the note of a failed night, and snapshots, a few at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::format;
use shared::id::SnapshotId;
use shared::index::{Index, IndexEntry};
use shared::night::LastFailure;
use shared::schema::FileKind;

use super::model::groups::Past;
use super::model::state::Nights;
use crate::data::failure::Failure;
use crate::data::{decode, fetch, summary_file};

/// How many snapshots are on their way at once.
const AT_ONCE: usize = 3;

const INDEX: &str = "data/index.json";
const FAILURE: &str = "data/state/last-failure.json";

/// What the page says where the newest night failed: `scorer site` writes it.
const FAILING: &str = "data-nights=\"failing\"";

/// The index with its headline figures, which the tables of the Overview do not need.
pub fn index() -> RwSignal<Option<Result<Arc<Index>, String>>> {
    let index = RwSignal::new(None);
    spawn_local(async move {
        let read = read(INDEX, FileKind::Index).await;
        index.set(Some(read.map(Arc::new).map_err(|failure| failure.text())));
    });
    index
}

/// Whether the newest night failed. The site says so in the table for readers without scripts; only then there is a
/// note to ask for, and a server's “not found” would stand in the console.
pub fn nights() -> RwSignal<Option<Nights>> {
    let nights = RwSignal::new(None);
    let table = document().query_selector("noscript").ok().flatten();
    let says_so = table.and_then(|table| table.text_content()).is_some_and(|text| text.contains(FAILING));
    if !says_so {
        nights.set(Some(Nights::Fine));
        return nights;
    }
    spawn_local(async move {
        nights.set(Some(match read::<LastFailure>(FAILURE, FileKind::LastFailure).await {
            Ok(failure) => Nights::Failing(failure),
            Err(failure) => Nights::Unknown(failure.text()),
        }));
    });
    nights
}

/// Reads a file of the site whole.
async fn read<T: serde::de::DeserializeOwned>(file: &str, kind: FileKind) -> Result<T, Failure> {
    let bytes = fetch::current(file).await?;
    decode::whole(file, &js_sys::Uint8Array::new(&bytes).to_vec(), kind)
}

/// What is known of the past of some runs.
#[derive(Clone, Copy)]
pub struct History {
    loaded: RwSignal<Arc<BTreeMap<SnapshotId, Past>>>,
    progress: RwSignal<Progress>,
}

/// How far loading has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs that were asked for in all.
    asked: usize,
    /// Runs that are on their way or will be.
    open: usize,
    /// Runs that could not be loaded, and why the last of them.
    failed: Option<(usize, String)>,
}

impl Progress {
    /// Whether something is on its way.
    pub fn is_busy(&self) -> bool {
        self.open > 0
    }

    /// The progress in words.
    pub fn text(&self) -> String {
        let count = |count: usize| format::count(count as u64);
        let done = match (self.asked, self.open) {
            (0, _) => return String::new(),
            (asked, 0) => format!("{} loaded.", format::counted((asked - self.failures()) as u64, "run")),
            (asked, open) => format!("Loading: {} of {}", count(asked - open), count(asked)),
        };
        match &self.failed {
            Some((failed, why)) => format!("{done} {} could not be loaded: {why}", count(*failed)),
            None => done,
        }
    }

    fn failures(&self) -> usize {
        self.failed.as_ref().map_or(0, |(failed, _)| *failed)
    }
}

impl History {
    /// Nothing yet.
    pub fn begin() -> Self {
        Self { loaded: RwSignal::default(), progress: RwSignal::default() }
    }

    /// What is loaded, by run.
    pub fn loaded(self) -> Arc<BTreeMap<SnapshotId, Past>> {
        self.loaded.get()
    }

    /// How many runs have been asked for.
    pub fn known(self) -> usize {
        self.progress.with(|progress| progress.asked)
    }

    /// How far loading has come.
    pub fn progress(self) -> Progress {
        self.progress.get()
    }

    /// The next runs that have not been asked for, of `entries`, which always come in the same order.
    pub fn next(self, entries: &[IndexEntry], most: usize) -> Vec<SnapshotId> {
        let asked = self.progress.with_untracked(|progress| progress.asked);
        entries.iter().skip(asked).take(most).map(|entry| entry.id.clone()).collect()
    }

    /// Loads these runs, a few at a time.
    pub fn load(self, mut wanted: Vec<SnapshotId>) {
        self.progress.update(|progress| {
            progress.asked += wanted.len();
            progress.open += wanted.len();
        });
        // The newest is at the end, and is taken first.
        wanted.reverse();
        let queue = StoredValue::new(wanted);
        for _ in 0..AT_ONCE {
            spawn_local(async move {
                // The view may be gone by then, with all that it keeps.
                while let Some(Some(id)) = queue.try_update_value(Vec::pop) {
                    let past = past(&id).await;
                    self.put(id, past);
                }
            });
        }
    }

    fn put(self, id: SnapshotId, past: Result<Past, Failure>) {
        let failure = match past {
            Ok(past) => {
                self.loaded.try_update(|loaded| Arc::make_mut(loaded).insert(id, past));
                None
            }
            Err(failure) => Some(failure.text()),
        };
        self.progress.try_update(|progress| {
            progress.open = progress.open.saturating_sub(1);
            if let Some(why) = failure {
                progress.failed = Some((progress.failures() + 1, why));
            }
        });
    }
}

async fn past(id: &SnapshotId) -> Result<Past, Failure> {
    let file = summary_file(id);
    let bytes = fetch::immutable(&file).await?;
    Ok(Past::of(decode::outline(&file, fetch::json(&bytes).await)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_how_many_are_loaded_and_why_some_are_not() {
        let progress = |asked, open, failed: Option<(usize, &str)>| {
            let failed = failed.map(|(count, why)| (count, why.to_owned()));
            Progress { asked, open, failed }.text()
        };
        assert_eq!(progress(0, 0, None), "");
        assert_eq!(progress(12, 4, None), "Loading: 8 of 12");
        assert_eq!(progress(12, 0, None), "12 runs loaded.");
        assert_eq!(
            progress(2, 0, Some((1, "status 500"))),
            "1 run loaded. 1 could not be loaded: status 500"
        );
    }
}
