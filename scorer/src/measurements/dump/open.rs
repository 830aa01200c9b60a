//! From where a dump is to its parts.

use std::path::{Path, PathBuf};

use tokio::runtime::Builder;

use super::error::DumpError;
use super::location::DumpLocation;
use super::parts::{LARGEST_SUMS, LocalParts, PartSource, PartsError, StdinParts};
use super::release::{DumpReleases, DumpTag, RemotePart, parts_at};
use super::remote::RemoteParts;
use crate::console::Console;
use crate::files::read_text;
use crate::github::Server;
use crate::measurements::http::{Http, Url};

/// How parts are found.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// The file with the digests, where it is not beside the parts.
    pub sums: Option<PathBuf>,
    /// The size of every part but the last.
    pub part_size: Option<u64>,
    /// The folder in which downloaded parts are kept.
    pub keep: Option<PathBuf>,
    /// `OWNER/NAME` of the repository that releases dumps.
    pub repository: String,
    /// Where that is, and how often it is tried.
    pub server: Server,
}

/// A dump that is ready to be read.
pub struct Opened {
    /// Its parts.
    pub parts: Box<dyn PartSource>,
    /// Its release, where that is known before the names of the parts tell it.
    pub tag: Option<DumpTag>,
    /// The files of this machine that it is read from, or kept in.
    pub files: Vec<PathBuf>,
}

/// Finds the parts of a dump at one location, or named one by one.
///
/// # Errors
/// When they are not there, not all, or the locations do not go together.
pub fn open(
    locations: &[DumpLocation],
    options: &OpenOptions,
    console: &Console,
) -> Result<Opened, DumpError> {
    match locations {
        [DumpLocation::Stdin] => {
            let parts = Box::new(stdin(options.sums.as_deref(), options.part_size)?);
            Ok(Opened { parts, tag: None, files: options.sums.iter().cloned().collect() })
        }
        [DumpLocation::Path(_), ..] => {
            let paths: Option<Vec<PathBuf>> =
                locations.iter().map(|location| location.path().map(Path::to_owned)).collect();
            let paths = paths.ok_or(DumpError::MixedLocations)?;
            let parts = LocalParts::find(&paths, options.sums.as_deref(), options.part_size)?;
            let files = parts.files().map(Path::to_owned).collect();
            Ok(Opened { parts: Box::new(parts), tag: None, files })
        }
        [location] => remote(location, options, console),
        _ => Err(DumpError::MixedLocations),
    }
}

fn stdin(sums: Option<&Path>, part_size: Option<u64>) -> Result<StdinParts, DumpError> {
    let Some(path) = sums else { return Ok(StdinParts::new(None, part_size)?) };
    let text = read_text(path, LARGEST_SUMS).map_err(PartsError::File)?;
    Ok(StdinParts::new(Some((&path.display().to_string(), &text)), part_size)?)
}

fn remote(location: &DumpLocation, options: &OpenOptions, console: &Console) -> Result<Opened, DumpError> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(DumpError::Runtime)?;
    let (http, api) = options.server.client(console).map_err(PartsError::Http)?;
    let (tag, remote) = runtime.block_on(find(location, &http, api, options))?;
    let parts = RemoteParts::new(http, runtime, remote, options.keep.as_deref())?;
    let kept = |folder: &PathBuf| parts.parts().iter().map(|part| folder.join(&part.name)).collect();
    let files = options.keep.as_ref().map(kept).unwrap_or_default();
    Ok(Opened { parts: Box::new(parts), tag, files })
}

async fn find(
    location: &DumpLocation,
    http: &Http,
    api: Url,
    options: &OpenOptions,
) -> Result<(Option<DumpTag>, Vec<RemotePart>), DumpError> {
    let (repository, tag) = match location {
        DumpLocation::Folder(url) => return Ok((None, parts_at(http, url).await?)),
        DumpLocation::Release(tag) => (&options.repository, Some(tag)),
        DumpLocation::ReleasePage { repository, tag } => (repository, tag.as_ref()),
        DumpLocation::Latest | DumpLocation::Stdin | DumpLocation::Path(_) => (&options.repository, None),
    };
    let (tag, parts) = DumpReleases::of(http, api, repository).parts(tag).await?;
    Ok((Some(tag), parts))
}
