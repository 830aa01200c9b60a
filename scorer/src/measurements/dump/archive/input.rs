//! The bytes of an archive with the place in them: every number and text that pg_dump writes is read here.

use std::io::{self, BufRead};

use super::error::{ArchiveError, Fault};

/// The longest text of the table of contents, in bytes: definitions of functions and views are shorter.
const LONGEST_TEXT: u64 = 16 << 20;

/// How wide this archive's numbers are, in bytes. Its header says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) int: u8,
    pub(super) offset: u8,
}

impl Widths {
    /// # Errors
    /// When a number could not be held: pg_dump writes 4 and 8.
    pub(super) fn new(int: u8, offset: u8) -> Result<Self, Fault> {
        let sensible = 1..=8;
        if sensible.contains(&int) && sensible.contains(&offset) {
            Ok(Self { int, offset })
        } else {
            Err(Fault::Widths { int, offset })
        }
    }
}

/// A reader that knows where it is.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    offset: u64,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, offset: 0 }
    }

    pub(super) fn fault(&self, fault: Fault) -> ArchiveError {
        ArchiveError::Invalid { offset: self.offset, fault }
    }

    /// The next byte, or none at the end.
    pub(super) fn byte_or_end(&mut self) -> Result<Option<u8>, ArchiveError> {
        let Some(byte) = self.available()?.first().copied() else { return Ok(None) };
        self.advance(1);
        Ok(Some(byte))
    }

    pub(super) fn byte(&mut self, reading: &'static str) -> Result<u8, ArchiveError> {
        self.byte_or_end()?.ok_or_else(|| self.cut(reading))
    }

    pub(super) fn bytes<const N: usize>(&mut self, reading: &'static str) -> Result<[u8; N], ArchiveError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes, reading)?;
        Ok(bytes)
    }

    /// A number: a byte for the sign, then the magnitude, the lowest byte first.
    pub(super) fn int(&mut self, widths: Widths, reading: &'static str) -> Result<i64, ArchiveError> {
        let mut bytes = [0; 9];
        let width = usize::from(widths.int);
        self.fill(&mut bytes[..=width], reading)?;
        let [sign, magnitude @ ..] = bytes;
        let number = i64::try_from(u64::from_le_bytes(magnitude)).map_err(|_| self.fault(Fault::Number))?;
        match sign {
            0 => Ok(number),
            1 => Ok(-number),
            _ => Err(self.fault(Fault::Number)),
        }
    }

    /// A text, or none where pg_dump wrote none.
    pub(super) fn text(
        &mut self,
        widths: Widths,
        reading: &'static str,
    ) -> Result<Option<String>, ArchiveError> {
        let Some(length) = self.text_length(widths, reading)? else { return Ok(None) };
        let mut bytes = Vec::new();
        let mut left = length;
        while left > 0 {
            let piece = self.available()?;
            let taken = clip(piece.len(), left);
            bytes.extend_from_slice(&piece[..taken]);
            if taken == 0 {
                return Err(self.cut(reading));
            }
            self.advance(taken);
            left -= taken as u64;
        }
        String::from_utf8(bytes).map(Some).map_err(|_| self.fault(Fault::NotUtf8 { reading }))
    }

    /// Passes over a text. True when there is one.
    pub(super) fn skip_text(&mut self, widths: Widths, reading: &'static str) -> Result<bool, ArchiveError> {
        let Some(length) = self.text_length(widths, reading)? else { return Ok(false) };
        self.skip(length, reading)?;
        Ok(true)
    }

    fn text_length(&mut self, widths: Widths, reading: &'static str) -> Result<Option<u64>, ArchiveError> {
        match self.int(widths, reading)? {
            -1 => Ok(None),
            length => match u64::try_from(length) {
                Ok(length) if length <= LONGEST_TEXT => Ok(Some(length)),
                _ => Err(self.fault(Fault::Length { reading, length })),
            },
        }
    }

    pub(super) fn skip(&mut self, length: u64, reading: &'static str) -> Result<(), ArchiveError> {
        let mut left = length;
        while left > 0 {
            let taken = clip(self.available()?.len(), left);
            if taken == 0 {
                return Err(self.cut(reading));
            }
            self.advance(taken);
            left -= taken as u64;
        }
        Ok(())
    }

    fn fill(&mut self, target: &mut [u8], reading: &'static str) -> Result<(), ArchiveError> {
        let mut filled = 0;
        while let Some(rest) = target.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let piece = self.available()?;
            let taken = piece.len().min(rest.len());
            rest[..taken].copy_from_slice(&piece[..taken]);
            if taken == 0 {
                return Err(self.cut(reading));
            }
            self.advance(taken);
            filled += taken;
        }
        Ok(())
    }

    /// What can be read without waiting for more; empty at the end.
    pub(super) fn available(&mut self) -> Result<&[u8], ArchiveError> {
        self.peek().map_err(ArchiveError::Read)
    }

    pub(super) fn peek(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    /// Passes over bytes that were available.
    pub(super) fn advance(&mut self, count: usize) {
        self.inner.consume(count);
        self.offset += count as u64;
    }

    /// The archive ends where it must not.
    pub(super) fn cut(&self, reading: &'static str) -> ArchiveError {
        ArchiveError::Cut { offset: self.offset, reading }
    }
}

/// The smaller of a length in memory and one in the file.
pub(super) fn clip(available: usize, left: u64) -> usize {
    usize::try_from(left).map_or(available, |left| left.min(available))
}
