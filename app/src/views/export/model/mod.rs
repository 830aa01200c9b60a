//! Tables as files: the same rows, in the same order and with the same rounding as on the page.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde_json::{Value, json};
use shared::format;

use crate::views::grid::model::{Grid, Item, Line};

/// A table to be exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The heading.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a text for every column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table to be exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The unit; empty: it has none, and holds words.
    pub unit: String,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }

    /// The name with the unit: `TPOT MAPE (%)`.
    fn header(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.unit) }
    }
}

impl Sheet {
    /// A table of the page. What stands in a cell beside its value, such as the value of the other run, gets a column
    /// of its own.
    pub fn of(grid: &Grid) -> Self {
        let lines = || grid.rows.iter().chain(&grid.total);
        let mut columns = Vec::new();
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (place, head) in grid.columns.iter().enumerate().skip(1) {
            let has = |part: Part| {
                let any = |line: &Line| line.cells.get(place - 1).is_some_and(|item| part.of(item).is_some());
                part == Part::Value || lines().any(any)
            };
            // After the unit itself the page says what two runs have in one cell: here each has its own.
            let unit = head.unit.split(',').next().filter(|_| has(Part::Before)).unwrap_or(&head.unit);
            for part in Part::ALL.into_iter().filter(|part| has(*part)) {
                columns.push(Column::new(format!("{}{}", head.name, part.suffix()), part.unit(unit)));
                parts.push((place - 1, part));
            }
        }
        let first = grid.columns.first().map(|head| Column::new(head.name.as_str(), head.unit.as_str()));
        let row = |line: &Line| {
            let text = |(place, part): &(usize, Part)| {
                line.cells.get(*place).and_then(|item| part.of(item)).unwrap_or_default().to_owned()
            };
            std::iter::once(line.name.clone()).chain(parts.iter().map(text)).collect()
        };
        Self {
            title: grid.title.clone(),
            columns: first.into_iter().chain(columns).collect(),
            rows: lines().map(row).collect(),
        }
    }
}

/// What a cell says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Before,
    Value,
    Delta,
    Word,
    Note,
}

impl Part {
    const ALL: [Self; 5] = [Self::Before, Self::Value, Self::Delta, Self::Word, Self::Note];

    fn of(self, item: &Item) -> Option<&str> {
        let cell = &item.cell;
        match self {
            Self::Before => cell.before.as_ref().map(|before| before.text.as_str()),
            Self::Value => Some(&cell.text),
            Self::Delta => cell.delta.as_ref().map(|delta| delta.text.as_str()),
            Self::Word => cell.delta.as_ref().map(|delta| delta.shown.word()),
            Self::Note => cell.small.as_deref(),
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Before => ", run A",
            Self::Value => "",
            Self::Delta => ", difference",
            Self::Word => ", judgement",
            Self::Note => ", note",
        }
    }

    /// Its unit in a column of this unit; empty: it is words.
    fn unit(self, of_column: &str) -> &str {
        match self {
            Self::Before | Self::Value => of_column,
            Self::Delta => "points of %",
            Self::Word | Self::Note => "",
        }
    }
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, for spreadsheets.
    Csv,
    /// Markdown, for a pull request or a page.
    Markdown,
    /// JSON, for programs.
    Json,
}

impl Format {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Markdown, Self::Json];

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
            Self::Json => "JSON",
        }
    }

    /// The end of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Markdown => "md",
            Self::Json => "json",
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Markdown => "text/markdown",
            Self::Json => "application/json",
        }
    }

    /// Tables as a file of this kind; `facts` are what they are about, by name.
    pub fn write(self, facts: &[(String, String)], sheets: &[Sheet]) -> String {
        match self {
            Self::Csv => csv(facts, sheets),
            Self::Markdown => markdown(facts, sheets),
            Self::Json => json(facts, sheets),
        }
    }
}

