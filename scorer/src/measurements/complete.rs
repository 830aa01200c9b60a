//! What follows from the rest of a sweep, and the repeats of a point, in the same way for every source.

use std::collections::BTreeMap;

use shared::corpus::PublishedRatio;
use shared::rules::Rules;
use shared::setting::SettingValue;
use shared::sweep::{Identity, Sweep};
use shared::{spike, verdict};

/// Gives a sweep its id, its flags and its verdict, and hoists its settings.
pub(super) fn complete(sweep: &mut Sweep<PublishedRatio>, rules: &Rules) {
    sweep.hoist_settings();
    sweep.id = Identity::of(sweep).id();
    spike::flag(&mut sweep.points, rules.spike_factor);
    (sweep.verdict, sweep.verdict_reasons) = verdict::judge(sweep);
}

/// The plain mean; of nothing, no number.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The greatest of several repeats over the smallest; one measurement has none.
pub(super) fn spread(values: &[f64]) -> Option<f64> {
    let greatest = values.iter().copied().fold(f64::NAN, f64::max);
    let smallest = values.iter().copied().fold(f64::NAN, f64::min);
    Some(greatest / smallest).filter(|spread| values.len() > 1 && spread.is_finite())
}

/// The values that all repeats have, and whether there are others.
pub(super) fn agreed<'a>(
    repeats: impl Iterator<Item = &'a BTreeMap<String, SettingValue>> + Clone,
) -> (BTreeMap<String, SettingValue>, bool) {
    let mut common = BTreeMap::new();
    let mut disagree = false;
    let all = repeats.clone();
    for (name, value) in repeats.flatten() {
        if all.clone().all(|settings| settings.get(name) == Some(value)) {
            common.insert(name.clone(), value.clone());
        } else {
            disagree = true;
        }
    }
    (common, disagree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_of_repeats() {
        assert_eq!(spread(&[2.0, 3.0, 2.5]), Some(1.5));
        assert_eq!(spread(&[2.0]), None);
        assert_eq!(spread(&[]), None);
        assert_eq!(mean(&[2.0, 4.0]), 3.0);
    }

    #[test]
    fn what_one_repeat_does_not_have_is_not_agreed() {
        let settings = |entries: &[(&str, u32)]| -> BTreeMap<String, SettingValue> {
            entries.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect()
        };
        let repeats = [settings(&[("a", 1), ("b", 2)]), settings(&[("a", 1)])];
        assert_eq!(agreed(repeats.iter()), (settings(&[("a", 1)]), true));
        assert_eq!(agreed(repeats[..1].iter()), (repeats[0].clone(), false));
    }
}
