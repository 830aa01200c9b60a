//! The one zstd frame that a dump is: decompressed as it comes, in bounded memory.

use std::io::{self, BufRead, Read};

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation as _, OutBuffer};

use crate::measurements::buffered;

/// Dumps are compressed with `zstd --long=27`: to read them takes a window of 128 MiB.
pub(super) const LARGEST_WINDOW_LOG: u32 = 27;

/// How much is decompressed at a time, in bytes. It fits into a core's own cache.
const PIECE: usize = 1 << 18;

/// Dumps are some ten times as large as their frame. What is more than this many times as large, once
/// that matters, is made to keep us busy.
const LARGEST_EXPANSION: u64 = 1_000;
const EXPANSION_MATTERS_FROM: u64 = 1 << 30;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The magic number and the frame's descriptor, in bytes.
const START: usize = 5;
/// The bit of the frame's descriptor that says whether a checksum of the content follows it.
const CHECKSUM_BIT: u8 = 1 << 2;

/// The stream is no zstd frame that can be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// It is something else.
    #[error("this is not compressed with zstd{}", if *.archive { ", but an archive of pg_dump as it is: compress it with `zstd --long=27`" } else { "" })]
    Magic {
        /// Whether it is an archive of pg_dump.
        archive: bool,
    },
    /// It is damaged, or needs too large a window.
    #[error("the zstd frame cannot be decompressed after byte {offset} of it: {problem}")]
    Damaged {
        /// How far it could be read.
        offset: u64,
        /// What the decoder says.
        problem: String,
    },
    /// It ends too early.
    #[error("the zstd frame ends too early, at byte {offset} of it: the last parts are missing")]
    Cut {
        /// Where it ends.
        offset: u64,
    },
    /// Something follows it.
    #[error("bytes follow the end of the zstd frame (byte {offset}): a dump is one frame")]
    After {
        /// Where it ends.
        offset: u64,
    },
    /// It is a bomb.
    #[error("{compressed} bytes expand to more than {LARGEST_EXPANSION} times as many: this is no dump")]
    Bomb {
        /// How much was read.
        compressed: u64,
    },
    /// It has no checksum, so that nothing would tell whether it is damaged.
    #[error("the zstd frame has no checksum, and no SHA256SUMS says what it must be: name one with --sums")]
    NoChecksum,
}

impl From<FrameError> for io::Error {
    fn from(error: FrameError) -> Self {
        Self::other(error)
    }
}

/// What comes out of one zstd frame.
pub(super) struct Frame<R> {
    input: io::Chain<io::Cursor<Vec<u8>>, R>,
    decoder: Decoder<'static>,
    output: Box<[u8]>,
    start: usize,
    end: usize,
    compressed: u64,
    decompressed: u64,
    has_checksum: bool,
    ended: bool,
}

impl<R: BufRead> Frame<R> {
    /// A frame that begins with the next byte.
    pub(super) fn new(mut input: R) -> io::Result<Self> {
        // However little of it comes at first.
        let mut start = Vec::with_capacity(START);
        (&mut input).take(START as u64).read_to_end(&mut start)?;
        let has_checksum = has_checksum(&start)?;
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(LARGEST_WINDOW_LOG))?;
        Ok(Self {
            input: io::Cursor::new(start).chain(input),
            decoder,
            output: vec![0; PIECE].into_boxed_slice(),
            start: 0,
            end: 0,
            compressed: 0,
            decompressed: 0,
            has_checksum,
            ended: false,
        })
    }

    /// Reads it to its end, where its checksum is; for want of one it is refused.
    pub(super) fn verify(mut self) -> io::Result<()> {
        if !self.has_checksum {
            return Err(FrameError::NoChecksum.into());
        }
        loop {
            let count = self.fill_buf()?.len();
            if count == 0 {
                return Ok(());
            }
            self.consume(count);
        }
    }

    /// Decompresses the next piece. Nothing is left of the one before.
    fn decompress(&mut self) -> io::Result<()> {
        while self.start == self.end && !self.ended {
            let piece = self.input.fill_buf()?;
            if piece.is_empty() {
                return Err(FrameError::Cut { offset: self.compressed }.into());
            }
            let mut from = InBuffer::around(piece);
            let mut to = OutBuffer::around(&mut *self.output);
            let hint = self.decoder.run(&mut from, &mut to).map_err(|error| FrameError::Damaged {
                offset: self.compressed,
                problem: error.to_string(),
            })?;
            let (read, written) = (from.pos(), to.pos());
            self.input.consume(read);
            self.compressed += read as u64;
            self.decompressed += written as u64;
            (self.start, self.end) = (0, written);
            self.ended = hint == 0;
            self.refuse_bomb()?;
        }
        if self.ended && self.start == self.end && !self.input.fill_buf()?.is_empty() {
            return Err(FrameError::After { offset: self.compressed }.into());
        }
        Ok(())
    }

    fn refuse_bomb(&self) -> Result<(), FrameError> {
        let allowed = EXPANSION_MATTERS_FROM.max(self.compressed.saturating_mul(LARGEST_EXPANSION));
        if self.decompressed > allowed {
            return Err(FrameError::Bomb { compressed: self.compressed });
        }
        Ok(())
    }
}

