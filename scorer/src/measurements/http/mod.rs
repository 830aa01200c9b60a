//! One HTTP client for everything that is fetched: the release of a dump, its parts, the API.
//!
//! Certificates are checked by the machine's own list, proxies are those of `HTTPS_PROXY` and its
//! siblings. What can pass on another try is tried again, later each time; a server that asks for patience
//! gets it, within reason. A [`Download`] goes on where a connection broke.

mod answer;
mod download;
mod error;
mod retry;

use std::fmt;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderValue, RANGE};
use reqwest::{Client, RequestBuilder, Response};
use serde::de::DeserializeOwned;

pub use download::Download;
pub use error::HttpError;
pub use reqwest::Url;
pub use retry::Retry;

use super::tls;
use crate::console::Console;
use answer::{Verdict, judge};
use retry::Attempts;

/// How long a connection may take to come about, and how long nothing may come over it.
const CONNECT: Duration = Duration::from_secs(30);
const SILENCE: Duration = Duration::from_mins(1);
/// How a server knows us.
const USER_AGENT: &str = concat!("scorer/", env!("CARGO_PKG_VERSION"));

/// An HTTP client.
#[derive(Clone, Debug)]
pub struct Http {
    client: Client,
    retry: Retry,
    console: Console,
    token: Option<Token>,
}

/// Whom we are for one server. It is never shown, nor sent to another.
#[derive(Clone)]
struct Token {
    server: Url,
    header: HeaderValue,
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a token for {}", self.server)
    }
}

impl Http {
    /// A client that tries again as `retry` says, and tells it each time.
    ///
    /// # Errors
    /// When the machine's certificates or proxies cannot be used.
    pub fn new(retry: Retry, console: &Console) -> Result<Self, HttpError> {
        tls::prepare();
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .build()
            .map_err(HttpError::Client)?;
        Ok(Self { client, retry, console: console.clone(), token: None })
    }

    /// Shows a token to one server.
    ///
    /// # Errors
    /// When it has characters that no token has.
    pub fn with_token(mut self, server: Url, token: &str) -> Result<Self, HttpError> {
        let mut header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| HttpError::Token)?;
        header.set_sensitive(true);
        self.token = Some(Token { server, header });
        Ok(self)
    }

    /// The bytes of an address, at most `limit`.
    ///
    /// # Errors
    /// When it does not answer, not with success, or with more.
    pub async fn get(&self, url: &Url, limit: u64) -> Result<Vec<u8>, HttpError> {
        let mut attempts = self.attempts();
        loop {
            let mut answer = self.answer(url, 0, &mut attempts).await?;
            match body(&mut answer, url, limit).await {
                Ok(bytes) => return Ok(bytes),
                Err(Interrupted::Broken(source)) => attempts.wait(None, connection(url, source)).await?,
                Err(Interrupted::Failed(error)) => return Err(error),
            }
        }
    }

    /// The JSON of an address, at most `limit` bytes of it.
    ///
    /// # Errors
    /// As [`Http::get`], and when it is not JSON of that shape.
    pub async fn get_json<T: DeserializeOwned>(&self, url: &Url, limit: u64) -> Result<T, HttpError> {
        let bytes = self.get(url, limit).await?;
        serde_json::from_slice(&bytes).map_err(|source| HttpError::Json { url: shown(url), source })
    }

    /// An answer with success to a request from byte `from` on, after as many attempts as it takes.
    async fn answer(&self, url: &Url, from: u64, attempts: &mut Attempts) -> Result<Response, HttpError> {
        loop {
            let mut request = self.client.get(url.clone()).header(ACCEPT, "application/json, */*");
            if from > 0 {
                request = request.header(RANGE, format!("bytes={from}-"));
            }
            match self.authorized(request, url).send().await {
                Err(source) => attempts.wait(None, connection(url, source)).await?,
                Ok(answer) => match judge(&answer, shown(url), self.token_for(url).is_some()) {
                    Verdict::Success => return Ok(answer),
                    Verdict::Again { after, error } => attempts.wait(after, error).await?,
                    Verdict::Failure(error) => return Err(error),
                },
            }
        }
    }

    fn attempts(&self) -> Attempts {
        Attempts::new(self.retry, self.console.clone())
    }

    fn authorized(&self, request: RequestBuilder, url: &Url) -> RequestBuilder {
        match self.token_for(url) {
            Some(token) => request.header(AUTHORIZATION, token.header.clone()),
            None => request,
        }
    }

    fn token_for(&self, url: &Url) -> Option<&Token> {
        self.token.as_ref().filter(|token| token.server.origin() == url.origin())
    }
}

/// An http or https address.
///
/// # Errors
/// When it is none.
pub fn address(text: &str) -> Result<Url, HttpError> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| HttpError::Url(text.chars().take(200).collect()))
}

/// Why a body was not read to its end.
enum Interrupted {
    Broken(reqwest::Error),
    Failed(HttpError),
}

async fn body(answer: &mut Response, url: &Url, limit: u64) -> Result<Vec<u8>, Interrupted> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(Interrupted::Broken)? {
        if (bytes.len() + chunk.len()) as u64 > limit {
            return Err(Interrupted::Failed(HttpError::TooLarge { url: shown(url), limit }));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn connection(url: &Url, source: reqwest::Error) -> HttpError {
    HttpError::Connection { url: shown(url), source: source.without_url() }
}

/// An address without what may be secret in it: its password and its query.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Only addresses that have no host refuse this, and they have no password.
    let _ = url.set_password(None).and_then(|()| url.set_username(""));
    url.set_query(None);
    url.into()
}
