//! A dump of any size in the format of the real one: made, and read.
//!
//!     cargo bench -p scorer --bench dump                                        # makes 256 MiB and reads them
//!     cargo bench -p scorer --bench dump -- --make DIR --size 4G [--level 19]   # only makes a dump in a folder
//!
//! `scripts/bench/dump.py` compares reading such a dump with zstd alone, with `pg_restore` and with a restore.

mod archive;
mod random;
mod synthetic;

use std::error::Error;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use scorer::cli::quantity::Size;
use scorer::measurements::dump;
use scorer::measurements::dump::parts::{LocalParts, PART_SIZE};
use scorer::measurements::inferencex::Collector;
use scorer::reference::Reference;

use archive::{Split, write_archive, write_parts};
use synthetic::{CONCURRENCIES, Database, Scale, TABLES};

/// Makes a synthetic dump, and measures how fast it is read.
#[derive(Debug, Parser)]
struct Options {
    /// Only make a dump, in this folder.
    #[arg(long, value_name = "DIR")]
    make: Option<PathBuf>,
    /// About how large its archive is.
    #[arg(long, default_value = "256M")]
    size: Size,
    /// How hard zstd tries; releases have 19.
    #[arg(long, default_value_t = 3)]
    level: i32,
    /// The size of every part but the last.
    #[arg(long, value_name = "BYTES", default_value_t = PART_SIZE)]
    part_size: u64,
    /// Another seed makes another dump.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// How often a dump is read; the fastest counts, since other work only ever adds time.
const READS: u32 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some(folder) = &options.make {
        let (bytes, taken) = make(folder, &options)?;
        print(&format!(
            "{}: {bytes} bytes uncompressed, made in {:.1} s",
            folder.display(),
            taken.as_secs_f64()
        ));
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let (bytes, _) = make(folder.path(), &options)?;
    let alone = fastest(|| decompress(folder.path()))?;
    let read = fastest(|| ingest(folder.path()))?;
    let rate = |taken: Duration| bytes as f64 / taken.as_secs_f64() / 1e6;
    print(&format!("zstd alone   {:>8.0} MB/s", rate(alone)));
    print(&format!("read         {:>8.0} MB/s", rate(read)));
    print(&format!("read / zstd  {:>8.2}", read.as_secs_f64() / alone.as_secs_f64()));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a benchmark's figures are what it prints")]
fn print(line: &str) {
    println!("{line}");
}

fn make(folder: &Path, options: &Options) -> io::Result<(u64, Duration)> {
    let start = Instant::now();
    let database = Database { scale: scale_of(options.size.bytes()), seed: options.seed };
    let split = Split { level: options.level, part_size: options.part_size };
    let bytes = write_parts(folder, split, |out| write_archive(&database, &TABLES, out))?;
    Ok((bytes, start.elapsed()))
}

/// A fifth of the bytes are logs of measured rows, each as long as the real ones.
fn scale_of(bytes: u64) -> Scale {
    let log_bytes = 100_000;
    let a_sweep = log_bytes as u64 * CONCURRENCIES.len() as u64;
    let sweeps = (bytes / 5 / a_sweep).max(6);
    Scale { sweeps, log_bytes, filler_bytes: bytes.saturating_sub(sweeps * a_sweep) }
}

fn fastest(mut work: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let mut fastest = Duration::MAX;
    for _ in 0..READS {
        let start = Instant::now();
        work()?;
        fastest = fastest.min(start.elapsed());
    }
    Ok(fastest)
}

/// Decompresses all parts and throws the result away.
fn decompress(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    names.retain(|path| path.to_string_lossy().contains(".part"));
    names.sort();
    let mut joined: Box<dyn io::Read> = Box::new(io::empty());
    for name in names {
        joined = Box::new(joined.chain(std::fs::File::open(name)?));
    }
    let mut decoder = zstd::Decoder::new(joined)?;
    decoder.window_log_max(27)?;
    io::copy(&mut decoder, &mut io::sink())?;
    Ok(())
}

fn ingest(folder: &Path) -> Result<(), Box<dyn Error>> {
    let reference = Reference::embedded()?;
    let mut collector = Collector::new(&reference);
    let mut parts = LocalParts::find(&[folder.to_owned()], None, None)?;
    dump::read(&mut parts, &mut collector, &|_| {})?;
    Ok(())
}
