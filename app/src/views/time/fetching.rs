//! Loads what Time needs: the whole index, the note of a failed night, and snapshots, a few at a time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use shared::format;
use shared::id::SnapshotId;
use shared::index::{Index, IndexEntry};
use shared::night::LastFailure;
use shared::schema::FileKind;

use super::model::groups::Past;
use super::model::state::Nights;
use crate::data::failure::Failure;
use crate::data::{INDEX, Load, decode, fetch, summary_file, whole};

/// How many snapshots are on their way at once.
const AT_ONCE: usize = 3;

const FAILURE: &str = "data/state/last-failure.json";

/// What the page says where the newest night failed: `scorer site` writes it.
const FAILING: &str = "data-nights=\"failing\"";

/// What Time has loaded. It outlives the view, which is drawn anew whenever the reader's choice changes.
#[derive(Clone, Copy)]
pub struct Archive {
    index: RwSignal<Option<Result<Arc<Index>, String>>>,
    nights: RwSignal<Option<Nights>>,
    /// The figures by group.
    pub history: History,
    is_begun: StoredValue<bool>,
}

impl Archive {
    /// An empty archive.
    pub fn open() -> Self {
        let history = History(RwSignal::default());
        Self {
            index: RwSignal::new(None),
            nights: RwSignal::new(None),
            history,
            is_begun: StoredValue::new(false),
        }
    }

    /// Begins to load what the view always needs, unless that has begun.
    pub fn need(self) {
        if !self.is_begun.get_value() {
            self.is_begun.set_value(true);
            self.load_index();
            self.load_nights();
        }
    }

    /// The index with its headline figures, which the tables of the Overview do not need.
    pub fn index(self) -> Option<Result<Arc<Index>, String>> {
        self.index.get()
    }

    /// Whether the newest night failed.
    pub fn nights(self) -> Option<Nights> {
        self.nights.get()
    }

    fn load_index(self) {
        spawn_local(async move {
            let read = read(INDEX, FileKind::Index).await;
            self.index.set(Some(read.map(Arc::new).map_err(|failure| failure.text())));
        });
    }

    /// The site says in the table for readers without scripts that the newest night failed; only then there is a note
    /// to ask for, and a server's “not found” would stand in the console.
    fn load_nights(self) {
        let table = document().query_selector("noscript").ok().flatten();
        let says_so = table.and_then(|table| table.text_content()).is_some_and(|text| text.contains(FAILING));
        if !says_so {
            self.nights.set(Some(Nights::Fine));
            return;
        }
        spawn_local(async move {
            self.nights.set(Some(match read::<LastFailure>(FAILURE, FileKind::LastFailure).await {
                Ok(failure) => Nights::Failing(failure),
                Err(failure) => Nights::Unknown(failure.text()),
            }));
        });
    }
}

/// Reads a file of the site whole.
async fn read<T: DeserializeOwned>(file: &str, kind: FileKind) -> Result<T, Failure> {
    whole::decode(file, &fetch::current(file).await?, kind)
}

/// What is known of the past of runs.
#[derive(Clone, Copy)]
pub struct History(RwSignal<BTreeMap<SnapshotId, Load<Past>>>);

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
    /// How far loading these has come.
    pub fn of(pasts: &[Option<Load<Past>>]) -> Self {
        let mut progress = Self::default();
        for past in pasts.iter().flatten() {
            progress.asked += 1;
            match past {
                Load::Ready(_) => {}
                Load::Loading => progress.open += 1,
                Load::Failed(failure) => progress.failed = Some((progress.failures() + 1, failure.text())),
            }
        }
        progress
    }

    /// Whether something is on its way.
    pub fn is_busy(&self) -> bool {
        self.open > 0
    }

    /// The progress in words.
    pub fn text(&self) -> String {
        let count = |count: usize| format::count(count as u64);
        let done = match (self.asked, self.open) {
            (0, _) => return String::new(),
            (asked, 0) => format!("{} loaded", format::counted((asked - self.failures()) as u64, "run")),
            (asked, open) => format!("Loading: {} of {}", count(asked - open), count(asked)),
        };
        match &self.failed {
            Some((failed, why)) => format!("{done}. {} could not be loaded: {why}", count(*failed)),
            None if self.is_busy() => done,
            None => format!("{done}."),
        }
    }

    fn failures(&self) -> usize {
        self.failed.as_ref().map_or(0, |(failed, _)| *failed)
    }
}

