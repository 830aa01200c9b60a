//! What the parts of the Overview share: the runs of the route, their snapshots as far as they are
//! loaded, and the choice that follows from both.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::compare::Comparer;
use shared::id::SnapshotId;
use shared::index::{Index, IndexEntry};
use shared::metric::Metric;

use super::model::choice::{self, Choice};
use super::model::compare::{self, Compared, Subject};
use super::model::lead::{self, Piece};
use crate::browser;
use crate::data::{Library, Load, Snapshot};
use crate::route::history::Navigator;
use crate::route::query::LinkProblem;

/// One of the two runs.
#[derive(Clone, Copy)]
pub struct Run {
    /// Its line in the index.
    pub entry: Memo<Option<IndexEntry>>,
    /// Its snapshot, as far as it is loaded.
    pub load: Memo<Option<Load<Snapshot>>>,
    /// The snapshot that is shown: the last one that was loaded, until the next one is.
    pub shown: Memo<Option<Arc<Snapshot>>>,
}

/// The state of the Overview.
#[derive(Clone, Copy)]
pub struct Overview {
    /// The address.
    pub navigator: Navigator,
    /// The files.
    pub library: Library,
    /// The index, once it is loaded.
    pub index: Memo<Option<Arc<Index>>>,
    /// The run that is shown.
    pub a: Run,
    /// The run that it is compared against.
    pub b: Run,
    /// What is shown of them.
    pub choice: Memo<Option<Choice>>,
    /// Both runs compared, without intervals.
    open: Memo<Option<Arc<Compared>>>,
    /// The last comparison that was judged, beside the one without intervals that it began from.
    judged: RwSignal<Option<(Arc<Compared>, Arc<Compared>)>>,
    /// Now, RFC 3339: taken once, so that the words on the page do not change by themselves.
    pub now: StoredValue<String>,
}

impl Overview {
    /// Begins to follow the route.
    pub fn start() -> Self {
        let navigator = expect_context::<Navigator>();
        let library = expect_context::<Library>();
        let route = navigator.route();

        let index = Memo::new(move |_| library.index().with(Load::ready));
        let of = move |id: &SnapshotId| index.with(|index| choice::find(index.as_ref()?, id).cloned());
        let a = Run::follow(library, Memo::new(move |_| route.with(|route| of(route.run.as_ref()?))));
        let b = Run::follow(library, Memo::new(move |_| route.with(|route| of(route.versus.as_ref()?))));
        let choice = Memo::new(move |_| {
            let shown = a.shown.get()?;
            Some(route.with(|route| Choice::of(route, &shown.summary)))
        });
        // Intervals are only shown or not: they are no other comparison.
        let subject = Memo::new(move |_| {
            let Choice { estimator, tier, by, .. } = choice.get()?;
            Some(Subject { estimator, tier, by })
        });
        let open = Memo::new(move |_| {
            let (a, b, subject) = (a.shown.get()?, b.shown.get()?, subject.get()?);
            Some(Arc::new(Compared::open(&a.summary, &b.summary, &subject)))
        });
        let judged = RwSignal::new(None);
        let now = StoredValue::new(browser::now_text());
        let state = Self { navigator, library, index, a, b, choice, open, judged, now };
        state.settle();
        state.judge();
        state
    }

    /// Brings the address in line with what the data allow, and says what it could not follow.
    fn settle(self) {
        let Self { navigator, index, a, .. } = self;
        Effect::new(move |_| {
            let Some(index) = index.get() else { return };
            let route = navigator.route().get();
            let newest = index.snapshots.first().map(|entry| entry.id.clone());
            let known = |id: &SnapshotId| choice::find(&index, id).is_some();
            if !route.run.as_ref().is_some_and(known) {
                if let Some(id) = route.run {
                    navigator.report(LinkProblem::UnknownRun { id, instead: "the newest run" });
                }
                navigator.settle(|route| route.run = newest);
            } else if let Some(id) = route.versus.filter(|id| !known(id)) {
                navigator.report(LinkProblem::UnknownRun { id, instead: "no comparison" });
                navigator.settle(|route| route.versus = None);
            }
        });
        Effect::new(move |_| {
            let (Some(entry), Some(Load::Ready(snapshot))) = (a.entry.get(), a.load.get()) else { return };
            let asked = navigator.route().with(|route| route.estimator.clone());
            let Some(id) = asked.filter(|id| choice::identity(&snapshot.summary, id).is_none()) else {
                return;
            };
            if entry.id == snapshot.summary.run.id {
                navigator.report(LinkProblem::UnknownEstimator(id));
                navigator.settle(|route| route.estimator = None);
            }
        });
    }

