//! The public dump of the InferenceX database, read in one pass, without PostgreSQL and without a disk.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`location`], [`mod@open`], [`parts`], [`release`], [`remote`] | files, stdin, a server | bytes, in order, their digests checked |
//! | `frame` | the one zstd frame | the archive |
//! | [`archive`] | pg_dump's custom format | the data of the tables that are needed |
//! | [`copy_text`] | COPY text | rows and streamed logs |
//! | `tables` | rows | [`inferencex`](super::inferencex), which makes the corpus |
//!
//! One thread reads and hashes, this one decompresses and parses. Reading ends after the last table that is needed.
//! Then the part in which that table ends is still hashed to its end, so that every byte that was used is
//! proven before anything is written; parts after it are not read.

pub mod archive;
pub mod copy_text;
mod error;
mod frame;
pub mod location;
pub mod open;
pub mod parts;
pub mod release;
pub mod remote;
pub mod table_error;
pub(super) mod tables;

use std::io::BufRead;

use shared::corpus::{SourceKind, SourcePart};

pub use error::DumpError;
pub use frame::FrameError;

use super::inferencex::{Collector, SourceFacts};
use archive::Archive;
use frame::Frame;
use parts::{PartSource, with_parts};
use release::DumpTag;
use tables::Tables;

/// The schema of the database that the tables are in.
const NAMESPACE: &str = "public";

/// Reads a dump: its rows go to the collector. What is returned are the parts that were read, which are what their digests say.
///
/// `progress` is told how many bytes of the parts were read so far, from another thread.
///
/// # Errors
/// When a part, the frame, the archive or a row is not what it must be. A damaged part comes before its
/// consequences.
pub fn read(
    source: &mut dyn PartSource,
    collector: &mut Collector<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<SourcePart>, DumpError> {
    // Without a digest only the frame's own checksum, at its end, tells whether it is whole.
    let to_the_end = source.parts().iter().any(|part| part.sha256.is_none());
    let ((), parts) = with_parts(source, progress, |feed| {
        let mut frame = Frame::new(feed).map_err(DumpError::from_io)?;
        read_archive(&mut frame, collector)?;
        if to_the_end { frame.verify().map_err(DumpError::from_io) } else { Ok(()) }
    })?;
    Ok(parts)
}

/// Reads an archive as far as its tables are needed.
///
/// # Errors
/// When it is not what it must be, or a needed table is not in it.
pub fn read_archive<R: BufRead>(archive: R, collector: &mut Collector<'_>) -> Result<(), DumpError> {
    let mut archive = Archive::open(archive, tables::is_needed).map_err(DumpError::from)?;
    let mut tables = Tables::of(&archive)?;
    while !tables.are_read() {
        let Some(data) = archive.next_table()? else { return Err(tables.missing_data()) };
        tables.read(data, collector)?;
    }
    Ok(())
}

/// What these parts are as a source: a release when they are named as its parts are.
#[must_use]
pub fn facts(parts: Vec<SourcePart>, tag: Option<DumpTag>) -> SourceFacts {
    let tag = tag.or_else(|| parts.first().and_then(|part| DumpTag::of_part(&part.name)));
    SourceFacts {
        kind: SourceKind::InferencexDump,
        release: tag.is_some(),
        date: tag.as_ref().map(DumpTag::date),
        tag: tag.as_ref().map(ToString::to_string),
        parts,
    }
}
