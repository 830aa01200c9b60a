//! What is fuzzed: each function takes any bytes, must not panic, and asserts what must hold for all of them.
//!
//!     cargo +nightly fuzz run archive        # or copy_text, python_literal, log_lines
//!
//! `scorer/tests/databases/corpora.rs` runs the same functions over the committed corpora and their
//! neighbours, with the compiler of the project.

use std::io::{BufReader, Read as _};

use scorer::measurements::dump::archive::Archive;
use scorer::measurements::dump::copy_text::{Columns, Plan, Row, RowSink, RowsError, read_rows};
use scorer::measurements::engine_log::{Literal, LogScanner};

/// The most text that is taken of one table: a few compressed bytes can stand for a great deal.
const MOST_TEXT: u64 = 1 << 20;

/// An archive of pg_dump: which tables are read whole, and with which text, does not depend on how the bytes come.
pub fn archive(bytes: &[u8]) {
    assert_eq!(tables(bytes, 7), tables(bytes, 1 << 16));
}

fn tables(bytes: &[u8], piece: usize) -> Option<Vec<(String, Vec<u8>)>> {
    let mut archive = Archive::open(BufReader::with_capacity(piece, bytes), |_, _| true).ok()?;
    let mut tables = Vec::new();
    while let Ok(Some(mut data)) = archive.next_table() {
        let mut text = Vec::new();
        let read = (&mut data).take(MOST_TEXT).read_to_end(&mut text);
        let name = data.table().name.clone();
        // Of damaged data a decoder may have given more or less, and say so while it reads or only at the end.
        if read.is_err() || data.finish().is_err() {
            break;
        }
        tables.push((name, text));
    }
    Some(tables)
}

const COLUMNS: Columns = Columns { needed: &["a"], optional: &["b"], noted: None, streamed: Some("c") };

/// COPY text: what is read does not depend on how the bytes come.
pub fn copy_text(bytes: &[u8]) {
    assert_eq!(rows(bytes, 3), rows(bytes, 1 << 16));
}

#[derive(Debug, Default, PartialEq)]
struct Seen {
    rows: Vec<(Option<String>, Option<String>, Vec<u8>)>,
    stream: Vec<u8>,
}

impl RowSink for Seen {
    type Error = std::convert::Infallible;

    fn wants_stream(&mut self, before: &Row) -> bool {
        before.get("a").is_none_or(|text| text.len() < 3)
    }

    fn stream(&mut self, bytes: &[u8]) {
        self.stream.extend_from_slice(bytes);
    }

    fn row(&mut self, row: &Row) -> Result<(), Self::Error> {
        let text = |column| row.get(column).map(str::to_owned);
        self.rows.push((text("a"), text("b"), std::mem::take(&mut self.stream)));
        Ok(())
    }
}

fn rows(bytes: &[u8], piece: usize) -> Option<(Seen, Option<String>)> {
    let names = ["x", "a", "c", "b"].map(str::to_owned);
    let plan = Plan::new(&names, COLUMNS).ok()?;
    let mut seen = Seen::default();
    let told = match read_rows(BufReader::with_capacity(piece, bytes), &plan, &mut seen) {
        Ok(_) => None,
        Err(RowsError::Copy(error)) => Some(error.to_string()),
        Err(RowsError::Sink(never)) => match never {},
    };
    seen.stream.clear();
    Some((seen, told))
}

/// A Python literal, and a line of them.
pub fn python_literal(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok((_, rest)) = Literal::read(text) {
        assert!(text.ends_with(rest));
    }
    let _ = Literal::read_assignments(text);
}

/// A server log: what it says does not depend on how its bytes come.
pub fn log_lines(bytes: &[u8]) {
    let facts = |piece: usize| {
        let mut scanner = LogScanner::default();
        bytes.chunks(piece).for_each(|piece| scanner.push(piece));
        scanner.finish()
    };
    assert_eq!(facts(5), facts(1 << 16));
}
