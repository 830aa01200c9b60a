//! Escapes within a field, resolved while its bytes pass by in pieces.

use memchr::memchr;

/// Resolves the escapes of one field after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unescaper(State);

/// Where the last piece of the field ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    /// After a backslash.
    Escape,
    /// After a backslash and one or two octal digits.
    Octal { value: u8, digits: u8 },
    /// After `\x` and perhaps one hexadecimal digit.
    Hexadecimal { value: Option<u8> },
}

/// The field ends in the middle of an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a field ends in the middle of an escape")]
pub struct UnterminatedEscape;

impl Unescaper {
    /// Takes the next bytes of a field as they were written, and appends what they stand for.
    pub fn push(&mut self, mut raw: &[u8], out: &mut Vec<u8>) {
        while let Some((&byte, after)) = raw.split_first() {
            raw = match self.0 {
                State::Plain => self.plain(raw, out),
                State::Escape => {
                    self.escaped(byte, out);
                    after
                }
                State::Octal { value, digits } => match octal(byte) {
                    Some(digit) => {
                        self.octal(value, digits, digit, out);
                        after
                    }
                    None => self.end_number(value, raw, out),
                },
                State::Hexadecimal { value } => match (hexadecimal(byte), value) {
                    (Some(digit), None) => {
                        self.0 = State::Hexadecimal { value: Some(digit) };
                        after
                    }
                    (Some(digit), Some(high)) => self.end_number(high << 4 | digit, after, out),
                    (None, Some(value)) => self.end_number(value, raw, out),
                    // No digit follows the x, so it stands for itself.
                    (None, None) => self.end_number(b'x', raw, out),
                },
            };
        }
    }

    /// The field has no more bytes.
    ///
    /// # Errors
    /// When its last byte is a backslash.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), UnterminatedEscape> {
        match std::mem::take(&mut self.0) {
            State::Plain => {}
            State::Escape => return Err(UnterminatedEscape),
            State::Octal { value, .. } => out.push(value),
            State::Hexadecimal { value } => out.push(value.unwrap_or(b'x')),
        }
        Ok(())
    }

    /// Copies up to the next backslash; what follows that is left.
    fn plain<'raw>(&mut self, raw: &'raw [u8], out: &mut Vec<u8>) -> &'raw [u8] {
        let Some(at) = memchr(b'\\', raw) else {
            out.extend_from_slice(raw);
            return &[];
        };
        out.extend_from_slice(&raw[..at]);
        self.0 = State::Escape;
        &raw[at + 1..]
    }

    fn escaped(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.0 = State::Plain;
        match byte {
            b'b' => out.push(0x08),
            b'f' => out.push(0x0c),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(0x0b),
            b'x' => self.0 = State::Hexadecimal { value: None },
            b'0'..=b'7' => self.0 = State::Octal { value: byte - b'0', digits: 1 },
            other => out.push(other),
        }
    }

    /// One more octal digit; a third is the last. As in PostgreSQL, what does not fit into a byte is cut.
    fn octal(&mut self, value: u8, digits: u8, digit: u8, out: &mut Vec<u8>) {
        let value = value << 3 | digit;
        if digits == 2 {
            out.push(value);
            self.0 = State::Plain;
        } else {
            self.0 = State::Octal { value, digits: digits + 1 };
        }
    }

    fn end_number<'raw>(&mut self, value: u8, rest: &'raw [u8], out: &mut Vec<u8>) -> &'raw [u8] {
        out.push(value);
        self.0 = State::Plain;
        rest
    }
}

fn octal(byte: u8) -> Option<u8> {
    matches!(byte, b'0'..=b'7').then(|| byte - b'0')
}

fn hexadecimal(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unescaped(pieces: &[&[u8]]) -> Result<Vec<u8>, UnterminatedEscape> {
        let (mut unescaper, mut out) = (Unescaper::default(), Vec::new());
        for piece in pieces {
            unescaper.push(piece, &mut out);
        }
        unescaper.finish(&mut out).map(|()| out)
    }

    #[test]
    fn every_escape_of_postgresql_is_resolved() {
        let of = |raw: &str| unescaped(&[raw.as_bytes()]).unwrap();
        assert_eq!(of(r"a\b\f\n\r\t\v\\z"), b"a\x08\x0c\n\r\t\x0b\\z");
        assert_eq!(of(r"\101\60\7x\1234\777"), b"A0\x07xS4\xff");
        assert_eq!(of(r"\x41\x4g\xg\x"), b"A\x04gxgx");
        assert_eq!(of(r"\.\q"), b".q");
    }

    #[test]
    fn a_backslash_at_the_end_stands_for_nothing() {
        assert_eq!(unescaped(&[b"abc\\"]), Err(UnterminatedEscape));
        assert_eq!(unescaped(&[b"abc\\\\"]).as_deref(), Ok(&b"abc\\"[..]));
    }

    /// As PostgreSQL writes a text.
    fn escaped(text: &[u8]) -> Vec<u8> {
        let mut raw = Vec::new();
        for &byte in text {
            match byte {
                0x08 => raw.extend(b"\\b"),
                0x0c => raw.extend(b"\\f"),
                b'\n' => raw.extend(b"\\n"),
                b'\r' => raw.extend(b"\\r"),
                b'\t' => raw.extend(b"\\t"),
                0x0b => raw.extend(b"\\v"),
                b'\\' => raw.extend(b"\\\\"),
                other => raw.push(other),
            }
        }
        raw
    }

    proptest! {
        #[test]
        fn what_postgresql_writes_comes_back(text in prop::collection::vec(prop_oneof![Just(b'\\'), 0..16_u8, any::<u8>()], 0..40)) {
            prop_assert_eq!(unescaped(&[&escaped(&text)]), Ok(text));
        }

        #[test]
        fn it_does_not_matter_where_pieces_end(
            raw in prop::collection::vec(prop_oneof![Just(b'\\'), Just(b'x'), b'0'..=b'9', any::<u8>()], 0..40),
            cut in 0..40_usize,
        ) {
            let (head, tail) = raw.split_at(cut.min(raw.len()));
            prop_assert_eq!(unescaped(&[head, tail]), unescaped(&[&raw]));
            let single: Vec<&[u8]> = raw.chunks(1).collect();
            prop_assert_eq!(unescaped(&single), unescaped(&[&raw]));
        }
    }
}
