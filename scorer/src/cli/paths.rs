//! Names of files on the command line: what `-` and an empty name mean.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TryMapValueParser, TypedValueParser as _, ValueParserFactory};

use crate::files::{Destination, NamelessError};

impl ValueParserFactory for Destination {
    type Parser = TryMapValueParser<OsStringValueParser, fn(OsString) -> Result<Self, NamelessError>>;

    fn value_parser() -> Self::Parser {
        OsStringValueParser::new().try_map(Self::try_from)
    }
}

/// An output that is also read, so that only a file will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stdout is not possible here: a run goes on from its file, so name one")]
pub struct NoFileError;

/// Reads the name of a file that a run goes on from.
///
/// # Errors
/// When it is `-` or empty.
pub fn real_file(name: OsString) -> Result<PathBuf, NoFileError> {
    match Destination::try_from(name) {
        Ok(Destination::File(path)) => Ok(path),
        Ok(Destination::Stdout) | Err(NamelessError) => Err(NoFileError),
    }
}

/// What clap calls [`real_file`] with.
pub type RealFileParser =
    TryMapValueParser<OsStringValueParser, fn(OsString) -> Result<PathBuf, NoFileError>>;

/// The parser of [`real_file`].
#[must_use]
pub fn real_file_parser() -> RealFileParser {
    OsStringValueParser::new().try_map(real_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_is_a_file() {
        assert_eq!(real_file("o.jsonl".into()), Ok("o.jsonl".into()));
        for name in ["-", ""] {
            assert_eq!(real_file(name.into()), Err(NoFileError), "{name}");
        }
    }
}
