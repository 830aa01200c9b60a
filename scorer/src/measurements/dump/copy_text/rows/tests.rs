use std::io::BufReader;

use proptest::prelude::*;

use super::super::plan::Columns;
use super::*;

const COLUMNS: Columns =
    Columns { needed: &["id"], optional: &["image"], streamed: Some("log"), ..Columns::NONE };

/// Remembers rows: their id, their image, and their log if it was wanted.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    rows: Vec<(Option<String>, Option<String>, Vec<u8>)>,
    log: Vec<u8>,
}

impl RowSink for Seen {
    type Error = String;

    fn wants_stream(&mut self, before: &Row) -> bool {
        before.get("id") != Some("2")
    }

    fn stream(&mut self, bytes: &[u8]) {
        self.log.extend_from_slice(bytes);
    }

    fn row(&mut self, row: &Row) -> Result<(), String> {
        let text = |column| row.get(column).map(str::to_owned);
        if text("id").as_deref() == Some("bad") {
            return Err("refused".to_owned());
        }
        self.rows.push((text("id"), text("image"), std::mem::take(&mut self.log)));
        Ok(())
    }
}

fn read(names: &[&str], data: &[u8], piece: usize) -> Result<Seen, String> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let plan = Plan::new(&names, COLUMNS)?;
    let mut seen = Seen::default();
    match read_rows(BufReader::with_capacity(piece, data), &plan, &mut seen) {
        Ok(rows) => {
            assert_eq!(rows, seen.rows.len() as u64);
            Ok(seen)
        }
        Err(RowsError::Copy(error)) => Err(error.to_string()),
        Err(RowsError::Sink(error)) => Err(error),
    }
}

fn row(id: &str, image: Option<&str>, log: &str) -> (Option<String>, Option<String>, Vec<u8>) {
    (Some(id.to_owned()), image.map(str::to_owned), log.as_bytes().to_vec())
}

#[test]
fn fields_are_kept_streamed_or_passed_over_wherever_pieces_end() {
    let data = b"1\tx\tv\\\\1\ta\\nb\\\\.\n2\t\\N\t\\N\tnobody wants it\n3\t\t\t\\N\n\\.\n\n\n";
    for piece in 1..80 {
        let seen = read(&["id", "other", "image", "log"], data, piece).unwrap();
        let expected = [row("1", Some("v\\1"), "a\nb\\."), row("2", None, ""), row("3", Some(""), "")];
        assert_eq!(seen.rows, expected, "{piece}");
    }
}

#[test]
fn a_log_before_its_id_is_streamed_since_nobody_knows_yet() {
    let seen = read(&["log", "id"], b"text\t2\n\\.\n", 3).unwrap();
    assert_eq!(seen.rows, [row("2", None, "text")]);
}

#[test]
fn a_row_that_is_wrong_is_told_with_its_number() {
    let told = |data: &[u8]| read(&["id", "image", "log"], data, 7).unwrap_err();
    assert_eq!(told(b"1\ta\tb\n2\ta\n\\.\n"), "row 2: it has 2 fields, but 3 columns are named");
    assert_eq!(told(b"1\ta\tb\tc\n"), "row 1: it has more fields than the 3 columns that are named");
    assert_eq!(told(b"1\ta\\\tb\n"), "row 1: column `image` ends in the middle of an escape");
    assert_eq!(told(b"1\ta\tb\\\n"), "row 1: column `log` ends in the middle of an escape");
    assert_eq!(told(b"1\t\xff\tb\n"), "row 1: column `image` is not UTF-8 text");
    assert_eq!(told(b"1\ta\tb\n2\ta\tb"), "row 2 is not complete: the data end within it");
    assert_eq!(told(b"1\ta\tb\n"), "row 2 is not complete: the data end within it");
    assert_eq!(told(b"1\ta\tb\n\\.\n\nx"), "data follow the line that ends them, after 1 rows");
    assert_eq!(told(b"bad\ta\tb\n\\.\n"), "refused");
}

/// Gives the same bytes for ever.
struct Endless(&'static [u8]);

impl std::io::Read for Endless {
    fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
        target.fill(self.0[0]);
        Ok(target.len())
    }
}

#[test]
fn of_a_noted_field_only_its_presence_is_kept() {
    let columns = Columns { needed: &["id"], noted: Some("image"), streamed: Some("log"), ..Columns::NONE };
    let names = ["id", "image", "log"].map(str::to_owned);
    let plan = Plan::new(&names, columns).unwrap();
    let long = "x\\t\u{1}".repeat(2 << 20);
    let data = format!("1\t{long}\t\n2\t\\N\t\n3\t\t\n\\.\n");
    let mut seen = Seen::default();
    assert_eq!(read_rows(data.as_bytes(), &plan, &mut seen).unwrap(), 3);
    assert_eq!(seen.rows, [row("1", Some(""), ""), row("2", None, ""), row("3", Some(""), "")]);
}

#[test]
fn a_field_that_never_ends_is_given_up() {
    let read = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let plan = Plan::new(&names, COLUMNS).unwrap();
        let mut nobody = Nobody(0);
        let input = BufReader::with_capacity(1 << 18, Endless(b"x"));
        let told = match read_rows(input, &plan, &mut nobody) {
            Err(RowsError::Copy(error)) => error.to_string(),
            other => panic!("{other:?}"),
        };
        (told, nobody.0)
    };
    assert!(read(&["id", "log"]).0.contains("column `id` has more than"));
    let (told, largest) = read(&["log", "id"]);
    assert!(told.contains("longer than 1 GiB"), "{told}");
    assert!(largest <= 2 * PIECE, "{largest}");
}

/// Wants everything and remembers only the largest piece.
struct Nobody(usize);

impl RowSink for Nobody {
    type Error = String;

    fn wants_stream(&mut self, _: &Row) -> bool {
        true
    }

    fn stream(&mut self, bytes: &[u8]) {
        self.0 = self.0.max(bytes.len());
    }

    fn row(&mut self, _: &Row) -> Result<(), String> {
        Ok(())
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_or_depend_on_where_pieces_end(
        data in prop::collection::vec(prop_oneof![Just(b'\t'), Just(b'\n'), Just(b'\\'), Just(b'.'), Just(b'N'), any::<u8>()], 0..60),
        piece in 1..20_usize,
    ) {
        let names = ["id", "image", "log"];
        prop_assert_eq!(read(&names, &data, piece), read(&names, &data, 1 << 10));
    }
}
