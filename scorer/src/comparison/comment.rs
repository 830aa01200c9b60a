//! A comparison as a comment on a pull request: the decision first, everything else folded, and never longer than GitHub takes.

use std::fmt::Write as _;

use shared::format::counted;

use crate::report::document::{Document, Section};
use crate::report::{cells, markdown};

/// By this line a script finds the comment again, to replace it.
pub const MARK: &str = "<!-- scorer compare -->";

/// The longest comment in bytes: GitHub takes 65,536 characters.
const LONGEST: usize = 60_000;

/// How many items and rows of a section are shown.
const SHOWN: usize = 40;

/// The comment; the first section of the document is what stands open.
#[must_use]
pub fn comment(document: &Document) -> String {
    let Document { title, facts, sections } = document;
    let mut text = format!("{MARK}\n### {}\n\n", cells::markdown(title));
    for (name, value) in facts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- **{}**: {}", cells::markdown(name), cells::markdown(value));
    }
    let mut left_out = 0;
    for (index, section) in sections.iter().enumerate() {
        let shown = shortened(section);
        let drawn = if index == 0 { opened(&shown) } else { folded(&shown) };
        if text.len() + drawn.len() > LONGEST {
            left_out += 1;
        } else {
            text.push_str(&drawn);
        }
    }
    if left_out > 0 {
        let parts = counted(left_out, "more part");
        let _ = writeln!(text, "\nToo long for a comment: {parts}, which `--format markdown` has.");
    }
    text
}

fn opened(section: &Section) -> String {
    format!("\n#### {}\n\n{}", cells::markdown(section.title()), markdown::body(section))
}

fn folded(section: &Section) -> String {
    let title = cells::markdown(section.title());
    format!("\n<details><summary>{title}</summary>\n\n{}\n</details>\n", markdown::body(section))
}

/// The section with its first items or rows, and how many more there are.
fn shortened(section: &Section) -> Section {
    let more = |all: usize| format!("and {} more", all.saturating_sub(SHOWN));
    let mut section = section.clone();
    match &mut section {
        Section::List { items, .. } if items.len() > SHOWN => {
            let last = more(items.len());
            items.truncate(SHOWN);
            items.push(last);
        }
        Section::Table(table) if table.rows.len() > SHOWN => {
            let mut last = vec![String::new(); table.columns.len()];
            if let Some(first) = last.first_mut() {
                *first = more(table.rows.len());
            }
            table.rows.truncate(SHOWN);
            table.rows.push(last);
        }
        Section::List { .. } | Section::Table(_) => {}
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::document::{Column, Table};

    fn list(title: &str, items: usize, length: usize) -> Section {
        Section::List { title: title.to_owned(), items: vec!["x".repeat(length); items] }
    }

    fn of(sections: Vec<Section>) -> String {
        comment(&Document { title: "What changed".to_owned(), facts: Vec::new(), sections })
    }

    #[test]
    fn the_decision_is_open_and_the_rest_is_folded() {
        let text = of(vec![list("Gate: <pass>", 1, 3), list("Better", 1, 3)]);
        assert!(text.starts_with("<!-- scorer compare -->\n### What changed\n"), "{text}");
        assert!(text.contains("\n#### Gate: &lt;pass&gt;\n\n- xxx\n"), "{text}");
        assert!(text.contains("\n<details><summary>Better</summary>\n\n- xxx\n\n</details>\n"), "{text}");
    }

    #[test]
    fn a_comment_is_never_too_long_and_says_what_is_left_out() {
        let text = of(vec![
            list("Gate", 2, 3),
            list("Long", 1_000, 10),
            list("Longer", 40, 2_000),
            list("Short", 1, 3),
        ]);
        assert!(text.contains("- and 960 more\n") && text.contains("Short"), "{text}");
        assert!(text.len() <= LONGEST + 200 && !text.contains("Longer"), "{}", text.len());
        assert!(text.contains("Too long for a comment: 1 more part,"), "{text}");
    }

    #[test]
    fn a_long_table_ends_with_how_many_rows_are_left_out() {
        let table = Table {
            title: "Rows".to_owned(),
            columns: vec![Column { name: "a", is_number: false }, Column { name: "b", is_number: true }],
            rows: vec![vec!["1".to_owned(), "2".to_owned()]; 50],
            is_grouped: false,
        };
        let text = of(vec![Section::Table(table)]);
        assert!(text.contains("| and 10 more |  |\n"), "{text}");
    }
}
