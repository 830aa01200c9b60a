//! The whole site as one directory: the built page, the published data, and for readers without
//! JavaScript the latest snapshot as a plain table.
//!
//! It is put together beside its destination and then takes its place, so that nobody ever sees half
//! of it. Of the data directory only what the list names is taken, and what is taken was checked, while
//! no publisher is at work.

mod data;
mod table;

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use table::noscript_table;

use data::Taken;
use table::failure_note;

use crate::console::Console;
use crate::data_folder::Layout;
use crate::exit::{ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, FileError, lock, read_text, write_atomically};
use crate::inputs::InputError;
use crate::publish::StoredError;
use crate::validate::Problem;

/// Where the plain table goes in the page.
pub const MARKER: &str = "<!-- noscript-table -->";

/// The file of the page that it goes into.
const PAGE: &str = "index.html";

/// How long a publisher into the data directory is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// What was put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Staged {
    /// Snapshots in the site.
    pub snapshots: usize,
    /// Files.
    pub files: u64,
    /// Their sizes, in bytes.
    pub bytes: u64,
}

/// A site cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The page is not built.
    #[error("{}: has no index.html, so it is no built page", .0.display())]
    NoPage(PathBuf),
    /// The page has no place for the table.
    #[error("{}: has no `{MARKER}`", .0.display())]
    NoMarker(PathBuf),
    /// The destination is something else.
    #[error("{}: is there and is no site, so it is not replaced", .0.display())]
    NotOurs(PathBuf),
    /// The destination and a source contain each other.
    #[error("{}: the site cannot stand in the page or the data that it is made of, or contain them", .0.display())]
    Overlap(PathBuf),
    /// Somebody is publishing.
    #[error("{}: a publisher has held the lock for {} s", .0.display(), PATIENCE.as_secs())]
    Locked(PathBuf),
    /// A snapshot is not as it was published.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// What is made from the snapshots does not say what they say.
    #[error("{}: {problem}", path.display())]
    OutOfDate {
        /// The file.
        path: PathBuf,
        /// The first problem.
        problem: Problem,
    },
    /// A file of ours cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be copied.
    #[error("{}: cannot be copied", path.display())]
    Copy {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The site cannot take its place.
    #[error("{}: cannot be replaced", path.display())]
    Replace {
        /// The destination.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Failure for SiteError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NoPage(_) => ExitCode::InputUnreadable,
            Self::NoMarker(_) | Self::OutOfDate { .. } => ExitCode::InputInvalid,
            Self::Locked(_) => ExitCode::Locked,
            Self::Stored(error) => error.exit_code(),
            Self::NotOurs(_) => ExitCode::Refused,
            Self::Overlap(_) => ExitCode::Usage,
            Self::Input(error) => error.exit_code(),
            Self::File(error) => error.exit_code(),
            Self::Copy { .. } | Self::Replace { .. } => ExitCode::OutputNotWritten,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::NoPage(_) => "build the page with `make page` and name its directory",
            Self::NoMarker(_) => "build the page again from an index.html that has it",
            Self::NotOurs(_) => "name another directory, or an empty one",
            Self::Overlap(_) => "name a directory beside them",
            Self::Locked(_) => "wait for the other one",
            Self::Stored(error) => return error.advice(),
            Self::OutOfDate { .. } => {
                "publish a snapshot, also one that is there: it makes index.json, latest/ and state/ again"
            }
            Self::Input(error) => return error.advice(),
            Self::File(error) => return error.advice(),
            Self::Copy { .. } | Self::Replace { .. } => return None,
        };
        Some(advice.to_owned())
    }
}

/// Whether a site of this page and of the data that will be in `data` can be put into `output`.
///
/// # Errors
/// When the page or the output is not what it must be.
pub fn check(page: &Path, data: &Path, output: &Path) -> Result<(), SiteError> {
    let path = page.join(PAGE);
    if !path.is_file() {
        return Err(SiteError::NoPage(page.to_owned()));
    }
    if !read_text(&path, DEFAULT_LIMIT)?.contains(MARKER) {
        return Err(SiteError::NoMarker(path));
    }
    check_output(page, data, output)
}

