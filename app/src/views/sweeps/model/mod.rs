//! The sweeps of a run with their points, as plain texts.

pub mod column;
pub mod curve;
pub mod facts;
pub mod filter;
pub mod lead;
pub mod order;
pub mod points;
pub mod row;
pub mod window;

use shared::rules::Grading;

use self::column::Column;
use self::row::Row;
use crate::views::grid::model::{Grid, Head, Line};

/// The list as a table to be exported.
pub fn table(rows: &[&Row], grading: &Grading) -> Grid {
    let head = |column: Column| Head::new(column.key(), column.name(), column.unit(), column.meaning());
    let line = |row: &&Row| {
        let cells = Column::ALL.into_iter().map(|column| row.item(column, grading)).collect();
        Line { key: row.id.to_string(), name: row.id.to_string(), link: None, cells }
    };
    let id = Head::new("sweep", "Sweep", "", "The sweep's id");
    Grid {
        key: "sweeps",
        title: shared::format::counted(rows.len() as u64, "sweep"),
        about: String::new(),
        columns: std::iter::once(id).chain(Column::ALL.map(head)).collect(),
        rows: rows.iter().map(line).collect(),
        total: None,
    }
}

/// How the list is narrowed, in words: `text “h200”, Hardware: h200`.
pub fn filters(text: &str, only: &str) -> String {
    let text = text.trim();
    let typed = (!text.is_empty()).then(|| format!("text “{text}”"));
    let chosen = filter::facets(only);
    let chosen = chosen.iter().map(|facet| format!("{}: {}", facet.column.name(), facet.value));
    typed.into_iter().chain(chosen).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use shared::id::EstimatorId;

    use super::*;
    use crate::testing;
    use crate::views::export::model::Sheet;

    #[test]
    fn the_export_has_every_column_with_its_unit_and_the_grade_beside_the_error() {
        let summary = testing::mixed();
        let rows = row::all(&summary, &EstimatorId::new("sim").unwrap());
        let rows: Vec<&Row> = rows.iter().collect();
        let sheet = Sheet::of(&table(&rows, &summary.grading));
        let place = sheet.columns.iter().position(|column| column.name == "TPOT MAPE").unwrap();
        assert_eq!(sheet.rows[0][place..place + 2], ["21.7", "C"]);
        assert_eq!(sheet.rows[1][place..place + 2], ["–", ""]);
        assert_eq!(sheet.rows[0][0], "aaaaaaaaaaaaaaaa");
    }

    #[test]
    fn the_filters_are_said_in_words() {
        assert_eq!(filters(" ", ""), "");
        assert_eq!(filters("kimi tp8", "hardware:h200"), "text “kimi tp8”, Hardware: h200");
    }
}
