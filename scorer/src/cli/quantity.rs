//! Sizes and durations as people write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;

/// A number of bytes above 0, such as `512M` or `16G` (powers of 1,024).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u64);

/// A time above 0, such as `90s`, `15m` or `1h30m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(Duration);

/// The text is no size or no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// No size.
    #[error("write a number of bytes above 0, such as 500000000, 512M or 16G")]
    Size,
    /// No time.
    #[error("write a time above 0, such as 90s, 15m or 1h30m")]
    Span,
}

impl Size {
    /// The number of bytes.
    #[must_use]
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Size {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let text = text.strip_suffix("iB").or_else(|| text.strip_suffix('B')).unwrap_or(text);
        let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
        let (digits, shift) = units
            .into_iter()
            .find_map(|(unit, shift)| Some((text.strip_suffix([unit, unit.to_ascii_lowercase()])?, shift)))
            .unwrap_or((text, 0));
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(QuantityError::Size);
        }
        let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
        number.filter(|bytes| *bytes > 0).map(Self).ok_or(QuantityError::Size)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(40, 'T'), (30, 'G'), (20, 'M'), (10, 'K')];
        match units.into_iter().find(|(shift, _)| self.0.is_multiple_of(1 << shift)) {
            Some((shift, unit)) => write!(formatter, "{}{unit}", self.0 >> shift),
            None => write!(formatter, "{}", self.0),
        }
    }
}

impl Span {
    /// The time.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for Span {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let span: SignedDuration = text.parse().map_err(|_| QuantityError::Span)?;
        let span = Duration::try_from(span).map_err(|_| QuantityError::Span)?;
        if span.is_zero() { Err(QuantityError::Span) } else { Ok(Self(span)) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sizes_are_powers_of_1024() {
        let bytes = |text: &str| text.parse::<Size>().map(Size::bytes);
        assert_eq!(bytes("4096"), Ok(4096));
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("16g"), Ok(16 << 30));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("2GB"), Ok(2 << 30));
        for text in ["", "0", "0G", "G", "-1", "+1", "1.5G", "1 G", "99999999999T", "4X"] {
            assert_eq!(bytes(text), Err(QuantityError::Size), "{text}");
        }
        assert_eq!("1536M".parse::<Size>().unwrap().to_string(), "1536M");
    }

    #[test]
    fn times_have_a_unit_and_are_above_0() {
        let span = |text: &str| text.parse::<Span>().map(Span::duration);
        assert_eq!(span("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(span("1h30m"), Ok(Duration::from_mins(90)));
        assert_eq!(span("500ms"), Ok(Duration::from_millis(500)));
        for text in ["", "90", "0s", "-1s", "1h ago", "soon"] {
            assert_eq!(span(text), Err(QuantityError::Span), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_them_panic(text in "\\PC{0,16}") {
            if let Ok(size) = text.parse::<Size>() {
                prop_assert_eq!(size.to_string().parse::<Size>(), Ok(size));
            }
            let _ = text.parse::<Span>();
        }
    }
}
