//! Parts that are downloaded while they are read, and kept where that is asked for.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use tokio::runtime::Runtime;

use super::parts::{Fate, Part, PartSource, PartsError};
use super::release::RemotePart;
use crate::files::{FileError, sync_folder};
use crate::measurements::http::{Download, Http};

/// Parts on a server.
#[derive(Debug)]
pub struct RemoteParts {
    http: Http,
    runtime: Runtime,
    parts: Vec<Part>,
    remote: Vec<RemotePart>,
    kept: Option<Kept>,
}

impl RemoteParts {
    /// Parts on a server; those in the folder `keep` are taken from there, the others put there.
    ///
    /// # Errors
    /// When that folder cannot be made.
    pub fn new(
        http: Http,
        runtime: Runtime,
        remote: Vec<RemotePart>,
        keep: Option<&Path>,
    ) -> Result<Self, PartsError> {
        let part = |part: &RemotePart| Part {
            name: part.name.clone(),
            sha256: Some(part.sha256.clone()),
            bytes: part.bytes,
        };
        let kept = keep.map(Kept::in_folder).transpose()?;
        Ok(Self { parts: remote.iter().map(part).collect(), http, runtime, remote, kept })
    }
}

impl PartSource for RemoteParts {
    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn open(&mut self, index: usize) -> Result<Box<dyn Read + '_>, PartsError> {
        let part = self.remote.get(index).ok_or(PartsError::Nothing)?;
        let download = |from| Download::new(&self.http, &self.runtime, part.url.clone(), from, part.bytes);
        let Some(kept) = &self.kept else { return Ok(Box::new(download(0))) };
        if let Some(file) = kept.whole(&part.name)? {
            return Ok(Box::new(file));
        }
        let partial = kept.partial(&part.name)?;
        let rest = download(partial.length);
        Ok(Box::new(Keeping { partial, rest, from_file: true }))
    }

    fn finished(&mut self, index: usize, fate: Fate) -> Result<(), PartsError> {
        match (&self.kept, self.remote.get(index)) {
            (Some(kept), Some(part)) => kept.finish(&part.name, fate),
            _ => Ok(()),
        }
    }
}

/// The folder in which parts are kept.
#[derive(Debug)]
struct Kept {
    folder: PathBuf,
}

/// What there is of a part that was not downloaded to its end.
#[derive(Debug)]
struct Partial {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Kept {
    fn in_folder(folder: &Path) -> Result<Self, PartsError> {
        fs::create_dir_all(folder).map_err(|source| not_written(folder, source))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// A part that was kept whole. Whether it is what it must be is told by its digest.
    fn whole(&self, name: &str) -> Result<Option<File>, PartsError> {
        let path = self.folder.join(name);
        match File::open(&path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FileError::Unreadable { path, source }.into()),
        }
    }

    fn partial(&self, name: &str) -> Result<Partial, PartsError> {
        let path = self.partial_path(name);
        let opened = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let length = |file: File| Ok((file.metadata()?.len(), file));
        match opened.and_then(length) {
            Ok((length, file)) => Ok(Partial { path, file, length }),
            Err(source) => Err(not_written(&path, source)),
        }
    }

    /// Keeps a part that is what it must be, under its name. What is left of one that is not is removed,
    /// so that the next run begins it again.
    fn finish(&self, name: &str, fate: Fate) -> Result<(), PartsError> {
        let (path, partial) = (self.folder.join(name), self.partial_path(name));
        if !partial.exists() {
            return Ok(());
        }
        let kept = || {
            match fate {
                Fate::Broken => return Ok(()),
                Fate::Wrong => fs::remove_file(&partial)?,
                Fate::Verified => {
                    File::open(&partial)?.sync_all()?;
                    fs::rename(&partial, &path)?;
                }
            }
            sync_folder(&self.folder)
        };
        kept().map_err(|source| not_written(&path, source))
    }

    fn partial_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!(".{name}.partial"))
    }
}

fn not_written(path: &Path, source: io::Error) -> PartsError {
    FileError::NotWritten { path: path.to_owned(), source }.into()
}

/// Reads what there is of a part, then its rest from the server, which is written after it.
struct Keeping<'a> {
    partial: Partial,
    rest: Download<'a>,
    from_file: bool,
}

impl Read for Keeping<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.from_file {
            let count = self.partial.file.read(target)?;
            if count > 0 {
                return Ok(count);
            }
            self.from_file = false;
        }
        let count = self.rest.read(target)?;
        let written = self.partial.file.write_all(&target[..count]);
        written.map_err(|source| not_written(&self.partial.path, source))?;
        Ok(count)
    }
}
