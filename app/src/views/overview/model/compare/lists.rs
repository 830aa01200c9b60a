//! What only one of two runs scored or has.

use shared::compare::{OneSided, PointStatus};
use shared::format;

use super::Compared;
use crate::message::List;

/// The line of what only one run scored or has.
pub fn line(compared: &Compared) -> String {
    let lists = &compared.lists;
    let in_points =
        |sides: &[OneSided]| format::count(sides.iter().map(|side| side.concurrencies.len() as u64).sum());
    format!(
        "{} newly failing · {} newly scored · {} only in A · {} only in B",
        format::count(lists.newly_failing.len() as u64),
        format::count(lists.newly_scored.len() as u64),
        in_points(&lists.only_in_a),
        in_points(&lists.only_in_b),
    )
}

/// What only one run scored or has, by list: a line a point or sweep.
pub fn all(compared: &Compared) -> Vec<List> {
    let statuses = |points: &[PointStatus]| {
        let line = |point: &PointStatus| {
            let why = point.why.as_ref().map_or("no outcome".to_owned(), |why| {
                let reason = why.reason.key().replace('_', " ");
                if why.detail.is_empty() { reason } else { format!("{reason}: {}", why.detail) }
            });
            format!("{}, c = {}: {why}", point.title, point.concurrency)
        };
        points.iter().map(line).collect()
    };
    let sides = |sides: &[OneSided]| {
        let line = |side: &OneSided| {
            let concurrencies: Vec<String> = side.concurrencies.iter().map(ToString::to_string).collect();
            format!("{}, c = {}", side.title, concurrencies.join(", "))
        };
        sides.iter().map(line).collect()
    };
    let lists = &compared.lists;
    let all: [(&str, Vec<String>); 4] = [
        ("Newly failing: scored in A, not in B", statuses(&lists.newly_failing)),
        ("Newly scored: in B, not in A", statuses(&lists.newly_scored)),
        ("Only in A", sides(&lists.only_in_a)),
        ("Only in B", sides(&lists.only_in_b)),
    ];
    let all = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    all.map(|(title, lines)| List::new(title, lines)).collect()
}
