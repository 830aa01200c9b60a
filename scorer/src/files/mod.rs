//! Reading and writing files, so that every command does it in the same way: bounded, checked and
//! explained on the way in; deterministic and atomic on the way out.

mod clash;
mod digest;
mod json;
pub mod lock;
mod place;
mod read;
mod write;

use std::io;
use std::path::PathBuf;

pub use clash::{ClashError, check_paths};
pub use digest::sha256_of_file;
pub use json::{JsonFault, json_bytes, parse_json, read_json, write_json};
pub use place::user_cache;
pub use read::{DEFAULT_LIMIT, open, read_bytes, read_open, read_text};
pub use write::{Destination, NamelessError, sync_folder, write_atomically};

use crate::exit::{ExitCode, Failure};

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Nothing has that name.
    #[error("{}: no such file", .path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The name belongs to a folder.
    #[error("{}: this is a folder, name a file", .path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The name belongs to a device, which may have no end.
    #[error("{}: this is a device, name a file", .path.display())]
    IsDevice {
        /// The device.
        path: PathBuf,
    },
    /// The name belongs to a device, a pipe or a socket, whose bytes are not the same each time.
    #[error("{}: this is no regular file, name one", .path.display())]
    NotRegular {
        /// What it names.
        path: PathBuf,
    },
    /// The system refused to read it.
    #[error("{}: cannot be read", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is larger than the reader allows.
    #[error("{}: is larger than the limit of {limit} bytes", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The largest size that is read, in bytes.
        limit: u64,
    },
    /// It has no content.
    #[error("{}: is empty", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    #[error("{}: line {line} is not UTF-8 text (byte {offset} of the file)", .path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line of the first bad byte, counted from 1.
        line: usize,
        /// The offset of the first bad byte, counted from 0.
        offset: usize,
    },
    /// Its JSON ends too early.
    #[error("{}: ends in the middle of its JSON ({fault_place})", .path.display(), fault_place = .fault.place())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where and what.
        #[source]
        fault: JsonFault,
    },
    /// It is not JSON.
    #[error("{}: is not valid JSON ({fault_place})", .path.display(), fault_place = .fault.place())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// Where and what.
        #[source]
        fault: JsonFault,
    },
    /// It is JSON of another shape.
    #[error("{}: does not have the expected content ({fault_place})", .path.display(), fault_place = .fault.place())]
    WrongShape {
        /// The file.
        path: PathBuf,
        /// Where and what.
        #[source]
        fault: JsonFault,
    },
    /// A value cannot be written as JSON: a map whose keys are no strings, a serializer that failed.
    #[error("the value cannot be written as JSON")]
    NotSerializable {
        /// What serde said.
        source: serde_json::Error,
    },
    /// The folder of the file does not exist.
    #[error("{}: its folder does not exist", .path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// The system refused to write it.
    #[error("{}: cannot be written", .path.display())]
    NotWritten {
        /// The file, or `stdout`.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Failure for FileError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NotFound { .. }
            | Self::IsFolder { .. }
            | Self::IsDevice { .. }
            | Self::NotRegular { .. }
            | Self::Unreadable { .. }
            | Self::TooLarge { .. } => ExitCode::InputUnreadable,
            Self::Empty { .. }
            | Self::NotUtf8 { .. }
            | Self::Truncated { .. }
            | Self::NotJson { .. }
            | Self::WrongShape { .. } => ExitCode::InputInvalid,
            Self::NotSerializable { .. } => ExitCode::Unexpected,
            Self::NoFolder { .. } | Self::NotWritten { .. } => ExitCode::OutputNotWritten,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::NotFound { .. } => "check the name and the current folder",
            Self::TooLarge { .. } => "make sure that this is the right file; if so, split it",
            Self::Empty { .. } | Self::Truncated { .. } => {
                "the command that made it probably did not finish: make it again"
            }
            Self::NotUtf8 { .. } => "if the file is compressed, unpack it first",
            Self::NotJson { fault, .. } => return fault.advice().map(str::to_owned),
            Self::NoFolder { .. } => "create the folder, or name another one",
            Self::NotWritten { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull => "free some space",
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "name a place where you may write"
                }
                _ => return None,
            },
            Self::IsFolder { .. }
            | Self::IsDevice { .. }
            | Self::NotRegular { .. }
            | Self::Unreadable { .. }
            | Self::WrongShape { .. }
            | Self::NotSerializable { .. } => return None,
        };
        Some(advice.to_owned())
    }
}
