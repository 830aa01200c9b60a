//! What follows from the rest of a sweep, and the repeats of a point, in the same way for every source.

use std::collections::BTreeMap;

use shared::corpus::PublishedRatio;
use shared::rules::Rules;
use shared::setting::{ADMISSION_SETTINGS, Origin, Setting};
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

/// The settings on which all repeats agree, each with the weakest of its origins, and whether they disagree on
/// others: of those no value is known, neither one of theirs nor a default.
pub(super) fn agreed(repeats: &[BTreeMap<String, Setting>]) -> (BTreeMap<String, Setting>, bool) {
    let mut common = BTreeMap::new();
    let mut disagree = false;
    for (name, setting) in repeats.iter().flatten() {
        let of_all = || repeats.iter().map(|settings| settings.get(name));
        if of_all().all(|other| other.is_some_and(|other| other.value == setting.value)) {
            let origin = of_all().flatten().map(|other| other.origin).max().unwrap_or(setting.origin);
            common.insert(name.clone(), Setting { value: setting.value.clone(), origin });
            continue;
        }
        let differ = of_all().flatten().any(|other| other.value != setting.value);
        disagree |= differ || setting.origin == Origin::Passed;
        if ADMISSION_SETTINGS.contains(&name.as_str()) {
            common.insert(name.clone(), Setting::absent());
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
        let settings = |entries: &[(&str, u32)]| -> BTreeMap<String, Setting> {
            entries.iter().map(|(name, value)| ((*name).to_owned(), Setting::passed(*value))).collect()
        };
        let repeats = [settings(&[("a", 1), ("b", 2)]), settings(&[("a", 1)])];
        assert_eq!(agreed(&repeats), (settings(&[("a", 1)]), true));
        assert_eq!(agreed(&repeats[..1]), (repeats[0].clone(), false));
    }

    #[test]
    fn what_repeats_have_differently_has_no_value() {
        let of = |setting: Setting| BTreeMap::from([("max_num_seqs".to_owned(), setting)]);
        let (four, eight) = (Setting::resolved(4_u32), Setting::resolved(8_u32));
        assert_eq!(agreed(&[of(four.clone()), of(eight)]), (of(Setting::absent()), true));
        assert_eq!(agreed(&[of(Setting::passed(4_u32)), of(four.clone())]), (of(four), false));
    }
}
