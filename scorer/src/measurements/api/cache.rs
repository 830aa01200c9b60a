//! Server logs that were fetched, kept compressed on disk.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use shared::digest::Digest;
use tempfile::NamedTempFile;

use super::error::ApiError;
use crate::measurements::engine_log::{LogFacts, LogScanner};
use crate::measurements::http::Url;

/// The level of compression: logs become a tenth, faster than they come.
const LEVEL: i32 = 3;
/// How much of a log is read at once, in bytes.
const PIECE: usize = 1 << 18;

/// The logs of one API, one file a row.
#[derive(Clone, Debug)]
pub(super) struct LogCache {
    folder: PathBuf,
}

impl LogCache {
    /// The logs of the API at an address, below a folder that need not be there yet.
    pub(super) fn new(folder: &Path, base_url: &Url) -> Self {
        let api = Digest::of_bytes(base_url.as_str().as_bytes());
        Self { folder: folder.join(api.short(16)) }
    }

    fn path(&self, row: i64) -> PathBuf {
        self.folder.join(format!("{row}.log.zst"))
    }

    /// What a log says that was kept; none when it was not, or was damaged.
    pub(super) fn facts(&self, row: i64) -> Option<LogFacts> {
        let scan = || -> io::Result<LogFacts> {
            let mut decoder = zstd::Decoder::new(fs::File::open(self.path(row))?)?;
            let mut scanner = LogScanner::default();
            let mut piece = vec![0; PIECE];
            loop {
                match decoder.read(&mut piece)? {
                    0 => return Ok(scanner.finish()),
                    count => scanner.push(&piece[..count]),
                }
            }
        };
        scan().ok()
    }

    /// Begins to keep a log.
    pub(super) fn keep(&self, row: i64) -> Result<KeptLog, ApiError> {
        let path = self.path(row);
        let begin = || -> io::Result<_> {
            fs::create_dir_all(&self.folder)?;
            let file = tempfile::Builder::new().prefix("scorer-").suffix(".tmp").tempfile_in(&self.folder)?;
            let mut encoder = zstd::Encoder::new(file, LEVEL)?;
            encoder.include_checksum(true)?;
            Ok(encoder)
        };
        match begin() {
            Ok(encoder) => Ok(KeptLog { encoder, path }),
            Err(source) => Err(ApiError::Cache { path, source }),
        }
    }
}

/// A log that is being kept. Until it is finished nobody finds it.
pub(super) struct KeptLog {
    encoder: zstd::Encoder<'static, NamedTempFile>,
    path: PathBuf,
}

impl KeptLog {
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        let path = &self.path;
        self.encoder.write_all(bytes).map_err(|source| ApiError::Cache { path: path.clone(), source })
    }

    pub(super) fn finish(self) -> Result<(), ApiError> {
        let Self { encoder, path } = self;
        let persist = encoder.finish().and_then(|file| Ok(file.persist(&path)?));
        persist.map(|_| ()).map_err(|source| ApiError::Cache { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_found_when_it_was_finished_and_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let url = |text: &str| Url::parse(text).unwrap();
        let cache = LogCache::new(folder.path(), &url("https://a.example/api/v1"));
        let mut kept = cache.keep(7).unwrap();
        kept.push(b"INFO Using max model len 9472\n").unwrap();
        assert_eq!(cache.facts(7), None);
        kept.finish().unwrap();
        assert!(cache.facts(7).unwrap().resolved.contains_key("max_model_len"));
        let other = LogCache::new(folder.path(), &url("https://b.example/api/v1"));
        assert_eq!(other.facts(7), None);

        let path = cache.path(7);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(cache.facts(7), None);
    }
}
