//! Which sweeps are listed: words and conditions that the reader types, and choices of the columns of words.

use std::collections::BTreeMap;

use shared::tier::Tier;

use super::column::Column;
use super::row::Row;

/// A choice of one value of a column of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// The column.
    pub column: Column,
    /// Its value.
    pub value: String,
}

/// What has to be true of every sweep in the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<Term>,
    facets: Vec<Facet>,
}

/// A condition that the reader has typed.
#[derive(Clone, Debug, PartialEq)]
enum Term {
    /// A word that occurs somewhere.
    Word(String),
    /// A word that occurs in a column.
    In(Column, String),
    /// A comparison with a number.
    Than(Column, Than, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Than {
    Less,
    AtMost,
    AtLeast,
    Greater,
}

impl Than {
    /// The longer signs come first.
    const ALL: [(&'static str, Self); 4] =
        [("<=", Self::AtMost), (">=", Self::AtLeast), ("<", Self::Less), (">", Self::Greater)];

    fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Less => value < limit,
            Self::AtMost => value <= limit,
            Self::AtLeast => value >= limit,
            Self::Greater => value > limit,
        }
    }
}

impl Term {
    /// A condition such as `h200`, `engine:0.18` or `tpot-mape>50`. What is none of the latter is a word.
    fn of(word: &str) -> Self {
        let word = word.to_lowercase();
        let compared = Than::ALL.into_iter().find_map(|(sign, than)| {
            let (column, limit) = word.split_once(sign)?;
            let column = Column::from_key(column).filter(|column| !column.is_words())?;
            let limit: f64 = limit.replace('−', "-").trim_end_matches('%').parse().ok()?;
            Some(Self::Than(column, than, limit))
        });
        let within = || {
            let (column, part) = word.split_once(':')?;
            let column = Column::from_key(column).filter(|column| column.is_words())?;
            Some(Self::In(column, part.to_owned()))
        };
        compared.or_else(within).unwrap_or(Self::Word(word))
    }

    fn holds(&self, row: &Row) -> bool {
        match self {
            Self::Word(word) => row.text.contains(word),
            Self::In(column, part) => {
                row.word(*column).is_some_and(|text| text.to_lowercase().contains(part))
            }
            Self::Than(column, than, limit) => {
                row.number(*column).is_some_and(|value| than.holds(value, *limit))
            }
        }
    }
}

impl Filter {
    /// The filter of what was typed and of the choices, as they stand in the address.
    pub fn new(text: &str, only: &str) -> Self {
        Self { terms: text.split_whitespace().map(Term::of).collect(), facets: facets(only) }
    }

    /// Whether a row is listed.
    pub fn holds(&self, row: &Row) -> bool {
        self.terms.iter().all(|term| term.holds(row))
            && self.facets.iter().all(|facet| row.word(facet.column) == Some(facet.value.as_str()))
    }

    /// The rows of a tier that are listed.
    pub fn rows<'r>(&self, rows: &'r [Row], tier: Tier) -> Vec<&'r Row> {
        rows.iter().filter(|row| row.tier <= tier && self.holds(row)).collect()
    }
}

/// The choices that stand in the address: `hardware:h200;workload:1k1k`.
pub fn facets(only: &str) -> Vec<Facet> {
    let facet = |part: &str| {
        let (column, value) = part.split_once(':')?;
        let column = Column::from_key(column).filter(|column| column.is_words())?;
        Some(Facet { column, value: value.replace("%3B", ";").replace("%25", "%") })
    };
    only.split(';').filter_map(facet).collect()
}

/// The choices as they stand in the address once a column has another one; none: any value.
pub fn with_facet(only: &str, column: Column, value: Option<&str>) -> String {
    let others = facets(only).into_iter().filter(|facet| facet.column != column);
    let chosen = value.map(|value| Facet { column, value: value.to_owned() });
    let mut facets: Vec<Facet> = others.chain(chosen).collect();
    facets.sort_by_key(|facet| Column::WORDS.iter().position(|column| *column == facet.column));
    let print = |facet: &Facet| {
        format!("{}:{}", facet.column.key(), facet.value.replace('%', "%25").replace(';', "%3B"))
    };
    facets.iter().map(print).collect::<Vec<_>>().join(";")
}

/// The values of a column of words with their counts, in order.
pub fn values(rows: &[&Row], column: Column) -> Vec<(String, u64)> {
    let mut values: BTreeMap<((u32, u32), &str), u64> = BTreeMap::new();
    for row in rows {
        if let Some(word) = row.word(column) {
            *values.entry((row.sizes(column), word)).or_default() += 1;
        }
    }
    values.into_iter().map(|((_, word), count)| (word.to_owned(), count)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shared::id::EstimatorId;

    use super::super::row;
    use super::*;
    use crate::testing;

    fn listed(text: &str, only: &str) -> String {
        let rows = row::all(&testing::mixed(), &EstimatorId::new("sim").unwrap());
        let filter = Filter::new(text, only);
        rows.iter().filter(|row| filter.holds(row)).filter_map(|row| row.id.as_str().chars().next()).collect()
    }

    #[test]
    fn every_word_and_condition_must_hold() {
        assert_eq!(listed("", ""), "abc");
        assert_eq!(listed("KIMI h200", ""), "b");
        assert_eq!(listed("kimi h100", ""), "");
        assert_eq!(listed("cccccccccccccccc", ""), "c");
        assert_eq!(listed("model:llama", ""), "c");
        assert_eq!(listed("hardware:llama", ""), "");
        // Errors of 21.7 %, none, 100 %; their signed means are +5 % and +100 %.
        assert_eq!(listed("tpot-mape>50", ""), "c");
        assert_eq!(listed("tpot-mape<=100%", ""), "ac");
        assert_eq!(listed("ttft-signed<−5", ""), "", "what is undefined meets no condition");
        assert_eq!(listed("colour>5", ""), "", "a condition on no column is a word");
    }

    #[test]
    fn a_choice_of_a_column_is_the_whole_value() {
        assert_eq!(listed("", "model:llama-m"), "c");
        assert_eq!(listed("", "model:llama"), "");
        assert_eq!(listed("", "hardware:h200;verdict:PARTIAL"), "ab");
        assert_eq!(
            with_facet("verdict:PARTIAL;junk", Column::Hardware, Some("h200")),
            "hardware:h200;verdict:PARTIAL"
        );
        assert_eq!(with_facet("hardware:h200;verdict:PARTIAL", Column::Verdict, None), "hardware:h200");
    }

    #[test]
    fn the_values_of_a_column_are_counted() {
        let rows = row::all(&testing::mixed(), &EstimatorId::new("sim").unwrap());
        let rows: Vec<&Row> = rows.iter().collect();
        let verdicts = [("NOT REPRODUCIBLE".to_owned(), 1), ("PARTIAL".to_owned(), 2)];
        assert_eq!(values(&rows, Column::Verdict), verdicts);
    }

    proptest! {
        #[test]
        fn a_choice_is_read_as_it_was_written(value in "\\PC{1,30}") {
            let only = with_facet("hardware:x", Column::Model, Some(&value));
            let expected = Facet { column: Column::Model, value };
            let read = facets(&only);
            prop_assert_eq!(read.first(), Some(&expected));
        }

        #[test]
        fn no_text_is_too_odd_to_filter_by(text in "\\PC{0,60}", only in "\\PC{0,60}") {
            listed(&text, &only);
        }
    }
}
