//! Which sweeps of a corpus are frozen: those that are named, and of many the least work that shows every kind.

use std::collections::{BTreeMap, BTreeSet};

use shared::corpus::{Corpus, PublishedRatio};
use shared::id::SweepId;
use shared::sweep::Sweep;

use super::LedgerError;
use crate::replay::named_sweeps;
use crate::simulators::blis;

/// The sweeps with these ids; all, when there are none.
///
/// # Errors
/// When the corpus does not have one of them.
pub fn named<'a>(
    corpus: &'a Corpus,
    ids: &BTreeSet<SweepId>,
) -> Result<Vec<&'a Sweep<PublishedRatio>>, LedgerError> {
    let wanted = (!ids.is_empty()).then_some(ids);
    named_sweeps(corpus, wanted).map_err(LedgerError::NoSweep)
}

/// Of each model, GPU and precision the sweep that is the least work to replay, by the cost that BLIS's points are planned
/// with; of equals the first by id. No prediction and no measured latency has a say in it. Sorted by id.
#[must_use]
pub fn cheapest<'a>(sweeps: &[&'a Sweep<PublishedRatio>]) -> Vec<&'a Sweep<PublishedRatio>> {
    let mut groups: BTreeMap<(&str, &str, &str), &'a Sweep<PublishedRatio>> = BTreeMap::new();
    for sweep in sweeps {
        let key = (sweep.model.as_str(), sweep.hardware.as_str(), sweep.precision.as_str());
        let kept = groups.entry(key).or_insert(sweep);
        if cost(sweep).total_cmp(&cost(kept)).then_with(|| sweep.id.cmp(&kept.id)).is_lt() {
            *kept = sweep;
        }
    }
    let mut chosen: Vec<_> = groups.into_values().collect();
    chosen.sort_by(|a, b| a.id.cmp(&b.id));
    chosen
}

/// The predicted work of all points of a sweep, in seconds of one core.
#[must_use]
pub fn cost(sweep: &Sweep<PublishedRatio>) -> f64 {
    sweep.points.iter().map(|point| blis::seconds(sweep.workload(), point.concurrency)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_model_gpu_and_precision_the_least_work_is_chosen() {
        let corpus = crate::testing::corpus(usize::MAX);
        let all = named(&corpus, &BTreeSet::new()).unwrap();
        let chosen = cheapest(&all);
        let key = |sweep: &Sweep<PublishedRatio>| {
            (sweep.model.clone(), sweep.hardware.clone(), sweep.precision.clone())
        };
        let kinds: BTreeSet<_> = all.iter().map(|sweep| key(sweep)).collect();
        let shown: BTreeSet<_> = chosen.iter().map(|sweep| key(sweep)).collect();
        assert_eq!((shown.len(), &shown), (chosen.len(), &kinds));
        for sweep in &chosen {
            let others = all.iter().filter(|other| key(other) == key(sweep));
            assert!(others.map(|other| cost(other)).all(|other| other >= cost(sweep)), "{}", sweep.id);
        }
        let reversed: Vec<_> = all.iter().rev().copied().collect();
        assert_eq!(cheapest(&reversed), chosen);
    }

    #[test]
    fn a_sweep_that_the_corpus_does_not_have_is_told() {
        let corpus = crate::testing::corpus(2);
        let ids = BTreeSet::from([corpus.sweeps[1].id.clone()]);
        assert_eq!(named(&corpus, &ids).unwrap(), [&corpus.sweeps[1]]);
        let strange = BTreeSet::from([SweepId::new("f".repeat(16)).unwrap()]);
        assert!(matches!(named(&corpus, &strange), Err(LedgerError::NoSweep(_))));
    }
}
