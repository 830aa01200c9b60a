//! The parts of a dump: which there are, in which order, what their digests must be, and where their
//! bytes come from.

mod error;
mod local;
mod name;
mod reading;
mod stdin;
mod sums;

use std::io::Read;

use shared::digest::Digest;

pub use error::PartsError;
pub use local::LocalParts;
pub use stdin::StdinParts;

pub(super) use name::{SUMS, in_order, is_part};
pub(super) use reading::with_parts;
pub(super) use sums::{LARGEST_SUMS, Sums};

/// Dumps are split into parts of this size (`split -b 1900M`).
pub const PART_SIZE: u64 = 1900 << 20;

/// What is known of a part before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of its file.
    pub name: String,
    /// What its digest must be; none when nobody says it.
    pub sha256: Option<Digest>,
    /// Its size in bytes, where it is known.
    pub bytes: Option<u64>,
}

/// What became of a part that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was read whole, and is what it must be.
    Verified,
    /// It is not what it must be.
    Wrong,
    /// It was not read to its end.
    Broken,
}

/// Where the bytes of parts come from.
pub trait PartSource: Send {
    /// The parts, in order.
    fn parts(&self) -> &[Part];

    /// The bytes of a part. Parts are asked for in order, and each once.
    ///
    /// # Errors
    /// When there are none.
    fn open(&mut self, index: usize) -> Result<Box<dyn Read + '_>, PartsError>;

    /// What became of a part.
    ///
    /// # Errors
    /// When it cannot be kept, where that was asked for.
    fn finished(&mut self, _index: usize, _fate: Fate) -> Result<(), PartsError> {
        Ok(())
    }

    /// Their bytes together, where they are known.
    fn total(&self) -> Option<u64> {
        self.parts().iter().map(|part| part.bytes).sum()
    }
}

/// Checks that every part but the last has one size and the last is no larger: `wanted`, if it is given.
pub(super) fn check_sizes(parts: &[Part], wanted: Option<u64>) -> Result<(), PartsError> {
    let Some(((last, whole), first)) = parts.split_last().zip(parts.first()) else { return Ok(()) };
    let Some(expected) = wanted.or(first.bytes) else { return Ok(()) };
    let fits = |part: &Part, fits: fn(u64, u64) -> bool| part.bytes.is_none_or(|bytes| fits(bytes, expected));
    let wrong = whole
        .iter()
        .find(|part| !fits(part, |bytes, expected| bytes == expected))
        .or_else(|| Some(last).filter(|part| !fits(part, |bytes, expected| bytes <= expected)));
    match wrong {
        None => Ok(()),
        Some(part) => Err(PartsError::Size {
            name: part.name.clone(),
            found: part.bytes.unwrap_or_default(),
            expected,
            is_last: part == last,
        }),
    }
}
