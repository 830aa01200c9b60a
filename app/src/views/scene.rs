//! What a view of the explorer is drawn from.

use std::rc::Rc;
use std::sync::Arc;

use shared::id::{SnapshotId, SweepId};
use shared::index::{Index, IndexEntry};
use shared::summary::Summary;

use super::overview::model::choice::Choice;
use super::time::fetching::Archive;
use crate::explore::view::View;
use crate::route::history::Navigator;
use crate::route::{Route, query};

/// Where a sweep leads to.
pub type Links = Rc<dyn Fn(&SweepId) -> String>;

/// The runs and what is shown of them.
#[derive(Clone)]
pub struct Scene {
    /// The address, for what a view alone knows.
    pub navigator: Navigator,
    /// What Time has loaded so far.
    pub archive: Archive,
    /// Which view.
    pub view: View,
    /// The index.
    pub index: Arc<Index>,
    /// A's line in it.
    pub entry: IndexEntry,
    /// The run that is shown.
    pub a: Arc<Summary>,
    /// The run that it is compared against.
    pub b: Option<Arc<Summary>>,
    /// What is shown of them.
    pub choice: Choice,
    /// The choices of the address without what a view alone knows.
    pub route: Route,
}

impl PartialEq for Scene {
    /// A loaded file never changes, so that the same allocation is the same file. The line in the index follows from
    /// the run.
    fn eq(&self, other: &Self) -> bool {
        self.view == other.view
            && Arc::ptr_eq(&self.index, &other.index)
            && Arc::ptr_eq(&self.a, &other.a)
            && self.b.as_ref().map(Arc::as_ptr) == other.b.as_ref().map(Arc::as_ptr)
            && self.choice == other.choice
            && self.route == other.route
    }
}

impl Scene {
    /// The run of the same simulator and settings that was made before A; runs of A's version are passed over.
    pub fn run_before(&self) -> Option<&IndexEntry> {
        run_before(&self.index.snapshots, &self.entry)
    }

    /// The address of a view with these choices, changed as `change` says.
    fn link(&self, view: View, change: impl FnOnce(&mut Route)) -> String {
        let mut route = self.route.clone();
        route.set_more("view", view.key(), "");
        change(&mut route);
        query::print(&route)
    }

    /// Where two runs are compared.
    pub fn link_to_comparison(&self, a: &SnapshotId, b: &SnapshotId) -> String {
        self.link(View::Compare, |route| {
            route.run = Some(a.clone());
            route.versus = Some(b.clone());
        })
    }

    /// Where a sweep is shown with its points.
    pub fn link_to_sweep(&self, id: &SweepId) -> String {
        self.link(View::Sweeps, |route| route.set_more("sweep", id.as_str(), ""))
    }

    /// Where a point of it is marked.
    pub fn link_to_point(&self, id: &SweepId, concurrency: &str) -> String {
        self.link(View::Sweeps, |route| {
            route.set_more("sweep", id.as_str(), "");
            route.set_more("point", concurrency, "");
        })
    }

    /// The same for whoever outlives the scene.
    pub fn links(&self) -> Links {
        let scene = self.clone();
        Rc::new(move |id| scene.link_to_sweep(id))
    }

    /// Where another run is shown in this view.
    pub fn link_to_run(&self, id: &SnapshotId) -> String {
        self.link(self.view, |route| route.run = Some(id.clone()))
    }
}

/// The run of another version before this one in the list, which has the newest first.
fn run_before<'i>(entries: &'i [IndexEntry], entry: &IndexEntry) -> Option<&'i IndexEntry> {
    let after = entries.iter().skip_while(|other| other.id != entry.id).skip(1);
    after.filter(|other| other.is_like(entry)).find(|other| other.simulator != entry.simulator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::time::model::tests::entry;

    #[test]
    fn the_release_before_is_of_the_same_simulator_with_the_same_settings() {
        let entries = [
            entry(5, "v3", "recorded", 1.0),
            entry(4, "v3", "recorded", 1.0),
            entry(3, "v2", "defaults", 1.0),
            entry(2, "v2", "recorded", 1.0),
            entry(1, "v1", "recorded", 1.0),
        ];
        let before = |place: usize| run_before(&entries, &entries[place]).map(|entry| entry.id.as_str());
        assert_eq!(before(0), Some("2026-11-02_blis-v2_00000000"));
        assert_eq!(before(2), None);
        assert_eq!(before(4), None);
    }
}
