//! Where a dump is, as people say it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::release::DumpTag;
use crate::measurements::http::{Url, address};

/// Where a dump, or a part of one, is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DumpLocation {
    /// Stdin.
    Stdin,
    /// The newest release.
    Latest,
    /// A release.
    Release(DumpTag),
    /// A release on a page of GitHub; without a tag the newest.
    ReleasePage {
        /// `OWNER/NAME`.
        repository: String,
        /// The release.
        tag: Option<DumpTag>,
    },
    /// A folder on a server, with SHA256SUMS and parts.
    Folder(Url),
    /// A file, or a folder of parts.
    Path(PathBuf),
}

impl DumpLocation {
    /// Reads a word of the command line. What is there as a file or folder is that, whatever else it could mean.
    #[must_use]
    pub fn of(word: OsString) -> Self {
        let elsewhere = match word.to_str() {
            Some("-") => Some(Self::Stdin),
            Some(text) if !Path::new(text).exists() => Self::elsewhere(text),
            _ => None,
        };
        elsewhere.unwrap_or_else(|| Self::Path(word.into()))
    }

    fn elsewhere(text: &str) -> Option<Self> {
        if text == "latest" {
            return Some(Self::Latest);
        }
        if let Ok(tag) = text.parse() {
            return Some(Self::Release(tag));
        }
        let url = address(text).ok()?;
        Some(release_page(&url).unwrap_or(Self::Folder(url)))
    }

    /// The path, where it is one of this machine.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            _ => None,
        }
    }
}

/// `https://github.com/OWNER/NAME/releases`, with `/tag/…` after it or not.
fn release_page(url: &Url) -> Option<DumpLocation> {
    let segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    if url.host_str() != Some("github.com") {
        return None;
    }
    let (repository, tag) = match segments[..] {
        [owner, name, "releases"] => (format!("{owner}/{name}"), None),
        [owner, name, "releases", "tag", ref tag @ ..] => {
            let tag = tag.join("/").replace("%2F", "/").replace("%2f", "/");
            (format!("{owner}/{name}"), Some(tag.parse().ok()?))
        }
        _ => return None,
    };
    Some(DumpLocation::ReleasePage { repository, tag })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str) -> DumpLocation {
        DumpLocation::of(word.into())
    }

    #[test]
    fn tags_addresses_and_paths_are_told_apart() {
        assert_eq!(of("-"), DumpLocation::Stdin);
        assert_eq!(of("latest"), DumpLocation::Latest);
        assert_eq!(of("db-dump/2026-09-28"), DumpLocation::Release("db-dump/2026-09-28".parse().unwrap()));
        assert!(matches!(of("https://mirror.example/dumps/"), DumpLocation::Folder(_)));
        for path in ["dumps", "db-dump/x", "a.dump.zst.part00", "ftp://x/y", env!("CARGO_MANIFEST_DIR")] {
            assert_eq!(of(path), DumpLocation::Path(path.into()), "{path}");
        }
    }

    #[test]
    fn the_page_of_a_release_stands_for_the_release() {
        let page = |tag: Option<&str>| DumpLocation::ReleasePage {
            repository: "o/n".to_owned(),
            tag: tag.map(|tag| tag.parse().unwrap()),
        };
        let tag = Some("db-dump/2026-09-28");
        assert_eq!(of("https://github.com/o/n/releases/tag/db-dump%2F2026-09-28"), page(tag));
        assert_eq!(of("https://github.com/o/n/releases/tag/db-dump/2026-09-28"), page(tag));
        assert_eq!(of("https://github.com/o/n/releases"), page(None));
        assert!(matches!(of("https://github.com/o/n/releases/download/x"), DumpLocation::Folder(_)));
    }
}
