//! The version in the tag of a release.

use std::fmt;
use std::str::FromStr;

/// The version that a tag of a release names: three numbers, with or without a `v` before them. Candidates and marks
/// (`v1.2.3-rc1`, `nightly`) have none.
///
/// Ordered as numbers, not as text: 0.10.0 follows 0.9.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u64,
    minor: u64,
    patch: u64,
}

/// The text is the tag of no release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no version of a release, which has three numbers: v0.7.15")]
pub struct VersionError(String);

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(tag: &str) -> Result<Self, Self::Err> {
        let mut numbers = tag.strip_prefix('v').unwrap_or(tag).split('.').map(number);
        let mut next = || numbers.next().flatten();
        match (next(), next(), next(), numbers.next()) {
            (Some(major), Some(minor), Some(patch), None) => Ok(Self { major, minor, patch }),
            _ => Err(VersionError(tag.chars().take(60).collect())),
        }
    }
}

/// Digits alone: a sign or a space that the standard library would take is none of them.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(tag: &str) -> Version {
        tag.parse().unwrap()
    }

    #[test]
    fn versions_are_ordered_as_numbers() {
        assert!(version("v0.10.0") > version("v0.9.9"));
        assert!(version("v1.0.0") > version("v0.99.99"));
        assert!(version("v0.7.15") > version("0.7.9"));
        assert_eq!(version("v1.2.3"), version("1.2.3"));
        assert_eq!(version("v1.2.3").to_string(), "1.2.3");
    }

    #[test]
    fn only_three_numbers_are_a_release() {
        for tag in [
            "v0.7",
            "v0.7.15.1",
            "v0.7.15-rc1",
            "v0..1",
            "nightly",
            "",
            "v",
            "vv1.2.3",
            "v+1.2.3",
            "v1.2. 3",
            "v99999999999999999999.0.0",
        ] {
            assert!(tag.parse::<Version>().is_err(), "{tag}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = text.parse::<Version>();
        }
    }
}
