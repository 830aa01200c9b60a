//! A table as it is shown: texts, and what decides their looks. Every table of the explorer's views but the
//! sweeps is one of these, so that all of them are drawn, read aloud and exported alike.

use shared::format;
pub use shared::format::name;
use shared::summary::Grade;

use crate::views::overview::model::cell::Cell;
use crate::views::overview::model::typeset;

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// As tests and style sheets know it.
    pub key: &'static str,
    /// The heading.
    pub title: String,
    /// What the table is about, beside the heading.
    pub about: String,
    /// The columns. The first one is that of the rows' names.
    pub columns: Vec<Head>,
    /// The rows.
    pub rows: Vec<Line>,
    /// The row of everything, if there is one.
    pub total: Option<Line>,
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// As tests know it.
    pub key: String,
    /// The name.
    pub name: String,
    /// The unit; empty: it has none.
    pub unit: String,
    /// What it is, in one sentence.
    pub meaning: String,
}

impl Head {
    /// The head of a column.
    pub fn new(key: impl Into<String>, name: impl Into<String>, unit: &str, meaning: &str) -> Self {
        Self { key: key.into(), name: name.into(), unit: unit.to_owned(), meaning: meaning.to_owned() }
    }
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// As tests know it.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Where its name leads to.
    pub link: Option<String>,
    /// The cells, one for each column but the first.
    pub cells: Vec<Item>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// What it says.
    pub cell: Cell,
    /// How it looks.
    pub mark: Mark,
    /// A curve before the text.
    pub curve: Option<Curve>,
}

/// How a cell looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Like most.
    #[default]
    Plain,
    /// Carries the row.
    Strong,
    /// The best of its row.
    Best,
    /// Says nothing that counts.
    Quiet,
    /// Words rather than a number.
    Words,
}

/// A small curve: heights from 0, the lowest, to 1,000; none where there is no value.
pub type Curve = Vec<Option<u16>>;

/// The least and the greatest of some values.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// The scale of these values.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let start = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        values.fold(start, |Self { low, high }, value| Self { low: low.min(value), high: high.max(value) })
    }

    /// Where a value is between the two: from 0 to 1, in the middle where both are the same.
    pub fn share(&self, value: f64) -> f64 {
        let span = self.high - self.low;
        if span > 0.0 { (value - self.low) / span } else { 0.5 }
    }
}

impl Item {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { cell: Cell { text: text.into(), ..Cell::default() }, ..Self::default() }
    }

    /// A text of words.
    pub fn words(text: impl Into<String>) -> Self {
        Self { mark: Mark::Words, ..Self::text(text) }
    }

    /// A count.
    pub fn count(count: u64) -> Self {
        Self::text(format::count(count))
    }

    /// A number that `shown` rounds; its title is the number in full, `over` so many points.
    pub fn number(value: Option<f64>, shown: fn(Option<f64>) -> String, over: &str) -> Self {
        let title = match value {
            Some(_) => typeset(&format!("{} {over}", format::full(value))),
            None => format!("not defined {over}"),
        };
        Self::text(typeset(&shown(value))).titled(title)
    }

    /// A grade.
    pub fn grade(grade: Option<Grade>) -> Self {
        let text = grade.map_or(format::NONE, Grade::letter).to_owned();
        Self::from(Cell { text, grade, ..Cell::default() })
    }

    /// The same with a title.
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.cell.title = title.into();
        self
    }

    /// The same with a second, smaller line.
    pub fn with_small(mut self, small: Option<String>) -> Self {
        self.cell.small = small;
        self
    }

    /// The same with another look.
    pub fn marked(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }
}

impl From<Cell> for Item {
    fn from(cell: Cell) -> Self {
        Self { cell, ..Self::default() }
    }
}

/// A reason as people read it.
pub fn reason(key: &str) -> String {
    name(&key.replace('_', " "))
}

/// Concurrencies: `c = 1, 8, 64`.
pub fn concurrencies(all: &[u32]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    format!("c\u{a0}=\u{a0}{}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_rounded_and_its_title_is_not() {
        let item = Item::number(Some(-12.345), format::signed_percent, "over 3 points");
        assert_eq!((item.cell.text.as_str(), item.cell.title.as_str()), ("−12.3", "−12.345 over 3 points"));
        let none = Item::number(None, format::percent, "over 0 points");
        assert_eq!((none.cell.text.as_str(), none.cell.title.as_str()), ("–", "not defined over 0 points"));
    }

    #[test]
    fn a_reason_of_ten_thousand_characters_is_cut() {
        assert_eq!(reason(&"x".repeat(10_000)), name(&"x".repeat(10_000)));
        assert_eq!(reason("no_acceptance_rate"), "no acceptance rate");
    }
}
