//! A line as text: without colours, and with the name of the process that wrote it.

use std::borrow::Cow;

const ESCAPE: u8 = 0x1b;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message<'a> {
    text: Cow<'a, str>,
}

impl<'a> Message<'a> {
    /// The text of a line. Bytes that are no UTF-8 become replacement characters.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let text = match without_escapes(bytes) {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        };
        Self { text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What follows the first occurrence of a text.
    pub(super) fn after(&self, marker: &str) -> Option<&str> {
        self.text.split_once(marker).map(|(_, rest)| rest)
    }

    /// The name of the process, such as `EngineCore_DP3`; old versions do not write one.
    pub(super) fn process(&self) -> Option<&str> {
        let inner = self.text.trim_start().strip_prefix('(')?;
        let inner = &inner[..inner.find(')')?];
        let name = inner.split_whitespace().next()?;
        (name.len() <= 64 && !name.contains('=') && inner.contains("pid=")).then_some(name)
    }
}

/// The bytes without ANSI's control sequences: `ESC [` … up to a byte from `@` to `~`.
fn without_escapes(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(ESCAPE, bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(ESCAPE, rest) {
        kept.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(sequence) = rest.strip_prefix(b"[") {
            let end = sequence.iter().position(|byte| (0x40..=0x7e).contains(byte));
            rest = end.map_or(&[], |end| &sequence[end + 1..]);
        }
    }
    kept.extend_from_slice(rest);
    Cow::Owned(kept)
}

/// The whole number at the beginning of a text, digits perhaps grouped by commas.
pub(super) fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(text.len());
    let digits: String = text[..end].trim_end_matches(',').chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The decimal number at the beginning of a text.
pub(super) fn leading_decimal(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text[..end].parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_taken_out_of_a_line() {
        let line = b"\x1b[1;36m(EngineCore_DP3 pid=25)\x1b[0;0m INFO x\xff\x1b";
        let message = Message::new(line);
        assert_eq!(message.text(), "(EngineCore_DP3 pid=25) INFO x\u{fffd}");
        assert_eq!(message.process(), Some("EngineCore_DP3"));
        assert_eq!(Message::new(b"\x1b[").text(), "");
    }

    #[test]
    fn only_a_process_has_a_name() {
        for text in ["INFO 09-30 12:00:00 [x.py:1] (a)", "(see below) x", "(", "() pid=1", "( pid=1)"] {
            assert_eq!(Message::new(text.as_bytes()).process(), None, "{text}");
        }
    }

    #[test]
    fn numbers_may_be_grouped_and_never_overflow() {
        assert_eq!(leading_number("1,854,077 tokens"), Some(1_854_077));
        assert_eq!(leading_number(" 8192."), Some(8192));
        assert_eq!(leading_number("99999999999999999999"), None);
        assert_eq!(leading_number("none"), None);
        assert_eq!(leading_decimal("2.49, Accepted"), Some(2.49));
        assert_eq!(leading_decimal("nan"), None);
        assert_eq!(leading_decimal("1.2.3"), None);
    }
}
