//! The headline figures of every run, which the index has: no snapshot is loaded for them.

use shared::format;
use shared::index::{Headline, IndexEntry};
use shared::metric::Metric;
use shared::tier::Tier;

use super::{curve, named};
use crate::views::figure::Figure;
use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name};
use crate::views::overview::model::choice::tier_name;

/// The figures that an index has of a run.
const FIGURES: [(Metric, Figure); 4] = [
    (Metric::Tpot, Figure::Mape),
    (Metric::Tpot, Figure::Shape),
    (Metric::Ttft, Figure::Mape),
    (Metric::Ttft, Figure::Shape),
];

fn of(entry: &IndexEntry, tier: Tier, metric: Metric) -> Option<&Headline> {
    entry.headline.iter().find(|headline| headline.tier == tier && headline.metric == metric)
}

fn value(entry: &IndexEntry, tier: Tier, (metric, figure): (Metric, Figure)) -> Option<f64> {
    let headline = of(entry, tier, metric)?;
    match figure {
        Figure::Mape => headline.mape,
        Figure::Shape => headline.shape,
        Figure::Signed => None,
    }
}

/// How each figure went from the oldest to the newest run. `runs` come newest first.
pub fn trends(runs: &[&IndexEntry], tier: Tier) -> Grid {
    let line = |which: (Metric, Figure)| {
        let values: Vec<Option<f64>> = runs.iter().rev().map(|entry| value(entry, tier, which)).collect();
        let known: Vec<f64> = values.iter().copied().flatten().collect();
        let (first, last) = (known.first().copied(), known.last().copied());
        let of = |value| Item::number(value, format::percent, "%");
        let change = first.zip(last).map(|(first, last)| last - first);
        let curve = Item { curve: Some(curve(values.iter().copied())), ..Item::default() };
        let (metric, figure) = which;
        Line {
            key: format!("{}-{}", metric.key(), figure.key()),
            name: named(metric, figure),
            link: None,
            cells: vec![
                curve,
                of(first),
                of(last).marked(Mark::Strong),
                Item::number(
                    change,
                    format::points_with_arrow,
                    "percentage points, each run over its own points",
                ),
                of(known.iter().copied().min_by(f64::total_cmp)),
                of(known.iter().copied().max_by(f64::total_cmp)),
            ],
        }
    };
    Grid {
        key: "trends",
        title: "From the oldest to the newest run".to_owned(),
        about: format!("{} · each run over the points that it scored", tier_name(tier)),
        columns: vec![
            Head::new("figure", "Figure", "", "Which latency and which error"),
            Head::new(
                "curve",
                "History",
                "oldest to newest",
                "From the oldest run at the left to the newest at the right",
            ),
            Head::new("first", "Oldest", "%", "In the oldest run that has it"),
            Head::new("last", "Newest", "%", "In the newest run that has it"),
            Head::new(
                "change",
                "Change",
                "points of %",
                "Newest − oldest; not over common points: compare two runs for that",
            ),
            Head::new("least", "Least", "%", "In any run"),
            Head::new("most", "Greatest", "%", "In any run"),
        ],
        rows: FIGURES.map(line).into(),
        total: None,
    }
}

/// Every run with its figures, newest first; `link` leads to the run.
pub fn runs(runs: &[&IndexEntry], tier: Tier, link: &dyn Fn(&IndexEntry) -> String) -> Grid {
    let line = |entry: &&IndexEntry| {
        let points = |metric| of(entry, tier, metric).map_or(0, |headline| headline.points);
        let over = |(metric, figure): (Metric, Figure)| match figure {
            Figure::Mape => format!("% over {}", format::counted(points(metric), "point")),
            // An index does not say how many points have a shape error.
            Figure::Shape | Figure::Signed => "%".to_owned(),
        };
        let figures =
            FIGURES.map(|which| Item::number(value(entry, tier, which), format::percent, &over(which)));
        let texts = [
            Item::words(name(&entry.simulator)).titled(entry.id.as_str()),
            Item::words(name(&entry.measurements)),
            Item::count(points(Metric::Tpot)),
        ];
        Line {
            key: entry.id.to_string(),
            name: format::day(&name(&entry.generated_at)).to_owned(),
            link: Some(link(entry)),
            cells: texts.into_iter().chain(figures).collect(),
        }
    };
    let columns = [
        Head::new("made", "Made", "newest first", "When the snapshot was made"),
        Head::new("simulator", "Simulator", "", "Its version"),
        Head::new("measurements", "Measurements", "", "Their release"),
        Head::new("points", "Points", "n scored", "Points of the tier that the run scored"),
    ];
    let heads = FIGURES.map(|(metric, figure)| {
        Head::new(
            format!("{}-{}", metric.key(), figure.key()),
            named(metric, figure),
            "%",
            "Over the run's own points",
        )
    });
    Grid {
        key: "runs",
        title: "Run by run".to_owned(),
        about: tier_name(tier).to_owned(),
        columns: columns.into_iter().chain(heads).collect(),
        rows: runs.iter().map(line).collect(),
        total: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    #[test]
    fn the_trend_runs_from_the_oldest_to_the_newest() {
        let entries = [
            entry(3, "v3", "recorded", 30.0),
            entry(2, "v2", "recorded", 50.0),
            entry(1, "v1", "recorded", 40.0),
        ];
        let all: Vec<&IndexEntry> = entries.iter().collect();
        let grid = trends(&all, Tier::All);
        let texts: Vec<&str> = grid.rows[0].cells[1..].iter().map(|item| item.cell.text.as_str()).collect();
        assert_eq!(texts, ["40.0", "30.0", "▼ −10.0", "30.0", "50.0"]);
        assert_eq!(grid.rows[0].cells[0].curve, Some(vec![Some(500), Some(1000), Some(0)]));
        let strict = trends(&all, Tier::Strict);
        assert_eq!(strict.rows[0].cells[2].cell.text, format::NONE);
    }

    #[test]
    fn every_run_has_a_row_with_its_n() {
        let mut entries = [entry(2, "v2", "recorded", 50.0), entry(1, "v1", "recorded", 40.0)];
        entries[1].headline[1].points = 500;
        let all: Vec<&IndexEntry> = entries.iter().collect();
        let grid = runs(&all, Tier::All, &|entry| format!("?run={}", entry.id));
        let texts: Vec<&str> = grid.rows[1].cells.iter().map(|item| item.cell.text.as_str()).collect();
        assert_eq!(texts, ["BLIS v1", "db-dump/2026-09-28", "573", "40.0", "20.0", "40.0", "20.0"]);
        let titles: Vec<&str> = grid.rows[1].cells[3..].iter().map(|item| item.cell.title.as_str()).collect();
        assert_eq!(titles, ["40 % over 573 points", "20 %", "40 % over 500 points", "20 %"]);
        assert_eq!(grid.rows[1].name, "2026-11-01");
        assert_eq!(grid.rows[1].link.as_deref(), Some("?run=2026-11-01_blis-v1_00000000"));
    }
}
