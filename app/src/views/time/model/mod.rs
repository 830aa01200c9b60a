//! The history of the figures over the runs of the index, as plain texts.

pub mod groups;
pub mod headline;
pub mod state;

use shared::index::IndexEntry;
use shared::metric::Metric;
use shared::summary::Figures;

use crate::views::grid::model::Curve;
use crate::views::overview::model::facts;

/// What is followed over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figure {
    /// The mean absolute error.
    #[default]
    Mape,
    /// The shape error.
    Shape,
    /// The signed mean.
    Signed,
}

impl Figure {
    /// Every figure.
    pub const ALL: [Self; 3] = [Self::Mape, Self::Shape, Self::Signed];

    /// As it stands in menus.
    pub fn key(self) -> &'static str {
        match self {
            Self::Mape => "mape",
            Self::Shape => "shape",
            Self::Signed => "signed",
        }
    }

    /// The figure of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.key() == key)
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mape => "MAPE",
            Self::Shape => "Shape",
            Self::Signed => "Signed mean",
        }
    }

    fn of(self, figures: &Figures) -> Option<f64> {
        match self {
            Self::Mape => figures.mape,
            Self::Shape => figures.shape,
            Self::Signed => figures.signed_mean,
        }
    }

    /// How many points it is a mean of.
    fn points(self, figures: &Figures) -> u64 {
        match self {
            Self::Mape | Self::Signed => figures.points,
            Self::Shape => figures.shape_points,
        }
    }
}

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
    let known = values.clone().flatten().filter(|value| value.is_finite());
    let (low, high) = known
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let height = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it lies between 0 and 1,000"
        )]
        let height = (1000.0 * share).round() as u16;
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
