//! Tables as files: the same rows, in the same order and with the same rounding as on the page.

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::views::grid::model::Head;
    use crate::views::overview::model::cell::{Before, Cell, Delta};
    use crate::views::overview::model::shown::Shown;

    fn facts() -> Vec<(String, String)> {
        vec![("Run A".to_owned(), "2026-09-28_sim-1.0_00000000".to_owned())]
    }

    fn sheet(name: &str) -> Sheet {
        Sheet {
            title: "Sweeps".to_owned(),
            columns: vec![
                Column::new("Model", ""),
                Column::new("TPOT MAPE", "%"),
                Column::new("Points", "n"),
            ],
            rows: vec![
                vec![name.to_owned(), "−3.8".to_owned(), "1,573".to_owned()],
                vec!["b".to_owned(), "–".to_owned(), "0".to_owned()],
            ],
        }
    }

    #[test]
    fn every_format_says_the_facts_the_units_and_the_figures() {
        let sheets = [sheet("a, b")];
        assert_eq!(
            Format::Csv.write(&facts(), &sheets),
            "# Run A: 2026-09-28_sim-1.0_00000000\n# Sweeps\nModel,TPOT MAPE (%),Points (n)\n\"a, b\",-3.8,1573\nb,,0\n"
        );
        assert_eq!(
            Format::Markdown.write(&facts(), &sheets),
            "- Run A: 2026-09-28\\_sim-1.0\\_00000000\n\n### Sweeps\n\n| Model | TPOT MAPE (%) | Points (n) |\n\
             | --- | ---: | ---: |\n| a, b | −3.8 | 1,573 |\n| b | – | 0 |\n"
        );
        let json: Value = serde_json::from_str(&Format::Json.write(&facts(), &sheets)).unwrap();
        assert_eq!(json["about"]["Run A"], "2026-09-28_sim-1.0_00000000");
        assert_eq!(json["tables"][0]["columns"][1], json!({ "name": "TPOT MAPE", "unit": "%" }));
        assert_eq!(json["tables"][0]["rows"], json!([["a, b", -3.8, 1573], ["b", null, 0]]));
    }

    #[test]
    fn no_name_is_a_formula_or_markup() {
        for evil in
            ["=HYPERLINK(\"x\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1", "\r\n=1"]
        {
            let file = Format::Csv.write(&[], &[sheet(evil)]);
            let row = file.lines().nth(2).unwrap();
            assert!(row.starts_with("\"'"), "{row}");
            assert_eq!(file.lines().count(), 4, "a name stays in its line: {file}");
        }
        let file = Format::Markdown.write(&[], &[sheet("<script>|`x`\n[a](b)")]);
        assert!(file.contains("| &lt;script>\\|\\`x\\` \\[a\\](b) |"), "{file}");
    }

    #[test]
    fn the_other_run_the_difference_and_notes_get_columns_of_their_own() {
        let item = Item::count(3).with_small(Some("1 not scored".to_owned()));
        let grid = Grid {
            title: "T".to_owned(),
            columns: vec![Head::new("g", "Group", "", ""), Head::new("p", "Points", "n", "")],
            rows: vec![Line { name: "x".to_owned(), cells: vec![item], ..Line::default() }],
            ..Grid::default()
        };
        let sheet = Sheet::of(&grid);
        let names: Vec<&str> = sheet.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["Group", "Points", "Points, note"]);
        assert_eq!(sheet.rows, [["x", "3", "1 not scored"]]);
    }

    #[test]
    fn a_difference_is_a_number_with_its_unit_and_without_its_arrow() {
        let delta = |text: &str| Cell {
            text: "2.0".to_owned(),
            before: Some(Before { text: "1,001.0".to_owned(), grade: None }),
            delta: Some(Delta { text: text.to_owned(), shown: Shown::Worse, interval: String::new() }),
            ..Cell::default()
        };
        let line = |text: &str| Line {
            name: "x".to_owned(),
            cells: vec![Item::from(delta(text)), Item::text(text)],
            ..Line::default()
        };
        let grid = Grid {
            title: "T".to_owned(),
            columns: vec![
                Head::new("g", "Group", "", ""),
                Head::new("m", "MAPE", "%, Δ in points", ""),
                Head::new("d", "Δ", "points of %", ""),
            ],
            rows: ["▲ +1.9", "▼ −1.9", "= 0.0", "–"].map(line).into(),
            ..Grid::default()
        };
        let sheets = [Sheet::of(&grid)];
        assert_eq!(
            Format::Csv.write(&[], &sheets),
            "# T\nGroup,\"MAPE, run A (%)\",MAPE (%),\"MAPE, difference (points of %)\",\"MAPE, judgement\",Δ (points of %)\n\
             x,1001.0,2.0,+1.9,worse,+1.9\nx,1001.0,2.0,-1.9,worse,-1.9\nx,1001.0,2.0,0.0,worse,0.0\nx,1001.0,2.0,,worse,\n"
        );
        let json: Value = serde_json::from_str(&Format::Json.write(&[], &sheets)).unwrap();
        let rows = &json["tables"][0]["rows"];
        assert_eq!(rows[1], json!(["x", 1001, 2, -1.9, "worse", -1.9]));
        assert_eq!(rows[3], json!(["x", 1001, 2, null, "worse", null]));
    }

    proptest! {
        #[test]
        fn whatever_the_text_a_line_of_csv_has_as_many_cells_as_the_head(text in "\\PC{0,30}") {
            let file = Format::Csv.write(&[], &[sheet(&text)]);
            let mut quoted = false;
            let commas = file.lines().nth(2).unwrap().chars().filter(|character| {
                quoted ^= *character == '"';
                *character == ',' && !quoted
            });
            prop_assert_eq!(commas.count(), 2);
        }
    }
}
