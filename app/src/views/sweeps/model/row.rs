//! The list's rows: what of each sweep is shown, looked for and sorted by.

use shared::aggregate::SweepErrors;
use shared::deployment::Workload;
use shared::format;
use shared::grade;
use shared::id::{EstimatorId, SweepId};
use shared::metric::Metric;
use shared::outcome::Outcome;
use shared::rules::Grading;
use shared::summary::{Figures, Summary};
use shared::sweep::Sweep;
use shared::tier::Tier;

use super::column::Column;
use crate::views::figure::Figure;
use crate::views::grid::model::{Item, Mark, name, reason};

/// A sweep in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The sweep's id.
    pub id: SweepId,
    /// Its place in the snapshot.
    pub place: usize,
    /// The smallest tier that has it.
    pub tier: Tier,
    /// What its columns of words say, in the order of [`Column::WORDS`].
    words: [String; 7],
    /// All that can be looked for, in small letters.
    pub text: String,
    /// What the workload and the layout are sorted by.
    sizes: (u32, u32),
    /// The figures of TPOT and of TTFT.
    figures: [Figures; 2],
    reasons: String,
}

/// A row for every sweep of a snapshot.
pub fn all(summary: &Summary, estimator: &EstimatorId) -> Vec<Row> {
    summary.sweeps.iter().enumerate().map(|(place, sweep)| Row::new(place, sweep, estimator)).collect()
}

impl Row {
    fn new(place: usize, sweep: &Sweep<Outcome>, estimator: &EstimatorId) -> Self {
        let speculation =
            if sweep.spec.is_none() { String::new() } else { format!(" {}", sweep.spec.method) };
        let words = [
            name(&sweep.model),
            name(&sweep.hardware),
            name(&sweep.precision),
            name(&format!("{}{speculation}", sweep.parallelism)),
            Workload::label(sweep.isl, sweep.osl),
            sweep.engine_version.as_deref().map_or_else(|| format::NONE.to_owned(), name),
            reason(sweep.verdict.name()),
        ];
        let flags = sweep.points.iter().flat_map(|point| &point.flags).map(|flag| super::points::flag(*flag));
        let mut flags: Vec<&str> = flags.collect();
        flags.sort_unstable();
        flags.dedup();
        let text = format!(
            "{} {} {} {} {}",
            words.join(" "),
            name(&sweep.family),
            name(&sweep.framework),
            sweep.id,
            flags.join(" ")
        );
        Self {
            id: sweep.id.clone(),
            place,
            tier: sweep.verdict.tier(),
            text: text.to_lowercase(),
            words,
            sizes: (sweep.isl, sweep.osl),
            figures: Metric::ALL.map(|metric| SweepErrors::of(sweep, estimator, metric).figures()),
            reasons: name(&sweep.verdict_reasons.join("; ")),
        }
    }

    /// What a column of words says.
    pub fn word(&self, column: Column) -> Option<&str> {
        let place = Column::WORDS.iter().position(|words| *words == column)?;
        self.words.get(place).map(String::as_str)
    }

    /// The number of a column of numbers, where there is one.
    pub fn number(&self, column: Column) -> Option<f64> {
        match column {
            Column::Points => Some(self.figures[0].points as f64),
            Column::Error(metric, figure) => figure.of(self.of(metric)),
            _ => None,
        }
    }

    /// What a column is sorted by in the first place, where that is neither its word nor its number.
    pub fn sizes(&self, column: Column) -> (u32, u32) {
        if column == Column::Workload { self.sizes } else { (0, 0) }
    }

    fn of(&self, metric: Metric) -> &Figures {
        match metric {
            Metric::Tpot => &self.figures[0],
            Metric::Ttft => &self.figures[1],
        }
    }

    /// The sweep in words, as its button is called.
    pub fn title(&self) -> String {
        let [model, hardware, precision, layout, workload, ..] = &self.words;
        format!("{model} {hardware} {precision} {layout} {workload}")
    }

    /// What a cell says.
    pub fn item(&self, column: Column, grading: &Grading) -> Item {
        match column {
            Column::Verdict => Item::words(self.words[6].as_str()).titled(self.reasons.as_str()),
            Column::Points => points(&self.figures[0]),
            Column::Error(metric, figure) => error(self.of(metric), figure, grading),
            _ => Item::words(self.word(column).unwrap_or_default()),
        }
    }
}

/// The count of points; those that are not scored stand beside it.
pub fn points(figures: &Figures) -> Item {
    let of = format!(
        "{} of {}",
        format::count(figures.points),
        format::counted(figures.points + figures.not_scored, "point")
    );
    let missing = (figures.not_scored > 0)
        .then(|| format!("of {}", format::count(figures.points + figures.not_scored)));
    Item::count(figures.points).titled(format!("{of} scored")).with_small(missing)
}

/// An error; a MAPE with its grade.
pub fn error(figures: &Figures, figure: Figure, grading: &Grading) -> Item {
    let over = format!("% over {}", format::counted(figure.points(figures), "point"));
    let item = Item::number(figure.of(figures), figure.rounded(), &over);
    if figure != Figure::Mape {
        return item;
    }
    let letter = figures.mape.map(|mape| grade::of(mape, grading).letter().to_owned());
    item.marked(Mark::Strong).with_small(letter)
}
