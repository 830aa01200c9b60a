//! Rows, one after the other.

use std::io::BufRead;

use memchr::memchr2;

use super::error::{CopyError, RowFault};
use super::escape::Unescaper;
use super::plan::{Plan, Step};
use crate::measurements::MOST_ROWS;

/// The longest field that is kept, in bytes: the metrics of a row have some 1,500.
const LONGEST_FIELD: usize = 4 << 20;
/// PostgreSQL makes no row of more than 1 GiB.
const LONGEST_ROW: u64 = 1 << 30;
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

    /// The value of a column, empty where it is only noted; none for NULL, for a column that the table has not or that nobody wanted.
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
        if reader.row >= MOST_ROWS as u64 {
            return Err(CopyError::TooManyRows(MOST_ROWS as u64).into());
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
                Step::Note(place) => self.note(place)?,
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

    fn note(&mut self, place: usize) -> Result<(Written, End), CopyError> {
        let (written, end) = self.field(|_| Ok(()))?;
        let field = &mut self.fields.fields[place];
        field.bytes.clear();
        field.is_there = !written.is_null();
        Ok((written, end))
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
mod tests;
