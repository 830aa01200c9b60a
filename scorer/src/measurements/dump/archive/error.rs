//! Why a stream is no archive that can be read, and where.

use std::io;

/// The stream cannot be read as an archive of pg_dump.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// What it is read from failed.
    #[error("the archive cannot be read")]
    Read(#[source] io::Error),
    /// It ends too early.
    #[error(
        "the archive ends at byte {offset}, in the middle of {reading}: parts are missing, or pg_dump did not finish"
    )]
    Cut {
        /// Where it ends, in the uncompressed archive.
        offset: u64,
        /// What is not complete.
        reading: &'static str,
    },
    /// It is something else, damaged, or of a version that is not read.
    #[error("byte {offset} of the archive: {fault}")]
    Invalid {
        /// Where, in the uncompressed archive.
        offset: u64,
        /// What is wrong.
        fault: Fault,
    },
}

/// What is wrong with an archive.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another kind of file.
    #[error(
        "this is no archive of pg_dump (it does not begin with PGDMP): was it made with --format=custom?"
    )]
    Magic,
    /// A version that we do not know.
    #[error("archives of version {major}.{minor} are not read, only 1.14 to 1.16 (PostgreSQL 12 to 18)")]
    Version {
        /// Before the point.
        major: u8,
        /// After it.
        minor: u8,
    },
    /// A tar or directory archive.
    #[error(
        "this archive is of format {0}, but only the custom format (1) is read: make it with pg_dump --format=custom"
    )]
    Format(u8),
    /// Numbers of a width that pg_dump never writes.
    #[error("its numbers have {int} and its offsets {offset} bytes, which pg_dump does not write")]
    Widths {
        /// Bytes of a number.
        int: u8,
        /// Bytes of an offset.
        offset: u8,
    },
    /// A way of compressing that we do not know.
    #[error("its data are compressed in a way that is not known ({0}); none, gzip, lz4 and zstd are")]
    Compression(i64),
    /// A number that is none, or too large.
    #[error("a number is damaged or too large")]
    Number,
    /// A text that is none.
    #[error("the text of {reading} is not UTF-8")]
    NotUtf8 {
        /// Which text.
        reading: &'static str,
    },
    /// A length that cannot be.
    #[error("{reading} has a length of {length} bytes, which pg_dump does not write")]
    Length {
        /// What has the length.
        reading: &'static str,
        /// The length.
        length: i64,
    },
    /// More entries than any database has.
    #[error("its table of contents has {0} entries, which no database of this kind has")]
    Entries(i64),
    /// An entry that can be no entry.
    #[error("entry {0} of its table of contents is damaged")]
    Entry(i64),
    /// Two entries of one number.
    #[error("its table of contents has two entries with the number {0}")]
    TwiceEntry(i64),
    /// The data of a table without its columns.
    #[error("the columns of table {0} are not named in its COPY statement")]
    CopyStatement(String),
    /// A table is there twice.
    #[error("table {0} is there twice")]
    TwiceTable(String),
    /// A kind of data block that we do not know.
    #[error("a data block begins with {0}, which stands for nothing")]
    BlockKind(u8),
    /// Data of an entry that is not there.
    #[error("a data block belongs to entry {0}, which is not in the table of contents")]
    BlockEntry(i64),
    /// The compressed data of a table go on after their end.
    #[error("bytes follow the end of the compressed data of a table")]
    AfterCompressed,
}
