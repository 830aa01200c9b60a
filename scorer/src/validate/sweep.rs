//! What no schema can say about a sweep, whatever is known of its predictions.

use shared::millis::Millis;
use shared::sweep::{Dates, Identity, Point, Sweep};

use super::Problem;

/// What is wrong with the sweep number `index` of a file: its id, its numbers, the order of its points.
pub fn problems<T>(index: usize, sweep: &Sweep<T>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |place: &str, text: String| {
        problems.push(Problem::new(format!("sweeps[{index}].{place}"), text));
    };
    numbers(sweep, &mut add);
    dates(&sweep.dates, &mut add);
    for (number, pair) in sweep.points.windows(2).enumerate() {
        if pair[0].concurrency >= pair[1].concurrency {
            let place = format!("points[{}].concurrency", number + 1);
            add(&place, format!("concurrency {} is there twice or out of order", pair[1].concurrency));
        }
    }
    for (number, point) in sweep.points.iter().enumerate() {
        point_numbers(point, &mut |field: &str, text: String| {
            add(&format!("points[{number}].{field}"), text);
        });
    }
    // Last, because it follows from all the rest.
    let id = Identity::of(sweep).id();
    if id != sweep.id {
        add("id", format!("is {}, but the sweep's content makes it {id}", sweep.id));
    }
    problems
}

fn numbers<T>(sweep: &Sweep<T>, add: &mut impl FnMut(&str, String)) {
    let layout = sweep.parallelism;
    for (place, value) in [
        ("isl", sweep.isl),
        ("osl", sweep.osl),
        ("prompts_per_concurrency", sweep.prompts_per_concurrency),
        ("parallelism.tp", layout.tp),
        ("parallelism.pp", layout.pp),
        ("parallelism.dp", layout.dp),
        ("parallelism.ep", layout.ep),
    ] {
        if value == 0 {
            add(place, "must be at least 1".to_owned());
        }
    }
    if !(0.0..=1.0).contains(&sweep.range_ratio) {
        add("range_ratio", format!("must be from 0 to 1, not {}", sweep.range_ratio));
    }
}

fn dates(dates: &Dates, add: &mut impl FnMut(&str, String)) {
    let day = |text: &str| text.parse::<jiff::civil::Date>().ok();
    match (day(&dates.first), day(&dates.last)) {
        (None, _) => add("dates.first", format!("`{}` is no day", dates.first)),
        (_, None) => add("dates.last", format!("`{}` is no day", dates.last)),
        (Some(first), Some(last)) if last < first => {
            add("dates.last", format!("{last} is before the first day, {first}"));
        }
        _ => {}
    }
}

fn point_numbers<T>(point: &Point<T>, add: &mut impl FnMut(&str, String)) {
    for (place, value) in [("concurrency", point.concurrency), ("repeats", point.repeats)] {
        if value == 0 {
            add(place, "must be at least 1".to_owned());
        }
    }
    // The quotient of two latencies.
    let greatest = Millis::GREATEST / Millis::LEAST;
    if let Some(spread) = point.spread.filter(|spread| !(1.0..=greatest).contains(spread)) {
        add("spread", format!("must be the greatest of the repeats over the smallest, not {spread}"));
    }
    if let Some(length) = point.acceptance_length.filter(|length| !(length.is_finite() && *length > 0.0)) {
        add("acceptance_length", format!("must be a number above 0, not {length}"));
    }
}
