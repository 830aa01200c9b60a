use std::sync::OnceLock;

use proptest::prelude::*;

use super::*;
use crate::digest::Digest;
use crate::millis::Millis;
use crate::summary::Label;
use crate::testing::{estimator, summary as snapshot};
use crate::tier::Verdict;

#[test]
fn a_snapshot_as_it_was_made_is_verified_whichever_way() {
    let snapshot = snapshot();
    assert_eq!(summary(&snapshot), Ok(()));
    assert_eq!(summary_with(&snapshot, Table::all), Ok(()));
    assert_eq!(without_figures(&snapshot), Ok(()));
    let mut steps = Steps::new(&snapshot);
    let total = steps.total();
    assert!(steps.all(|step| step.is_ok()));
    assert_eq!((Steps::new(&snapshot).count(), steps.next()), (total, None));
}

#[test]
fn a_snapshot_is_verified_after_it_was_read_from_its_file() {
    let text = serde_json::to_string(&snapshot()).unwrap();
    let read: Summary = serde_json::from_str(&text).unwrap();
    assert_eq!(summary(&read), Ok(()));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

/// What all ways of verification say of a changed snapshot; it must be the same.
fn difference(change: impl FnOnce(&mut Summary)) -> String {
    let mut snapshot = snapshot();
    change(&mut snapshot);
    let difference = summary(&snapshot).unwrap_err();
    assert_eq!(summary_with(&snapshot, Table::all), Err(difference.clone()));
    // The id depends on the figures too.
    assert!(without_figures(&snapshot).is_err());
    assert_eq!(Steps::new(&snapshot).filter(Result::is_err).count(), 1);
    difference.to_string()
}

#[test]
fn one_bit_of_one_figure_is_found_and_named() {
    let of_everything = |change: fn(&mut Figures)| {
        difference(|summary| {
            let mut aggregates = summary.aggregates.iter_mut();
            let found = aggregates.find(|it| it.of.to_string() == "all/all/all/blis/tpot");
            change(&mut found.unwrap().figures);
        })
    };
    let text = of_everything(|figures| figures.mape = figures.mape.map(f64::next_up));
    assert!(text.starts_with("mape of all/all/all/blis/tpot: the file says \""), "{text}");
    let text = of_everything(|figures| figures.grade = None);
    assert!(text.starts_with("grade of all/all/all/blis/tpot: the file says \"none\", but"), "{text}");
    let text = of_everything(|figures| figures.shape_interval = None);
    assert!(text.starts_with("shape_interval of all/all/all/blis/tpot"), "{text}");
}

#[test]
fn every_part_that_follows_from_the_sweeps_is_checked() {
    type Change = fn(&mut Summary);
    let changes: [(&str, Change); 21] = [
        ("schema", |summary| summary.schema.push('0')),
        ("definitions of the rules", |summary| summary.rules.rules.definitions = 2),
        ("admission settings", |summary| summary.rules.rules.admission_settings.clear()),
        ("digest of the rules", |summary| summary.grading.a = 9.0),
        ("digest of the rules", |summary| summary.rules.rules.spike_factor = 9.0),
        ("`bootstrap_rounds` of the rules", |summary| {
            summary.rules.rules.bootstrap_rounds = 4_000_000_000;
            summary.rules = RuleBook::of(summary.rules.rules.clone(), &summary.grading);
        }),
        ("requests completed by aic at concurrency 1 of sweep", |summary| {
            let outcome = summary.sweeps[0].points[0].predictions.get_mut(&estimator("aic"));
            let Some(Outcome::Scored(prediction)) = outcome else { return };
            prediction.completed = Some(9);
        }),
        ("coverage", |summary| drop(summary.sweeps.remove(0))),
        ("simulators sorted by id", |summary| summary.simulators.reverse()),
        ("label", |summary| summary.run.label = Label::Experimental),
        ("sweeps sorted by id", |summary| summary.sweeps.reverse()),
        ("points sorted by concurrency of sweep", |summary| summary.sweeps[1].points.reverse()),
        ("spike at concurrency 2 of sweep", |summary| summary.sweeps[1].points[1].flags.clear()),
        ("verdict of sweep", |summary| summary.sweeps[2].verdict = Verdict::Exact),
        ("reasons of the verdict of sweep", |summary| summary.sweeps[2].verdict_reasons.clear()),
        ("coverage", |summary| summary.coverage.points += 1),
        ("coverage", |summary| {
            summary.sweeps[0].points[0].predictions.remove(&estimator("aic"));
        }),
        ("verdicts", |summary| summary.verdicts[0].sweeps = 1),
        ("unpassed settings", |summary| summary.unpassed.clear()),
        ("key of aggregate 3", |summary| drop(summary.aggregates.remove(2))),
        ("id of the snapshot", |summary| summary.run.repro.clear()),
    ];
    for (place, change) in changes {
        let text = difference(change);
        assert!(text.starts_with(place), "{text}");
    }
}

#[test]
fn an_aggregate_too_many_is_found() {
    let text = difference(|summary| summary.aggregates.push(summary.aggregates[0].clone()));
    assert!(text.contains("but no more follows"), "{text}");
}

/// A snapshot's file, and the places of all its digits.
fn file() -> &'static (Summary, String, Vec<usize>) {
    static FILE: OnceLock<(Summary, String, Vec<usize>)> = OnceLock::new();
    FILE.get_or_init(|| {
        let snapshot = snapshot();
        let text = serde_json::to_string(&snapshot).unwrap();
        let digits = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit());
        let places = digits.map(|(place, _)| place).collect();
        (snapshot, text, places)
    })
}

