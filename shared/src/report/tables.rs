//! The figures of the tables, all by [`aggregate::figures`].

use std::collections::BTreeSet;

use super::{FamilyFigures, TierFigures};
use crate::aggregate;
use crate::id::EstimatorId;
use crate::metric::Metric;
use crate::outcome::Outcome;
use crate::rules::{Grading, Rules};
use crate::summary::{AggregateKey, Figures, GroupBy};
use crate::sweep::Sweep;
use crate::tier::Tier;

/// What the tables are made from.
pub(super) struct Tables<'a> {
    pub(super) tpot: &'a [Sweep<Outcome>],
    pub(super) ttft: &'a [Sweep<Outcome>],
    pub(super) estimators: &'a [EstimatorId],
    pub(super) rules: &'a Rules,
    pub(super) grading: &'a Grading,
}

impl Tables<'_> {
    /// Every tier and estimator.
    pub(super) fn tiers(&self) -> Vec<TierFigures> {
        let row = |tier: Tier, estimator: &EstimatorId| TierFigures {
            tier,
            estimator: estimator.clone(),
            tpot: self.figures(&aggregate::everything(tier, estimator, Metric::Tpot)),
            ttft: self.figures(&aggregate::everything(tier, estimator, Metric::Ttft)),
        };
        let estimators = self.estimators;
        Tier::ALL
            .into_iter()
            .flat_map(|tier| estimators.iter().map(move |estimator| row(tier, estimator)))
            .collect()
    }

    /// Every metric, tier, family and estimator, as far as the tier adds sweeps to the family; and all
    /// families together.
    pub(super) fn families(&self) -> Vec<FamilyFigures> {
        let mut rows = Vec::new();
        for metric in Metric::ALL {
            for tier in tiers_that_add(self.tpot) {
                let added = self.tpot.iter().filter(|sweep| sweep.verdict.tier() == tier);
                let families: BTreeSet<&str> = added.map(|sweep| sweep.family.as_str()).collect();
                for family in families.into_iter().map(Some).chain([None]) {
                    for estimator in self.estimators {
                        rows.push(self.family(metric, tier, family, estimator));
                    }
                }
            }
        }
        rows
    }

    fn family(
        &self,
        metric: Metric,
        tier: Tier,
        family: Option<&str>,
        estimator: &EstimatorId,
    ) -> FamilyFigures {
        let everything = aggregate::everything(tier, estimator, metric);
        let key = match family {
            Some(family) => AggregateKey { by: GroupBy::Family, key: family.to_owned(), ..everything },
            None => everything,
        };
        FamilyFigures {
            metric,
            tier,
            family: family.map(str::to_owned),
            estimator: estimator.clone(),
            figures: self.figures(&key),
        }
    }

    fn figures(&self, key: &AggregateKey) -> Figures {
        let sweeps = match key.metric {
            Metric::Tpot => self.tpot,
            Metric::Ttft => self.ttft,
        };
        let members: Vec<&Sweep<Outcome>> = sweeps.iter().collect();
        aggregate::figures(key, &members, self.rules, self.grading)
    }
}

/// The tiers with a sweep that no smaller tier contains.
fn tiers_that_add(sweeps: &[Sweep<Outcome>]) -> Vec<Tier> {
    let adds = |tier: &Tier| sweeps.iter().any(|sweep| sweep.verdict.tier() == *tier);
    Tier::ALL.into_iter().filter(adds).collect()
}
