//! What the parts of the Overview share: the runs of the route, their snapshots as far as they are
//! loaded, and the choice that follows from both.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::compare::Comparer;
use shared::id::SnapshotId;
use shared::index::{Index, IndexEntry};
use shared::metric::Metric;
use shared::outcome::SimulatorIdentity;

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

/// What is on the screen: everything in it belongs together.
#[derive(Clone, PartialEq)]
pub struct Scene {
    /// The run that is shown.
    pub a: Arc<Snapshot>,
    /// The run that it is compared against.
    pub b: Option<Arc<Snapshot>>,
    /// What is shown of them.
    pub choice: Choice,
    /// Both compared: judged as soon as that is done.
    pub compared: Option<Arc<Compared>>,
}

impl Scene {
    /// The comparison, unless something stands in its way.
    pub fn comparison(&self) -> Option<&Compared> {
        self.compared.as_deref().filter(|compared| compared.obstacle.is_none())
    }

    /// The estimator's name in A, and in B where two runs are compared.
    pub fn names(&self) -> (Option<String>, Option<String>) {
        let name = |snapshot: &Snapshot| {
            choice::identity(&snapshot.summary, &self.choice.estimator).map(SimulatorIdentity::title)
        };
        let b = self.b.as_deref().filter(|_| self.comparison().is_some());
        (name(&self.a), b.and_then(name))
    }
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
    /// What is on the screen of them.
    pub scene: Memo<Option<Scene>>,
    /// Both runs compared, without intervals.
    open: Memo<Option<Arc<Compared>>>,
    /// The last comparison that was judged.
    judged: RwSignal<Option<Arc<Compared>>>,
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
        let scene = Memo::new(move |before: Option<&Option<Scene>>| {
            let b_is_coming =
                b.load.with(|load| matches!(load, Some(Load::Loading))) && b.shown.with(Option::is_none);
            if b_is_coming {
                return before.cloned().flatten();
            }
            let compared = open.get().map(|open| {
                let same =
                    |judged: &Option<Arc<Compared>>| judged.clone().filter(|judged| judged.asks_like(&open));
                judged.with(same).unwrap_or(open)
            });
            Some(Scene { a: a.shown.get()?, b: b.shown.get(), choice: choice.get()?, compared })
        });
        let now = StoredValue::new(browser::now_text());
        let state = Self { navigator, library, index, a, b, scene, open, judged, now };
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
                let is_wanted = || {
                    open.with_untracked(|open| open.as_ref().is_some_and(|open| open.asks_like(&compared)))
                };
                if let Some(done) = judge(&a, &b, &compared, is_wanted).await {
                    judged.set(Some(Arc::new(done)));
                }
            });
        });
    }

    /// The heading: known from the index until the snapshot is there.
    pub fn heading(self) -> Option<String> {
        match self.scene.with(|scene| scene.as_ref().map(Scene::names)) {
            Some((Some(a), Some(b))) => Some(lead::heading_of_both(&a, &b)),
            Some((Some(a), None)) => Some(lead::heading(&a)),
            _ => self.a.entry.with(|entry| Some(lead::heading(&entry.as_ref()?.simulator))),
        }
    }

    /// The answer in a sentence.
    pub fn answer(self) -> Vec<Piece> {
        self.scene.with(|scene| match scene {
            Some(Scene { compared: Some(compared), .. }) => compare::answer(compared),
            Some(Scene { a, choice, .. }) => lead::answer(&a.summary, choice),
            None => Vec::new(),
        })
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
