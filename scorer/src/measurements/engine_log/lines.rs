//! Bytes cut into lines: of a line without end only the head is kept.

use memchr::memchr2;

/// How much of a line is kept. The longest line that states something, the engine's configuration, has
/// some ten thousand bytes.
pub(super) const LONGEST: usize = 1 << 20;

/// A line, or a piece of one between carriage returns, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// At most [`LONGEST`] bytes.
    pub(super) bytes: &'a [u8],
    /// Which line, counted from 1.
    pub(super) number: u64,
    /// Whether it had more bytes.
    pub(super) cut: bool,
}

/// Cuts bytes that come in pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The head of the line whose end has not come yet.
    head: Vec<u8>,
    cut: bool,
    ended: u64,
}

impl Lines {
    /// Takes in more bytes, and gives every line that they end.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line<'_>)) {
        while let Some(end) = memchr2(b'\n', b'\r', bytes) {
            let (line, rest) = bytes.split_at(end);
            if self.head.is_empty() && line.len() <= LONGEST {
                each(Line { bytes: line, number: self.ended + 1, cut: false });
            } else {
                self.keep(line);
                self.give(&mut each);
            }
            self.ended += u64::from(rest[0] == b'\n');
            bytes = &rest[1..];
        }
        self.keep(bytes);
    }

    /// Gives the last line, when the log does not end with the end of a line.
    pub(super) fn finish(mut self, mut each: impl FnMut(Line<'_>)) {
        self.give(&mut each);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST - self.head.len();
        self.cut |= bytes.len() > room;
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn give(&mut self, each: &mut impl FnMut(Line<'_>)) {
        if !self.head.is_empty() {
            each(Line { bytes: &self.head, number: self.ended + 1, cut: self.cut });
        }
        self.head.clear();
        self.cut = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(u64, Vec<u8>, bool)> {
        let mut found = Vec::new();
        let mut each = |line: Line<'_>| {
            if !line.bytes.is_empty() {
                found.push((line.number, line.bytes.to_vec(), line.cut));
            }
        };
        let mut lines = Lines::default();
        pieces.into_iter().for_each(|piece| lines.push(piece, &mut each));
        lines.finish(&mut each);
        found
    }

    #[test]
    fn a_carriage_return_ends_a_piece_but_no_line() {
        let found = lines([b"a\r50%\r100%\nb\r\n\nc".as_slice()]);
        let numbered: Vec<(u64, &[u8])> =
            found.iter().map(|(number, bytes, _)| (*number, bytes.as_slice())).collect();
        assert_eq!(numbered, [(1, b"a".as_slice()), (1, b"50%"), (1, b"100%"), (2, b"b"), (4, b"c")]);
    }

    #[test]
    fn of_a_line_without_end_the_head_is_kept() {
        let piece = vec![b'x'; 1 << 16];
        let mut kept = Lines::default();
        for _ in 0..64 {
            kept.push(&piece, |_| panic!("no line ended"));
        }
        assert_eq!((kept.head.len(), kept.cut), (LONGEST, true));
        kept.push(b"\nnext\n", |line| match line.number {
            1 => assert_eq!((line.bytes.len(), line.cut), (LONGEST, true)),
            _ => assert_eq!((line.bytes, line.cut), (b"next".as_slice(), false)),
        });
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_the_bytes_come(
            pieces in prop::collection::vec("[ab\r\n]{0,8}", 0..12)
        ) {
            let whole: String = pieces.concat();
            prop_assert_eq!(
                lines(pieces.iter().map(String::as_bytes)),
                lines([whole.as_bytes()])
            );
        }
    }
}
