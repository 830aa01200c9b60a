//! The data of one table as COPY text, whatever they are compressed with.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::ZlibDecoder;
use lz4_flex::frame::FrameDecoder;

use super::blocks::Chunks;
use super::error::ArchiveError;
use super::header::Compression;
use super::toc::Table;
use crate::measurements::dump::frame::LARGEST_WINDOW_LOG;

/// The data of one table: its COPY text, to be read to its end.
pub struct TableData<'a, R: BufRead> {
    table: &'a Table,
    text: Text<'a, R>,
}

enum Text<'a, R: BufRead> {
    Plain(Chunks<'a, R>),
    Gzip(BufReader<ZlibDecoder<Chunks<'a, R>>>),
    Lz4(Box<FrameDecoder<Chunks<'a, R>>>),
    Zstd(BufReader<zstd::Decoder<'static, Chunks<'a, R>>>),
}

/// Decompressed text is handed on in pieces of this size.
const BUFFER: usize = 1 << 17;

impl<'a, R: BufRead> TableData<'a, R> {
    pub(super) fn new(
        table: &'a Table,
        chunks: Chunks<'a, R>,
        compression: Compression,
    ) -> Result<Self, ArchiveError> {
        let text = match compression {
            Compression::None => Text::Plain(chunks),
            Compression::Gzip => Text::Gzip(BufReader::with_capacity(BUFFER, ZlibDecoder::new(chunks))),
            Compression::Lz4 => Text::Lz4(Box::new(FrameDecoder::new(chunks))),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(chunks).map_err(ArchiveError::Read)?;
                decoder.window_log_max(LARGEST_WINDOW_LOG).map_err(ArchiveError::Read)?;
                Text::Zstd(BufReader::with_capacity(BUFFER, decoder.single_frame()))
            }
        };
        Ok(Self { table, text })
    }

    /// Which table it is.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// Ends with the table, of which all text was read.
    ///
    /// # Errors
    /// When the data go on.
    pub fn finish(self) -> Result<(), ArchiveError> {
        match self.text {
            Text::Plain(chunks) => chunks.finish(),
            Text::Gzip(reader) => reader.into_inner().into_inner().finish(),
            Text::Lz4(decoder) => decoder.into_inner().finish(),
            Text::Zstd(reader) => reader.into_inner().finish().finish(),
        }
    }

    fn reader(&mut self) -> &mut dyn BufRead {
        match &mut self.text {
            Text::Plain(chunks) => chunks,
            Text::Gzip(reader) => reader,
            Text::Lz4(decoder) => &mut **decoder,
            Text::Zstd(reader) => reader,
        }
    }
}

impl<R: BufRead> BufRead for TableData<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader().fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.reader().consume(count);
    }
}

impl<R: BufRead> Read for TableData<'_, R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        self.reader().read(target)
    }
}
