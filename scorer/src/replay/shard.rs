//! Shards: which items of a plan one of several machines runs.
//!
//! A shard is a pure function of the plan, so machines need not talk to each other. Every item is in
//! exactly one of the `n` shards.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use shared::plan::PlanItem;

/// One of `count` shards of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: NonZeroU32,
    count: NonZeroU32,
    rule: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Costliest first, each to the shard with the least work so far.
    Balanced,
    /// By a hash of the item's key: an item keeps its shard when others come and go.
    Hash,
}

/// The text does not name a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no shard: write `i/n` or `i/n:hash` with 1 ≤ i ≤ n, such as `2/3`")]
pub struct ShardError(String);

impl Shard {
    /// All of the plan.
    pub const ALL: Self = Self { number: NonZeroU32::MIN, count: NonZeroU32::MIN, rule: Rule::Balanced };

    /// Shard `number` of `count`, counted from 1, balanced by cost.
    #[must_use]
    pub fn balanced(number: NonZeroU32, count: NonZeroU32) -> Option<Self> {
        (number <= count).then_some(Self { number, count, rule: Rule::Balanced })
    }

    /// The places of the shard's items in the plan, ascending.
    #[must_use]
    pub fn select(&self, items: &[PlanItem]) -> Vec<usize> {
        match self.rule {
            Rule::Balanced => self.balanced_share(items),
            Rule::Hash => (0..items.len()).filter(|index| self.has_hash(&items[*index])).collect(),
        }
    }

    /// Longest processing time first (Graham 1969): the costliest item goes to the shard with the
    /// least work. Items of equal cost go in the order of the plan, shards of equal work by number.
    fn balanced_share(&self, items: &[PlanItem]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&a, &b| items[b].cost.total_cmp(&items[a].cost).then(a.cmp(&b)));
        // A shard beyond the number of items stays empty: none of lower number is emptier before they are gone.
        let shards = u32::try_from(items.len()).unwrap_or(u32::MAX).min(self.count.get());
        let mut loads: BinaryHeap<Reverse<Load>> =
            (1..=shards).map(|shard| Reverse(Load { cost: 0.0, items: 0, shard })).collect();
        let mut share = Vec::new();
        for index in order {
            let Some(mut least) = loads.peek_mut() else { break };
            least.0.cost += items[index].cost;
            least.0.items += 1;
            if least.0.shard == self.number.get() {
                share.push(index);
            }
        }
        share.sort_unstable();
        share
    }

    fn has_hash(&self, item: &PlanItem) -> bool {
        let key = format!("{}\n{}\n{}", item.sweep, item.concurrency, item.estimator);
        let hash = Sha256::digest(key.as_bytes());
        let first = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        first % u64::from(self.count.get()) + 1 == u64::from(self.number.get())
    }
}

/// The work of one shard so far.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Load {
    cost: f64,
    /// So that items without a cost are spread too.
    items: u64,
    shard: u32,
}

impl Eq for Load {}

impl PartialOrd for Load {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Load {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_cost = self.cost.total_cmp(&other.cost);
        by_cost.then(self.items.cmp(&other.items)).then(self.shard.cmp(&other.shard))
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (numbers, rule) = match text.strip_suffix(":hash") {
            Some(numbers) => (numbers, Rule::Hash),
            None => (text, Rule::Balanced),
        };
        let parsed = numbers.split_once('/').and_then(|(number, count)| {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if !digits(number) || !digits(count) {
                return None;
            }
            Some((number.parse::<NonZeroU32>().ok()?, count.parse::<NonZeroU32>().ok()?))
        });
        match parsed {
            Some((number, count)) if number <= count => Ok(Self { number, count, rule }),
            _ => Err(ShardError(text.chars().take(40).collect())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.rule == Rule::Hash { ":hash" } else { "" };
        write!(formatter, "{}/{}{suffix}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shared::id::{EstimatorId, SweepId};

    use super::*;

    fn items(costs: &[f64]) -> Vec<PlanItem> {
        let item = |(index, cost): (usize, &f64)| PlanItem {
            sweep: SweepId::new(format!("{index:016x}")).unwrap(),
            concurrency: 1,
            estimator: EstimatorId::new("roofline").unwrap(),
            cost: *cost,
        };
        costs.iter().enumerate().map(item).collect()
    }

    fn shards(count: u32, suffix: &str) -> Vec<Shard> {
        (1..=count).map(|number| format!("{number}/{count}{suffix}").parse().unwrap()).collect()
    }

    #[test]
    fn more_shards_than_items_are_spread_as_fewer_and_leave_the_rest_empty() {
        let items = items(&[3.0, 0.0, 2.0]);
        let of =
            |number: u32, count: u32| format!("{number}/{count}").parse::<Shard>().unwrap().select(&items);
        for count in [3, 4, u32::MAX] {
            assert_eq!([of(1, count), of(2, count), of(3, count)], [vec![0], vec![2], vec![1]]);
        }
        assert_eq!(of(u32::MAX, u32::MAX), [0; 0]);
    }

    proptest! {
        #[test]
        fn every_item_is_in_exactly_one_shard(
            costs in prop::collection::vec(0.0..1e6_f64, 0..200),
            count in 1..20_u32,
            hash: bool,
        ) {
            let items = items(&costs);
            let suffix = if hash { ":hash" } else { "" };
            let mut all: Vec<usize> = shards(count, suffix).iter().flat_map(|shard| shard.select(&items)).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..items.len()).collect::<Vec<_>>());
        }

        #[test]
        fn balanced_shards_differ_by_at_most_the_costliest_item(
            costs in prop::collection::vec(0.0..1e6_f64, 1..200),
            count in 1..20_u32,
        ) {
            let items = items(&costs);
            let load = |shard: &Shard| shard.select(&items).iter().map(|index| items[*index].cost).sum::<f64>();
            let loads: Vec<f64> = shards(count, "").iter().map(load).collect();
            let greatest = loads.iter().copied().fold(0.0, f64::max);
            let least = loads.iter().copied().fold(f64::INFINITY, f64::min);
            let costliest = costs.iter().copied().fold(0.0, f64::max);
            prop_assert!(greatest - least <= costliest * (1.0 + 1e-9), "{loads:?}");
        }

        #[test]
        fn an_item_keeps_its_hash_shard_when_others_leave(cut in 0..100_usize, count in 1..9_u32) {
            let items = items(&[1.0; 100]);
            for shard in shards(count, ":hash") {
                let all = shard.select(&items);
                let kept: Vec<usize> = shard.select(&items[cut..]).iter().map(|index| index + cut).collect();
                prop_assert_eq!(all.into_iter().filter(|index| *index >= cut).collect::<Vec<_>>(), kept);
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,12}") {
            if let Ok(shard) = text.parse::<Shard>() {
                prop_assert_eq!(shard.to_string().parse::<Shard>().unwrap(), shard);
            }
        }
    }

    #[test]
    fn items_without_a_cost_are_spread_too() {
        let items = items(&[0.0; 9]);
        assert!(shards(3, "").iter().all(|shard| shard.select(&items).len() == 3));
    }

    #[test]
    fn what_names_no_shard_is_refused() {
        for text in
            ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2:cost", "+1/2", "-1/2", "1/2/3", "99999999999/1"]
        {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/3:hash".parse::<Shard>().unwrap().to_string(), "2/3:hash");
    }
}
