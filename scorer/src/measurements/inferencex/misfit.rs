//! Whether a log is of the server that a row was measured on.

use std::fmt;

use super::deployment::{layout_of_row, layout_passed};
use super::rows::{ConfigRow, ResultRow};
use crate::measurements::engine_log::LogFacts;
use crate::reference::{Inferencex, Version};

/// In what a log is of another server than its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// It ran another version than the row's image has.
    Version {
        /// By the log.
        logged: Version,
        /// By the image.
        image: Version,
    },
    /// It ran on another number of GPUs.
    Gpus {
        /// By the log's arguments.
        logged: u32,
        /// By the row.
        row: u32,
    },
}

impl Misfit {
    /// In what the log of a row is of another server, if it is.
    pub(super) fn of(
        result: &ResultRow,
        config: &ConfigRow,
        log: &LogFacts,
        table: &Inferencex,
    ) -> Option<Self> {
        let logged = log.engine_version.as_ref().and_then(|stated| stated.value.parse::<Version>().ok());
        let image = result.image.as_deref().and_then(|image| table.version_of_image(image));
        if let Some((logged, image)) = logged.zip(image)
            && logged != image
        {
            return Some(Self::Version { logged, image });
        }
        let by_row = layout_of_row(result, config);
        let (logged, row) = (layout_passed(log.passed()?, by_row.ep).gpus(), by_row.gpus());
        (logged != row).then_some(Self::Gpus { logged, row })
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { logged, image } => {
                write!(formatter, "its log is of version {logged}, its image of {image}")
            }
            Self::Gpus { logged, row } => {
                write!(formatter, "its log is of a server on {logged} GPUs, the row of one on {row}")
            }
        }
    }
}