/// Puts the page and the data together in `output`, with all snapshots or so many of the newest.
///
/// # Errors
/// When one of them is not what it must be, when somebody publishes for too long, or when the system
/// refuses; an earlier site is then still there.
pub fn stage(
    page: &Path,
    data: &Path,
    output: &Path,
    newest: Option<NonZeroUsize>,
    console: &Console,
) -> Result<Staged, SiteError> {
    check(page, data, output)?;
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let replace = |source| SiteError::Replace { path: output.to_owned(), source };
    fs::create_dir_all(parent).map_err(replace)?;
    let building = tempfile::Builder::new().prefix(".site-").tempdir_in(parent).map_err(replace)?;
    let root = building.path().join("site");
    let mut staged = Staged::default();
    copy_tree(page, &root, &mut staged, &|name| name != "data")?;
    let most = newest.map_or(usize::MAX, NonZeroUsize::get);
    let taken = take_data(&Layout::new(data), &Layout::new(&root.join("data")), most, &mut staged, console)?;
    add_table(&root, &taken)?;
    take_place(&root, output, &building.path().join("earlier")).map_err(replace)?;
    Ok(staged)
}

/// Takes the data over while nobody publishes, of at most so many snapshots.
fn take_data(
    from: &Layout,
    to: &Layout,
    most: usize,
    staged: &mut Staged,
    console: &Console,
) -> Result<Taken, SiteError> {
    if !from.index().exists() {
        return Err(FileError::NotFound { path: from.index() }.into());
    }
    let folder = from.root();
    let waiting = || console.status(&format!("{}: waiting for a publisher", folder.display()));
    let lock = lock::share_folder(folder, PATIENCE, waiting)
        .map_err(|source| FileError::Unreadable { path: folder.to_owned(), source })?;
    if lock.is_none() {
        return Err(SiteError::Locked(folder.to_owned()));
    }
    data::take(from, to, most, staged)
}

fn check_output(page: &Path, data: &Path, output: &Path) -> Result<(), SiteError> {
    let whole = |path: &Path| std::path::absolute(path).map(|path| fs::canonicalize(&path).unwrap_or(path));
    if let (Ok(page), Ok(data), Ok(output)) = (whole(page), whole(data), whole(output)) {
        let apart = |source: &Path| !output.starts_with(source) && !source.starts_with(&output);
        if !apart(&page) || !apart(&data) {
            return Err(SiteError::Overlap(output));
        }
    }
    match fs::read_dir(output) {
        Ok(mut entries) => {
            if entries.next().is_none() || output.join(PAGE).is_file() && output.join("data").is_dir() {
                Ok(())
            } else {
                Err(SiteError::NotOurs(output.to_owned()))
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => Err(SiteError::NotOurs(output.to_owned())),
    }
}

/// Copies what `wanted` names of the top level, and all that is below it. Links and hidden files are
/// left out: a site shows plain files.
fn copy_tree(
    from: &Path,
    to: &Path,
    staged: &mut Staged,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<(), SiteError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| SiteError::Copy { path, source }
    };
    fs::create_dir_all(to).map_err(failed(to))?;
    for entry in fs::read_dir(from).map_err(failed(from))? {
        let entry = entry.map_err(failed(from))?;
        let path = entry.path();
        let name = entry.file_name();
        let Some(text) = name.to_str().filter(|name| !name.starts_with('.') && wanted(name)) else {
            continue;
        };
        let kind = entry.file_type().map_err(failed(&path))?;
        if kind.is_dir() {
            copy_tree(&path, &to.join(text), staged, &|_| true)?;
        } else if kind.is_file() {
            staged.bytes += fs::copy(&path, to.join(text)).map_err(failed(&path))?;
            staged.files += 1;
        }
    }
    Ok(())
}

/// Writes the newest snapshot into the page, and that the newest night failed. A page with scripts looks for the note
/// here before it asks for the file: a server's “not found” would stand in the reader's console.
fn add_table(root: &Path, Taken { newest, failure }: &Taken) -> Result<(), SiteError> {
    let path = root.join(PAGE);
    let page = read_text(&path, DEFAULT_LIMIT)?;
    let table = match newest {
        None => "<p>Nothing has been published yet.</p>".to_owned(),
        Some(newest) => noscript_table(newest),
    };
    let note = failure.as_ref().map(failure_note).unwrap_or_default();
    write_atomically(&path, page.replace(MARKER, &(note + &table)).as_bytes())?;
    Ok(())
}

/// Puts a directory in the place of another. Between the two renames there is none for a moment; when
/// the second fails, the earlier one comes back.
fn take_place(new: &Path, output: &Path, earlier: &Path) -> io::Result<()> {
    match fs::rename(output, earlier) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::rename(new, output),
        Err(error) => return Err(error),
    }
    fs::rename(new, output).inspect_err(|_| {
        let _ = fs::rename(earlier, output);
    })
}

#[cfg(test)]
mod tests;
