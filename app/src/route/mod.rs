//! What the reader has chosen, as it stands in the address bar.
//!
//! The whole choice lives in the query string, so that a link shows its reader the same thing, works
//! below any path, and needs no rewriting by the server. [`query`] reads and writes it without a
//! browser; [`history`] keeps the address bar and the signal in step.

pub mod history;
pub mod query;

use shared::id::{EstimatorId, SnapshotId};
use shared::summary::GroupBy;
use shared::tier::Tier;

/// The choice. What is `None` follows from the data: see `views::overview::selection`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The run that is shown (A); none: the newest. Settled as soon as the newest is known, so that
    /// a link that was copied from the address bar never changes its meaning.
    pub run: Option<SnapshotId>,
    /// The run it is compared against (B).
    pub versus: Option<SnapshotId>,
    /// The tier; none: measured-or-resolved, or `ALL` where that is empty.
    pub tier: Option<Tier>,
    /// The estimator; none: the run's primary.
    pub estimator: Option<EstimatorId>,
    /// What the rows stand for.
    pub by: GroupBy,
    /// Whether 95 % intervals are shown.
    pub intervals: bool,
    /// What only the explorer's views know, in the order of [`Route::MORE`]; empty: not chosen. The Overview carries it along.
    pub more: [String; Self::MORE.len()],
}

impl Route {
    /// What rows can stand for. The total is always shown, and tiers have a switch of their own.
    pub const GROUPINGS: [GroupBy; 7] = [
        GroupBy::Family,
        GroupBy::Model,
        GroupBy::Hardware,
        GroupBy::Workload,
        GroupBy::Precision,
        GroupBy::Parallelism,
        GroupBy::EngineVersion,
    ];

    /// What only the explorer's views know: the view, the sweep that is opened, the point in it, the text that is looked for,
    /// which rows are shown in which order, and what is followed over time.
    pub const MORE: [&str; 8] = ["view", "sweep", "point", "find", "only", "order", "metric", "figure"];

    /// The value of a name that only the explorer's views know; empty: not chosen.
    pub fn more(&self, name: &str) -> &str {
        self.chosen_more().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// The names that only the explorer's views know and that are chosen, with their values.
    pub fn chosen_more(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = Self::MORE.into_iter().zip(self.more.iter().map(String::as_str));
        all.filter(|(_, value)| !value.is_empty())
    }

    /// Sets the value of a name that only the explorer's views know; the default is left out.
    pub fn set_more(&mut self, name: &str, value: &str, default: &str) {
        let value = if value == default { "" } else { value };
        let places = Self::MORE.iter().zip(&mut self.more);
        for (_, place) in places.filter(|(known, _)| **known == name) {
            value.clone_into(place);
        }
    }
}

impl Default for Route {
    fn default() -> Self {
        Self {
            run: None,
            versus: None,
            tier: None,
            estimator: None,
            by: GroupBy::Family,
            intervals: false,
            more: Default::default(),
        }
    }
}
