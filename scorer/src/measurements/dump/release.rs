//! The release of a dump on GitHub: which is the newest, and which parts it has.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use shared::digest::Digest;

use super::parts::{LARGEST_SUMS, PartsError, SUMS, Sums, in_order, is_part};
use crate::exit::{ExitCode, Failure};
use crate::github::{Asset, GithubError, Release, Releases};
use crate::measurements::http::{Http, HttpError, Url};

/// Where the dumps are released.
pub const REPOSITORY: &str = "SemiAnalysisAI/InferenceX-app";
/// The tags of dumps, before the date.
const TAG: &str = "db-dump/";

/// The tag of a dump: `db-dump/2026-09-28`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DumpTag(Date);

impl DumpTag {
    /// The day of the dump, `YYYY-MM-DD`.
    #[must_use]
    pub fn date(&self) -> String {
        self.0.to_string()
    }

    /// The tag in the name of a part, such as `inferencex-2026-09-28.dump.zst.part00`.
    #[must_use]
    pub fn of_part(name: &str) -> Option<Self> {
        let (date, _) = name.strip_prefix("inferencex-")?.split_once(".dump")?;
        day(date).map(Self)
    }
}

impl fmt::Display for DumpTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{TAG}{}", self.0)
    }
}

/// The text is no tag of a dump.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the tag of a dump, which is `db-dump/` and a day: db-dump/2026-09-28")]
pub struct DumpTagError(String);

impl FromStr for DumpTag {
    type Err = DumpTagError;

    fn from_str(text: &str) -> Result<Self, DumpTagError> {
        let date = text.strip_prefix(TAG).and_then(day);
        date.map(Self).ok_or_else(|| DumpTagError(text.chars().take(80).collect()))
    }
}

fn day(text: &str) -> Option<Date> {
    text.parse::<Date>().ok().filter(|date| date.to_string() == text)
}

/// A release of a dump cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// It cannot be fetched.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The releases cannot be listed.
    #[error(transparent)]
    Github(#[from] GithubError),
    /// Its parts are not all there.
    #[error("release {tag} of {repository} cannot be read")]
    Parts {
        /// The release.
        tag: DumpTag,
        /// The repository.
        repository: String,
        /// What is wrong.
        source: PartsError,
    },
    /// No release of a dump is there.
    #[error("{repository} has no release of a dump (db-dump/YYYY-MM-DD)")]
    None {
        /// The repository.
        repository: String,
    },
    /// This release is not there.
    #[error("{repository} has no release {tag}; its newest dump is {}", newest.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string))]
    NotThere {
        /// The repository.
        repository: String,
        /// The release.
        tag: DumpTag,
        /// The newest that is there.
        newest: Option<DumpTag>,
    },
    /// It is of another form.
    #[error(
        "release {tag} of {repository} has no parts named `….dump.zst.part00`: older dumps had other forms, which are not read"
    )]
    OtherForm {
        /// The repository.
        repository: String,
        /// The release.
        tag: DumpTag,
    },
    /// Its digests contradict each other.
    #[error("release {tag} of {repository}: the digest of {name} is another in SHA256SUMS than on GitHub")]
    Contradiction {
        /// The repository.
        repository: String,
        /// The release.
        tag: DumpTag,
        /// The part.
        name: String,
    },
}

impl Failure for ReleaseError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Http(error) => error.exit_code(),
            Self::Github(error) => error.exit_code(),
            Self::Parts { source, .. } => source.exit_code(),
            Self::None { .. } | Self::NotThere { .. } => ExitCode::InputUnreadable,
            Self::OtherForm { .. } | Self::Contradiction { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Http(error) => error.advice(),
            Self::Github(error) => error.advice(),
            Self::Parts { .. } | Self::Contradiction { .. } => {
                Some("it may be in the making: wait an hour, or take an earlier one".to_owned())
            }
            _ => None,
        }
    }
}

/// A part that can be downloaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemotePart {
    /// The name of its file.
    pub name: String,
    /// Where it is.
    pub url: Url,
    /// What its digest must be.
    pub sha256: Digest,
    /// Its size in bytes, where it is known.
    pub bytes: Option<u64>,
}

/// The releases of dumps.
#[derive(Clone, Debug)]
pub struct DumpReleases<'a> {
    http: &'a Http,
    releases: Releases<'a>,
    repository: String,
}

impl<'a> DumpReleases<'a> {
    /// Those of the repository `OWNER/NAME`, at this API of GitHub's or of a server of its kind.
    #[must_use]
    pub fn of(http: &'a Http, api: Url, repository: &str) -> Self {
        Self { http, releases: Releases::of(http, api, repository), repository: repository.to_owned() }
    }

