//! A build of BLIS on this machine: its binary, what lies beside it, and what is known of where it came from.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shared::digest::Digest;
use shared::outcome::SimulatorData;

use super::dialect::{Dialect, DialectError, Interface};
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, read_bytes};
use crate::process::{self, Limits, ProcessError};

/// The record that `scorer simulator build` leaves beside a binary.
pub const RECORD: &str = "build.json";

/// The binary in a folder.
pub const BINARY: &str = "blis";

/// The file of defaults, whose coefficients fit one commit only.
pub const DEFAULTS: &str = "defaults.yaml";

/// The largest binary and the largest file of a catalog, in bytes.
const LIMIT: u64 = 1 << 30;

/// How a binary was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildRecord {
    /// Where the sources were taken from.
    pub repository: String,
    /// The release tag of the commit, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The commit.
    pub commit: String,
    /// The Go that compiled it.
    pub go: String,
    /// The digest of the binary.
    pub binary_sha256: Digest,
    /// The release of the catalog that goes with it, as its installation page says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog: Option<String>,
    /// The release of the registry that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
}

impl BuildRecord {
    /// The release, or the beginning of the commit.
    #[must_use]
    pub fn version(&self) -> &str {
        self.tag.as_deref().unwrap_or_else(|| self.commit.get(..12).unwrap_or(&self.commit))
    }
}

/// A build cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InstallationError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The record beside the binary is none.
    #[error("{}: is not the record of a build", path.display())]
    Record {
        /// The record.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The binary is not the one that was built.
    #[error("{}: is not the binary that {RECORD} beside it records (SHA-256 {found}, recorded {recorded})", path.display())]
    Changed {
        /// The binary.
        path: PathBuf,
        /// Its digest.
        found: Digest,
        /// The recorded digest.
        recorded: Digest,
    },
    /// Its help cannot be had.
    #[error("{}: `replay --help` fails", path.display())]
    Help {
        /// The binary.
        path: PathBuf,
        /// Why.
        source: ProcessError,
    },
    /// It cannot be driven.
    #[error("{}", path.display())]
    Dialect {
        /// The binary.
        path: PathBuf,
        /// Why.
        source: DialectError,
    },
    /// The system gives no thread or folder to run it in.
    #[error("the system does not give what running {} needs", path.display())]
    System {
        /// The binary.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Failure for InstallationError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Record { .. } | Self::Changed { .. } | Self::Help { .. } | Self::Dialect { .. } => {
                ExitCode::InputInvalid
            }
            Self::System { .. } => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Record { .. } | Self::Changed { .. } => {
                Some("build it again with `scorer simulator build`, or move the record away".to_owned())
            }
            Self::Help { .. } | Self::Dialect { .. } | Self::System { .. } => None,
        }
    }
}

/// A build that can be driven.
#[derive(Clone, Debug, PartialEq)]
pub struct Installation {
    /// The binary, by its absolute path.
    pub binary: PathBuf,
    /// Its digest.
    pub sha256: Digest,
    /// What it understands.
    pub interface: Interface,
    /// How it was built, if that is recorded.
    pub record: Option<BuildRecord>,
    /// The file of defaults beside it.
    pub defaults: Option<PathBuf>,
}

impl Installation {
    /// Looks at a binary, or at the binary in a folder, and asks it for its help.
    ///
    /// # Errors
    /// When it is not there, is not what its record says, or cannot be driven.
    pub fn open(path: &Path, stated: Option<Dialect>) -> Result<Self, InstallationError> {
        let path = if path.is_dir() { path.join(BINARY) } else { path.to_owned() };
        let sha256 = Digest::of_bytes(&read_bytes(&path, LIMIT)?);
        let binary = fs::canonicalize(&path)
            .map_err(|source| InstallationError::System { path: path.clone(), source })?;
        let beside = |name: &str| binary.with_file_name(name);
        let record = record(&beside(RECORD))?;
        if let Some(record) = &record
            && record.binary_sha256 != sha256
        {
            let recorded = record.binary_sha256.clone();
            return Err(InstallationError::Changed { path, found: sha256, recorded });
        }
        let help = help(&binary)?;
        let interface = Interface::from_help(&help, stated)
            .map_err(|source| InstallationError::Dialect { path: path.clone(), source })?;
        let defaults = Some(beside(DEFAULTS)).filter(|path| path.is_file());
        Ok(Self { binary, sha256, interface, record, defaults })
    }
}

fn record(path: &Path) -> Result<Option<BuildRecord>, InstallationError> {
    let bytes = match read_bytes(path, LIMIT) {
        Ok(bytes) => bytes,
        Err(FileError::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|source| InstallationError::Record { path: path.to_owned(), source })
}

/// What the binary prints for `replay --help`.
fn help(binary: &Path) -> Result<String, InstallationError> {
    let system = |source| InstallationError::System { path: binary.to_owned(), source };
    let args = ["replay", "--help"].map(OsString::from).to_vec();
    let limits = Limits { deadline: Duration::from_secs(30), stdout_bytes: 1 << 20, ..Limits::default() };
    let finished = process::run_apart(binary, args, &limits)
        .map_err(system)?
        .map_err(|source| InstallationError::Help { path: binary.to_owned(), source })?;
    Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
}

/// A file that answers rest on, as part of an identity.
///
/// # Errors
/// When it cannot be read.
pub fn file_data(name: &str, path: &Path) -> Result<SimulatorData, FileError> {
    let sha256 = Digest::of_bytes(&read_bytes(path, LIMIT)?);
    Ok(SimulatorData::digested(name, sha256))
}

/// A folder that answers rest on: the digest of the names and digests of its files, hidden ones left out.
///
/// # Errors
/// When something in it cannot be read.
pub fn folder_data(name: &str, folder: &Path, tag: Option<String>) -> Result<SimulatorData, FileError> {
    let mut files = BTreeMap::new();
    collect(folder, "", &mut files)?;
    // Keys and values are texts, which can be written as JSON.
    let sha256 = Digest::of_json(&files).ok();
    Ok(SimulatorData { name: name.to_owned(), tag, commit: None, sha256 })
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Digest>) -> Result<(), FileError> {
    let unreadable = |source| FileError::Unreadable { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}{name}");
        // Links are not followed: they could lead out of the folder, or round in circles.
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else if kind.is_file() {
            files.insert(name, Digest::of_bytes(&read_bytes(&entry.path(), LIMIT)?));
        }
    }
    Ok(())
}
