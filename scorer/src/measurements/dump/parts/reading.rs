//! Reading and hashing the parts on a thread of its own, so that whoever decompresses never waits for
//! the disk or the digest.

use std::io::{self, BufRead, Read};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use shared::corpus::SourcePart;
use shared::digest::Hasher;

use super::error::PartsError;
use super::{Fate, Part, PartSource};
use crate::measurements::buffered;

/// How much is read at a time, in bytes.
const BLOCK: usize = 1 << 20;
/// How many blocks may wait to be used.
const WAITING: usize = 4;

/// The bytes of all parts, as they come from the reading thread.
///
/// They end early when reading fails; that failure is the one that [`with_parts`] tells.
#[derive(Debug)]
pub(in crate::measurements::dump) struct Feed {
    blocks: Receiver<Block>,
    used: Sender<Block>,
    current: Option<Block>,
    position: usize,
}

#[derive(Debug)]
struct Block {
    bytes: Box<[u8]>,
    length: usize,
}

impl Block {
    fn empty() -> Self {
        Self { bytes: vec![0; BLOCK].into_boxed_slice(), length: 0 }
    }
}

/// Reads parts for a consumer. When it has enough, the part that is being read is still read to its end:
/// all that the consumer got was then verified. Parts after that are not looked at.
///
/// Its parts are those that were read whole and are what they must be.
///
/// # Errors
/// What is wrong with a part comes before what the consumer says, which is its consequence.
pub(in crate::measurements::dump) fn with_parts<T, E: From<PartsError>>(
    source: &mut dyn PartSource,
    progress: &(dyn Fn(u64) + Sync),
    consume: impl FnOnce(Feed) -> Result<T, E>,
) -> Result<(T, Vec<SourcePart>), E> {
    let (blocks, incoming) = sync_channel(WAITING);
    let (used, returning) = channel();
    let feed = Feed { blocks: incoming, used, current: None, position: 0 };
    thread::scope(|scope| {
        let outlet = Outlet { blocks: Some(blocks), used: returning, spare: None };
        let reader = scope.spawn(move || read_parts(source, outlet, progress));
        let consumed = consume(feed);
        match reader.join() {
            Ok(Ok(parts)) => consumed.map(|value| (value, parts)),
            Ok(Err(error)) => Err(error.into()),
            Err(panic) => resume_unwind(panic),
        }
    })
}

fn read_parts(
    source: &mut dyn PartSource,
    mut outlet: Outlet,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<SourcePart>, PartsError> {
    let mut read = Vec::new();
    let mut before = 0;
    for (index, part) in source.parts().to_vec().into_iter().enumerate() {
        let tell = |bytes| progress(before + bytes);
        let part = read_part(source.open(index)?, part, &mut outlet, &tell);
        source.finished(index, fate(&part))?;
        let part = part?;
        before += part.bytes;
        read.push(part);
        if !outlet.is_wanted() {
            break;
        }
    }
    Ok(read)
}

fn fate(read: &Result<SourcePart, PartsError>) -> Fate {
    match read {
        Ok(_) => Fate::Verified,
        Err(PartsError::Digest { .. } | PartsError::Length { .. }) => Fate::Wrong,
        Err(_) => Fate::Broken,
    }
}

fn read_part(
    mut reader: Box<dyn Read + '_>,
    part: Part,
    outlet: &mut Outlet,
    progress: &dyn Fn(u64),
) -> Result<SourcePart, PartsError> {
    let Part { name, sha256, bytes: announced } = part;
    let mut hasher = Hasher::default();
    let mut bytes = 0;
    loop {
        let mut block = outlet.free();
        let ended =
            fill(&mut *reader, &mut block).map_err(|error| PartsError::while_reading(name.clone(), error))?;
        hasher.update(&block.bytes[..block.length]);
        bytes += block.length as u64;
        progress(bytes);
        // Before the block is given on, which may be one of a file without end.
        let is_whole =
            announced.is_none_or(|announced| if ended { bytes == announced } else { bytes <= announced });
        if !is_whole {
            return Err(PartsError::Length { name, found: bytes, expected: announced.unwrap_or_default() });
        }
        outlet.give(block);
        // Nothing is proven by reading to the end when nobody says what the digest must be.
        if ended || (sha256.is_none() && !outlet.is_wanted()) {
            break;
        }
    }
    let found = hasher.finish();
    match sha256 {
        Some(expected) if expected != found => Err(PartsError::Digest { name, found, expected }),
        _ => Ok(SourcePart { name, sha256: found, bytes }),
    }
}

/// Fills a block as far as there is something to read. True at the end.
fn fill(reader: &mut dyn Read, block: &mut Block) -> io::Result<bool> {
    block.length = 0;
    while let Some(free) = block.bytes.get_mut(block.length..).filter(|free| !free.is_empty()) {
        match reader.read(free) {
            Ok(0) => return Ok(true),
            Ok(count) => block.length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// The reading thread's end of the channel.
#[derive(Debug)]
struct Outlet {
    blocks: Option<SyncSender<Block>>,
    used: Receiver<Block>,
    /// A block that nobody wanted.
    spare: Option<Block>,
}

impl Outlet {
    /// A block to fill: one that was used up, if there is any.
    fn free(&mut self) -> Block {
        self.spare.take().or_else(|| self.used.try_recv().ok()).unwrap_or_else(Block::empty)
    }

    fn give(&mut self, block: Block) {
        let sent = match &self.blocks {
            Some(blocks) if block.length > 0 => blocks.send(block).map_err(|refused| refused.0),
            _ => Err(block),
        };
        if let Err(block) = sent {
            if block.length > 0 {
                self.blocks = None;
            }
            self.spare = Some(block);
        }
    }

    fn is_wanted(&self) -> bool {
        self.blocks.is_some()
    }
}

impl BufRead for Feed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.current.as_ref().is_none_or(|block| self.position == block.length) {
            if let Some(block) = self.current.take() {
                // The reading thread may have ended: then nobody needs it.
                let _ = self.used.send(block);
            }
            self.current = self.blocks.recv().ok();
            self.position = 0;
        }
        Ok(self.current.as_ref().map_or(&[], |block| &block.bytes[self.position..block.length]))
    }

    fn consume(&mut self, count: usize) {
        self.position += count;
    }
}

impl Read for Feed {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        buffered::read(self, target)
    }
}
