//! Why the parts of a dump cannot be read: which part, and what to do.

use std::io;
use std::path::PathBuf;

use shared::digest::Digest;

use crate::exit::{ExitCode, Failure};
use crate::files::FileError;
use crate::measurements::http::HttpError;

/// The parts of a dump are not there, not all, or not what they must be.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing there looks like a dump.
    #[error("{}: no part of a dump is there: their names end with `.dump.zst.part00`, `.part01` and so on", .0.display())]
    NoParts(PathBuf),
    /// Nothing was named.
    #[error("no part is named")]
    Nothing,
    /// A name that has no text.
    #[error("{}: this is not the name of a part", .0.display())]
    Name(PathBuf),
    /// Parts of two dumps.
    #[error("{first} and {second} are not parts of one dump: name the parts of one")]
    Mixed {
        /// A part.
        first: String,
        /// One that does not belong to it.
        second: String,
    },
    /// A part is not there.
    #[error("{0} is missing: a dump is one stream, of which no part can be left out")]
    Missing(String),
    /// A part is there twice.
    #[error("{0} is named twice")]
    Twice(String),
    /// Nobody says what the digests must be.
    #[error("{}: there is no SHA256SUMS beside the parts, so nothing tells whether they are whole", .folder.display())]
    NoSums {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// A line of SHA256SUMS is none.
    #[error("{name}: line {line} is not a SHA-256 digest, two spaces and a name")]
    Sums {
        /// The file.
        name: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// SHA256SUMS does not name a part.
    #[error("{0} is not in SHA256SUMS: the parts and the sums are not of one release")]
    Unlisted(String),
    /// A part has the wrong size.
    #[error(
        "{name} has {found} bytes, but {} {expected}: it was not copied whole, or it was split in another way",
        if *.is_last { "the last part has at most" } else { "every part before the last has" }
    )]
    Size {
        /// The part.
        name: String,
        /// Its size.
        found: u64,
        /// What it must be.
        expected: u64,
        /// Whether it is the last part.
        is_last: bool,
    },
    /// A part has another size than was announced.
    #[error("{name} has {found} bytes, but {expected} were announced")]
    Length {
        /// The part.
        name: String,
        /// Its size, as far as it was read.
        found: u64,
        /// What it must be.
        expected: u64,
    },
    /// A part has another digest.
    #[error("{name} is damaged: its SHA-256 is {found}, but must be {expected}")]
    Digest {
        /// The part.
        name: String,
        /// Its digest.
        found: Digest,
        /// What it must be.
        expected: Digest,
    },
    /// A part cannot be read on.
    #[error("{name} cannot be read")]
    Unreadable {
        /// The part.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// It cannot be downloaded.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl PartsError {
    /// What became of a part on its way through a reader.
    pub(super) fn while_reading(name: String, error: io::Error) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(error) => return error,
            Err(error) => error,
        };
        match error.downcast::<HttpError>() {
            Ok(error) => Self::Http(error),
            Err(source) => Self::Unreadable { name, source },
        }
    }
}

impl From<PartsError> for io::Error {
    fn from(error: PartsError) -> Self {
        Self::other(error)
    }
}

impl Failure for PartsError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Http(error) => error.exit_code(),
            Self::Nothing | Self::Name(_) => ExitCode::Usage,
            Self::NoParts(_) | Self::Missing(_) | Self::NoSums { .. } | Self::Unreadable { .. } => {
                ExitCode::InputUnreadable
            }
            Self::Mixed { .. }
            | Self::Twice(_)
            | Self::Sums { .. }
            | Self::Unlisted(_)
            | Self::Size { .. }
            | Self::Length { .. }
            | Self::Digest { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::File(error) => return error.advice(),
            Self::Http(error) => return error.advice(),
            Self::Missing(_) => "copy or download it, beside the others",
            Self::NoSums { .. } => {
                "put the SHA256SUMS of the release beside the parts, or name one with --sums"
            }
            Self::Digest { .. } => "download this part again",
            Self::Size { .. } => {
                "copy it again; if the parts have another size on purpose, say so with --part-size"
            }
            _ => return None,
        };
        Some(advice.to_owned())
    }
}
