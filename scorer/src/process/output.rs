//! Reading what a program prints, never more than is allowed.

use std::convert::Infallible;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// The longest text of a program that is repeated in a message, in characters.
const LONGEST_WORDS: usize = 300;

/// A stream that cannot be read on.
#[derive(Debug)]
pub(super) enum ReadError {
    /// There is more than is allowed.
    TooMuch,
    /// There is no more.
    Closed,
    /// The system refuses.
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Adds all of a stream to `into`, which keeps what was read when the future is dropped.
pub(super) async fn read_bounded(
    mut stream: impl AsyncRead + Unpin,
    limit: usize,
    into: &mut Vec<u8>,
) -> Result<(), ReadError> {
    loop {
        into.reserve(CHUNK);
        if stream.read_buf(into).await? == 0 {
            return Ok(());
        }
        if into.len() > limit {
            return Err(ReadError::TooMuch);
        }
    }
}

/// The last bytes of a stream.
#[derive(Debug)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    limit: usize,
}

impl Tail {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit }
    }

    /// Reads a stream to its end.
    pub(super) async fn read(&mut self, mut stream: impl AsyncRead + Unpin) -> io::Result<()> {
        loop {
            // At most twice the limit is kept, so that bytes are moved once per `limit` bytes.
            if self.bytes.len() >= 2 * self.limit {
                self.bytes.drain(..self.bytes.len() - self.limit);
            }
            self.bytes.reserve(CHUNK);
            if stream.read_buf(&mut self.bytes).await? == 0 {
                return Ok(());
            }
        }
    }

    /// Reads a stream as long as it is asked to: the end of the stream is no end of this.
    pub(super) async fn keep_reading(&mut self, stream: impl AsyncRead + Unpin) -> Infallible {
        // What is lost when the system refuses are words for a message.
        let _ = self.read(stream).await;
        std::future::pending().await
    }

    pub(super) fn text(&self) -> String {
        let start = self.bytes.len().saturating_sub(self.limit);
        String::from_utf8_lossy(&self.bytes[start..]).into_owned()
    }
}

/// A stream read line by line.
#[derive(Debug)]
pub(super) struct Lines<R> {
    stream: R,
    /// What was read and is not part of a line that was returned.
    bytes: Vec<u8>,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(stream: R, limit: usize) -> Self {
        Self { stream, bytes: Vec::new(), limit }
    }

    /// The next line, without its end; what stands before the end of the stream is a line too.
    pub(super) async fn next(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.bytes[searched..].iter().position(|byte| *byte == b'\n') {
                let rest = self.bytes.split_off(searched + end + 1);
                let mut line = std::mem::replace(&mut self.bytes, rest);
                line.pop();
                return Ok(line);
            }
            searched = self.bytes.len();
            if searched > self.limit {
                return Err(ReadError::TooMuch);
            }
            self.bytes.reserve(CHUNK);
            if self.stream.read_buf(&mut self.bytes).await? == 0 {
                let rest = std::mem::take(&mut self.bytes);
                return if rest.is_empty() { Err(ReadError::Closed) } else { Ok(rest) };
            }
        }
    }
}

/// The last line of a program's stderr that says something, cut off when it is long.
#[must_use]
pub fn last_line(stderr: &str) -> Option<String> {
    let line = stderr.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST_WORDS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_more_than_the_limit_is_read() {
        let mut bytes = Vec::new();
        read_bounded(&b"1234"[..], 4, &mut bytes).await.unwrap();
        assert_eq!(bytes, b"1234");
        let endless = tokio::io::repeat(b'x');
        let mut bytes = Vec::new();
        assert!(matches!(read_bounded(endless, 1000, &mut bytes).await, Err(ReadError::TooMuch)));
        assert!(bytes.len() < 1000 + 2 * CHUNK, "{}", bytes.len());
    }

    #[tokio::test]
    async fn of_a_long_stream_the_end_is_kept() {
        let mut tail = Tail::new(8);
        let stream: Vec<u8> =
            (0..200_000_u32).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        tail.read(&stream[..]).await.unwrap();
        assert_eq!(tail.text(), "\n199999\n");
        assert!(tail.bytes.capacity() < 1 << 20, "{}", tail.bytes.capacity());
    }

    #[tokio::test]
    async fn lines_come_one_by_one_and_the_last_needs_no_end() {
        let mut lines = Lines::new(&b"one\n\ntwo\nend"[..], 8);
        for expected in ["one", "", "two", "end"] {
            assert_eq!(lines.next().await.unwrap(), expected.as_bytes());
        }
        assert!(matches!(lines.next().await, Err(ReadError::Closed)));
        let mut endless = Lines::new(tokio::io::repeat(b'x'), 1000);
        assert!(matches!(endless.next().await, Err(ReadError::TooMuch)));
    }

    #[test]
    fn the_last_words_are_short_and_not_blank() {
        assert_eq!(last_line("a\n  fatal: b \n\n").as_deref(), Some("fatal: b"));
        assert_eq!(last_line(" \n"), None);
        assert_eq!(last_line(&"é".repeat(10_000)).unwrap().chars().count(), LONGEST_WORDS);
    }
}
