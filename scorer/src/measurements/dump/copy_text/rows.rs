//! Rows, one after the other.

use std::io::BufRead;

use memchr::memchr2;

use super::error::{CopyError, RowFault};
use super::escape::Unescaper;
use super::plan::{Plan, Step};

/// The longest field that is kept, in bytes: the metrics of a row have some 1,500.
const LONGEST_FIELD: usize = 4 << 20;
/// PostgreSQL makes no row of more than 1 GiB.
const LONGEST_ROW: u64 = 1 << 30;
/// Ten times the rows of the largest table that is read.
const MOST_ROWS: u64 = 1_000_000;
/// Streamed text is handed on in pieces of about this size, in bytes.
const PIECE: usize = 1 << 16;

/// Takes the rows of a table.
pub trait RowSink {
    /// Why it may refuse a row.
    type Error;

    /// Whether the streamed column of this row is wanted; fields that come after it are not there yet.
    fn wants_stream(&mut self, before: &Row) -> bool;

    /// The next bytes of the streamed column, when it is wanted.
    fn stream(&mut self, bytes: &[u8]);

    /// The end of a row.
    ///
    /// # Errors
    /// When a field is not what it must be.
    fn row(&mut self, row: &Row) -> Result<(), Self::Error>;
}

/// Rows cannot be read on.
#[derive(Debug)]
pub enum RowsError<E> {
    /// They are not COPY text, or cut.
    Copy(CopyError),
    /// The sink refuses one.
    Sink(E),
}

impl<E> From<CopyError> for RowsError<E> {
    fn from(error: CopyError) -> Self {
        Self::Copy(error)
    }
}

/// The fields of a row that are kept.
#[derive(Debug)]
pub struct Row {
    fields: Vec<Field>,
}

#[derive(Debug)]
struct Field {
    name: &'static str,
    bytes: Vec<u8>,
    is_there: bool,
}

impl Row {
    fn of(plan: &Plan) -> Self {
        let field = |name: &&'static str| Field { name, bytes: Vec::new(), is_there: false };
        Self { fields: plan.places.iter().map(field).collect() }
    }

    /// The value of a column; none for NULL, for a column that the table has not or that nobody wanted.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.is_there && field.name == column)?;
        // Checked when it was read.
        std::str::from_utf8(&field.bytes).ok()
    }
}

/// Reads all rows of a table; how many there were.
///
/// # Errors
/// When the data are damaged, cut, or refused by the sink.
pub fn read_rows<R: BufRead, S: RowSink>(
    input: R,
    plan: &Plan,
    sink: &mut S,
) -> Result<u64, RowsError<S::Error>> {
    let mut reader = Reader { input, plan, row: 1, row_bytes: 0, fields: Row::of(plan), piece: Vec::new() };
    while reader.read_row(sink)? {
        sink.row(&reader.fields).map_err(RowsError::Sink)?;
        if reader.row >= MOST_ROWS {
            return Err(CopyError::TooManyRows(MOST_ROWS).into());
        }
        reader.row += 1;
    }
    let rows = reader.row - 1;
    reader.read_end(rows)?;
    Ok(rows)
}

struct Reader<'a, R> {
    input: R,
    plan: &'a Plan,
    row: u64,
    row_bytes: u64,
    fields: Row,
    piece: Vec<u8>,
}

/// What ended a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Field,
    Row,
}

/// How a field was written: its length and its first two bytes.
#[derive(Clone, Copy, Default)]
struct Written {
    length: u64,
    first: [u8; 2],
}

impl Written {
    fn add(&mut self, raw: &[u8]) {
        if self.length < 2 {
            let free = self.first.iter_mut().skip(usize::from(self.length == 1));
            free.zip(raw).for_each(|(place, byte)| *place = *byte);
        }
        self.length += raw.len() as u64;
    }

    fn is(&self, marker: [u8; 2]) -> bool {
        self.length == 2 && self.first == marker
    }

    fn is_null(&self) -> bool {
        self.is(*b"\\N")
    }
}

