//! What a comparison says on the whole, in a sentence or two.

use shared::compare::{Change, Row as Figures};
use shared::format;
use shared::metric::Metric;

use super::Compared;
use crate::views::overview::model::lead::Piece;
use crate::views::overview::model::shown::Shown;
use crate::views::overview::model::typeset;

/// What the comparison says on the whole, from the same words as the table.
pub fn answer(compared: &Compared) -> Vec<Piece> {
    if let Some(obstacle) = &compared.obstacle {
        return vec![Piece::Text(obstacle.clone())];
    }
    let (Some(tpot), Some(ttft)) = (compared.total(Metric::Tpot), compared.total(Metric::Ttft)) else {
        return Vec::new();
    };
    if tpot.common.points == 0 {
        let text = "No point of this tier was scored by both runs, so there is nothing to compare.";
        return vec![Piece::Text(text.to_owned())];
    }
    let mut pieces = vec![Piece::Text(format!(
        "Over {} of {} that both runs scored, the MAPE of TPOT ",
        format::counted(tpot.common.points, "point"),
        format::counted(tpot.common.sweeps, "sweep"),
    ))];
    pieces.extend(moved(&tpot.mape));
    pieces.push(Piece::Text(" and that of TTFT ".to_owned()));
    pieces.extend(moved(&ttft.mape));
    pieces.push(Piece::Text(format!(". {}", tally(compared))));
    pieces
}

/// `goes from 80.8 % to 82.7 % (▲ +1.9, worse)`.
fn moved(mape: &Change) -> [Piece; 3] {
    let (a, b) = (format::percent(mape.a), format::percent(mape.b));
    let word = match Shown::of(mape) {
        Shown::Open => "being judged",
        Shown::Unsure => "too few sweeps to judge",
        shown => shown.word(),
    };
    let start = if a == b { "stays at ".to_owned() } else { format!("goes from {a} % to ") };
    let delta = typeset(&format::points_with_arrow(mape.delta));
    [Piece::Text(start), Piece::Figure(format!("{b} %")), Piece::Text(format!(" ({delta}, {word})"))]
}

/// How many groups moved each way in MAPE or shape, so that a group that got worse is never hidden
/// behind a total that did not.
fn tally(compared: &Compared) -> String {
    let count = |metric: Metric, shown: Shown| {
        let has =
            |row: &&Figures| [&row.mape, &row.shape].into_iter().any(|change| Shown::of(change) == shown);
        compared.groups(metric).filter(has).count() as u64
    };
    let groups = compared.groups(Metric::Tpot).filter(|row| row.common.points > 0).count() as u64;
    let groups = format!("Of {} by {}", format::counted(groups, "group"), compared.question.by.name());
    if Metric::ALL.into_iter().any(|metric| count(metric, Shown::Open) > 0) {
        return format!("{groups}, each is still being compared with chance.");
    }
    let some = |count: u64| if count == 0 { "none".to_owned() } else { format::count(count) };
    let [tpot, ttft] = Metric::ALL.map(|metric| {
        let (better, worse) = (some(count(metric, Shown::Better)), some(count(metric, Shown::Worse)));
        format!("{} is better in {better} and worse in {worse}", metric.name())
    });
    format!("{groups}, in MAPE or shape, {tpot}; {ttft}.")
}