fn has_checksum(start: &[u8]) -> Result<bool, FrameError> {
    match start {
        [] => Err(FrameError::Cut { offset: 0 }),
        [a, b, c, d, descriptor, ..] if [*a, *b, *c, *d] == MAGIC => Ok(descriptor & CHECKSUM_BIT != 0),
        _ if start.len() < START && MAGIC.starts_with(start.get(..4).unwrap_or(start)) => {
            Err(FrameError::Cut { offset: start.len() as u64 })
        }
        _ => Err(FrameError::Magic { archive: start.starts_with(b"PGDMP") }),
    }
}

impl<R: BufRead> BufRead for Frame<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.decompress()?;
        }
        Ok(&self.output[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.start = self.end.min(self.start + count);
    }
}

impl<R: BufRead> Read for Frame<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        buffered::read(self, target)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        io::copy(&mut &*bytes, &mut encoder).unwrap();
        encoder.finish().unwrap()
    }

    fn decompressed(frame: &[u8], piece: usize) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut frame =
            Frame::new(BufReader::with_capacity(piece, frame)).map_err(|error| error.to_string())?;
        frame.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    #[test]
    fn what_was_compressed_comes_out_again_in_whatever_pieces_it_goes_in() {
        let bytes: Vec<u8> = (0..600_000_u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        let frame = compressed(&bytes);
        for piece in [1, 5, 1000, 1 << 20] {
            assert!(decompressed(&frame, piece).as_deref() == Ok(&bytes[..]), "{piece}");
        }
    }

    #[test]
    fn a_frame_that_is_cut_goes_on_or_is_none_is_told() {
        let frame = compressed(b"some text, some more text");
        for length in 0..frame.len() {
            let told = decompressed(&frame[..length], 1 << 10).unwrap_err();
            assert!(told.contains("ends too early"), "{length}: {told}");
        }
        let longer = [&frame[..], b"x"].concat();
        assert!(decompressed(&longer, 1 << 10).unwrap_err().contains("follow the end"));
        assert!(decompressed(b"PGDMP\x01", 9).unwrap_err().contains("compress it with"));
        assert!(decompressed(b"PK\x03\x04...", 9).unwrap_err().contains("not compressed with zstd"));
    }

    #[test]
    fn a_flipped_bit_is_told_or_changes_nothing_wherever_it_is() {
        let bytes: Vec<u8> = (0..2_000_u32).flat_map(|n| (n % 91).to_le_bytes()).collect();
        let frame = compressed(&bytes);
        let mut harmless = 0;
        for index in 0..8 * frame.len() {
            let mut damaged = frame.clone();
            damaged[index / 8] ^= 1 << (index % 8);
            if Frame::new(&damaged[..]).and_then(Frame::verify).is_ok() {
                assert!(decompressed(&damaged, 1 << 10).as_deref() == Ok(&bytes[..]), "bit {index}");
                harmless += 1;
            }
        }
        // The size of the window, an unused bit of the head, padding: few of all bits.
        assert!(harmless * 20 < 8 * frame.len(), "{harmless} of {}", 8 * frame.len());
    }

    #[test]
    fn without_a_checksum_nothing_would_be_told_so_it_is_refused() {
        let frame = zstd::encode_all(&b"abc"[..], 3).unwrap();
        let told = Frame::new(&frame[..]).unwrap().verify().unwrap_err().to_string();
        assert!(told.contains("--sums"), "{told}");
    }

    #[test]
    fn a_bomb_is_given_up() {
        let zeros = io::repeat(0).take(3 << 30);
        let frame = {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            io::copy(&mut BufReader::with_capacity(1 << 20, zeros), &mut encoder).unwrap();
            encoder.finish().unwrap()
        };
        let mut read = Frame::new(&frame[..]).unwrap();
        let told = io::copy(&mut read, &mut io::sink()).unwrap_err().to_string();
        assert!(told.contains("this is no dump"), "{told}");
    }
}
