//! A Python of one's own in which a simulator is installed, and the versions of its packages there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shared::format::shortened;

use crate::console::printable;
use crate::exit::{ExitCode, Failure};
use crate::process::{self, Limits, ProcessError, last_line};

/// How much of what a Python says is repeated, in characters.
const SAID: usize = 200;

/// How much of a version is kept, in characters.
const VERSION: usize = 80;

/// Prints the versions of the packages that it is given, as a JSON object; null for what is not there.
const VERSIONS: &str = "\
import importlib.metadata, json, sys
found = {}
for package in sys.argv[1:]:
    try:
        found[package] = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        found[package] = None
print(json.dumps(found))
";

/// The packages of a Python cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// The Python cannot be asked what it has.
    #[error("{} does not tell which packages it has", python.display())]
    Versions {
        /// The Python.
        python: PathBuf,
        /// Why.
        source: ProcessError,
    },
    /// The Python answers something else.
    #[error("{} does not tell which packages it has: {said}", python.display())]
    NoVersions {
        /// The Python.
        python: PathBuf,
        /// What it says.
        said: String,
    },
    /// A package is not there.
    #[error("{} has no package `{package}`", python.display())]
    NoPackage {
        /// The Python.
        python: PathBuf,
        /// The package.
        package: &'static str,
        /// What pip is told to get it.
        requirement: &'static str,
    },
    /// The system does not give what is needed to ask.
    #[error("the system does not give what is needed to ask {}", python.display())]
    System {
        /// The Python.
        python: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Failure for PythonError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Versions { .. } | Self::NoVersions { .. } | Self::NoPackage { .. } => {
                ExitCode::InputInvalid
            }
            Self::System { .. } => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::NoPackage { python, requirement, .. } => {
                Some(format!("install it with `{} -m pip install {requirement}`", python.display()))
            }
            Self::Versions { .. } | Self::NoVersions { .. } => {
                Some("name with `python` the interpreter of an environment that has the simulator".to_owned())
            }
            Self::System { .. } => None,
        }
    }
}

/// A simulator that runs in a Python cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PythonSimulatorError {
    /// Its Python, or a package there, is missing.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// A digest cannot be taken.
    #[error("the table of names cannot be written as JSON")]
    Digest(#[from] serde_json::Error),
}

impl Failure for PythonSimulatorError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Python(error) => error.exit_code(),
            Self::Digest(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Python(error) => error.advice(),
            Self::Digest(_) => None,
        }
    }
}

/// The versions of packages, in their order. pip gets what is missing when it is told `requirement`.
///
/// # Errors
/// When the Python cannot be asked, or has not all of them.
pub fn versions<const N: usize>(
    python: &Path,
    packages: [&'static str; N],
    requirement: &'static str,
) -> Result<[String; N], PythonError> {
    let system = |source| PythonError::System { python: python.to_owned(), source };
    let limits = Limits { deadline: Duration::from_mins(1), stdout_bytes: 1 << 16, ..Limits::default() };
    let args = ["-c", VERSIONS].into_iter().chain(packages).map(OsString::from).collect();
    let finished = process::run_apart(python, args, &limits)
        .map_err(system)?
        .map_err(|source| PythonError::Versions { python: python.to_owned(), source })?;
    let mut found: BTreeMap<String, Option<String>> =
        serde_json::from_slice(&finished.stdout).map_err(|_| {
            let printed = String::from_utf8_lossy(&finished.stdout);
            let said = last_line(&finished.stderr).or_else(|| last_line(&printed));
            let said = shortened(&printable(said.as_deref().unwrap_or("nothing")), SAID);
            PythonError::NoVersions { python: python.to_owned(), said }
        })?;
    let mut versions = packages.map(|package| (package, found.remove(package).flatten()));
    if let Some((package, _)) = versions.iter().find(|(_, version)| version.is_none()) {
        return Err(PythonError::NoPackage { python: python.to_owned(), package, requirement });
    }
    Ok(std::array::from_fn(|index| shortened(&versions[index].1.take().unwrap_or_default(), VERSION)))
}

/// A Python for tests, in which modules of theirs stand in for those of packages.
#[cfg(test)]
pub(super) mod stand_in {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};

    /// One in a folder, with these modules by path, and as if these packages were installed in version 1.2.3: its
    /// path as seen from there.
    pub fn python(folder: &Path, modules: &[(&str, &str)], packages: &[&str]) -> PathBuf {
        let put = |name: &str, text: &str| {
            let path = folder.join("site").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for (name, text) in modules {
            put(name, text);
        }
        for package in packages {
            let text = format!("Metadata-Version: 2.1\nName: {package}\nVersion: 1.2.3\n");
            put(&format!("{}-1.2.3.dist-info/METADATA", package.replace('-', "_")), &text);
        }
        let wrapper = folder.join("python");
        let site = folder.join("site").display().to_string();
        fs::write(&wrapper, format!("#!/bin/sh\nPYTHONPATH='{site}' exec python3 -S \"$@\"\n")).unwrap();
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
        "./python".into()
    }
}
