//! The table of contents: which tables have data, under which number, with which columns.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use super::error::{ArchiveError, Fault};
use super::header::Header;
use super::input::{Input, Widths};
use crate::measurements::dump::copy_text::columns_of;

/// More than a database of a hundred thousand tables has.
const MOST_ENTRIES: i64 = 1_000_000;
/// From this minor version on, an entry says what kind of relation it is.
const RELATION_KIND: u8 = 16;
const TABLE_DATA: &str = "TABLE DATA";

/// A table with data in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The schema of the database that it is in.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its columns, in the order in which the data have them.
    pub columns: Vec<String>,
}

/// The table of contents, as far as it matters here.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The tables that were asked for, by the number of their entry.
    pub(super) tables: BTreeMap<i64, Table>,
    /// The entries that other data belong to.
    pub(super) others: BTreeSet<i64>,
}

impl Contents {
    /// Reads it, and of it keeps the tables of one namespace and these names.
    pub(super) fn read<R: BufRead>(
        input: &mut Input<R>,
        header: &Header,
        wanted: impl Fn(&str, &str) -> bool,
    ) -> Result<Self, ArchiveError> {
        let widths = header.widths;
        let count = input.int(widths, "its table of contents")?;
        if !(0..=MOST_ENTRIES).contains(&count) {
            return Err(input.fault(Fault::Entries(count)));
        }
        let mut contents = Self::default();
        for _ in 0..count {
            let entry = Entry::read(input, header)?;
            contents.add(entry, &wanted).map_err(|fault| input.fault(fault))?;
        }
        Ok(contents)
    }

    fn add(&mut self, entry: Entry, wanted: impl Fn(&str, &str) -> bool) -> Result<(), Fault> {
        let Entry { id, has_data, tag, description, copy_statement, namespace } = entry;
        if !has_data {
            return Ok(());
        }
        if self.tables.contains_key(&id) || self.others.contains(&id) {
            return Err(Fault::TwiceEntry(id));
        }
        let (name, namespace) = (tag.unwrap_or_default(), namespace.unwrap_or_default());
        if description.as_deref() != Some(TABLE_DATA) || !wanted(&namespace, &name) {
            self.others.insert(id);
            return Ok(());
        }
        if self.tables.values().any(|table| table.name == name && table.namespace == namespace) {
            return Err(Fault::TwiceTable(name));
        }
        let Some(columns) = copy_statement.as_deref().and_then(columns_of) else {
            return Err(Fault::CopyStatement(name));
        };
        self.tables.insert(id, Table { namespace, name, columns });
        Ok(())
    }
}

struct Entry {
    id: i64,
    has_data: bool,
    tag: Option<String>,
    description: Option<String>,
    copy_statement: Option<String>,
    namespace: Option<String>,
}

impl Entry {
    fn read<R: BufRead>(input: &mut Input<R>, header: &Header) -> Result<Self, ArchiveError> {
        const READING: &str = "an entry of its table of contents";
        let widths = header.widths;
        let id = input.int(widths, READING)?;
        let has_data = match input.int(widths, READING)? {
            0 => false,
            1 => true,
            _ => return Err(input.fault(Fault::Entry(id))),
        };
        input.skip_text(widths, READING)?; // the oid of the catalogue
        input.skip_text(widths, READING)?; // the oid of the object
        let tag = input.text(widths, READING)?;
        let description = input.text(widths, READING)?;
        input.int(widths, READING)?; // the section
        input.skip_text(widths, READING)?; // the definition
        input.skip_text(widths, READING)?; // how it is dropped
        let copy_statement = input.text(widths, READING)?;
        let namespace = input.text(widths, READING)?;
        input.skip_text(widths, READING)?; // the tablespace
        input.skip_text(widths, READING)?; // the access method
        if header.minor_version >= RELATION_KIND {
            input.int(widths, READING)?;
        }
        input.skip_text(widths, READING)?; // the owner
        input.skip_text(widths, READING)?; // whether rows have oids
        while input.skip_text(widths, READING)? {} // what it depends on
        skip_offset(input, widths, id)?;
        Ok(Self { id, has_data, tag, description, copy_statement, namespace })
    }
}

/// Where the data are: only known in an archive that was written to a file, and not needed by one who
/// reads from front to back.
fn skip_offset<R: BufRead>(input: &mut Input<R>, widths: Widths, id: i64) -> Result<(), ArchiveError> {
    const READING: &str = "an offset of its table of contents";
    if !(1..=3).contains(&input.byte(READING)?) {
        return Err(input.fault(Fault::Entry(id)));
    }
    input.skip(widths.offset.into(), READING)
}
