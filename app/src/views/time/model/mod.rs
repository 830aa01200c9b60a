//! The history of the figures over the runs of the index, as plain texts.

pub mod groups;
pub mod headline;
pub mod state;

use shared::index::IndexEntry;
use shared::metric::Metric;

use crate::views::figure::Figure;
use crate::views::grid::model::{Curve, Scale};
use crate::views::overview::model::facts;

/// The runs of one simulator with one profile of engine settings: figures of others have no common history.
pub fn series<'i>(entries: &'i [IndexEntry], like: &IndexEntry) -> Vec<&'i IndexEntry> {
    entries.iter().filter(|entry| entry.is_like(like)).collect()
}

/// What the runs of a history have in common.
pub fn title(like: &IndexEntry, runs: usize) -> String {
    let settings = facts::settings(like.settings);
    format!("{} with {settings}: {}", like.primary, shared::format::counted(runs as u64, "run"))
}

/// Values as heights, the least at 0 and the greatest at 1,000; what is all alike lies in the middle.
fn curve(values: impl Iterator<Item = Option<f64>> + Clone) -> Curve {
    let scale = Scale::of(values.clone().flatten().filter(|value| value.is_finite()));
    let height = |value: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it lies between 0 and 1,000"
        )]
        let height = (1000.0 * scale.share(value)).round() as u16;
        height
    };
    values.map(|value| value.filter(|value| value.is_finite()).map(height)).collect()
}

/// The name of a metric and figure: `TPOT MAPE`.
fn named(metric: Metric, figure: Figure) -> String {
    let figure = match figure {
        Figure::Mape => "MAPE",
        Figure::Shape => "shape",
        Figure::Signed => "signed mean",
    };
    format!("{} {figure}", metric.name())
}

#[cfg(test)]
pub mod tests {
    use serde_json::json;

    use super::*;

    pub fn entry(day: u32, version: &str, settings: &str, mape: f64) -> IndexEntry {
        let headline = |metric: &str| json!({ "tier": "all", "metric": metric, "points": 573, "mape": mape, "shape": mape / 2.0 });
        serde_json::from_value(json!({
            "id": format!("2026-11-{day:02}_blis-{version}_00000000"),
            "generated_at": format!("2026-11-{day:02}T08:00:00Z"), "label": "released",
            "primary": "blis", "simulator": format!("BLIS {version}"), "settings": settings,
            "measurements": "db-dump/2026-09-28", "sweeps": 113, "points": 573, "scored": 495,
            "headline": [headline("tpot"), headline("ttft")], "sha256": "0".repeat(64), "bytes": 1,
        }))
        .unwrap()
    }

    #[test]
    fn a_history_has_only_runs_of_one_simulator_with_one_profile() {
        let entries = [
            entry(3, "v3", "recorded", 1.0),
            entry(2, "v2", "defaults", 1.0),
            entry(1, "v1", "recorded", 1.0),
        ];
        let runs: Vec<&str> =
            series(&entries, &entries[0]).iter().map(|entry| entry.simulator.as_str()).collect();
        assert_eq!(runs, ["BLIS v3", "BLIS v1"]);
        assert_eq!(title(&entries[0], runs.len()), "blis with recorded settings: 2 runs");
    }

    #[test]
    fn a_curve_spans_its_own_range_and_keeps_gaps() {
        let of = |values: &[Option<f64>]| curve(values.iter().copied());
        assert_eq!(of(&[Some(2.0), None, Some(4.0), Some(3.0)]), [Some(0), None, Some(1000), Some(500)]);
        assert_eq!(of(&[Some(2.0), Some(2.0)]), [Some(500), Some(500)]);
        assert_eq!(of(&[None, Some(f64::NAN)]), [None, None]);
    }
}
