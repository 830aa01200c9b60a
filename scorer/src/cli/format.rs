//! How what was found is printed, where a table for people and one object for programs are all there is.

use clap::ValueEnum;

/// For people or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// Everything, as one object.
    Json,
}
