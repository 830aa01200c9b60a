//! The whole site as one directory: the built page, the published data, and for readers without
//! JavaScript the latest snapshot as a plain table.
//!
//! It is put together beside its destination and then takes its place, so that nobody ever sees half
//! of it. Of the data directory only what the page reads is taken.

mod table;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use table::noscript_table;

use crate::data_folder::Layout;
use crate::exit::{ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, FileError, read_bytes, read_text, write_atomically};
use crate::inputs::{self, InputError};
use crate::validate::{Problem, index_entry_problems, index_problems};

/// Where the plain table goes in the page.
pub const MARKER: &str = "<!-- noscript-table -->";

/// What a data directory may contain that a site shows.
const SHOWN: [&str; 4] = ["index.json", "latest", "snapshots", "state"];

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
    /// The list of snapshots or a snapshot is broken.
    #[error("{}: {problem}", path.display())]
    Data {
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
            Self::NoMarker(_) | Self::Data { .. } => ExitCode::InputInvalid,
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
            Self::Data { .. } => "publish again: it repairs the list; `scorer validate` says more",
            Self::Input(error) => return error.advice(),
            Self::File(error) => return error.advice(),
            Self::Copy { .. } | Self::Replace { .. } => return None,
        };
        Some(advice.to_owned())
    }
}

/// Puts the page and the data together in `output`.
///
/// # Errors
/// When one of them is not what it must be, or the system refuses; an earlier site is then still there.
pub fn stage(page: &Path, data: &Path, output: &Path) -> Result<Staged, SiteError> {
    if !page.join("index.html").is_file() {
        return Err(SiteError::NoPage(page.to_owned()));
    }
    check_data(data)?;
    check_output(page, data, output)?;
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
    copy_tree(data, &root.join("data"), &mut staged, &|name| SHOWN.contains(&name))?;
    staged.snapshots = add_table(&root, data)?;
    take_place(&root, output, &building.path().join("earlier")).map_err(replace)?;
    Ok(staged)
}

fn check_data(data: &Path) -> Result<(), SiteError> {
    let layout = Layout::new(data);
    let index = inputs::index(&layout.index())?;
    let mut problems = index_problems(&index).into_iter();
    if let Some(problem) = problems.next() {
        return Err(SiteError::Data { path: layout.index(), problem });
    }
    for entry in &index.snapshots {
        if let Some(text) = index_entry_problems(&layout, entry).into_iter().next() {
            return Err(SiteError::Data {
                path: layout.index(),
                problem: Problem::new(entry.id.as_str(), text),
            });
        }
    }
    Ok(())
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
            if entries.next().is_none() || output.join("index.html").is_file() && output.join("data").is_dir()
            {
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

/// Writes the latest snapshot into the page; says how many snapshots there are.
fn add_table(root: &Path, data: &Path) -> Result<usize, SiteError> {
    let path = root.join("index.html");
    let page = read_text(&path, DEFAULT_LIMIT)?;
    if !page.contains(MARKER) {
        return Err(SiteError::NoMarker(path));
    }
    let layout = Layout::new(data);
    let index = inputs::index(&layout.index())?;
    let table = match index.snapshots.first() {
        None => "<p>Nothing has been published yet.</p>".to_owned(),
        Some(newest) => {
            let path = layout.summary(&newest.id);
            noscript_table(&inputs::summary(&path, read_bytes(&path, DEFAULT_LIMIT)?)?)
        }
    };
    write_atomically(&path, page.replace(MARKER, &table).as_bytes())?;
    Ok(index.snapshots.len())
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
