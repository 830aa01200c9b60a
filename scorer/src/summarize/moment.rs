//! When a snapshot was made: a moment in UTC, to the second.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

/// A moment, as RFC 3339 in UTC without fractions: `2026-11-30T00:00:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Timestamp);

/// A text or number that is no moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no moment: write it like 2026-11-30T00:00:00Z")]
pub struct MomentError(String);

impl crate::exit::Failure for MomentError {
    fn exit_code(&self) -> crate::exit::ExitCode {
        crate::exit::ExitCode::Usage
    }
}

impl Moment {
    /// Now, or what `SOURCE_DATE_EPOCH` says (seconds since 1970), by which builds are reproduced.
    ///
    /// # Errors
    /// When the variable is set to something that is not a number of seconds.
    pub fn now() -> Result<Self, MomentError> {
        match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(text) => Self::from_epoch(&text),
            Err(_) => Ok(Self::whole(Timestamp::now())),
        }
    }

    /// This moment, or the second after the other where this one is not later.
    #[must_use]
    pub fn after(self, other: Self) -> Self {
        let next = other.0.checked_add(jiff::SignedDuration::from_secs(1)).map_or(other, Self);
        self.max(next)
    }

    fn from_epoch(text: &str) -> Result<Self, MomentError> {
        let seconds = text.trim().parse::<i64>().ok();
        seconds
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .map(Self)
            .ok_or_else(|| MomentError(text.chars().take(40).collect()))
    }

    fn whole(timestamp: Timestamp) -> Self {
        Self(Timestamp::from_second(timestamp.as_second()).unwrap_or(timestamp))
    }
}

impl FromStr for Moment {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.parse::<Timestamp>().map(Self::whole);
        parsed.map_err(|_| MomentError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc_to_the_second() {
        let shown = |text: &str| text.parse::<Moment>().unwrap().to_string();
        assert_eq!(shown("2026-11-30T01:30:00.9+01:30"), "2026-11-30T00:00:00Z");
        assert_eq!(shown("2026-11-30T00:00:00Z"), "2026-11-30T00:00:00Z");
        for text in ["", "yesterday", "2026-11-30", "2026-13-30T00:00:00Z"] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_that_goes_backwards_does_not_make_a_moment_earlier() {
        let moment = |text: &str| text.parse::<Moment>().unwrap();
        let before = moment("2026-11-30T00:00:00Z");
        assert_eq!(moment("2026-11-30T00:00:09Z").after(before), moment("2026-11-30T00:00:09Z"));
        for now in ["2026-11-30T00:00:00Z", "1999-01-01T00:00:00Z"] {
            assert_eq!(moment(now).after(before), moment("2026-11-30T00:00:01Z"));
        }
    }

    #[test]
    fn the_epoch_of_a_reproducible_build_is_counted_in_seconds() {
        assert_eq!(Moment::from_epoch("1796000000").unwrap().to_string(), "2026-11-30T00:53:20Z");
        assert!(Moment::from_epoch("soon").is_err());
        assert!(Moment::from_epoch("99999999999999999").is_err());
    }
}
