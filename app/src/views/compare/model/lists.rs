//! What only one of two runs scored or has, down to the points.

use shared::compare::{Lists, OneSided, PointStatus};
use shared::format;
use shared::tier::Tier;

use crate::views::grid::model::{concurrencies, name};
use crate::views::losses::model::{Loss, Missing, Place, extent, gather};

/// A list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// As tests know it.
    pub key: &'static str,
    /// The title, with the count.
    pub title: String,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// What is in it, by reason.
    pub losses: Vec<Loss>,
}

/// The four lists for a tier, also the empty ones. `lists` are those of one estimator.
pub fn all(lists: &Lists, tier: Tier) -> [List; 4] {
    let statuses = |points: &[PointStatus]| {
        gather(points.iter().filter(|point| point.tier <= tier).map(|point| Missing {
            sweep: &point.sweep,
            title: point.title.clone(),
            concurrency: point.concurrency,
            why: point.why.as_ref(),
        }))
    };
    let sides = |sides: &[OneSided], other: &str| {
        let losses = [(true, "does not have the sweep"), (false, "has other concurrencies of the sweep")];
        let loss = |(whole, why): (bool, &str)| {
            let sides = || sides.iter().filter(|side| side.whole_sweep == whole && side.tier <= tier);
            let place = |side: &OneSided| Place {
                sweep: Some(side.sweep.clone()),
                title: name(&side.title),
                points: concurrencies(&side.concurrencies),
            };
            let points = sides().map(|side| side.concurrencies.len() as u64).sum();
            let places: Vec<Place> = sides().map(place).collect();
            (!places.is_empty()).then(|| Loss {
                reason: format!("{other} {why}"),
                detail: String::new(),
                points,
                extent: extent(points, places.len()),
                places,
            })
        };
        losses.into_iter().filter_map(loss).collect()
    };
    let list = |key, title: &str, meaning, losses: Vec<Loss>| {
        let points: u64 = losses.iter().map(|loss| loss.points).sum();
        List { key, title: format!("{title}: {}", format::counted(points, "point")), meaning, losses }
    };
    [
        list(
            "newly-failing",
            "Newly failing",
            "A scored these points and B did not: why B did not",
            statuses(&lists.newly_failing),
        ),
        list(
            "newly-scored",
            "Newly scored",
            "B scored these points and A did not: why A did not",
            statuses(&lists.newly_scored),
        ),
        list("only-in-a", "Only in A", "B has no measurement of these points", sides(&lists.only_in_a, "B")),
        list("only-in-b", "Only in B", "A has no measurement of these points", sides(&lists.only_in_b, "A")),
    ]
}
