//! What the parts of the Overview share: the runs of the route, their snapshots as far as they are
//! loaded, and the choice that follows from both.

use std::sync::Arc;

use leptos::prelude::*;
use shared::id::SnapshotId;
use shared::index::IndexEntry;
use shared::outline::Simulator;

use super::model::cell::Table;
use super::model::choice::{self, Choice};
use super::model::lead::{self, Piece};
use super::model::table;
use crate::browser;
use crate::data::{Library, Load, Snapshot};
use crate::dom::follow;
use crate::message::{Comparison, Question};
use crate::route::history::Navigator;
use crate::route::query::LinkProblem;

/// One of the two runs.
#[derive(Clone, Copy)]
pub struct Run {
    /// Its line in the index.
    pub entry: Memo<Option<IndexEntry>>,
}

impl Run {
    /// The run of an id, which is loaded from now on.
    fn follow(library: Library, id: impl Fn() -> Option<SnapshotId> + Send + Sync + 'static) -> Self {
        let entry = Memo::new(move |_| {
            let (id, index) = (id()?, library.index().with(Load::ready)?);
            choice::find(&index, &id).cloned()
        });
        follow(move || {
            if let Some(entry) = entry.get() {
                library.need(&entry.id, &entry.sha256);
            }
        });
        Self { entry }
    }

    /// Its snapshot, as far as it is loaded; none when there is no such run.
    pub fn load(self, library: Library) -> Option<Load<Snapshot>> {
        self.entry.with(|entry| entry.as_ref().map(|entry| library.snapshot(&entry.id)))
    }

    /// Its snapshot; while it is on its way, the one before.
    fn shown(self, library: Library, before: Option<&Arc<Snapshot>>) -> Option<Arc<Snapshot>> {
        match self.load(library)? {
            Load::Ready(snapshot) => Some(snapshot),
            Load::Loading => before.cloned(),
            Load::Failed(_) => None,
        }
    }
}

/// What the reader wants to see, and can as far as loading goes.
#[derive(Clone, PartialEq)]
struct Wanted {
    a: Arc<Snapshot>,
    b: Option<Arc<Snapshot>>,
    choice: Choice,
}

impl Wanted {
    /// What has to be asked of the worker first.
    fn question(&self) -> Option<Question> {
        let Choice { estimator, tier, by, .. } = &self.choice;
        let (a, b) = (self.a.id.clone(), self.b.as_ref()?.id.clone());
        Some(Question { a, b, estimator: estimator.clone(), tier: *tier, by: *by })
    }
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
    pub compared: Option<Arc<Comparison>>,
    /// The tables: of A alone, or of both.
    pub tables: Arc<Vec<Table>>,
}

impl Scene {
    fn new(Wanted { a, b, choice }: Wanted, compared: Option<Arc<Comparison>>) -> Self {
        let mut scene = Self { a, b, choice, compared, tables: Arc::default() };
        scene.tables = Arc::new(match scene.comparison() {
            Some(compared) => compared.tables.clone(),
            None => table::both(&scene.a.outline, &scene.choice).into(),
        });
        scene
    }

    /// The comparison, unless something stands in its way.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.compared.as_deref().filter(|compared| compared.obstacle.is_none())
    }

    /// The estimator's name in A, and in B where two runs are compared.
    pub fn names(&self) -> (Option<String>, Option<String>) {
        let name = |snapshot: &Snapshot| {
            choice::identity(&snapshot.outline, &self.choice.estimator).map(Simulator::title)
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
    /// The run that is shown.
    pub a: Run,
    /// The run that it is compared against.
    pub b: Run,
    /// Whether both are compared here, which the worker does.
    pub compares: bool,
    wanted: Memo<Option<Wanted>>,
    /// What is on the screen of it.
    pub scene: Memo<Option<Scene>>,
    /// Now, RFC 3339: taken once, so that the words on the page do not change by themselves.
    pub now: StoredValue<String>,
}

impl Overview {
    /// Begins to follow the route. Where this `compares` nothing, two runs are shown by whoever started it.
    pub fn start(navigator: Navigator, library: Library, compares: bool) -> Self {
        let route = navigator.route();
        let a = Run::follow(library, move || route.with(|route| route.run.clone()));
        let b = Run::follow(library, move || route.with(|route| route.versus.clone()));
        let wanted = Memo::new(move |before: Option<&Option<Wanted>>| {
            let before = before.and_then(Option::as_ref);
            let shown = a.shown(library, before.map(|before| &before.a))?;
            let other = b.shown(library, before.and_then(|before| before.b.as_ref()));
            if other.is_none() && matches!(b.load(library), Some(Load::Loading)) {
                // Nothing is shown twice: first without B, then with it.
                return before.cloned();
            }
            let choice = route.with(|route| Choice::of(route, &shown.outline));
            Some(Wanted { a: shown, b: other, choice })
        });
        let scene = Memo::new(move |before: Option<&Option<Scene>>| {
            let wanted = wanted.get()?;
            let compared = match wanted.question().filter(|_| compares) {
                None => None,
                Some(question) => match answer(library, &question) {
                    Some(answer) => Some(answer),
                    None => return before.cloned().flatten(),
                },
            };
            Some(Scene::new(wanted, compared))
        });
        let now = StoredValue::new(browser::now_text());
        let state = Self { navigator, library, a, b, compares, wanted, scene, now };
        state.settle();
        follow(move || {
            if compares && route.with(|route| route.versus.is_some()) {
                library.prepare_comparison();
            }
        });
        follow(move || {
            if let Some(question) = state.question() {
                library.compare(question);
            }
        });
        state
    }

    /// What is to be asked of the worker, when two runs are compared.
    fn question(self) -> Option<Question> {
        self.wanted.with(|wanted| wanted.as_ref().and_then(Wanted::question)).filter(|_| self.compares)
    }

    /// Brings the address in line with what the data allow, and says what it could not follow.
    fn settle(self) {
        let Self { navigator, library, a, .. } = self;
        follow(move || {
            let Some(index) = library.index().with(Load::ready) else { return };
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
        follow(move || {
            let (Some(entry), Some(Load::Ready(snapshot))) = (a.entry.get(), a.load(library)) else { return };
            let asked = navigator.route().with(|route| route.estimator.clone());
            let Some(id) = asked.filter(|id| choice::identity(&snapshot.outline, id).is_none()) else {
                return;
            };
            if entry.id == snapshot.id {
                navigator.report(LinkProblem::UnknownEstimator(id));
                navigator.settle(|route| route.estimator = None);
            }
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
            Some(Scene { compared: Some(compared), .. }) => compared.answer.clone(),
            Some(Scene { a, choice, .. }) => lead::answer(&a.outline, choice),
            None => Vec::new(),
        })
    }

    /// Whether there is nothing to show of A, and nothing on its way.
    pub fn failed(self) -> bool {
        let index_failed = self.library.index().with(|index| matches!(index, Load::Failed(_)));
        index_failed || matches!(self.a.load(self.library), Some(Load::Failed(_)))
    }

    /// Whether what is shown is about to change.
    pub fn busy(self) -> bool {
        let loading = |run: Run| matches!(run.load(self.library), Some(Load::Loading));
        let asking = || self.question().is_some_and(|question| answer(self.library, &question).is_none());
        loading(self.a) || loading(self.b) || asking()
    }
}

/// The answer to a question, once it is there.
fn answer(library: Library, question: &Question) -> Option<Arc<Comparison>> {
    library.comparison().get().filter(|answer| answer.question == *question)
}
