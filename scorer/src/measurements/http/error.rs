//! Why something cannot be fetched, and what to do.

use std::time::Duration;

use crate::console::span;
use crate::exit::{ExitCode, Failure};

/// Something cannot be fetched.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The client cannot be set up.
    #[error("no HTTPS connection can be set up on this machine")]
    Client(#[source] reqwest::Error),
    /// The token is none.
    #[error("the token in the environment has characters that no token has")]
    Token,
    /// It is no address.
    #[error("`{0}` is not an http or https address")]
    Url(String),
    /// No connection comes about, or it breaks.
    #[error("{url}: no connection, or it broke")]
    Connection {
        /// The address.
        url: String,
        /// What happened last.
        source: reqwest::Error,
    },
    /// The server ends answers too early.
    #[error("{url}: the answer ended after {received} of {expected} bytes")]
    Cut {
        /// The address.
        url: String,
        /// What was received.
        received: u64,
        /// What was announced.
        expected: u64,
    },
    /// The server refuses.
    #[error("{url}: the server answers {status}{}", meaning(*.status))]
    Status {
        /// The address.
        url: String,
        /// The status.
        status: u16,
        /// Whether a token was shown.
        with_token: bool,
    },
    /// The server was asked too often.
    #[error(
        "{url}: the server answers {status}, because it was asked too often{}",
        after.map(|after| format!(", and wants to be asked again in {}", span(after.as_secs_f64()))).unwrap_or_default()
    )]
    Limited {
        /// The address.
        url: String,
        /// The status.
        status: u16,
        /// When it may be asked again.
        after: Option<Duration>,
        /// Whether a token was shown.
        with_token: bool,
    },
    /// The answer to a request for the rest of something is not that.
    #[error("{url}: the server answers a request for bytes from {from} on with others")]
    Range {
        /// The address.
        url: String,
        /// Where the rest begins.
        from: u64,
    },
    /// The answer is too large.
    #[error("{url}: the answer is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The address.
        url: String,
        /// The most that is read.
        limit: u64,
    },
    /// The answer is not what it should be.
    #[error("{url}: the answer is not the JSON that is expected")]
    Json {
        /// The address.
        url: String,
        /// Where and what.
        source: serde_json::Error,
    },
}

fn meaning(status: u16) -> &'static str {
    match status {
        401 => " (not authorized)",
        403 => " (forbidden)",
        404 => " (not found)",
        407 => " (the proxy wants to know who you are)",
        500..=599 => " (an error of its own)",
        _ => "",
    }
}

impl Failure for HttpError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Url(_) | Self::Token => ExitCode::Usage,
            Self::Client(_) => ExitCode::Unexpected,
            Self::Json { .. } => ExitCode::InputInvalid,
            Self::Connection { .. }
            | Self::Cut { .. }
            | Self::Status { .. }
            | Self::Limited { .. }
            | Self::Range { .. }
            | Self::TooLarge { .. } => ExitCode::InputUnreadable,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Connection { .. } => {
                "check the network; a proxy is taken from HTTPS_PROXY, certificates of your own from SSL_CERT_FILE"
            }
            Self::Cut { .. } => "try again later; with --keep-parts the next run goes on from here",
            Self::Limited { with_token: false, .. } => {
                "wait as long as it says, or set GITHUB_TOKEN to a token of yours: GitHub then allows more"
            }
            Self::Limited { with_token: true, .. } => "wait as long as it says",
            Self::Status { status: 401 | 403, with_token: true, .. } => {
                "the token in GITHUB_TOKEN may be wrong, too old or not for this: unset it, or take another"
            }
            Self::Status { status: 403, .. } => {
                "a proxy or the server keeps you out: download the files another way, and name them instead"
            }
            Self::Status { status: 404, .. } => "check the address, or the tag",
            _ => return None,
        };
        Some(advice.to_owned())
    }
}
