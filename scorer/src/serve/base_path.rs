//! The path below which a site stands.

use std::fmt;
use std::str::FromStr;

/// A path that begins and ends with a slash: `/`, `/accuracy/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePath(String);

/// The text is no such path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no base path: write it like /accuracy/, with letters, digits, `-`, `_` and `.`")]
pub struct BasePathError(String);

impl BasePath {
    /// The path without its last slash: empty at the root.
    #[must_use]
    pub fn stem(&self) -> &str {
        self.0.strip_suffix('/').unwrap_or(&self.0)
    }
}

impl FromStr for BasePath {
    type Err = BasePathError;

    /// Slashes at the ends may be left out.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inner = text.trim_matches('/');
        let valid = |part: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty() && part != "." && part != ".." && part.bytes().all(plain)
        };
        if inner.is_empty() {
            Ok(Self("/".to_owned()))
        } else if inner.split('/').all(valid) {
            Ok(Self(format!("/{inner}/")))
        } else {
            Err(BasePathError(text.chars().take(60).collect()))
        }
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_has_a_slash_at_both_ends() {
        let path = |text: &str| text.parse::<BasePath>().map(|path| path.to_string());
        assert_eq!(path("/").unwrap(), "/");
        assert_eq!(path("").unwrap(), "/");
        assert_eq!(path("accuracy").unwrap(), "/accuracy/");
        assert_eq!(path("/a/b-c/").unwrap(), "/a/b-c/");
        assert_eq!("/a/".parse::<BasePath>().unwrap().stem(), "/a");
        for text in ["/a//b/", "/../", "/a b/", "/{x}/", "/a?b/", "http://x/"] {
            assert!(path(text).is_err(), "{text}");
        }
    }
}
