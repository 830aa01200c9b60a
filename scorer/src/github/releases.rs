//! The releases of a repository, page by page, as GitHub's API lists them.

use serde::Deserialize;
use shared::digest::Digest;

use crate::exit::{ExitCode, Failure};
use crate::measurements::http::{Http, HttpError, Url, address};

/// The largest page of releases that is read, in bytes: a hundred releases with twenty parts each have some 5 MB.
const LARGEST_PAGE: u64 = 64 << 20;
/// As many as GitHub gives at a time.
const RELEASES_A_PAGE: usize = 100;
/// More are not looked through: a server that never ends its list is no GitHub.
const MOST_PAGES: usize = 50;

/// The releases cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum GithubError {
    /// They cannot be fetched.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The name of a repository is none.
    #[error("`{0}` is not the name of a repository: OWNER/NAME")]
    Repository(String),
    /// The list does not end.
    #[error("{repository} lists more than {} releases", MOST_PAGES * RELEASES_A_PAGE)]
    TooMany {
        /// The repository.
        repository: String,
    },
}

impl Failure for GithubError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Http(error) => error.exit_code(),
            Self::Repository(_) => ExitCode::Usage,
            Self::TooMany { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Http(error) => error.advice(),
            Self::Repository(_) | Self::TooMany { .. } => None,
        }
    }
}

/// A release on GitHub, as its API describes it.
#[derive(Clone, Debug, Deserialize)]
pub struct Release {
    /// Its tag.
    pub tag_name: String,
    /// Whether only its maintainers see it yet.
    #[serde(default)]
    pub draft: bool,
    /// Whether it is not meant for everybody.
    #[serde(default)]
    pub prerelease: bool,
    /// When it was published.
    #[serde(default)]
    pub published_at: Option<String>,
    /// Its files.
    #[serde(default)]
    pub assets: Vec<Asset>,
}

/// A file of a release.
#[derive(Clone, Debug, Deserialize)]
pub struct Asset {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    #[serde(default)]
    digest: Option<String>,
    browser_download_url: String,
}

impl Asset {
    /// Where it is.
    ///
    /// # Errors
    /// When the list has no address of it.
    pub fn url(&self) -> Result<Url, HttpError> {
        address(&self.browser_download_url)
    }

    /// GitHub's own digest of it; releases from before it made any have none.
    #[must_use]
    pub fn sha256(&self) -> Option<Digest> {
        let text = self.digest.as_deref()?.strip_prefix("sha256:")?;
        Digest::try_from(text.to_owned()).ok()
    }
}

/// A page of the list.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its releases.
    pub releases: Vec<Release>,
    /// Whether there is none after it.
    pub is_last: bool,
}

/// The releases of a repository.
#[derive(Clone, Debug)]
pub struct Releases<'a> {
    http: &'a Http,
    api: Url,
    repository: String,
}

impl<'a> Releases<'a> {
    /// Those of `OWNER/NAME`, at this API.
    #[must_use]
    pub fn of(http: &'a Http, api: Url, repository: &str) -> Self {
        Self { http, api, repository: repository.to_owned() }
    }

    /// A page of the list, counted from 1. The releases are roughly by age, newest first.
    ///
    /// # Errors
    /// When it cannot be fetched, or is beyond what any repository has.
    pub async fn page(&self, number: usize) -> Result<Page, GithubError> {
        if number > MOST_PAGES {
            return Err(GithubError::TooMany { repository: self.repository.clone() });
        }
        let mut url = self.api.clone();
        let (owner, name) = self
            .repository
            .split_once('/')
            .filter(|(owner, name)| is_name(owner) && is_name(name))
            .ok_or_else(|| GithubError::Repository(self.repository.chars().take(100).collect()))?;
        url.path_segments_mut()
            .map_err(|()| HttpError::Url(self.api.to_string()))?
            .pop_if_empty()
            .extend(["repos", owner, name, "releases"]);
        url.set_query(Some(&format!("per_page={RELEASES_A_PAGE}&page={number}")));
        let releases: Vec<Release> = self.http.get_json(&url, LARGEST_PAGE).await?;
        Ok(Page { is_last: releases.len() < RELEASES_A_PAGE, releases })
    }

    /// The greatest of all releases by what `rank` makes of them; those that it makes nothing of, and drafts, do not
    /// count. The order of the list does not matter: GitHub sorts by the age of commits.
    ///
    /// # Errors
    /// When a page cannot be fetched.
    pub async fn greatest<R: Ord>(
        &self,
        rank: impl Fn(&Release) -> Option<R>,
    ) -> Result<Option<(R, Release)>, GithubError> {
        let mut greatest: Option<(R, Release)> = None;
        for number in 1.. {
            let page = self.page(number).await?;
            for release in page.releases.into_iter().filter(|release| !release.draft) {
                let Some(rank) = rank(&release) else { continue };
                if greatest.as_ref().is_none_or(|(best, _)| *best < rank) {
                    greatest = Some((rank, release));
                }
            }
            if page.is_last {
                break;
            }
        }
        Ok(greatest)
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
