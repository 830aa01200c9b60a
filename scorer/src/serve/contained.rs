//! The files of a directory and no others: a link that leads out of it leads nowhere.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use tower_http::services::fs::{Backend, TokioBackend, TokioFile};

/// What the system will give.
type Answer<T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send>>;

/// The file system, as far as it lies in one directory.
#[derive(Clone, Debug)]
pub(super) struct Contained {
    root: Arc<Path>,
}

impl Contained {
    /// What lies in `root`.
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.into() }
    }

    /// The path without links. The directory's own is asked for every time: a new site may have taken its
    /// place.
    async fn resolve(self, path: PathBuf) -> io::Result<PathBuf> {
        let root = tokio::fs::canonicalize(&self.root).await?;
        let path = tokio::fs::canonicalize(path).await?;
        if path.starts_with(root) { Ok(path) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

impl Backend for Contained {
    type File = TokioFile;
    type Metadata = Metadata;
    type OpenFuture = Answer<TokioFile>;
    type MetadataFuture = Answer<Metadata>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let path = self.clone().resolve(path);
        Box::pin(async move { TokioBackend.open(path.await?).await })
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let path = self.clone().resolve(path);
        Box::pin(async move { TokioBackend.metadata(path.await?).await })
    }
}
