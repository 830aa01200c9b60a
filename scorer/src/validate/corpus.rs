//! What no schema can say about a corpus.

use shared::corpus::{Corpus, PublishedRatio};
use shared::rules::Rules;
use shared::sweep::Sweep;
use shared::verdict;

use super::{Problem, sweep};
use crate::simulators::roofline;

/// What is wrong with a corpus.
#[must_use]
pub fn corpus_problems(corpus: &Corpus) -> Vec<Problem> {
    let mut problems = Vec::new();
    let date = corpus.source.date.parse::<jiff::civil::Date>();
    if date.is_err() {
        problems.push(Problem::new("source.date", format!("`{}` is no day", corpus.source.date)));
    }
    let (stated, least) = (corpus.selection.min_concurrencies, Rules::current().min_concurrencies);
    if stated < least {
        let text = format!("is {stated}, but a sweep needs at least {least}");
        problems.push(Problem::new("selection.min_concurrencies", text));
    }
    if let Some(id) = corpus.published_estimators.keys().find(|id| id.as_str() == roofline::KIND) {
        let text = "is the id of a built-in estimator: give the published one another";
        problems.push(Problem::new(format!("published_estimators.{id}"), text));
    }
    order(&corpus.sweeps, &mut problems);
    for (index, sweep) in corpus.sweeps.iter().enumerate() {
        problems.extend(sweep::problems(index, sweep));
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
    let (found, least) = (sweep.points.len(), corpus.selection.min_concurrencies);
    if found < least as usize {
        let text = format!("has {found} concurrencies, but at least {least} are selected");
        problems.push(Problem::new(place("points"), text));
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
    let Some(anchor) = sweep.points.first() else { return };
    for (number, point) in sweep.points.iter().enumerate() {
        for (estimator, ratio) in &point.predictions {
            let place = || place(&format!("points[{number}].predictions.{estimator}"));
            if !corpus.published_estimators.contains_key(estimator) {
                problems.push(Problem::new(place(), "is not among the published estimators"));
            }
            if let Err(error) = ratio.prediction(anchor) {
                let text = format!("is no ratio of a latency to the lowest concurrency's: {error}");
                problems.push(Problem::new(place(), text));
            }
        }
    }
}