/// A text without characters that would break its line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A figure as other programs read it: the hyphen for minus, no separated thousands, no arrow before a difference, empty
/// where it is undefined.
fn plain(text: &str) -> String {
    let arrows = ["▲ ", "▼ ", "= "];
    let figure = arrows.into_iter().find_map(|arrow| text.strip_prefix(arrow)).unwrap_or(text);
    if figure == format::NONE { String::new() } else { figure.replace('−', "-").replace(',', "") }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.e".contains(&byte)) && text.parse::<f64>().is_ok()
}

/// A cell that no spreadsheet takes for a formula: what is no number and begins like one follows an apostrophe.
fn csv_cell(text: &str) -> String {
    let text = one_line(text);
    let begins = text.trim_start().chars().next();
    let is_formula = begins.is_some_and(|first| "=+-@＝＋－＠|%".contains(first)) && !is_number(&text);
    let guard = if is_formula { "'" } else { "" };
    if is_formula || text.contains(['"', ',', ';', '\'']) || text.trim() != text {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn csv(facts: &[(String, String)], sheets: &[Sheet]) -> String {
    let mut file = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = String>| {
        file.push_str(&cells.map(|cell| csv_cell(&cell)).collect::<Vec<_>>().join(","));
        file.push('\n');
    };
    for (name, value) in facts {
        line(&mut std::iter::once(format!("# {name}: {value}")));
    }
    for sheet in sheets {
        line(&mut std::iter::once(format!("# {}", sheet.title)));
        line(&mut sheet.columns.iter().map(Column::header));
        for row in &sheet.rows {
            line(&mut cells(sheet, row));
        }
    }
    file
}

fn cells<'s>(sheet: &'s Sheet, row: &'s [String]) -> impl Iterator<Item = String> + 's {
    let columns = sheet.columns.iter().zip(row);
    columns.map(|(column, text)| if column.unit.is_empty() { text.clone() } else { plain(text) })
}

/// A text in which nothing is markup.
fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '@' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn markdown(facts: &[(String, String)], sheets: &[Sheet]) -> String {
    let mut file = String::new();
    for (name, value) in facts {
        // Writing to a string cannot fail.
        let _infallible = writeln!(file, "- {}: {}", markdown_text(name), markdown_text(value));
    }
    for sheet in sheets {
        let _infallible = writeln!(file, "\n### {}\n", markdown_text(&sheet.title));
        let mut line = |cells: Vec<String>| {
            let _infallible = writeln!(file, "| {} |", cells.join(" | "));
        };
        line(sheet.columns.iter().map(|column| markdown_text(&column.header())).collect());
        let rule = |column: &Column| if column.unit.is_empty() { "---" } else { "---:" }.to_owned();
        line(sheet.columns.iter().map(rule).collect());
        for row in &sheet.rows {
            line(row.iter().map(|text| markdown_text(text)).collect());
        }
    }
    file
}

fn json(facts: &[(String, String)], sheets: &[Sheet]) -> String {
    let value = |(column, text): (&Column, &String)| {
        if column.unit.is_empty() {
            return Value::from(text.as_str());
        }
        let text = plain(text);
        match text.parse::<f64>() {
            _ if text.is_empty() => Value::Null,
            Ok(number) if is_number(&text) => whole(number),
            _ => Value::from(text),
        }
    };
    let table = |sheet: &Sheet| {
        let columns = sheet.columns.iter().map(|column| json!({ "name": column.name, "unit": column.unit }));
        let row = |row: &Vec<String>| sheet.columns.iter().zip(row).map(value).collect::<Value>();
        json!({
            "title": sheet.title,
            "columns": columns.collect::<Value>(),
            "rows": sheet.rows.iter().map(row).collect::<Value>(),
        })
    };
    let facts: serde_json::Map<String, Value> =
        facts.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    let file = json!({ "about": facts, "tables": sheets.iter().map(table).collect::<Value>() });
    format!("{file:#}\n")
}

/// A number that is whole without a fraction.
#[expect(clippy::cast_possible_truncation, reason = "a whole number of this size is exact")]
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}
