//! A reader of pg_dump's custom archives that goes from front to back, as a pipe demands.
//!
//! An archive is a header, a table of contents, and then the data of one table after the other, each
//! under the number of its entry. One that was written to a pipe does not say where data begin, so
//! whoever wants the last table passes over all others. That is cheap: their chunks have their
//! lengths, and nobody looks at their bytes.
//!
//! The format is that of PostgreSQL's `pg_backup_archiver.c` and `pg_backup_custom.c`, versions 1.14
//! (PostgreSQL 12) to 1.16 (17 and 18).

mod blocks;
mod data;
mod error;
mod header;
mod input;
mod toc;

use std::io::BufRead;

pub use data::TableData;
pub use error::{ArchiveError, Fault};
pub use header::{Compression, Header};
pub use toc::Table;

use blocks::{Chunks, skip_chunks, skip_large_objects};
use input::Input;
use toc::Contents;

const DATA_BLOCK: u8 = 1;
const LARGE_OBJECTS_BLOCK: u8 = 3;

/// An archive that is being read.
#[derive(Debug)]
pub struct Archive<R> {
    input: Input<R>,
    header: Header,
    contents: Contents,
}

impl<R: BufRead> Archive<R> {
    /// Reads the head of an archive, of which the data of some tables are wanted: `wanted` is given their
    /// namespace and name.
    ///
    /// # Errors
    /// When it is no archive, or of a version or kind that is not read.
    pub fn open(inner: R, wanted: impl Fn(&str, &str) -> bool) -> Result<Self, ArchiveError> {
        let mut input = Input::new(inner);
        let header = Header::read(&mut input)?;
        let contents = Contents::read(&mut input, &header, wanted)?;
        Ok(Self { input, header, contents })
    }

    /// What its head says.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The wanted tables that have data in it.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.contents.tables.values()
    }

    /// The data of the next wanted table, after all others were passed over; none at the end.
    ///
    /// # Errors
    /// When the archive is damaged or ends too early.
    pub fn next_table(&mut self) -> Result<Option<TableData<'_, R>>, ArchiveError> {
        let widths = self.header.widths;
        while let Some(kind) = self.input.byte_or_end()? {
            let entry = self.input.int(widths, "the head of a data block")?;
            match kind {
                DATA_BLOCK => match self.contents.tables.get(&entry) {
                    Some(table) => {
                        let chunks = Chunks::new(&mut self.input, widths);
                        return TableData::new(table, chunks, self.header.compression).map(Some);
                    }
                    None if self.contents.others.contains(&entry) => skip_chunks(&mut self.input, widths)?,
                    None => return Err(self.input.fault(Fault::BlockEntry(entry))),
                },
                LARGE_OBJECTS_BLOCK => skip_large_objects(&mut self.input, widths)?,
                other => return Err(self.input.fault(Fault::BlockKind(other))),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
