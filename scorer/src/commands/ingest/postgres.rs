//! `scorer ingest postgres`: from a restored database to a corpus.

use std::env;

use super::progress::ByteProgress;
use super::{check, finish};
use crate::cli::database::PostgresArgs;
use crate::console::Console;
use crate::exit::CommandResult;
use crate::measurements::inferencex::{self, Collector};
use crate::measurements::postgres::{self, PostgresUrl};
use crate::reference::Reference;

/// Reads a database.
pub(super) fn run(args: &PostgresArgs, console: &Console) -> CommandResult {
    check(&args.common, &inferencex::REASONS, &[])?;
    let reference = Reference::load(args.common.reference.as_deref())?;
    let url: PostgresUrl = args.url.parse()?;
    let url = match env::var("PGPASSWORD") {
        Ok(password) => url.or_password(&password),
        Err(_) => url,
    };
    let mut collector = Collector::new(&reference);
    {
        let progress = ByteProgress::new(console, None);
        postgres::read(&url, &mut collector, &|bytes| progress.tell(bytes))?;
    }
    let ingested = collector.finish(postgres::facts(args.tag.as_ref()), &args.selection.into())?;
    finish(&ingested, &args.common, console)
}
