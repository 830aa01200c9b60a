//! Where GitHub is, and who we are for it, as the environment says.

use std::env;

use crate::console::Console;
use crate::measurements::http::{Http, HttpError, Retry, Url, address};

/// GitHub's API.
pub const API: &str = "https://api.github.com";

/// Where GitHub's repositories are.
const SERVER: &str = "https://github.com";

/// A GitHub, or a server of its kind.
#[derive(Clone, Debug)]
pub struct Server {
    /// The address of its API: `GITHUB_API_URL`, else GitHub's.
    pub api: String,
    /// The address below which its repositories are: `GITHUB_SERVER_URL`, else GitHub's.
    pub repositories: String,
    /// Who we are for it: `GITHUB_TOKEN`, else `GH_TOKEN`, else nobody.
    pub token: Option<String>,
    /// How often it is tried.
    pub retry: Retry,
}

impl Server {
    /// The server that the environment names.
    #[must_use]
    pub fn from_environment(retry: Retry) -> Self {
        Self {
            api: variable("GITHUB_API_URL").unwrap_or_else(|| API.to_owned()),
            repositories: variable("GITHUB_SERVER_URL").unwrap_or_else(|| SERVER.to_owned()),
            token: variable("GITHUB_TOKEN").or_else(|| variable("GH_TOKEN")),
            retry,
        }
    }

    /// A client that shows the token to the API, and to nobody else; and the API's address. What is tried again is told.
    ///
    /// # Errors
    /// When the address is none, or no connection can be set up.
    pub fn client(&self, console: &Console) -> Result<(Http, Url), HttpError> {
        let api = address(&self.api)?;
        let http = Http::new(self.retry, console)?;
        let http = match &self.token {
            Some(token) => http.with_token(api.clone(), token)?,
            None => http,
        };
        Ok((http, api))
    }

    /// What git clones to have a repository.
    #[must_use]
    pub fn clone_url(&self, repository: &str) -> String {
        format!("{}/{repository}", self.repositories.trim_end_matches('/'))
    }
}

/// A variable; an empty one counts as not set.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
