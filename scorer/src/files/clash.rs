//! Outputs that would destroy an input, or one another: told before anything is written.

use std::fs;
use std::path::{Path, PathBuf};

use super::Destination;
use super::read::is_stdin;
use crate::exit::{ExitCode, Failure};

/// The files of a command line cannot be used together.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClashError {
    /// An output would replace an input.
    #[error("{}: this is an input, and the output would replace it", .0.display())]
    Input(PathBuf),
    /// Two outputs go to one file.
    #[error("{}: two outputs would be written there", .0.display())]
    Outputs(PathBuf),
    /// Two outputs go to stdout.
    #[error("two outputs would be written to stdout")]
    Stdout,
    /// Two inputs come from stdin.
    #[error("two inputs are `-`, but stdin can be read only once")]
    Stdin,
}

impl Failure for ClashError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn advice(&self) -> Option<String> {
        Some("name another file".to_owned())
    }
}

/// Checks that no output of a command is one of its inputs or another of its outputs, by whatever name,
/// and that stdin and stdout are used once at most.
///
/// # Errors
/// Names the first file that is used twice.
pub fn check_paths(inputs: &[&Path], outputs: &[&Destination]) -> Result<(), ClashError> {
    if inputs.iter().filter(|input| is_stdin(input)).count() > 1 {
        return Err(ClashError::Stdin);
    }
    let read: Vec<Place> =
        inputs.iter().filter(|input| !is_stdin(input)).filter_map(|input| Place::of(input)).collect();
    let mut written = Vec::new();
    let mut stdout = false;
    for output in outputs {
        match output {
            Destination::Stdout if stdout => return Err(ClashError::Stdout),
            Destination::Stdout => stdout = true,
            Destination::File(path) => {
                let Some(place) = Place::of(path) else { continue };
                if read.contains(&place) {
                    return Err(ClashError::Input(path.clone()));
                }
                if written.contains(&place) {
                    return Err(ClashError::Outputs(path.clone()));
                }
                written.push(place);
            }
        }
    }
    Ok(())
}

/// Which file a name stands for.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// A file that is there: its device and number.
    #[cfg(unix)]
    There(u64, u64),
    /// A name without `.`, `..` and links.
    Named(PathBuf),
}

impl Place {
    /// None for a pipe or a device, which nothing destroys, and where there is no such folder.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => None,
            #[cfg(unix)]
            Ok(metadata) => {
                use std::os::unix::fs::MetadataExt as _;
                Some(Self::There(metadata.dev(), metadata.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => fs::canonicalize(path).ok().map(Self::Named),
            Err(_) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
                Some(Self::Named(folder.join(path.file_name()?)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: PathBuf) -> Destination {
        Destination::File(path)
    }

    #[test]
    fn an_output_is_no_input_by_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("a.json");
        fs::write(&input, b"").unwrap();
        let mut names = vec![input.clone(), folder.path().join("./a.json")];
        #[cfg(unix)]
        {
            let (link, hard) = (folder.path().join("link"), folder.path().join("hard"));
            std::os::unix::fs::symlink(&input, &link).unwrap();
            fs::hard_link(&input, &hard).unwrap();
            names.extend([link, hard]);
        }
        for name in names {
            let refused = check_paths(&[&input], &[&file(name.clone())]);
            assert_eq!(refused, Err(ClashError::Input(name)));
        }
        assert_eq!(check_paths(&[&input, &input], &[&file(folder.path().join("b.json"))]), Ok(()));
    }

    #[test]
    fn two_outputs_are_two_files_also_when_they_are_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let (one, same) = (folder.path().join("x"), folder.path().join("./x"));
        let refused = check_paths(&[], &[&file(one.clone()), &file(same.clone())]);
        assert_eq!(refused, Err(ClashError::Outputs(same)));
        assert_eq!(check_paths(&[], &[&file(one), &file(folder.path().join("y"))]), Ok(()));
        let null = || file("/dev/null".into());
        assert_eq!(check_paths(&[Path::new("/dev/null")], &[&null(), &null()]), Ok(()));
    }

    #[test]
    fn stdin_and_stdout_are_used_once() {
        let (dash, stdout) = (Path::new("-"), Destination::Stdout);
        assert_eq!(check_paths(&[dash], &[&stdout]), Ok(()));
        assert_eq!(check_paths(&[dash, dash], &[]), Err(ClashError::Stdin));
        assert_eq!(check_paths(&[], &[&stdout, &stdout]), Err(ClashError::Stdout));
    }
}
