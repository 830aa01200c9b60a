//! A large answer, read as it comes; where a connection breaks, the next one goes on.

use std::io::{self, Read};

use reqwest::Response;
use reqwest::header::CONTENT_RANGE;
use tokio::runtime::Runtime;

use super::error::HttpError;
use super::retry::Attempts;
use super::{Http, Url, connection, shown};

/// A large answer that is being read.
///
/// Its errors are an [`HttpError`] in an [`io::Error`].
#[derive(Debug)]
pub struct Download<'a> {
    http: &'a Http,
    runtime: &'a Runtime,
    url: Url,
    position: u64,
    expected: Option<u64>,
    answer: Option<Response>,
    /// Bytes that come again, because the server cannot begin in the middle.
    repeated: u64,
    attempts: Attempts,
    chunk: Chunk,
}

/// What was received and not yet read.
type Chunk = io::Cursor<bytes::Bytes>;

impl<'a> Download<'a> {
    /// Reads an address from byte `from` on; its size is `expected` in all, where that is known.
    #[must_use]
    pub fn new(http: &'a Http, runtime: &'a Runtime, url: Url, from: u64, expected: Option<u64>) -> Self {
        Self {
            attempts: http.attempts(),
            http,
            runtime,
            url,
            position: from,
            expected,
            answer: None,
            repeated: 0,
            chunk: Chunk::default(),
        }
    }

    /// Waits for the next bytes. False at the end.
    async fn receive(&mut self) -> Result<bool, HttpError> {
        loop {
            // A server may give more than was announced: whoever announced it tells.
            if self.expected.is_some_and(|expected| self.position >= expected) {
                return Ok(false);
            }
            let mut answer = match self.answer.take() {
                Some(answer) => answer,
                None => self.ask().await?,
            };
            match answer.chunk().await {
                Ok(Some(chunk)) => {
                    self.answer = Some(answer);
                    if self.take(chunk) {
                        return Ok(true);
                    }
                }
                Ok(None) => match self.expected {
                    None => return Ok(false),
                    Some(expected) => {
                        let (url, received) = (shown(&self.url), self.position);
                        self.attempts.wait(None, HttpError::Cut { url, received, expected }).await?;
                    }
                },
                Err(source) => {
                    self.attempts.wait(None, connection(&self.url, source)).await?;
                }
            }
        }
    }

    /// Takes what is new in a chunk. False when nothing is.
    fn take(&mut self, mut chunk: bytes::Bytes) -> bool {
        let again = usize::try_from(self.repeated).map_or(chunk.len(), |again| again.min(chunk.len()));
        self.repeated -= again as u64;
        let chunk = chunk.split_off(again);
        if chunk.is_empty() {
            return false;
        }
        self.attempts.succeed();
        self.position += chunk.len() as u64;
        self.chunk = Chunk::new(chunk);
        true
    }

    async fn ask(&mut self) -> Result<Response, HttpError> {
        let from = self.position;
        let answer = self.http.answer(&self.url, from, &mut self.attempts).await?;
        let wrong = || HttpError::Range { url: shown(&self.url), from };
        if answer.status() == reqwest::StatusCode::PARTIAL_CONTENT {
            let range = answer.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
            let (start, total) = range.and_then(content_range).ok_or_else(wrong)?;
            if start != from {
                return Err(wrong());
            }
            self.repeated = 0;
            self.expected = self.expected.or(total);
        } else {
            self.repeated = from;
            self.expected = self.expected.or(answer.content_length());
        }
        Ok(answer)
    }
}

/// Where the bytes of `bytes 5-9/20` begin, and how many there are in all; none for `*`.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    let total = if total == "*" { None } else { Some(total.parse().ok()?) };
    Some((start.parse().ok()?, total))
}

impl Read for Download<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.chunk.read(target)?;
        if count > 0 || target.is_empty() {
            return Ok(count);
        }
        let runtime = self.runtime;
        if runtime.block_on(self.receive()).map_err(io::Error::other)? {
            self.chunk.read(target)
        } else {
            Ok(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_range_says_where_it_begins() {
        assert_eq!(content_range("bytes 5-9/20"), Some((5, Some(20))));
        assert_eq!(content_range("bytes 5-9/*"), Some((5, None)));
        for text in ["", "bytes", "bytes */20", "bytes x-9/20", "lines 5-9/20", "bytes 5-9/x"] {
            assert_eq!(content_range(text), None, "{text}");
        }
    }
}