impl<R: BufRead> Reader<'_, R> {
    /// Reads a row. False when there is none but the line that ends the data.
    fn read_row<S: RowSink>(&mut self, sink: &mut S) -> Result<bool, CopyError> {
        let plan = self.plan;
        self.row_bytes = 0;
        self.fields.fields.iter_mut().for_each(|field| field.is_there = false);
        let expected = plan.steps.len();
        for (index, step) in plan.steps.iter().enumerate() {
            let (written, end) = match *step {
                Step::Skip => self.field(|_| Ok(()))?,
                Step::Keep(place) => self.keep(index, place)?,
                Step::Stream => self.stream(index, sink)?,
            };
            let is_last = index + 1 == expected;
            match end {
                End::Row if index == 0 && written.is(*b"\\.") => return Ok(false),
                End::Row if !is_last => {
                    return Err(self.fault(RowFault::TooFewFields { found: index + 1, expected }));
                }
                End::Field if is_last => return Err(self.fault(RowFault::TooManyFields(expected))),
                End::Row | End::Field => {}
            }
        }
        Ok(true)
    }

    /// Passes a field to `take` as it was written, piece by piece.
    fn field(
        &mut self,
        mut take: impl FnMut(&[u8]) -> Result<(), RowFault>,
    ) -> Result<(Written, End), CopyError> {
        let row = self.row;
        let fault = |fault| CopyError::Row { row, fault };
        let mut written = Written::default();
        loop {
            let available = self.input.fill_buf().map_err(CopyError::Read)?;
            if available.is_empty() {
                return Err(CopyError::Cut { row });
            }
            let found = memchr2(b'\t', b'\n', available);
            let raw = &available[..found.unwrap_or(available.len())];
            let end = found.map(|at| if available[at] == b'\t' { End::Field } else { End::Row });
            written.add(raw);
            take(raw).map_err(fault)?;
            let consumed = raw.len() + usize::from(end.is_some());
            self.input.consume(consumed);
            self.row_bytes += consumed as u64;
            if self.row_bytes > LONGEST_ROW {
                return Err(fault(RowFault::Endless));
            }
            if let Some(end) = end {
                return Ok((written, end));
            }
        }
    }

    fn keep(&mut self, index: usize, place: usize) -> Result<(Written, End), CopyError> {
        let plan = self.plan;
        let mut bytes = std::mem::take(&mut self.fields.fields[place].bytes);
        bytes.clear();
        let mut unescaper = Unescaper::default();
        let name = || plan.names[index].clone();
        let (written, end) = self.field(|raw| {
            if bytes.len() + raw.len() > LONGEST_FIELD {
                return Err(RowFault::TooLong { column: name(), limit: LONGEST_FIELD });
            }
            unescaper.push(raw, &mut bytes);
            Ok(())
        })?;
        unescaper.finish(&mut bytes).map_err(|_| self.fault(RowFault::Escape(name())))?;
        if std::str::from_utf8(&bytes).is_err() {
            return Err(self.fault(RowFault::NotUtf8(name())));
        }
        let field = &mut self.fields.fields[place];
        (field.bytes, field.is_there) = (bytes, !written.is_null());
        Ok((written, end))
    }

    fn stream<S: RowSink>(&mut self, index: usize, sink: &mut S) -> Result<(Written, End), CopyError> {
        if !sink.wants_stream(&self.fields) {
            return self.field(|_| Ok(()));
        }
        let mut piece = std::mem::take(&mut self.piece);
        piece.clear();
        let mut unescaper = Unescaper::default();
        let (written, end) = self.field(|raw| {
            // A NULL is shorter, so that none is taken for a text.
            for raw in raw.chunks(PIECE) {
                if piece.len() >= PIECE {
                    sink.stream(&piece);
                    piece.clear();
                }
                unescaper.push(raw, &mut piece);
            }
            Ok(())
        })?;
        let name = || self.plan.names[index].clone();
        unescaper.finish(&mut piece).map_err(|_| self.fault(RowFault::Escape(name())))?;
        if !written.is_null() {
            sink.stream(&piece);
        }
        self.piece = piece;
        Ok((written, end))
    }

    /// After the line that ends the data there are only empty ones.
    fn read_end(&mut self, rows: u64) -> Result<(), CopyError> {
        loop {
            let available = self.input.fill_buf().map_err(CopyError::Read)?;
            if available.iter().any(|byte| *byte != b'\n') {
                return Err(CopyError::AfterEnd { rows });
            }
            let count = available.len();
            if count == 0 {
                return Ok(());
            }
            self.input.consume(count);
        }
    }

    fn fault(&self, fault: RowFault) -> CopyError {
        CopyError::Row { row: self.row, fault }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::super::plan::Columns;
    use super::*;

    const COLUMNS: Columns = Columns { needed: &["id"], optional: &["image"], streamed: Some("log") };

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
}
