//! The sweeps of two snapshots, joined by id.

use std::collections::BTreeMap;

use crate::group;
use crate::id::{EstimatorId, SweepId};
use crate::outcome::Outcome;
use crate::summary::{GroupBy, Summary};
use crate::sweep::{Point, Sweep};
use crate::tier::Tier;

/// A sweep on one side, with its place in every grouping.
pub(super) struct Member<'a> {
    pub(super) sweep: &'a Sweep<Outcome>,
    pub(super) tier: Tier,
    /// By grouping: the number of the sweep's group.
    groups: [usize; GroupBy::ALL.len()],
}

/// One sweep id; at least one side has the sweep.
pub(super) struct PairOfSweeps<'a> {
    pub(super) a: Option<Member<'a>>,
    pub(super) b: Option<Member<'a>>,
}

impl<'a> PairOfSweeps<'a> {
    /// Both sweeps, when both sides have it.
    pub(super) fn both(&self) -> Option<(&Member<'a>, &Member<'a>)> {
        self.a.as_ref().zip(self.b.as_ref())
    }
}

/// The number of every group of either snapshot.
pub(super) type GroupNumbers = BTreeMap<(GroupBy, String), usize>;

/// Two snapshots with their sweeps joined, ready to answer questions.
pub struct Comparer<'a> {
    pub(super) a: &'a Summary,
    pub(super) b: &'a Summary,
    pub(super) pairs: Vec<PairOfSweeps<'a>>,
    pub(super) groups: GroupNumbers,
    estimators: Vec<EstimatorId>,
}

impl<'a> Comparer<'a> {
    /// Joins the sweeps of two snapshots.
    #[must_use]
    pub fn new(a: &'a Summary, b: &'a Summary) -> Self {
        let mut groups = GroupNumbers::from([((GroupBy::All, group::EVERYTHING.to_owned()), 0)]);
        let mut joined: BTreeMap<&SweepId, PairOfSweeps<'a>> = BTreeMap::new();
        for (summary, is_a) in [(a, true), (b, false)] {
            for sweep in &summary.sweeps {
                let member = Some(Member::new(sweep, &mut groups));
                let pair = joined.entry(&sweep.id).or_insert(PairOfSweeps { a: None, b: None });
                *(if is_a { &mut pair.a } else { &mut pair.b }) = member;
            }
        }
        let ids = |summary: &'a Summary| summary.simulators.iter().map(|simulator| &simulator.id);
        let mut estimators: Vec<EstimatorId> =
            ids(a).filter(|id| ids(b).any(|other| other == *id)).cloned().collect();
        estimators.sort_unstable();
        Self { a, b, pairs: joined.into_values().collect(), groups, estimators }
    }

    /// The estimators that both snapshots have, by id.
    #[must_use]
    pub fn estimators(&self) -> &[EstimatorId] {
        &self.estimators
    }
}

impl<'a> Member<'a> {
    fn new(sweep: &'a Sweep<Outcome>, numbers: &mut GroupNumbers) -> Self {
        let groups = GroupBy::ALL.map(|by| {
            let next = numbers.len();
            *numbers.entry((by, group::key(by, sweep))).or_insert(next)
        });
        Self { sweep, tier: sweep.verdict.tier(), groups }
    }

    /// Whether the sweep is in a group of a tier.
    pub(super) fn is_in(&self, group: Option<usize>, tier: Tier) -> bool {
        self.tier <= tier && group.is_some_and(|group| self.groups.contains(&group))
    }
}

/// The points that both sweeps have, by ascending concurrency.
pub(super) fn common_points<'a>(
    a: &'a Sweep<Outcome>,
    b: &'a Sweep<Outcome>,
) -> impl Iterator<Item = (&'a Point<Outcome>, &'a Point<Outcome>)> {
    let in_b: BTreeMap<u32, &Point<Outcome>> =
        b.points.iter().map(|point| (point.concurrency, point)).collect();
    let in_a: BTreeMap<u32, &Point<Outcome>> =
        a.points.iter().map(|point| (point.concurrency, point)).collect();
    in_a.into_iter().filter_map(move |(concurrency, point)| Some((point, *in_b.get(&concurrency)?)))
}
