//! What an answer means: go on, try again and when, or give up and why.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};

use super::error::HttpError;

/// What an answer means.
#[derive(Debug)]
pub(super) enum Verdict {
    Success,
    Again {
        /// How long the server asks us to wait.
        after: Option<Duration>,
        /// What to say when that is too often or too long.
        error: HttpError,
    },
    Failure(HttpError),
}

/// Judges an answer; `with_token` says whether the server knows who asks.
pub(super) fn judge(answer: &Response, url: String, with_token: bool) -> Verdict {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    judge_parts(answer.status(), answer.headers(), now, url, with_token)
}

fn judge_parts(
    status: StatusCode,
    headers: &HeaderMap,
    now: Duration,
    url: String,
    with_token: bool,
) -> Verdict {
    let number = status.as_u16();
    if status.is_success() {
        return Verdict::Success;
    }
    let after = patience(headers, now);
    let is_limit =
        status == StatusCode::TOO_MANY_REQUESTS || (status == StatusCode::FORBIDDEN && after.is_some());
    if is_limit {
        return Verdict::Again {
            after,
            error: HttpError::Limited { url, status: number, after, with_token },
        };
    }
    let error = HttpError::Status { url, status: number, with_token };
    if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        Verdict::Again { after, error }
    } else {
        Verdict::Failure(error)
    }
}

/// How long the server asks us to wait: by `Retry-After` in seconds, or by GitHub's headers when nothing is
/// left of an hour's requests.
fn patience(headers: &HeaderMap, now: Duration) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    if let Some(seconds) = number(RETRY_AFTER.as_str()) {
        return Some(Duration::from_secs(seconds));
    }
    let nothing_left = number("x-ratelimit-remaining") == Some(0);
    let reset = number("x-ratelimit-reset").filter(|_| nothing_left)?;
    Some(Duration::from_secs(reset).saturating_sub(now) + Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_000_000);

    fn judged(status: u16, headers: &[(&'static str, &'static str)]) -> Verdict {
        let headers: HeaderMap =
            headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        judge_parts(StatusCode::from_u16(status).unwrap(), &headers, NOW, "u".to_owned(), false)
    }

    fn after(verdict: Verdict) -> Option<u64> {
        match verdict {
            Verdict::Again { after, .. } => after.map(|after| after.as_secs()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_when_the_server_says() {
        assert_eq!(after(judged(503, &[])), None);
        assert_eq!(after(judged(429, &[("retry-after", "7")])), Some(7));
        assert_eq!(after(judged(403, &[("retry-after", "60")])), Some(60));
        let spent = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1000600")];
        assert_eq!(after(judged(403, &spent)), Some(601));
        let past = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "999000")];
        assert_eq!(after(judged(429, &past)), Some(1));
    }

    #[test]
    fn what_will_not_pass_is_not() {
        assert!(matches!(judged(200, &[]), Verdict::Success));
        assert!(matches!(judged(206, &[]), Verdict::Success));
        for status in [304, 400, 401, 403, 404, 416] {
            assert!(matches!(judged(status, &[]), Verdict::Failure(HttpError::Status { .. })), "{status}");
        }
        let left = [("x-ratelimit-remaining", "12"), ("x-ratelimit-reset", "1000600")];
        assert!(matches!(judged(403, &left), Verdict::Failure(_)));
    }
}
