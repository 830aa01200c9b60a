//! From the route to what is really shown: what the reader left open follows from the data.

use shared::aggregate;
use shared::id::{EstimatorId, SnapshotId};
use shared::index::{Index, IndexEntry};
use shared::metric::Metric;
use shared::outline::{Outline, Simulator};
use shared::summary::{Figures, GroupBy};
use shared::tier::Tier;

use crate::route::Route;

/// What is shown of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The estimator.
    pub estimator: EstimatorId,
    /// The tier.
    pub tier: Tier,
    /// What the rows stand for.
    pub by: GroupBy,
    /// Whether 95 % intervals are shown.
    pub intervals: bool,
}

impl Choice {
    /// The choice that a route makes for a snapshot. An estimator that the snapshot does not have
    /// becomes its primary.
    pub fn of(route: &Route, outline: &Outline) -> Self {
        let has = |id: &&EstimatorId| outline.simulators.iter().any(|simulator| simulator.id == **id);
        let estimator = route.estimator.as_ref().filter(has).unwrap_or(&outline.primary).clone();
        let tier = route.tier.unwrap_or_else(|| default_tier(outline, &estimator));
        Self { estimator, tier, by: route.by, intervals: route.intervals }
    }
}

/// The tier that is shown when the reader has not chosen: measured-or-resolved, unless no point of it
/// is scored.
fn default_tier(outline: &Outline, estimator: &EstimatorId) -> Tier {
    let scored = total(outline, Tier::MeasuredOrResolved, estimator, Metric::Tpot)
        .is_some_and(|figures| figures.points > 0);
    if scored { Tier::MeasuredOrResolved } else { Tier::All }
}

/// The figures of everything in a tier.
pub fn total<'a>(
    outline: &'a Outline,
    tier: Tier,
    estimator: &EstimatorId,
    metric: Metric,
) -> Option<&'a Figures> {
    let key = aggregate::everything(tier, estimator, metric);
    outline.aggregates.iter().find(|aggregate| aggregate.of == key).map(|aggregate| &aggregate.figures)
}

/// The run of an id, or why there is none.
pub fn find<'a>(index: &'a Index, id: &SnapshotId) -> Option<&'a IndexEntry> {
    index.snapshots.iter().find(|entry| entry.id == *id)
}

/// An estimator of a snapshot as people write it.
pub fn identity<'a>(outline: &'a Outline, id: &EstimatorId) -> Option<&'a Simulator> {
    outline.simulators.iter().find(|simulator| simulator.id == *id)
}

/// A tier as people read it in a switch.
pub fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Strict => "Strict",
        Tier::MeasuredOrResolved => "Measured or resolved",
        Tier::All => "All (approximate)",
    }
}

/// What a tier is.
pub fn tier_meaning(tier: Tier) -> &'static str {
    match tier {
        Tier::Strict => {
            "Only EXACT sweeps: all four admission settings are on the engine's command line, and the sent \
             lengths are verified"
        }
        Tier::MeasuredOrResolved => {
            "EXACT and PARTIAL sweeps: an arguments line is known; what it leaves out is resolved from the \
             log or the engine's defaults"
        }
        Tier::All => {
            "Every sweep, also those whose engine settings are not known at all: no conclusion rests on it"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn tier(summary: &Outline, route: &Route) -> Tier {
        Choice::of(route, summary).tier
    }

    #[test]
    fn the_default_tier_is_measured_or_resolved_unless_none_of_its_points_is_scored() {
        let right = [Some(1.0); 3];
        let unknown = || testing::sweep('a', "llama", "NOT_REPRODUCIBLE", right, right);
        let failed = testing::sweep('b', "llama", "PARTIAL", [None; 3], right);
        let default = Route::default();
        assert_eq!(tier(&testing::outline(&testing::mixed()), &default), Tier::MeasuredOrResolved);
        assert_eq!(tier(&testing::outline(&testing::summary(vec![unknown()])), &default), Tier::All);
        assert_eq!(tier(&testing::outline(&testing::summary(vec![unknown(), failed])), &default), Tier::All);
        let chosen = Route { tier: Some(Tier::Strict), ..Route::default() };
        assert_eq!(
            tier(&testing::outline(&testing::summary(vec![unknown()])), &chosen),
            Tier::Strict,
            "a choice is a choice"
        );
    }

    #[test]
    fn an_estimator_that_the_run_does_not_have_becomes_its_own() {
        let summary = testing::outline(&testing::mixed());
        let asked = |id| Route { estimator: Some(EstimatorId::new(id).unwrap()), ..Route::default() };
        assert_eq!(Choice::of(&asked("rival"), &summary).estimator.as_str(), "rival");
        assert_eq!(Choice::of(&asked("other"), &summary).estimator.as_str(), "sim");
    }

    #[test]
    fn a_version_that_says_nothing_is_left_out() {
        let summary = testing::outline(&testing::mixed());
        let names: Vec<String> = summary.simulators.iter().map(Simulator::title).collect();
        assert_eq!(names, ["Rival", "Sim 1.0"]);
    }
}
