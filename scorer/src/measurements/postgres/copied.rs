//! What a server sends after `COPY … TO STDOUT`, as the readers of a dump want it.

use std::io::{self, BufRead, Read};
use std::pin::Pin;

use bytes::{Buf as _, Bytes};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio_postgres::CopyOutStream;

use crate::measurements::buffered;

/// Over a connection, the end of the data is a message; in a dump it is this line.
const END: &[u8] = b"\\.\n";

/// The text that a server copies out.
pub(super) struct Copied<'a> {
    runtime: &'a Runtime,
    stream: Pin<Box<CopyOutStream>>,
    current: Bytes,
    ended: bool,
    received: u64,
    progress: &'a dyn Fn(u64),
    failure: Option<tokio_postgres::Error>,
}

impl<'a> Copied<'a> {
    /// `received` counts on from what came before.
    pub(super) fn new(
        runtime: &'a Runtime,
        stream: CopyOutStream,
        received: u64,
        progress: &'a dyn Fn(u64),
    ) -> Self {
        let stream = Box::pin(stream);
        Self { runtime, stream, current: Bytes::new(), ended: false, received, progress, failure: None }
    }

    pub(super) fn received(&self) -> u64 {
        self.received
    }

    /// Why the server sends no more.
    pub(super) fn failure(self) -> Option<tokio_postgres::Error> {
        self.failure
    }
}

impl BufRead for Copied<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.current.is_empty() && !self.ended {
            match self.runtime.block_on(self.stream.next()) {
                Some(Ok(bytes)) => {
                    self.received += bytes.len() as u64;
                    (self.progress)(self.received);
                    self.current = bytes;
                }
                Some(Err(error)) => {
                    self.failure = Some(error);
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
                None => {
                    self.ended = true;
                    self.current = Bytes::from_static(END);
                }
            }
        }
        Ok(&self.current)
    }

    fn consume(&mut self, count: usize) {
        self.current.advance(count);
    }
}

impl Read for Copied<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        buffered::read(self, target)
    }
}
