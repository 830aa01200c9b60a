//! `scorer ingest dump`: from parts, wherever they are, to a corpus.

use std::path::{Path, PathBuf};

use super::progress::ByteProgress;
use super::{check, check_outputs, finish};
use crate::cli::database::DumpArgs;
use crate::cli::quantity::Size;
use crate::console::Console;
use crate::exit::CommandResult;
use crate::github::Server;
use crate::measurements::dump;
use crate::measurements::dump::location::DumpLocation;
use crate::measurements::dump::open::{OpenOptions, Opened, open};
use crate::measurements::http::Retry;
use crate::measurements::inferencex::{self, Collector};
use crate::reference::Reference;

/// Reads a dump.
pub(super) fn run(args: &DumpArgs, console: &Console) -> CommandResult {
    let inputs: Vec<_> = args.source.iter().filter_map(DumpLocation::path).collect();
    check(&args.common, &inferencex::REASONS, &inputs)?;
    let reference = Reference::load(args.common.reference.as_deref())?;
    let Opened { mut parts, tag, files } = open(&args.source, &options(args), console)?;
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    check_outputs(&args.common, &files)?;
    if let Some(tag) = &tag {
        console.status(&format!("release {tag}, {} parts", parts.parts().len()));
    }
    let mut collector = Collector::new(&reference);
    let read = {
        let progress = ByteProgress::new(console, parts.total());
        dump::read(&mut *parts, &mut collector, &|bytes| progress.tell(bytes))?
    };
    for part in &read {
        console.detail(&format!("{}: {} bytes, SHA-256 {}", part.name, part.bytes, part.sha256));
    }
    let ingested = collector.finish(dump::facts(read, tag), &args.selection.into())?;
    finish(&ingested, &args.common, console)
}

fn options(args: &DumpArgs) -> OpenOptions {
    OpenOptions {
        sums: args.sums.clone(),
        part_size: args.part_size.map(Size::bytes),
        keep: args.keep_parts.clone(),
        repository: args.repository.clone(),
        server: Server::from_environment(Retry::default()),
    }
}
