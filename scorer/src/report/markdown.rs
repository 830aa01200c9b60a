//! The report as GitHub Markdown.

use std::fmt::Write as _;

use shared::report::Report;

use super::cells;
use super::document::{Document, Section, Table};

/// The report, ending with a line feed.
#[must_use]
pub fn render(report: &Report) -> String {
    document(&Document::of(report))
}

/// A document, ending with a line feed.
#[must_use]
pub fn document(document: &Document) -> String {
    let Document { title, facts, sections } = document;
    let mut text = format!("# {}\n\n", cells::markdown(title));
    for (name, value) in facts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- **{}**: {}", cells::markdown(name), cells::markdown(value));
    }
    for section in sections {
        let _ = write!(text, "\n## {}\n\n{}", cells::markdown(section.title()), body(section));
    }
    text
}

/// What stands below the title of a section.
#[must_use]
pub fn body(section: &Section) -> String {
    let mut text = String::new();
    match section {
        Section::Table(table) => draw(table, &mut text),
        Section::List { items, .. } => {
            for item in items {
                let _ = writeln!(text, "- {}", cells::markdown(item));
            }
        }
    }
    text
}

fn draw(table: &Table, text: &mut String) {
    let mut line = |cells: &[String]| {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    };
    let escaped = |cell: &String| cells::markdown(cell);
    let names: Vec<String> = table.columns.iter().map(|column| column.name.to_owned()).collect();
    let rules: Vec<String> =
        table.columns.iter().map(|column| if column.is_number { "---:" } else { "---" }.to_owned()).collect();
    line(&names);
    line(&rules);
    for row in &table.rows {
        line(&row.iter().map(escaped).collect::<Vec<_>>());
    }
}