    /// Judges every comparison in the background, so that the figures are there at once.
    fn judge(self) {
        let Self { a, b, open, judged, .. } = self;
        Effect::new(move |_| {
            let Some(compared) = open.get().filter(|compared| compared.obstacle.is_none()) else { return };
            let (Some(a), Some(b)) = (a.shown.get_untracked(), b.shown.get_untracked()) else { return };
            spawn_local(async move {
                let is_wanted = || open.get_untracked().is_some_and(|wanted| Arc::ptr_eq(&wanted, &compared));
                if let Some(done) = judge(&a, &b, &compared, is_wanted).await {
                    judged.set(Some((Arc::clone(&compared), Arc::new(done))));
                }
            });
        });
    }

    /// Whether two runs are shown.
    pub fn compares(self) -> bool {
        self.open.with(|open| open.as_ref().is_some_and(|compared| compared.obstacle.is_none()))
    }

    /// Both runs compared: judged as soon as that is done.
    pub fn compared(self) -> Option<Arc<Compared>> {
        let open = self.open.get()?;
        let judged = self.judged.with(|judged| {
            judged.as_ref().filter(|(from, _)| Arc::ptr_eq(from, &open)).map(|(_, done)| Arc::clone(done))
        });
        judged.or(Some(open))
    }

    /// The estimator's name in a run, from the index until the snapshot is there.
    pub fn name(self, run: Run) -> Option<String> {
        let chosen = self.choice.get().and_then(|choice| {
            let shown = run.shown.get()?;
            choice::identity(&shown.summary, &choice.estimator).map(choice::full_name)
        });
        chosen.or_else(|| run.entry.with(|entry| Some(entry.as_ref()?.simulator.clone())))
    }

    /// The answer in a sentence.
    pub fn answer(self) -> Vec<Piece> {
        if let Some(compared) = self.compared() {
            return compare::answer(&compared);
        }
        let (Some(shown), Some(choice)) = (self.a.shown.get(), self.choice.get()) else { return Vec::new() };
        lead::answer(&shown.summary, &choice)
    }

    /// Whether there is nothing to show of A, and nothing on its way.
    pub fn failed(self) -> bool {
        let index_failed = self.library.index().with(|index| matches!(index, Load::Failed(_)));
        index_failed || self.a.load.with(|load| matches!(load, Some(Load::Failed(_))))
    }

    /// Whether what is shown is about to change.
    pub fn busy(self) -> bool {
        let loading = |run: Run| run.load.with(|load| matches!(load, Some(Load::Loading)));
        loading(self.a) || loading(self.b)
    }
}

impl Run {
    fn follow(library: Library, entry: Memo<Option<IndexEntry>>) -> Self {
        let load = Memo::new(move |_| entry.with(|entry| Some(library.snapshot(&entry.as_ref()?.id))));
        let shown = Memo::new(move |before: Option<&Option<Arc<Snapshot>>>| match load.get()? {
            Load::Ready(snapshot) => Some(snapshot),
            Load::Loading => before.cloned().flatten(),
            Load::Failed(_) => None,
        });
        Effect::new(move |_| {
            if let Some(entry) = entry.get() {
                library.need(&entry.id);
            }
        });
        Effect::new(move |_| {
            if let (Some(entry), Some(Load::Ready(snapshot))) = (entry.get(), load.get()) {
                library.verify(&entry.id, entry.sha256, snapshot);
            }
        });
        Self { entry, load, shown }
    }
}

/// Compares again, with intervals, a slice at a time; gives up as soon as the answer is no longer wanted.
async fn judge(
    a: &Snapshot,
    b: &Snapshot,
    open: &Compared,
    is_wanted: impl Fn() -> bool,
) -> Option<Compared> {
    // The figures without intervals are painted first.
    browser::pause(0).await;
    let mut slice = browser::Slice::begin();
    let comparer = Comparer::new(&a.summary, &b.summary);
    let mut judged = open.clone();
    for (metric, rows) in Metric::ALL.into_iter().zip(&mut judged.rows) {
        let view = comparer.view(&open.subject.estimator, metric);
        for row in rows {
            *row = view.row(&row.of, true);
            if slice.rest().await && !is_wanted() {
                return None;
            }
        }
    }
    Some(judged)
}
