//! The data of one table: chunks, each with its length, up to one of length 0.

use std::io::{self, BufRead, Read};

use super::error::{ArchiveError, Fault};
use super::input::{Input, Widths, clip};
use crate::measurements::buffered;

/// pg_dump writes a row or a buffer as one chunk, and PostgreSQL makes no row of more than 1 GiB.
const LONGEST_CHUNK: i64 = 1 << 30;

/// What is read, for messages.
const READING: &str = "the data of a table";

/// The length of the next chunk; none after the last.
pub(super) fn chunk_length<R: BufRead>(
    input: &mut Input<R>,
    widths: Widths,
) -> Result<Option<u64>, ArchiveError> {
    let length = input.int(widths, READING)?;
    match u64::try_from(length) {
        Ok(0) => Ok(None),
        Ok(positive) if length <= LONGEST_CHUNK => Ok(Some(positive)),
        _ => Err(input.fault(Fault::Length { reading: "a chunk of data", length })),
    }
}

/// Passes over the data of a table, or of one large object.
///
/// A table of samples has a chunk every hundred bytes, a thousand million of them in a dump: those that
/// are there as a whole are passed over without a detour.
pub(super) fn skip_chunks<R: BufRead>(input: &mut Input<R>, widths: Widths) -> Result<(), ArchiveError> {
    loop {
        let (passed, is_end) = whole_chunks(input.available()?, widths);
        input.advance(passed);
        if is_end {
            return Ok(());
        }
        // One that is not there as a whole, or is not what it must be.
        match chunk_length(input, widths)? {
            None => return Ok(()),
            Some(length) => input.skip(length, READING)?,
        }
    }
}

/// How many bytes the chunks have that are there as a whole, and whether the last of them ends the data.
fn whole_chunks(available: &[u8], widths: Widths) -> (usize, bool) {
    let head = 1 + usize::from(widths.int);
    let mut rest = available;
    while let Some(([0, magnitude @ ..], after)) = rest.split_at_checked(head) {
        let length = match <[u8; 4]>::try_from(magnitude) {
            Ok(four) => u64::from(u32::from_le_bytes(four)),
            Err(_) => magnitude.iter().rfold(0, |number, byte| number << 8 | u64::from(*byte)),
        };
        if length == 0 {
            return (available.len() - after.len(), true);
        }
        let is_sensible = i64::try_from(length).is_ok_and(|length| length <= LONGEST_CHUNK);
        let next =
            usize::try_from(length).ok().filter(|_| is_sensible).and_then(|length| after.get(length..));
        match next {
            Some(next) => rest = next,
            None => break,
        }
    }
    (available.len() - rest.len(), false)
}

/// Passes over large objects: each has its number and then its chunks, up to number 0.
pub(super) fn skip_large_objects<R: BufRead>(
    input: &mut Input<R>,
    widths: Widths,
) -> Result<(), ArchiveError> {
    while input.int(widths, "a large object")? != 0 {
        skip_chunks(input, widths)?;
    }
    Ok(())
}

/// The chunks of one table as one stream of bytes.
#[derive(Debug)]
pub(super) struct Chunks<'a, R> {
    input: &'a mut Input<R>,
    widths: Widths,
    left: u64,
    ended: bool,
}

impl<'a, R: BufRead> Chunks<'a, R> {
    pub(super) fn new(input: &'a mut Input<R>, widths: Widths) -> Self {
        Self { input, widths, left: 0, ended: false }
    }

    /// Nothing may be left.
    pub(super) fn finish(mut self) -> Result<(), ArchiveError> {
        self.next_chunk()?;
        if self.ended { Ok(()) } else { Err(self.input.fault(Fault::AfterCompressed)) }
    }

    fn next_chunk(&mut self) -> Result<(), ArchiveError> {
        if self.left == 0 && !self.ended {
            match chunk_length(self.input, self.widths)? {
                Some(length) => self.left = length,
                None => self.ended = true,
            }
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Chunks<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.next_chunk().map_err(into_io)?;
        if self.ended {
            return Ok(&[]);
        }
        if self.input.peek()?.is_empty() {
            return Err(into_io(self.input.cut(READING)));
        }
        let left = self.left;
        let piece = self.input.peek()?;
        Ok(&piece[..clip(piece.len(), left)])
    }

    fn consume(&mut self, count: usize) {
        self.input.advance(count);
        self.left = self.left.saturating_sub(count as u64);
    }
}

impl<R: BufRead> Read for Chunks<'_, R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        buffered::read(self, target)
    }
}

/// An error on its way through a reader; [`ArchiveError::from_io`] takes it out again.
pub(super) fn into_io(error: ArchiveError) -> io::Error {
    match error {
        ArchiveError::Read(source) => source,
        other => io::Error::other(other),
    }
}
