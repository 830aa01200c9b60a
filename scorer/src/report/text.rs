//! The report as text for a terminal of 80 columns.

use std::fmt::Write as _;

use clap::builder::styling::Style;
use comfy_table::{CellAlignment, LineStyle, Table as Drawing, TableStyle};
use shared::report::Report;

use super::document::{Document, Section, Table};
use crate::console::printable;

const HEADING: Style = Style::new().bold();
const GROUP: Style = Style::new().underline();
/// One line under the names of the columns, nothing else.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
/// The width of an ordinary terminal, in characters.
const WIDTH: usize = 80;
/// Lines above the first row: the names of the columns and the line under them.
const HEADER_LINES: usize = 2;

/// The report, ending with a line feed; with headings set off when the terminal can.
#[must_use]
pub fn render(report: &Report, with_style: bool) -> String {
    document(&Document::of(report), with_style)
}

/// A document, ending with a line feed; with headings set off when the terminal can.
#[must_use]
pub fn document(document: &Document, with_style: bool) -> String {
    let Document { title, facts, sections } = document;
    let mut text = String::new();
    heading(&mut text, title, HEADING, with_style);
    let width = facts.iter().map(|(name, _)| printable(name).chars().count()).max().unwrap_or(0) + 2;
    for (name, value) in facts {
        let name = printable(name);
        wrapped(&mut text, &format!("{name:width$}"), &printable(value));
    }
    for section in sections {
        text.push('\n');
        match section {
            Section::Table(table) => {
                heading(&mut text, &table.title, HEADING, with_style);
                draw(table, with_style, &mut text);
            }
            Section::List { title, items } => {
                heading(&mut text, title, HEADING, with_style);
                for item in items {
                    wrapped(&mut text, "  ", &printable(item));
                }
            }
        }
    }
    text
}

fn heading(text: &mut String, title: &str, style: Style, with_style: bool) {
    let title = printable(title);
    // Writing to a string cannot fail.
    let _ = if with_style { writeln!(text, "{style}{title}{style:#}") } else { writeln!(text, "{title}") };
}

/// A text behind a lead, in as many lines as its words need; the later ones are indented.
fn wrapped(text: &mut String, lead: &str, value: &str) {
    let indent = lead.chars().count();
    let mut column = indent;
    text.push_str(lead);
    for (index, word) in value.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > WIDTH {
            let _ = write!(text, "\n{:indent$}", "");
            column = indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}

/// Draws a table; the first column of a grouped one becomes headings between its rows.
fn draw(table: &Table, with_style: bool, text: &mut String) {
    let skipped = usize::from(table.is_grouped);
    let mut drawing = Drawing::new();
    drawing.load_style(STYLE);
    drawing.set_header(table.columns.iter().skip(skipped).map(|column| column.name));
    for row in &table.rows {
        drawing.add_row(row.iter().skip(skipped).map(|cell| printable(cell)));
    }
    for (index, column) in table.columns.iter().skip(skipped).enumerate() {
        if let Some(drawn) = drawing.column_mut(index) {
            // Between two columns stands one space; another one where the second begins at the left
            // or the first ends at the right.
            let next = table.columns.get(skipped + index + 1);
            let gap = next.map_or(0, |next| u16::from(column.is_number || !next.is_number));
            drawn.set_padding((0, gap));
            if column.is_number {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    let mut group: Option<&String> = None;
    for (index, line) in drawing.lines().enumerate() {
        let row = index.checked_sub(HEADER_LINES).and_then(|index| table.rows.get(index));
        let of_row = row.filter(|_| table.is_grouped).and_then(|row| row.first());
        if let Some(name) = of_row
            && group != Some(name)
        {
            heading(text, name, GROUP, with_style);
            group = Some(name);
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}