    /// The tag of the newest dump.
    ///
    /// # Errors
    /// When the releases cannot be listed, or none is of a dump.
    pub async fn newest(&self) -> Result<DumpTag, ReleaseError> {
        Ok(self.find(None).await?.0)
    }

    /// The parts of a release: of this tag, else of the newest.
    ///
    /// # Errors
    /// When it is not there, not complete, or contradicts itself.
    pub async fn parts(&self, tag: Option<&DumpTag>) -> Result<(DumpTag, Vec<RemotePart>), ReleaseError> {
        let (tag, release) = self.find(tag).await?;
        let sums = release.assets.iter().find(|asset| asset.name == SUMS);
        let parts: Vec<(String, Asset)> = release
            .assets
            .iter()
            .filter(|asset| is_part(&asset.name))
            .map(|asset| (asset.name.clone(), asset.clone()))
            .collect();
        let repository = self.repository.clone();
        if parts.is_empty() {
            return Err(ReleaseError::OtherForm { repository, tag });
        }
        let wrong = |source| ReleaseError::Parts { tag: tag.clone(), repository: repository.clone(), source };
        let parts = in_order(parts).map_err(wrong)?;
        let sums = sums.ok_or_else(|| wrong(PartsError::Missing(SUMS.to_owned())))?;
        let sums = fetch_sums(self.http, &sums.url()?).await?.map_err(wrong)?;
        let listed = sums.names().find(|name| parts.iter().all(|(part, _)| part != name));
        if let Some(missing) = listed {
            return Err(wrong(PartsError::Missing(missing.to_owned())));
        }
        let mut remote = Vec::new();
        for (name, asset) in parts {
            let sha256 = sums.of(&name).map_err(wrong)?;
            if asset.sha256().is_some_and(|digest| digest != sha256) {
                return Err(ReleaseError::Contradiction { repository, tag, name });
            }
            remote.push(RemotePart { url: asset.url()?, sha256, bytes: Some(asset.size), name });
        }
        Ok((tag, remote))
    }

    /// The release of that tag, or the newest of a dump.
    async fn find(&self, tag: Option<&DumpTag>) -> Result<(DumpTag, Release), ReleaseError> {
        let dump = |release: &Release| release.tag_name.parse::<DumpTag>().ok();
        let repository = self.repository.clone();
        let Some(tag) = tag else {
            return self.releases.greatest(dump).await?.ok_or(ReleaseError::None { repository });
        };
        let asked = |release: &Release| dump(release).map(|found| (found == *tag, found));
        match self.releases.greatest(asked).await? {
            Some(((true, found), release)) => Ok((found, release)),
            other => Err(ReleaseError::NotThere {
                repository,
                tag: tag.clone(),
                newest: other.map(|((_, newest), _)| newest),
            }),
        }
    }
}

/// The parts in a folder on a server, which must have a SHA256SUMS.
///
/// # Errors
/// When that cannot be fetched or understood.
pub async fn parts_at(http: &Http, folder: &Url) -> Result<Vec<RemotePart>, PartsError> {
    let below = |name: &str| -> Result<Url, PartsError> {
        let mut url = folder.clone();
        url.path_segments_mut().map_err(|()| HttpError::Url(folder.to_string()))?.pop_if_empty().push(name);
        Ok(url)
    };
    let sums = fetch_sums(http, &below(SUMS)?).await??;
    let named: Vec<(String, ())> =
        sums.names().filter(|name| is_part(name)).map(|name| (name.to_owned(), ())).collect();
    let parts = in_order(named)?
        .into_iter()
        .map(|(name, ())| Ok(RemotePart { url: below(&name)?, sha256: sums.of(&name)?, bytes: None, name }));
    parts.collect()
}

async fn fetch_sums(http: &Http, url: &Url) -> Result<Result<Sums, PartsError>, HttpError> {
    let bytes = http.get(url, LARGEST_SUMS).await?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(Sums::parse(url.path(), &text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_a_real_day() {
        assert_eq!("db-dump/2026-09-28".parse::<DumpTag>().unwrap().to_string(), "db-dump/2026-09-28");
        for text in ["db-dump/2026-9-28", "db-dump/2026-02-30", "db-dump/", "v1", "db-dump/2026-09-28/x"] {
            assert!(text.parse::<DumpTag>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_name_of_a_part_tells_the_tag() {
        let tag = |name: &str| DumpTag::of_part(name).map(|tag| tag.to_string());
        assert_eq!(tag("inferencex-2026-09-28.dump.zst.part00").as_deref(), Some("db-dump/2026-09-28"));
        assert_eq!(tag("inferencex-2026-09-28.dump.zst").as_deref(), Some("db-dump/2026-09-28"));
        assert_eq!(tag("mine.dump.zst.part00"), None);
    }
}