/// The file with another digit in one place.
fn with_another_digit(text: &str, place: usize, by: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes[place] = b'0' + (bytes[place] - b'0' + by) % 10;
    String::from_utf8(bytes).unwrap()
}

/// Every latency of a snapshot: measured TTFT and TPOT of every point, and predicted ones of every estimator.
fn latencies(snapshot: &mut Summary) -> Vec<&mut Millis> {
    let points = snapshot.sweeps.iter_mut().flat_map(|sweep| &mut sweep.points);
    points
        .flat_map(|point| {
            let predicted = point.predictions.values_mut().filter_map(|outcome| match outcome {
                Outcome::Scored(prediction) => Some([&mut prediction.ttft_ms, &mut prediction.tpot_ms]),
                Outcome::NotScored(_) => None,
            });
            [&mut point.ttft_ms, &mut point.tpot_ms].into_iter().chain(predicted.flatten())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn another_digit_anywhere_in_the_file_is_caught_by_the_digest_and_by_computing_again(
        place in any::<prop::sample::Index>(),
        by in 1..10_u8,
    ) {
        let (original, text, places) = file();
        let place = places[place.index(places.len())];
        let changed = with_another_digit(text, place, by);
        prop_assert_ne!(Digest::of_bytes(changed.as_bytes()), Digest::of_bytes(text.as_bytes()));
        // A file that can no longer be read is caught, too.
        let Ok(read) = serde_json::from_str::<Summary>(&changed) else { return Ok(()) };
        let mut but_for_its_time = read.clone();
        but_for_its_time.run.generated_at.clone_from(&original.run.generated_at);
        // The time is no part of what a snapshot says, and the seventeenth digit of a number may change nothing.
        if but_for_its_time != *original {
            prop_assert!(summary(&read).is_err(), "…{}…", &changed[place.saturating_sub(60)..=place]);
        }
    }

    #[test]
    fn another_latency_is_caught_by_the_figures_even_when_somebody_makes_the_id_anew(
        which in any::<prop::sample::Index>(),
        factor in prop::sample::select(vec![1.0 - 1e-9, 1.0 + 1e-9, 2.0]),
    ) {
        let mut forged = file().0.clone();
        let mut all = latencies(&mut forged);
        let latency = which.index(all.len());
        *all[latency] = Millis::new(all[latency].get() * factor).unwrap();
        forged.run.id = snapshot_id::of(&forged).unwrap();
        let is_caught = matches!(summary(&forged), Err(Unverified::Differs { .. }));
        prop_assert!(is_caught);
    }
}