/// The runs that are still to be loaded: those that nobody has asked for, and those of which loading failed. `pasts` is
/// what is known of each of them.
pub fn missing(runs: &[IndexEntry], pasts: &[Option<Load<Past>>]) -> Vec<SnapshotId> {
    let is_missing = |past: &Option<Load<Past>>| matches!(past, None | Some(Load::Failed(_)));
    runs.iter().zip(pasts).filter(|(_, past)| is_missing(past)).map(|(run, _)| run.id.clone()).collect()
}

impl History {
    /// What is known of these runs, in their order; none: nobody has asked for it.
    pub fn of(self, runs: &[IndexEntry]) -> Vec<Option<Load<Past>>> {
        self.0.with(|all| runs.iter().map(|run| all.get(&run.id).cloned()).collect())
    }

    /// Loads these runs, a few at a time.
    pub fn load(self, mut wanted: Vec<SnapshotId>) {
        self.0.update(|all| all.extend(wanted.iter().map(|id| (id.clone(), Load::Loading))));
        // The newest is at the end, and is taken first.
        wanted.reverse();
        let queue = Rc::new(RefCell::new(wanted));
        for _ in 0..AT_ONCE {
            let queue = Rc::clone(&queue);
            let next = move || queue.borrow_mut().pop();
            spawn_local(async move {
                while let Some(id) = next() {
                    let past = match past(&id).await {
                        Ok(past) => Load::Ready(Arc::new(past)),
                        Err(failure) => Load::Failed(failure),
                    };
                    self.0.update(|all| {
                        all.insert(id, past);
                    });
                }
            });
        }
    }
}

async fn past(id: &SnapshotId) -> Result<Past, Failure> {
    let file = summary_file(id);
    let bytes = fetch::immutable(&file).await?;
    Ok(Past::of(decode::outline(&file, fetch::json(&bytes).await)?))
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::entry;
    use super::*;

    #[test]
    fn runs_are_known_by_their_ids_and_a_failed_one_is_asked_for_again() {
        let runs = [
            entry(3, "v3", "recorded", 1.0),
            entry(2, "v2", "recorded", 1.0),
            entry(1, "v1", "recorded", 1.0),
        ];
        let failure = Failure::Status { file: "f".to_owned(), status: 500 };
        let pasts = [Some(Load::Loading), Some(Load::Failed(failure.clone())), None];
        assert_eq!(missing(&runs, &pasts), [runs[1].id.clone(), runs[2].id.clone()]);
        let progress = Progress { asked: 2, open: 1, failed: Some((1, failure.text())) };
        assert_eq!(Progress::of(&pasts), progress);
    }

    #[test]
    fn progress_says_how_many_are_loaded_and_why_some_are_not() {
        let progress = |asked, open, failed: Option<(usize, &str)>| {
            let failed = failed.map(|(count, why)| (count, why.to_owned()));
            Progress { asked, open, failed }.text()
        };
        assert_eq!(progress(0, 0, None), "");
        assert_eq!(progress(12, 4, None), "Loading: 8 of 12");
        assert_eq!(
            progress(12, 4, Some((1, "status 500"))),
            "Loading: 8 of 12. 1 could not be loaded: status 500"
        );
        assert_eq!(progress(12, 0, None), "12 runs loaded.");
        assert_eq!(
            progress(2, 0, Some((1, "status 500"))),
            "1 run loaded. 1 could not be loaded: status 500"
        );
    }
}
