//! The four tables that are needed, and what becomes of their rows.

use std::io::BufRead;

use super::NAMESPACE;
use super::archive::{Archive, Table, TableData};
use super::copy_text::{Columns, Plan, Row, RowSink, read_rows};
use super::error::DumpError;
use super::table_error::TableError;
use crate::measurements::engine_log::LogScanner;
use crate::measurements::inferencex::{Collector, ConfigRow, Fields, ResultRow, RunRow, Wanted};

/// A table that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::measurements) enum Needed {
    Configs,
    Results,
    Logs,
    Runs,
}

impl Needed {
    pub(in crate::measurements) const ALL: [Self; 4] = [Self::Configs, Self::Results, Self::Logs, Self::Runs];

    pub(in crate::measurements) const fn name(self) -> &'static str {
        match self {
            Self::Configs => ConfigRow::TABLE,
            Self::Results => ResultRow::TABLE,
            Self::Logs => "server_logs",
            Self::Runs => RunRow::TABLE,
        }
    }

    pub(in crate::measurements) const fn columns(self) -> Columns {
        match self {
            Self::Configs => {
                Columns { needed: ConfigRow::NEEDED, optional: ConfigRow::OPTIONAL, ..Columns::NONE }
            }
            Self::Results => Columns {
                needed: ResultRow::NEEDED,
                optional: ResultRow::OPTIONAL,
                noted: Some(ResultRow::NOTED),
                ..Columns::NONE
            },
            Self::Logs => Columns { needed: &[LOG_ID], streamed: Some("server_log"), ..Columns::NONE },
            Self::Runs => Columns { needed: RunRow::NEEDED, optional: RunRow::OPTIONAL, ..Columns::NONE },
        }
    }

    /// Which of a table's columns are read.
    pub(in crate::measurements) fn plan(self, columns: &[String]) -> Result<Plan, TableError> {
        Plan::new(columns, self.columns())
            .map_err(|column| TableError::NoColumn { table: self.name(), column })
    }

    /// Gives the rows of this table to the collector.
    pub(in crate::measurements) fn read_rows<R: BufRead>(
        self,
        text: R,
        plan: &Plan,
        collector: &mut Collector<'_>,
    ) -> Result<(), TableError> {
        let read = match self {
            Self::Logs => read_rows(text, plan, &mut Logs { collector, scanner: None }),
            _ => read_rows(text, plan, &mut Rows { table: self, collector }),
        };
        read.map(|_| ()).map_err(|error| TableError::of_rows(self.name(), error))
    }
}

const LOG_ID: &str = "id";

/// Whether the data of a table are needed.
pub(super) fn is_needed(namespace: &str, name: &str) -> bool {
    namespace == NAMESPACE && Needed::ALL.iter().any(|needed| needed.name() == name)
}

/// The needed tables that an archive still has to give.
#[derive(Debug)]
pub(super) struct Tables {
    open: Vec<Needed>,
}

impl Tables {
    /// # Errors
    /// When the archive has no data of a needed table.
    pub(super) fn of<R: BufRead>(archive: &Archive<R>) -> Result<Self, DumpError> {
        let is_there = |needed: &Needed| archive.tables().any(|table| table.name == needed.name());
        match Needed::ALL.iter().find(|needed| !is_there(needed)) {
            Some(missing) => Err(DumpError::NoTable { table: missing.name() }),
            None => Ok(Self { open: Needed::ALL.to_vec() }),
        }
    }

    pub(super) fn are_read(&self) -> bool {
        self.open.is_empty()
    }

    /// The archive ends, and tables are still open.
    pub(super) fn missing_data(&self) -> DumpError {
        DumpError::NoData { table: self.open.first().map_or("", |needed| needed.name()) }
    }

    /// Reads the rows of a table.
    pub(super) fn read<R: BufRead>(
        &mut self,
        mut data: TableData<'_, R>,
        collector: &mut Collector<'_>,
    ) -> Result<(), DumpError> {
        let Table { name, columns, .. } = data.table();
        let Some(position) = self.open.iter().position(|needed| needed.name() == *name) else {
            return Err(DumpError::TwiceData { table: name.clone() });
        };
        let needed = self.open.swap_remove(position);
        let plan = needed.plan(columns)?;
        needed.read_rows(&mut data, &plan, collector)?;
        data.finish()?;
        let is_open = |needed| self.open.contains(&needed);
        if matches!(needed, Needed::Configs | Needed::Results)
            && !is_open(Needed::Configs)
            && !is_open(Needed::Results)
        {
            collector.rows_complete().map_err(TableError::from)?;
        }
        Ok(())
    }
}

impl Fields for Row {
    fn text(&self, column: &str) -> Option<&str> {
        self.get(column)
    }
}

/// Gives rows to the collector.
struct Rows<'a, 't> {
    table: Needed,
    collector: &'a mut Collector<'t>,
}

impl RowSink for Rows<'_, '_> {
    type Error = TableError;

    fn wants_stream(&mut self, _: &Row) -> bool {
        false
    }

    fn stream(&mut self, _: &[u8]) {}

    fn row(&mut self, row: &Row) -> Result<(), TableError> {
        match self.table {
            Needed::Configs => self.collector.config(ConfigRow::read(row)?)?,
            Needed::Results => self.collector.result(ResultRow::read(row)?)?,
            Needed::Runs => self.collector.run(RunRow::read(row)?)?,
            Needed::Logs => {}
        }
        Ok(())
    }
}

/// Gives the facts of logs to the collector, as far as it wants them.
struct Logs<'a, 't> {
    collector: &'a mut Collector<'t>,
    scanner: Option<LogScanner>,
}

fn log_id(row: &Row) -> Option<i64> {
    row.get(LOG_ID)?.parse().ok()
}

impl RowSink for Logs<'_, '_> {
    type Error = TableError;

    fn wants_stream(&mut self, before: &Row) -> bool {
        // A log whose id comes later may be one that is wanted.
        let is_wanted = log_id(before).is_none_or(|id| self.collector.wants_log(id) != Wanted::No);
        self.scanner = is_wanted.then(LogScanner::default);
        is_wanted
    }

    fn stream(&mut self, bytes: &[u8]) {
        if let Some(scanner) = &mut self.scanner {
            scanner.push(bytes);
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), TableError> {
        let id =
            log_id(row).ok_or_else(|| TableError::LogId(row.get(LOG_ID).unwrap_or("NULL").to_owned()))?;
        if let Some(scanner) = self.scanner.take() {
            self.collector.log(id, scanner.finish())?;
        }
        Ok(())
    }
}
