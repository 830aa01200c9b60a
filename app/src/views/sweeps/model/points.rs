//! The points of a sweep: what was measured, what was predicted, and how far off that is.

use shared::error::signed_error;
use shared::format;
use shared::grade;
use shared::id::EstimatorId;
use shared::metric::Metric;
use shared::millis::Millis;
use shared::outcome::{Basis, Outcome, Prediction};
use shared::summary::Summary;
use shared::sweep::{Flag, LengthCheck, Point, Sweep};

use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name, reason};

/// A flag in words.
pub fn flag(flag: Flag) -> &'static str {
    match flag {
        Flag::TtftSpike => "TTFT spike",
        Flag::SettingsDisagree => "settings disagree",
    }
}

/// The points with their errors.
pub fn errors(summary: &Summary, sweep: &Sweep<Outcome>, estimator: &EstimatorId) -> Grid {
    let heads = Metric::ALL.into_iter().flat_map(|metric| {
        let (key, name) = (metric.key(), metric.name());
        [
            Head::new(format!("{key}-measured"), format!("{name} measured"), "ms", "The client's mean"),
            Head::new(
                format!("{key}-predicted"),
                format!("{name} predicted"),
                "ms",
                "What the estimator says",
            ),
            Head::new(
                format!("{key}-error"),
                format!("{name} error"),
                "%",
                "Signed error: above 0 the estimator says slower",
            ),
            Head::new(format!("{key}-grade"), "Grade", "A–F", "The grade of the absolute error"),
        ]
    });
    let first = Head::new("concurrency", "c", "", "Requests in flight");
    let notes = Head::new("why", "Notes", "", "Flags of the measurement, and why a point is not scored");
    let about = format!("estimator {estimator} · errors against measured");
    Grid {
        key: "points",
        title: format::counted(sweep.points.len() as u64, "point"),
        about,
        columns: std::iter::once(first).chain(heads).chain([notes]).collect(),
        rows: sweep.points.iter().map(|point| error(summary, point, estimator)).collect(),
        total: None,
    }
}

fn error(summary: &Summary, point: &Point<Outcome>, estimator: &EstimatorId) -> Line {
    let (prediction, why): (Option<&Prediction>, Option<String>) = match point.predictions.get(estimator) {
        Some(Outcome::Scored(prediction)) => (Some(prediction), None),
        Some(Outcome::NotScored(why)) if why.detail.is_empty() => (None, Some(reason(why.reason.key()))),
        Some(Outcome::NotScored(why)) => {
            (None, Some(format!("{}: {}", reason(why.reason.key()), name(&why.detail))))
        }
        None => (None, Some("no outcome".to_owned())),
    };
    let of = |metric: Metric| {
        let measured = point.measured(metric);
        let predicted = prediction.map(|prediction| prediction.get(metric));
        let error = predicted.map(|predicted| signed_error(predicted, measured));
        [
            Item::number(Some(measured.get()), latency, "ms"),
            Item::number(predicted.map(Millis::get), latency, "ms"),
            Item::number(error, format::signed_percent, "%").marked(Mark::Strong),
            Item::grade(error.map(|error| grade::of(error, &summary.grading))),
        ]
    };
    let flags = point.flags.iter().map(|one| flag(*one).to_owned());
    let why = why.map(|why| format!("not scored: {why}"));
    let notes = flags.chain(why).collect::<Vec<_>>().join("; ");
    let cells = Metric::ALL.into_iter().flat_map(of).chain([Item::words(notes)]);
    line(point, cells.collect())
}

fn line(point: &Point<Outcome>, cells: Vec<Item>) -> Line {
    Line {
        key: point.concurrency.to_string(),
        name: format::count(point.concurrency.into()),
        link: None,
        cells,
    }
}

fn latency(value: Option<f64>) -> String {
    value.map_or_else(|| format::NONE.to_owned(), format::latency)
}

