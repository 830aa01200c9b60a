//! A restored InferenceX database, read by `COPY … TO STDOUT`: the same text as in a dump, by the same readers, in
//! one read-only snapshot. Nothing is held but what becomes of it.

mod address;
mod copied;
mod error;

use shared::corpus::SourceKind;
use tokio::runtime::Runtime;
use tokio_postgres::Client;
use tokio_postgres_rustls::MakeRustlsConnect;

pub use address::{PostgresUrl, PostgresUrlError};
pub use error::PostgresError;

use super::dump::copy_text::Columns;
use super::dump::release::DumpTag;
use super::dump::table_error::TableError;
use super::dump::tables::Needed;
use super::inferencex::{Collector, SourceFacts};
use super::tls;
use copied::Copied;

/// The schema of the database that the tables are in.
const NAMESPACE: &str = "public";

/// How many logs are asked for at a time: the statement stays within some ten thousand bytes.
const LOGS_AT_A_TIME: usize = 1000;

/// One moment of the database, all of its rows or none, and texts that do not depend on how the server is set up.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
    SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 3; \
    SET LOCAL statement_timeout = 0; SET LOCAL row_security = off";

/// The columns of a table, also those that this user may not read: the server then refuses to give them.
const COLUMNS: &str = "SELECT a.attname::text FROM pg_catalog.pg_attribute a \
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname::text = $1::text AND c.relname::text = $2::text AND a.attnum > 0 AND NOT a.attisdropped \
    ORDER BY a.attnum";

/// Reads a database: its rows go to the collector. `progress` is told how many bytes came so far.
///
/// # Errors
/// When there is no connection, a table or column is missing, or a row is not what it must be.
pub fn read(
    url: &PostgresUrl,
    collector: &mut Collector<'_>,
    progress: &dyn Fn(u64),
) -> Result<(), PostgresError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(PostgresError::Runtime)?;
    let client = runtime.block_on(connect(url))?;
    runtime.block_on(client.batch_execute(BEGIN)).map_err(PostgresError::asking("begin"))?;
    let mut reader = Reader { runtime: &runtime, client: &client, collector, progress, received: 0 };
    for table in [Needed::Configs, Needed::Results, Needed::Runs] {
        reader.table(table, None)?;
    }
    reader.collector.rows_complete().map_err(TableError::from)?;
    let wanted: Vec<i64> = reader.collector.wanted_logs().collect();
    for ids in wanted.chunks(LOGS_AT_A_TIME) {
        reader.table(Needed::Logs, Some(ids))?;
    }
    Ok(())
}

/// What a database is as a source: of a release, when somebody says which it was restored from.
#[must_use]
pub fn facts(tag: Option<&DumpTag>) -> SourceFacts {
    SourceFacts {
        kind: SourceKind::Postgres,
        tag: tag.map(ToString::to_string),
        release: tag.is_some(),
        date: tag.map(DumpTag::date),
        parts: Vec::new(),
    }
}

async fn connect(url: &PostgresUrl) -> Result<Client, PostgresError> {
    let tls = MakeRustlsConnect::new(tls::client().map_err(PostgresError::Tls)?);
    let connected = url.config().connect(tls).await;
    let (client, connection) =
        connected.map_err(|source| PostgresError::Connect { server: url.to_string(), source })?;
    // It moves bytes for as long as the client asks; what goes wrong is told to whoever asked.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    Ok(client)
}

struct Reader<'a, 'c, 't> {
    runtime: &'a Runtime,
    client: &'a Client,
    collector: &'c mut Collector<'t>,
    progress: &'a dyn Fn(u64),
    received: u64,
}

impl Reader<'_, '_, '_> {
    /// Gives the rows of a table to the collector: those of some ids, else all.
    fn table(&mut self, needed: Needed, ids: Option<&[i64]>) -> Result<(), PostgresError> {
        let table = needed.name();
        let columns = self.columns(needed)?;
        let plan = needed.plan(&columns)?;
        let statement = statement(table, &columns, ids);
        let copying = self.client.copy_out(statement.as_str());
        let stream = self.runtime.block_on(copying).map_err(PostgresError::asking(table))?;
        let mut copied = Copied::new(self.runtime, stream, self.received, self.progress);
        let read = needed.read_rows(&mut copied, &plan, self.collector);
        self.received = copied.received();
        match copied.failure() {
            Some(source) => Err(PostgresError::asking(table)(source)),
            None => Ok(read?),
        }
    }

    /// Those columns of a table that are read and there.
    fn columns(&self, needed: Needed) -> Result<Vec<String>, PostgresError> {
        let (table, Columns { streamed, .. }) = (needed.name(), needed.columns());
        let rows = self
            .runtime
            .block_on(self.client.query(COLUMNS, &[&NAMESPACE, &table]))
            .map_err(PostgresError::asking(table))?;
        if rows.is_empty() {
            return Err(PostgresError::NoTable { table });
        }
        let is_read = |name: &String| needed.columns().kept().chain(streamed).any(|column| column == name);
        let names = rows.iter().map(|row| row.try_get::<_, String>(0));
        let names: Result<Vec<String>, _> = names.collect();
        Ok(names.map_err(PostgresError::asking(table))?.into_iter().filter(is_read).collect())
    }
}

fn statement(table: &str, columns: &[String], ids: Option<&[i64]>) -> String {
    // Names of ours: each is one that is read.
    let columns: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let columns = columns.join(", ");
    match ids {
        None => format!("COPY {NAMESPACE}.{table} ({columns}) TO STDOUT"),
        Some(ids) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            let ids = ids.join(",");
            format!("COPY (SELECT {columns} FROM {NAMESPACE}.{table} WHERE id IN ({ids})) TO STDOUT")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_read_is_asked_for() {
        let columns = ["id".to_owned(), "precision".to_owned()];
        assert_eq!(
            statement("configs", &columns, None),
            "COPY public.configs (\"id\", \"precision\") TO STDOUT"
        );
        assert_eq!(
            statement("server_logs", &columns[..1], Some(&[3, 5])),
            "COPY (SELECT \"id\" FROM public.server_logs WHERE id IN (3,5)) TO STDOUT"
        );
    }
}
