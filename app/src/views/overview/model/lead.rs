//! The answer in one or two sentences, above the tables and never against them: it is made of the
//! figures of the total rows, rounded as they are there.

use serde::Serialize;
use shared::format;
use shared::metric::Metric;
use shared::outline::Outline;
use shared::summary::Figures;

use super::choice::{self, Choice};
use super::typeset;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Piece {
    /// Plain text.
    Text(String),
    /// A figure that carries the sentence.
    Figure(String),
}

/// The heading: what the page is about.
pub fn heading(simulator: &str) -> String {
    format!("How accurate is {simulator}?")
}

/// The heading when two runs are compared.
pub fn heading_of_both(a: &str, b: &str) -> String {
    if a == b { format!("What changed for {a}?") } else { format!("What changed from {a} to {b}?") }
}

/// The answer.
pub fn answer(outline: &Outline, choice: &Choice) -> Vec<Piece> {
    let figures = |metric| choice::total(outline, choice.tier, &choice.estimator, metric);
    let (Some(tpot), Some(ttft)) = (figures(Metric::Tpot), figures(Metric::Ttft)) else {
        return Vec::new();
    };
    if tpot.points == 0 && ttft.points == 0 {
        return vec![Piece::Text(
            "No point of this tier is scored, so there is nothing to say yet.".to_owned(),
        )];
    }
    let mut pieces = vec![Piece::Text(format!(
        "Over {} of {}, predicted TPOT is off by ",
        format::counted(tpot.points, "measured point"),
        format::counted(tpot.sweeps, "sweep"),
    ))];
    pieces.extend(off_by(tpot));
    pieces.push(Piece::Text(" on average and TTFT by ".to_owned()));
    pieces.extend(off_by(ttft));
    pieces.push(Piece::Text(format!(". {}", lean(tpot, ttft))));
    pieces
}

fn off_by(figures: &Figures) -> [Piece; 2] {
    let grade = figures.grade.map_or("none", |grade| grade.letter());
    [Piece::Figure(format!("{} %", format::percent(figures.mape))), Piece::Text(format!(" (grade {grade})"))]
}

/// Which way the errors go on the whole.
fn lean(tpot: &Figures, ttft: &Figures) -> String {
    let shown = |figures: &Figures| format!("{} %", typeset(&format::signed_percent(figures.signed_mean)));
    match (way(tpot), way(ttft)) {
        (Some(one), Some(other)) if one == other => {
            format!("On the whole both are predicted {one} ({} and {}).", shown(tpot), shown(ttft))
        }
        (None, None) => "On the whole both are predicted neither slower nor faster (0.0 %).".to_owned(),
        (one, other) => format!(
            "On the whole TPOT is predicted {} ({}) and TTFT {} ({}).",
            one.unwrap_or("neither slower nor faster"),
            shown(tpot),
            other.unwrap_or("neither slower nor faster"),
            shown(ttft),
        ),
    }
}

/// The direction of a signed mean as it is shown: one that rounds to zero has none.
fn way(figures: &Figures) -> Option<&'static str> {
    match format::arrow(figures.signed_mean) {
        Some('▲') => Some("slower than measured"),
        Some('▼') => Some("faster than measured"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use shared::id::EstimatorId;
    use shared::summary::GroupBy;
    use shared::tier::Tier;

    use super::*;
    use crate::testing;

    fn text(estimator: &str, tier: Tier) -> String {
        let estimator = EstimatorId::new(estimator).unwrap();
        let choice = Choice { estimator, tier, by: GroupBy::Family, intervals: false };
        let text = |piece| match piece {
            Piece::Text(text) | Piece::Figure(text) => text,
        };
        answer(&testing::outline(&testing::mixed()), &choice).into_iter().map(text).collect()
    }

    #[test]
    fn the_answer_says_the_figures_of_the_total_rows() {
        assert_eq!(
            text("sim", Tier::All),
            "Over 5 measured points of 2 sweeps, predicted TPOT is off by 53.0 % (grade D) on average and \
             TTFT by 53.0 % (grade D). On the whole both are predicted slower than measured (+43.0 % and \
             +43.0 %)."
        );
    }

    #[test]
    fn a_signed_mean_that_rounds_to_zero_goes_neither_way() {
        assert!(text("rival", Tier::All).ends_with("neither slower nor faster (0.0 %)."));
    }

    #[test]
    fn without_a_scored_point_there_is_no_answer() {
        assert_eq!(
            text("sim", Tier::Strict),
            "No point of this tier is scored, so there is nothing to say yet."
        );
    }
}
