//! The order of the list.

use std::cmp::Ordering;

use super::column::Column;
use super::row::Row;

/// By which column, and which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub column: Column,
    /// Whether the greatest comes first.
    pub descending: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self { column: Column::Model, descending: false }
    }
}

impl Order {
    /// As it stands in the address: the column's key, after a hyphen when the greatest comes first.
    pub fn key(self) -> String {
        let sign = if self.descending { "-" } else { "" };
        format!("{sign}{}", self.column.key())
    }

    /// The order of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        let column = Column::from_key(key.trim_start_matches('-'))?;
        Some(Self { column, descending: key.starts_with('-') })
    }

    /// The order after a click on a column's header: numbers begin with the greatest, words with the first.
    pub fn after_click(self, column: Column) -> Self {
        let descending = if self.column == column { !self.descending } else { !column.is_words() };
        Self { column, descending }
    }

    /// Sorts rows. What is undefined comes last, whichever end is first; equal rows stand by title and id.
    pub fn sort(self, rows: &mut [&Row]) {
        rows.sort_by_cached_key(|row| (row.title(), row.id.clone()));
        rows.sort_by(|a, b| self.compare(a, b));
    }

    fn compare(self, a: &Row, b: &Row) -> Ordering {
        let Self { column, descending } = self;
        let directed = |order: Ordering| if descending { order.reverse() } else { order };
        if column.is_words() {
            let by_size = a.sizes(column).cmp(&b.sizes(column));
            return directed(by_size.then_with(|| a.word(column).cmp(&b.word(column))));
        }
        match (a.number(column), b.number(column)) {
            (Some(a), Some(b)) => directed(a.total_cmp(&b)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use shared::id::EstimatorId;
    use shared::metric::Metric;

    use super::super::row;
    use super::*;
    use crate::testing;
    use crate::views::figure::Figure;

    fn sorted(key: &str) -> Vec<char> {
        let rows = row::all(&testing::mixed(), &EstimatorId::new("sim").unwrap());
        let mut rows: Vec<&Row> = rows.iter().collect();
        Order::from_key(key).unwrap().sort(&mut rows);
        rows.iter().filter_map(|row| row.id.as_str().chars().next()).collect()
    }

    #[test]
    fn what_is_undefined_comes_last_both_ways() {
        // The second sweep has no scored point; the errors of the third are 100 %.
        assert_eq!(sorted("tpot-mape"), ['a', 'c', 'b']);
        assert_eq!(sorted("-tpot-mape"), ['c', 'a', 'b']);
        assert_eq!(sorted("-model"), ['c', 'b', 'a']);
    }

    #[test]
    fn every_order_has_a_key_and_a_second_click_turns_it_round() {
        for column in Column::ALL {
            for descending in [false, true] {
                let order = Order { column, descending };
                assert_eq!(Order::from_key(&order.key()), Some(order));
                assert_eq!(order.after_click(column).descending, !descending);
            }
        }
        assert_eq!(Order::from_key("-colour"), None);
        let errors = Column::Error(Metric::Ttft, Figure::Signed);
        assert!(Order::default().after_click(errors).descending, "the greatest error is what one looks for");
        assert!(!Order { column: errors, descending: true }.after_click(Column::Engine).descending);
    }
}
