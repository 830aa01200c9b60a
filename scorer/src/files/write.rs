//! Writing a file so that a reader sees the old content or the new one, whatever happens between.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::FileError;

/// Where a command writes its data: the value of `-o`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output, written `-`.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Destination {
    /// Writes the data there, a file atomically.
    ///
    /// A reader of stdout that has gone away (`… | head`) is no error.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self, bytes: &[u8]) -> Result<(), FileError> {
        match self {
            Self::File(path) => write_atomically(path, bytes),
            Self::Stdout => {
                let mut stdout = io::stdout().lock();
                match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                        Err(FileError::NotWritten { path: "stdout".into(), source: error })
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

/// An output without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an empty name is no file: name one, or `-` for stdout")]
pub struct NamelessError;

impl TryFrom<OsString> for Destination {
    type Error = NamelessError;

    fn try_from(name: OsString) -> Result<Self, NamelessError> {
        match name.to_str() {
            Some("") => Err(NamelessError),
            Some("-") => Ok(Self::Stdout),
            _ => Ok(Self::File(name.into())),
        }
    }
}

/// Replaces the content of a file in one step that survives a crash: a temporary file in the same
/// folder, fsync, rename, fsync of the folder.
///
/// A link is followed. Permissions of an existing file are kept. A pipe or device, such as
/// `/dev/null`, is written to and not replaced. A process that is killed can leave a file
/// `.scorer-….tmp` behind, which nobody reads.
///
/// # Errors
/// When the folder is missing or the system refuses; an earlier file is then unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let not_written = |source| FileError::NotWritten { path: path.to_owned(), source };
    // A dangling link has no canonical path; its rename would replace the link, so it is refused.
    let existing = match fs::symlink_metadata(path) {
        Ok(_) => Some(fs::canonicalize(path).map_err(not_written)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(not_written(error)),
    };
    let target = existing.as_deref().unwrap_or(path);
    let permissions = match &existing {
        Some(existing) => {
            let metadata = fs::metadata(existing).map_err(not_written)?;
            if metadata.is_dir() {
                return Err(not_written(io::ErrorKind::IsADirectory.into()));
            }
            if !metadata.is_file() {
                return write_through(existing, bytes).map_err(not_written);
            }
            if metadata.permissions().readonly() {
                return Err(not_written(io::ErrorKind::PermissionDenied.into()));
            }
            Some(metadata.permissions())
        }
        None => None,
    };
    if target.file_name().is_none() {
        return Err(not_written(io::ErrorKind::InvalidInput.into()));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(FileError::NoFolder { path: path.to_owned() });
    }
    replace(folder, target, permissions, bytes).map_err(not_written)
}

fn replace(
    folder: &Path,
    target: &Path,
    permissions: Option<fs::Permissions>,
    bytes: &[u8],
) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".scorer-").suffix(".tmp");
    // Temporary files are private by default; the umask still applies to these.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    sync_folder(folder)
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    match file.write_all(bytes) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Makes the names in a folder (created, renamed, removed) survive a crash.
///
/// # Errors
/// When the system refuses. Where folders cannot be opened (Windows) it does nothing.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_created_and_replaced_and_nothing_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_failure_leaves_the_earlier_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("taken");
        fs::create_dir(&inner).unwrap();
        let refused = write_atomically(&inner, b"x").unwrap_err();
        assert!(matches!(refused, FileError::NotWritten { .. }), "{refused}");
        let nowhere = folder.path().join("no/such/file");
        let refused = write_atomically(&nowhere, b"x").unwrap_err();
        assert!(matches!(refused, FileError::NoFolder { .. }), "{refused}");
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        fs::write(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let refused = write_atomically(&path, b"new").unwrap_err();
        assert!(matches!(refused, FileError::NotWritten { .. }), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_ordinary_permissions_and_an_old_one_keeps_its_own() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (plain, ours) = (folder.path().join("plain"), folder.path().join("ours"));
        fs::write(&plain, b"").unwrap();
        write_atomically(&ours, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&ours), mode(&plain));
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&ours, b"again").unwrap();
        assert_eq!(mode(&ours), 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_a_device_is_not_replaced() {
        use std::os::unix::fs::{FileTypeExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, b"old").unwrap();
        symlink(&real, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        write_atomically(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_dash_is_stdout_and_nothing_is_no_file() {
        let named = |name: &str| Destination::try_from(OsString::from(name));
        assert_eq!(named("-"), Ok(Destination::Stdout));
        assert_eq!(named("a-"), Ok(Destination::File("a-".into())));
        assert_eq!(named(""), Err(NamelessError));
    }
}
