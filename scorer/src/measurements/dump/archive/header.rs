//! The head of an archive: its version, how wide its numbers are and how its data are compressed.

use std::io::BufRead;

use super::error::{ArchiveError, Fault};
use super::input::{Input, Widths};

/// The versions that are read: 1.14 is PostgreSQL 12 to 15, 1.15 is 16, 1.16 is 17 and 18.
const MINOR_VERSIONS: std::ops::RangeInclusive<u8> = 14..=16;
const MAJOR_VERSION: u8 = 1;
const MAGIC: &[u8; 5] = b"PGDMP";
const CUSTOM_FORMAT: u8 = 1;
/// From this minor version on, the header names the way of compressing; before it had a level of gzip.
const NAMED_COMPRESSION: u8 = 15;

/// How the data of each table are compressed inside the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// A zlib stream.
    Gzip,
    /// An lz4 frame.
    Lz4,
    /// A zstd frame.
    Zstd,
}

/// What the head of an archive says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The minor version of the format; the major is 1.
    pub minor_version: u8,
    /// How data are compressed.
    pub compression: Compression,
    /// The version of the server that was dumped, in its own words.
    pub server_version: Option<String>,
    /// The version of pg_dump.
    pub dump_version: Option<String>,
    pub(super) widths: Widths,
}

impl Header {
    pub(super) fn read<R: BufRead>(input: &mut Input<R>) -> Result<Self, ArchiveError> {
        const READING: &str = "its header";
        let magic = input.bytes::<5>(READING)?;
        if magic != *MAGIC {
            return Err(input.fault(Fault::Magic));
        }
        let [major, minor, _revision, int, offset, format] = input.bytes(READING)?;
        if major != MAJOR_VERSION || !MINOR_VERSIONS.contains(&minor) {
            return Err(input.fault(Fault::Version { major, minor }));
        }
        let widths = Widths::new(int, offset).map_err(|fault| input.fault(fault))?;
        if format != CUSTOM_FORMAT {
            return Err(input.fault(Fault::Format(format)));
        }
        let compression = if minor >= NAMED_COMPRESSION {
            named(input.byte(READING)?)
        } else {
            by_level(input.int(widths, READING)?)
        };
        let compression = compression.map_err(|fault| input.fault(fault))?;
        // Second, minute, hour, day, month, year, daylight saving.
        for _ in 0..7 {
            input.int(widths, READING)?;
        }
        input.skip_text(widths, "the name of the database")?;
        let server_version = input.text(widths, "the version of the server")?;
        let dump_version = input.text(widths, "the version of pg_dump")?;
        Ok(Self { minor_version: minor, compression, server_version, dump_version, widths })
    }
}

fn named(byte: u8) -> Result<Compression, Fault> {
    match byte {
        0 => Ok(Compression::None),
        1 => Ok(Compression::Gzip),
        2 => Ok(Compression::Lz4),
        3 => Ok(Compression::Zstd),
        other => Err(Fault::Compression(other.into())),
    }
}

/// 0 is none, −1 the default level of zlib.
fn by_level(level: i64) -> Result<Compression, Fault> {
    match level {
        0 => Ok(Compression::None),
        -1 | 1..=9 => Ok(Compression::Gzip),
        other => Err(Fault::Compression(other)),
    }
}
