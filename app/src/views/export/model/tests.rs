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
        columns: vec![Column::new("Model", ""), Column::new("TPOT MAPE", "%"), Column::new("Points", "n")],
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