/// What the engine's log, the client and the estimator say of each point.
pub fn facts(sweep: &Sweep<Outcome>, estimator: &EstimatorId) -> Grid {
    let columns = [
        Head::new("concurrency", "c", "", "Requests in flight"),
        Head::new("repeats", "Repeats", "n", "How many measurements were averaged"),
        Head::new("spread", "Spread", "max / min", "The greatest mean TPOT of the repeats over the smallest"),
        Head::new("kv", "KV pool", "tokens", "The KV pool of one data-parallel rank, by the engine's log"),
        Head::new("acceptance", "Accepted", "tokens a step", "Mean acceptance length, by the engine's log"),
        Head::new("completed", "Replayed", "requests", "Requests that the estimator's replay completed"),
        Head::new("basis", "Prediction", "", "What the prediction's means were taken from"),
        Head::new("lengths", "Sent lengths", "", "Whether the lengths that the client sent are known"),
    ];
    let row = |point: &Point<Outcome>| {
        let prediction = match point.predictions.get(estimator) {
            Some(Outcome::Scored(prediction)) => Some(prediction),
            _ => None,
        };
        let count =
            |count: Option<u64>| Item::text(count.map_or_else(|| format::NONE.to_owned(), format::count));
        let cells = vec![
            Item::count(point.repeats.into()),
            Item::number(point.spread, format::ratio, ""),
            count(point.kv_tokens),
            Item::number(point.acceptance_length, format::ratio, ""),
            count(prediction.and_then(|prediction| prediction.completed).map(u64::from)),
            Item::words(prediction.map_or(format::NONE, |prediction| basis(prediction.basis))),
            Item::words(lengths(&point.lengths)),
        ];
        line(point, cells)
    };
    Grid {
        key: "point-facts",
        title: "What is known of each point".to_owned(),
        about: "from the engine's log, the client and the estimator".to_owned(),
        columns: columns.into(),
        rows: sweep.points.iter().map(row).collect(),
        total: None,
    }
}

fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::PerRequest => "every request of the replay",
        Basis::Aggregate => "the simulator's own mean",
        Basis::Estimate => "a closed formula",
        Basis::PublishedRatio => "a published ratio",
    }
}

fn lengths(check: &LengthCheck) -> String {
    match check {
        LengthCheck::Verified(how) => format!("verified: {}", name(how)),
        LengthCheck::Different(what) => format!("different: {}", name(what)),
        LengthCheck::Unknown => "not known".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn texts(line: &Line) -> Vec<&str> {
        line.cells.iter().map(|item| item.cell.text.as_str()).collect()
    }

    #[test]
    fn a_point_says_what_was_measured_and_predicted_and_how_far_off_that_is() {
        let summary = testing::mixed();
        let sim = EstimatorId::new("sim").unwrap();
        let mut sweep = summary.sweeps[0].clone();
        sweep.points[1].flags = vec![Flag::TtftSpike];
        let grid = errors(&summary, &sweep, &sim);
        let second = ["20.00", "26.00", "+30.0", "C", "200.0", "260.0", "+30.0", "C", "TTFT spike"];
        assert_eq!((grid.rows[1].key.as_str(), texts(&grid.rows[1])), ("8", second.to_vec()));
        let none = errors(&summary, &summary.sweeps[1], &sim);
        assert_eq!(texts(&none.rows[0])[..4], ["10.00", "–", "–", "–"]);
        assert_eq!(texts(&none.rows[0])[8], "not scored: timeout: 900 s");
    }

    #[test]
    fn what_the_log_does_not_say_is_not_invented() {
        let summary = testing::mixed();
        let sim = EstimatorId::new("sim").unwrap();
        let mut sweep = summary.sweeps[0].clone();
        sweep.points[0].kv_tokens = Some(2_960_400);
        let grid = facts(&sweep, &sim);
        assert_eq!(
            texts(&grid.rows[0]),
            ["1", "–", "2,960,400", "–", "–", "every request of the replay", "not known"]
        );
        assert_eq!(texts(&grid.rows[1])[2], "–");
    }
}
