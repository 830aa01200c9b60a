//! How numbers are shown, and texts that are too long: every rule once, for reports, exports and the page.
//!
//! Rounding is that of Rust's formatter, which is exact: the decimal nearest to the binary value, a
//! tie to the even digit. Numbers are rounded only here. A value that rounds to zero is shown without
//! a sign, so `-0.0` never appears, and what is undefined is shown as [`NONE`]. The minus sign is the
//! ASCII hyphen, which spreadsheets and other programs read; the page may show U+2212 instead.

mod date;
mod text;

pub use date::{STALE_AFTER_DAYS, age, day, days_between};
pub use text::{name, shortened};

use crate::summary::Interval;

/// What stands for an undefined value.
pub const NONE: &str = "–";

/// Values of this size and above are shown as powers of ten.
const HUGE: f64 = 1e9;

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    /// Only a minus.
    Minus,
    /// A plus too.
    Always,
}

/// `value` with a number of decimals; none when it is not finite.
fn fixed(value: f64, decimals: usize, sign: Sign) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let text = match (value.abs() < HUGE, sign) {
        (true, Sign::Minus) => format!("{value:.decimals$}"),
        (true, Sign::Always) => format!("{value:+.decimals$}"),
        (false, Sign::Minus) => format!("{value:.decimals$e}"),
        (false, Sign::Always) => format!("{value:+.decimals$e}"),
    };
    let is_zero = text.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'.' | b'0'));
    Some(if is_zero { text.trim_start_matches(['+', '-']).to_owned() } else { text })
}

fn shown(value: Option<f64>, decimals: usize, sign: Sign) -> String {
    value.and_then(|value| fixed(value, decimals, sign)).unwrap_or_else(|| NONE.to_owned())
}

/// An error in percent with one decimal, such as a MAPE: `16.0`. The unit stands in the header.
#[must_use]
pub fn percent(value: Option<f64>) -> String {
    shown(value, 1, Sign::Minus)
}

/// A signed error in percent with one decimal: `+1.2`, `-3.8`, `0.0`.
#[must_use]
pub fn signed_percent(value: Option<f64>) -> String {
    shown(value, 1, Sign::Always)
}

/// An error in percent with two decimals, for the table of estimators by tier: `11.91`.
#[must_use]
pub fn percent_2(value: Option<f64>) -> String {
    shown(value, 2, Sign::Minus)
}

/// A signed error in percent with two decimals: `+7.35`.
#[must_use]
pub fn signed_percent_2(value: Option<f64>) -> String {
    shown(value, 2, Sign::Always)
}

/// A mean absolute error and its signed mean, as the table of estimators by tier shows them:
/// `11.91 (+7.35)`; `--` when there is none.
#[must_use]
pub fn absolute_and_signed(absolute: Option<f64>, signed: Option<f64>) -> String {
    match (absolute, signed) {
        (Some(absolute), Some(signed)) if absolute.is_finite() && signed.is_finite() => {
            format!("{} ({})", percent_2(Some(absolute)), signed_percent_2(Some(signed)))
        }
        _ => "--".to_owned(),
    }
}

/// A value in full precision, for titles and exports: the shortest text that reads back as the value.
#[must_use]
pub fn full(value: Option<f64>) -> String {
    match value {
        Some(0.0) => "0".to_owned(),
        Some(value) if value.is_finite() => {
            if (1e-5..1e16).contains(&value.abs()) {
                format!("{value}")
            } else {
                format!("{value:e}")
            }
        }
        _ => NONE.to_owned(),
    }
}

