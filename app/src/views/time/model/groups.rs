//! A figure of every group over the runs: it stands in the snapshots, which are loaded when the reader asks.

use shared::format;
use shared::id::EstimatorId;
use shared::index::IndexEntry;
use shared::metric::Metric;
use shared::outline::Outline;
use shared::summary::{Aggregate, Figures, GroupBy};
use shared::tier::Tier;

use super::{curve, named};
use crate::views::figure::Figure;
use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name};
use crate::views::overview::model::capitalised;
use crate::views::overview::model::choice::tier_name;

/// What of a snapshot its history needs: the figures of its own simulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Past(Vec<Aggregate>);

impl Past {
    /// The figures of a snapshot.
    pub fn of(outline: Outline) -> Self {
        let primary: EstimatorId = outline.primary;
        Self(outline.aggregates.into_iter().filter(|aggregate| aggregate.of.estimator == primary).collect())
    }

    fn figures(&self, by: GroupBy, key: &str, tier: Tier, metric: Metric) -> Option<&Figures> {
        let is_it = |aggregate: &&Aggregate| {
            let of = &aggregate.of;
            of.by == by && of.tier == tier && of.metric == metric && of.key == key
        };
        self.0.iter().find(is_it).map(|aggregate| &aggregate.figures)
    }

    fn keys(&self, by: GroupBy) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |aggregate| aggregate.of.by == by)
            .map(|aggregate| aggregate.of.key.as_str())
    }
}

/// Which figures are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the rows stand for.
    pub by: GroupBy,
    /// The tier.
    pub tier: Tier,
    /// The metric.
    pub metric: Metric,
    /// The figure.
    pub figure: Figure,
}

/// The figure of every group, a column a run from the oldest to the newest. `runs` come newest first.
pub fn table(runs: &[(&IndexEntry, &Past)], choice: Choice) -> Grid {
    let Choice { by, tier, metric, figure } = choice;
    let runs: Vec<&(&IndexEntry, &Past)> = runs.iter().rev().collect();
    let mut keys: Vec<&str> = runs.iter().flat_map(|(_, past)| past.keys(by)).collect();
    keys.sort_unstable();
    keys.dedup();
    let line = |by: GroupBy, key: &str, shown: String| {
        let figures: Vec<Option<&Figures>> =
            runs.iter().map(|(_, past)| past.figures(by, key, tier, metric)).collect();
        let value = |figures: Option<&Figures>| figures.and_then(|figures| figure.of(figures));
        let curve = Item { curve: Some(curve(figures.iter().copied().map(value))), ..Item::default() };
        let cell = |figures: Option<&Figures>| {
            let points = figures.map_or(0, |figures| figure.points(figures));
            Item::number(
                value(figures),
                figure.rounded(),
                &format!("% over {}", format::counted(points, "point")),
            )
            .with_small(Some(format!("n {}", format::count(points))))
        };
        let mut cells: Vec<Item> = std::iter::once(curve).chain(figures.iter().copied().map(cell)).collect();
        if let Some(newest) = cells.last_mut() {
            newest.mark = Mark::Strong;
        }
        Line { key: key.to_owned(), name: shown, link: None, cells }
    };
    let head = |(entry, _): &&(&IndexEntry, &Past)| {
        Head::new(
            entry.id.to_string(),
            name(&entry.simulator),
            format::day(&name(&entry.generated_at)),
            entry.id.as_str(),
        )
    };
    let columns = [
        Head::new("group", capitalised(by.name()), "", ""),
        Head::new(
            "curve",
            "History",
            "oldest to newest",
            "From the oldest run at the left to the newest at the right",
        ),
    ];
    Grid {
        key: "groups",
        title: format!("{} by {}", named(metric, figure), by.name()),
        about: format!("%, {} · each run over the points that it scored", tier_name(tier)),
        columns: columns.into_iter().chain(runs.iter().map(head)).collect(),
        rows: keys.into_iter().map(|key| line(by, key, name(key))).collect(),
        total: Some(line(GroupBy::All, shared::group::EVERYTHING, "Total".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;
    use crate::testing;

    fn past(by: f64) -> Past {
        let right = [Some(1.0); 3];
        Past::of(testing::outline(&testing::summary(vec![
            testing::sweep('a', "gpt-oss", "PARTIAL", [Some(by); 3], right),
            testing::sweep('b', "kimi", "PARTIAL", [None; 3], right),
        ])))
    }

    #[test]
    fn a_group_has_a_column_a_run_and_the_total_has_them_too() {
        let entries = [entry(2, "v2", "recorded", 0.0), entry(1, "v1", "recorded", 0.0)];
        let (new, old) = (past(1.1), past(1.3));
        let choice =
            Choice { by: GroupBy::Family, tier: Tier::All, metric: Metric::Tpot, figure: Figure::Signed };
        let grid = table(&[(&entries[0], &new), (&entries[1], &old)], choice);
        let heads: Vec<&str> = grid.columns.iter().map(|head| head.name.as_str()).collect();
        assert_eq!(heads, ["Family", "History", "BLIS v1", "BLIS v2"]);
        let texts =
            |line: &Line| line.cells[1..].iter().map(|item| item.cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&grid.rows[0]), ["+30.0", "+10.0"]);
        assert_eq!(grid.rows[0].cells[0].curve, Some(vec![Some(1000), Some(0)]));
        assert_eq!(texts(&grid.rows[1]), ["–", "–"]);
        assert_eq!(texts(grid.total.as_ref().unwrap()), ["+30.0", "+10.0"]);
        assert_eq!(grid.rows[0].cells[2].cell.small.as_deref(), Some("n 3"));
        assert_eq!(grid.title, "TPOT signed mean by family");
    }
}
