//! Writes a database as pg_dump does, to a pipe: a custom archive of version 1.16 without offsets, one chunk a row, in one
//! zstd frame, split into parts beside their SHA256SUMS.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use shared::digest::Hasher;

use super::synthetic::{Database, Table};

/// The statements that make the tables.
pub const SCHEMA: &str = include_str!("schema.sql");

/// Writes the archive, the data of its tables in this order.
pub fn write_archive(database: &Database, tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"PGDMP\x01\x10\x00\x04\x08\x01\x00")?;
    for number in [1, 2, 3, 28, 8, 126, 0] {
        int(number, out)?;
    }
    for words in ["inferencex", "18.0", "18.0"] {
        text(Some(words), out)?;
    }
    int(2 * length(tables.len())?, out)?;
    for (number, table) in (101..).zip(tables) {
        let definition = definition(table.name);
        let shape = Entry {
            id: number,
            tag: table.name,
            kind: "TABLE",
            section: 2,
            definition: &definition,
            copy: None,
        };
        entry(&shape, out)?;
    }
    for (number, table) in (1..).zip(tables) {
        let copy = table.copy_statement();
        let data = Entry {
            id: number,
            tag: table.name,
            kind: "TABLE DATA",
            section: 3,
            definition: "",
            copy: Some(&copy),
        };
        entry(&data, out)?;
    }
    for (number, table) in (1..).zip(tables) {
        out.write_all(&[1])?;
        int(number, out)?;
        database.rows(*table, &mut |line| {
            int(length(line.len())? + 1, out)?;
            out.write_all(line.as_bytes())?;
            out.write_all(b"\n")
        })?;
        int(5, out)?;
        out.write_all(b"\\.\n\n\n")?;
        int(0, out)?;
    }
    Ok(())
}

/// The statement that makes a table, without what refers to others: pg_dump adds that after the data.
fn definition(table: &str) -> String {
    let head = format!("CREATE TABLE {table} ");
    let (_, rest) = SCHEMA.split_once(&head).unwrap_or_default();
    let (columns, _) = rest.split_once(";\n").unwrap_or_default();
    let words = columns.replace(" ON DELETE CASCADE", "");
    let mut own = String::new();
    for (index, piece) in words.split(" REFERENCES ").enumerate() {
        own.push_str(if index == 0 {
            piece
        } else {
            piece.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_')
        });
    }
    format!("CREATE TABLE public.{table} {own};\n")
}

struct Entry<'a> {
    id: i64,
    tag: &'a str,
    kind: &'a str,
    section: i64,
    definition: &'a str,
    copy: Option<&'a str>,
}

fn entry(entry: &Entry<'_>, out: &mut dyn Write) -> io::Result<()> {
    int(entry.id, out)?;
    let has_data = entry.copy.is_some();
    int(i64::from(has_data), out)?;
    text(Some(if has_data { "0" } else { "1259" }), out)?;
    text(Some("16384"), out)?;
    text(Some(entry.tag), out)?;
    text(Some(entry.kind), out)?;
    int(entry.section, out)?;
    text(Some(entry.definition), out)?;
    text(Some(""), out)?;
    text(entry.copy, out)?;
    text(Some("public"), out)?;
    text(Some(""), out)?;
    text(Some("heap"), out)?;
    int(i64::from(b'r'), out)?;
    text(Some("postgres"), out)?;
    text(Some("false"), out)?;
    text(None, out)?;
    // The position is not known when the archive goes to a pipe.
    out.write_all(&[if has_data { 1 } else { 3 }])?;
    out.write_all(&[0; 8])
}

fn int(number: i64, out: &mut dyn Write) -> io::Result<()> {
    let magnitude = u32::try_from(number.unsigned_abs()).map_err(io::Error::other)?;
    out.write_all(&[u8::from(number < 0)])?;
    out.write_all(&magnitude.to_le_bytes())
}

/// A length as the format has it.
fn length(length: usize) -> io::Result<i64> {
    i64::try_from(length).map_err(io::Error::other)
}

fn text(words: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let Some(words) = words else { return int(-1, out) };
    int(length(words.len())?, out)?;
    out.write_all(words.as_bytes())
}

/// How an archive becomes the files of a release.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// The level of zstd; releases have 19.
    pub level: i32,
    /// The size of every part but the last.
    pub part_size: u64,
}

/// Compresses what `write` gives into parts in a folder, with their SHA256SUMS. How many bytes went in.
pub fn write_parts(
    folder: &Path,
    split: Split,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    fs::create_dir_all(folder)?;
    let parts = Parts {
        folder: folder.to_owned(),
        size: split.part_size,
        current: None,
        sums: String::new(),
        count: 0,
    };
    let mut encoder = zstd::Encoder::new(parts, split.level)?;
    encoder.long_distance_matching(true)?;
    encoder.window_log(27)?;
    encoder.include_checksum(true)?;
    let mut counted = Counted { inner: encoder, count: 0 };
    write(&mut counted)?;
    let parts = counted.inner.finish()?;
    parts.finish()?;
    Ok(counted.count)
}

struct Counted<W> {
    inner: W,
    count: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Files of one size, one after the other.
struct Parts {
    folder: PathBuf,
    size: u64,
    current: Option<Part>,
    sums: String,
    count: usize,
}

struct Part {
    name: String,
    file: BufWriter<File>,
    hasher: Hasher,
    left: u64,
}

impl Parts {
    fn part(&mut self) -> io::Result<&mut Part> {
        if self.current.as_ref().is_none_or(|part| part.left == 0) {
            self.close()?;
            let name = format!("inferencex-2026-09-28.dump.zst.part{:02}", self.count);
            self.count += 1;
            let file = BufWriter::new(File::create(self.folder.join(&name))?);
            self.current = Some(Part { name, file, hasher: Hasher::default(), left: self.size });
        }
        self.current.as_mut().ok_or_else(|| io::Error::other("no part"))
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some(Part { name, mut file, hasher, .. }) = self.current.take() {
            file.flush()?;
            self.sums.extend([hasher.finish().to_string().as_str(), "  ", &name, "\n"]);
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.close()?;
        fs::write(self.folder.join("SHA256SUMS"), &self.sums)
    }
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = self.part()?;
        let count = usize::try_from(part.left).map_or(bytes.len(), |left| left.min(bytes.len()));
        part.file.write_all(&bytes[..count])?;
        part.hasher.update(&bytes[..count]);
        part.left -= count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
