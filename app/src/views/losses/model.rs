//! Points that are missing, gathered by reason: a reason that thousands of points share is said once.

use std::collections::BTreeMap;

use shared::format;
use shared::id::SweepId;
use shared::outcome::NotScored;

use crate::views::grid::model::{concurrencies, name, reason};

/// How much is shown of what exactly went wrong, in characters.
pub const LONGEST_DETAIL: usize = 600;

/// Points that are missing for one and the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The reason, in a few words.
    pub reason: String,
    /// What exactly; empty: nothing more is known.
    pub detail: String,
    /// How many points: what lists are sorted by.
    pub points: u64,
    /// How much that is, in words.
    pub extent: String,
    /// Where they are.
    pub places: Vec<Place>,
}

/// The missing points of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The sweep; none: it is no longer known by an id.
    pub sweep: Option<SweepId>,
    /// The sweep in words.
    pub title: String,
    /// Which points.
    pub points: String,
}

/// `50 points in 10 sweeps`.
pub fn extent(points: u64, sweeps: usize) -> String {
    format!("{} in {}", format::counted(points, "point"), format::counted(sweeps as u64, "sweep"))
}

/// A missing point.
#[derive(Clone, Debug)]
pub struct Missing<'a> {
    /// The sweep.
    pub sweep: &'a SweepId,
    /// The sweep in words.
    pub title: String,
    /// The concurrency.
    pub concurrency: u32,
    /// Why; none: there is no outcome at all.
    pub why: Option<&'a NotScored>,
}

/// The concurrencies by sweep and its title.
type Places<'a> = BTreeMap<(&'a SweepId, String), Vec<u32>>;

/// The points by reason, the greatest loss first.
pub fn gather<'a>(points: impl Iterator<Item = Missing<'a>>) -> Vec<Loss> {
    let mut losses: BTreeMap<(&str, &str), Places<'_>> = BTreeMap::new();
    for Missing { sweep, title, concurrency, why } in points {
        let why = why.map_or(("no outcome", ""), |why| (why.reason.key(), why.detail.as_str()));
        losses.entry(why).or_default().entry((sweep, title)).or_default().push(concurrency);
    }
    let place = |((sweep, title), points): ((&SweepId, String), Vec<u32>)| Place {
        sweep: Some(sweep.clone()),
        title: name(&title),
        points: concurrencies(&points),
    };
    let loss = |((key, detail), places): ((&str, &str), Places<'_>)| {
        let points = places.values().map(|points| points.len() as u64).sum();
        Loss {
            reason: reason(key),
            detail: format::shortened(detail, LONGEST_DETAIL),
            points,
            extent: extent(points, places.len()),
            places: places.into_iter().map(place).collect(),
        }
    };
    let mut losses: Vec<Loss> = losses.into_iter().map(loss).collect();
    losses.sort_by_key(|loss| std::cmp::Reverse(loss.points));
    losses
}

#[cfg(test)]
mod tests {
    use shared::outcome::Reason;

    use super::*;

    #[test]
    fn an_equal_reason_is_said_once_with_every_point_under_it() {
        let ids = ["a", "b"].map(|digit| SweepId::new(digit.repeat(16)).unwrap());
        let long = NotScored { reason: Reason::RunError, detail: "x".repeat(2_000) };
        let late = NotScored { reason: Reason::Timeout, detail: String::new() };
        let point = |sweep: usize, concurrency, why| Missing {
            sweep: &ids[sweep],
            title: format!("sweep {sweep}"),
            concurrency,
            why,
        };
        let points = [
            point(1, 8, None),
            point(0, 1, Some(&late)),
            point(1, 1, Some(&long)),
            point(0, 8, Some(&long)),
            point(0, 64, Some(&long)),
        ];
        let losses = gather(points.into_iter());
        let shown: Vec<(&str, String)> =
            losses.iter().map(|loss| (loss.reason.as_str(), loss.extent.clone())).collect();
        assert_eq!(
            shown,
            [
                ("run error", "3 points in 2 sweeps".to_owned()),
                ("no outcome", "1 point in 1 sweep".to_owned()),
                ("timeout", "1 point in 1 sweep".to_owned()),
            ]
        );
        assert_eq!(losses[0].places[0].points, "c\u{a0}=\u{a0}8, 64");
        assert_eq!(losses[0].detail.chars().count(), LONGEST_DETAIL + 1);
    }
}
