//! What no schema can say about a corpus.

use std::collections::BTreeMap;

use shared::corpus::{Corpus, PublishedRatio};
use shared::sweep::{Identity, Sweep};
use shared::verdict;

use super::Problem;

/// What is wrong with a corpus.
pub fn problems(corpus: &Corpus) -> Vec<Problem> {
    let mut problems = Vec::new();
    let date = corpus.source.date.parse::<jiff::civil::Date>();
    if date.is_err() {
        problems.push(Problem::new("source.date", format!("`{}` is no day", corpus.source.date)));
    }
    order(&corpus.sweeps, &mut problems);
    for (index, sweep) in corpus.sweeps.iter().enumerate() {
        sweep_problems(index, sweep, corpus, &mut problems);
    }
    let kept: u64 =
        corpus.sweeps.iter().flat_map(|sweep| &sweep.points).map(|point| u64::from(point.repeats)).sum();
    if kept != corpus.rows.kept() {
        let text = format!("{} rows are kept, but the points stand for {kept}", corpus.rows.kept());
        problems.push(Problem::new("rows.kept", text));
    }
    problems
}

fn order(sweeps: &[Sweep<PublishedRatio>], problems: &mut Vec<Problem>) {
    for (index, pair) in sweeps.windows(2).enumerate() {
        if pair[0].id >= pair[1].id {
            let text = if pair[0].id == pair[1].id { "is there twice" } else { "is out of order" };
            problems
                .push(Problem::new(format!("sweeps[{}].id", index + 1), format!("{} {text}", pair[1].id)));
        }
    }
}

fn sweep_problems(index: usize, sweep: &Sweep<PublishedRatio>, corpus: &Corpus, problems: &mut Vec<Problem>) {
    let place = |rest: &str| format!("sweeps[{index}].{rest}");
    let id = Identity::of(sweep).id();
    if id != sweep.id {
        problems.push(Problem::new(
            place("id"),
            format!("is {}, but the sweep's content makes it {id}", sweep.id),
        ));
    }
    if sweep.points.len() < corpus.selection.min_concurrencies as usize {
        let text = format!(
            "has {} concurrencies, but at least {} are selected",
            sweep.points.len(),
            corpus.selection.min_concurrencies
        );
        problems.push(Problem::new(place("points"), text));
    }
    for (number, pair) in sweep.points.windows(2).enumerate() {
        if pair[0].concurrency >= pair[1].concurrency {
            let text = format!("concurrency {} is there twice or out of order", pair[1].concurrency);
            problems.push(Problem::new(place(&format!("points[{}].concurrency", number + 1)), text));
        }
    }
    let (judged, reasons) = verdict::judge(sweep);
    if judged != sweep.verdict || reasons != sweep.verdict_reasons {
        let text = format!(
            "is {}, but the settings make it {}: {}",
            sweep.verdict.name(),
            judged.name(),
            reasons.join("; ")
        );
        problems.push(Problem::new(place("verdict"), text));
    }
    let known: &BTreeMap<_, _> = &corpus.published_estimators;
    for (number, point) in sweep.points.iter().enumerate() {
        for (estimator, ratio) in &point.predictions {
            let place = || place(&format!("points[{number}].predictions.{estimator}"));
            if !known.contains_key(estimator) {
                problems.push(Problem::new(place(), "is not among the published estimators"));
            }
            if [ratio.ttft, ratio.tpot].iter().any(|ratio| !(ratio.is_finite() && *ratio > 0.0)) {
                problems.push(Problem::new(place(), "is not a ratio above 0"));
            }
        }
    }
}