/// A latency in milliseconds with four significant digits, at least whole milliseconds: `0.1235`,
/// `4.190`, `55.63`, `308.1`, `12,346`. The unit stands in the header.
#[must_use]
pub fn latency(milliseconds: f64) -> String {
    let size = milliseconds.abs();
    if !size.is_finite() {
        return NONE.to_owned();
    }
    if size != 0.0 && size < 0.001 || size >= HUGE {
        return format!("{milliseconds:.3e}");
    }
    // The limits are those from which rounding gives one more digit.
    let decimals = match size {
        size if size < 0.999_95 => 4,
        size if size < 9.999_5 => 3,
        size if size < 99.995 => 2,
        size if size < 999.95 => 1,
        _ => 0,
    };
    let text = fixed(milliseconds, decimals, Sign::Minus).unwrap_or_else(|| NONE.to_owned());
    if decimals == 0 { grouped(&text) } else { text }
}

/// A count with thousands separated: `12,345`.
#[must_use]
pub fn count(count: u64) -> String {
    grouped(&count.to_string())
}

/// A count and its noun: `1 sweep`, `2 sweeps`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// Commas between groups of three digits; a sign may come first.
fn grouped(digits: &str) -> String {
    let sign = digits.len() - digits.trim_start_matches(['+', '-']).len();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, character) in digits.char_indices() {
        if index > sign && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(character);
    }
    text
}

/// A share between 0 and 1 as whole percent: `63 %`. Only none is `0 %` and only all is `100 %`.
#[must_use]
pub fn share(share: Option<f64>) -> String {
    match share {
        Some(share) if share > 0.0 && share < 0.005 => "<1 %".to_owned(),
        Some(share) if share < 1.0 && share > 0.995 => ">99 %".to_owned(),
        Some(share) => {
            fixed(100.0 * share, 0, Sign::Minus).map_or_else(|| NONE.to_owned(), |text| text + " %")
        }
        None => NONE.to_owned(),
    }
}

/// A ratio with two decimals, such as the cancellation or the spread of repeats: `0.37`.
#[must_use]
pub fn ratio(value: Option<f64>) -> String {
    shown(value, 2, Sign::Minus)
}

/// An interval of an error in percent: `12.3 to 15.6`.
#[must_use]
pub fn interval(interval: Option<Interval>) -> String {
    between(interval, Sign::Minus)
}

/// An interval of a signed error or of a difference: `-3.1 to +4.5`.
#[must_use]
pub fn signed_interval(interval: Option<Interval>) -> String {
    between(interval, Sign::Always)
}

fn between(interval: Option<Interval>, sign: Sign) -> String {
    let ends =
        interval.and_then(|Interval { low, high }| Some((fixed(low, 1, sign)?, fixed(high, 1, sign)?)));
    ends.map_or_else(|| NONE.to_owned(), |(low, high)| format!("{low} to {high}"))
}

/// A difference of errors in percentage points: `+1.2`, `-0.4`, `0.0`. The unit stands in the header.
#[must_use]
pub fn points(difference: Option<f64>) -> String {
    shown(difference, 1, Sign::Always)
}

/// A difference with its arrow, so that its direction does not rest on colour or sign alone:
/// `▲ +1.2`, `▼ -0.4`, `= 0.0`.
#[must_use]
pub fn points_with_arrow(difference: Option<f64>) -> String {
    match arrow(difference) {
        Some(arrow) => format!("{arrow} {}", points(difference)),
        None => NONE.to_owned(),
    }
}

/// The arrow of a difference as it is shown: up, down, or `=` when it rounds to zero.
#[must_use]
pub fn arrow(difference: Option<f64>) -> Option<char> {
    let text = fixed(difference?, 1, Sign::Always)?;
    Some(match text.as_bytes().first() {
        Some(b'+') => '▲',
        Some(b'-') => '▼',
        _ => '=',
    })
}

/// A size in bytes, in decimal units: `512 B`, `7.9 kB`, `1.2 MB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if size < 999.95 || unit == "GB" {
            return if unit == "B" { format!("{bytes} B") } else { format!("{size:.1} {unit}") };
        }
        size /= 1000.0;
    }
    format!("{bytes} B")
}

#[cfg(test)]
mod tests;
