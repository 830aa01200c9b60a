//! Why it cannot be said which commit this program is built from.

use std::io;
use std::path::PathBuf;

use crate::exit::{ExitCode, Failure};
use crate::identity::CommitError;
use crate::process::ProcessError;

/// It cannot be said which commit this program is built from.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// There is no checkout, and nobody states a commit.
    #[error("it is not known which commit this program is built from: there is no checkout of it above {}", .0.display())]
    NoCheckout(PathBuf),
    /// A folder that was named is no checkout of this project.
    #[error("{}: is no checkout of this project", .0.display())]
    NotOurs(PathBuf),
    /// The checkout has no history, and nobody states a commit.
    #[error("{}: has no git history, so it is not known which commit it is", .0.display())]
    NoHistory(PathBuf),
    /// The checkout is a part of another repository.
    #[error("{}: is a folder of another repository, {}, whose commits are not this project's", root.display(), of.display())]
    Nested {
        /// The checkout.
        root: PathBuf,
        /// The repository around it.
        of: PathBuf,
    },
    /// Files are not those of the commit.
    #[error("{}: differs from its commit {commit}: {files}", root.display())]
    Dirty {
        /// The checkout.
        root: PathBuf,
        /// Its HEAD.
        commit: String,
        /// The first few files, and how they differ.
        files: String,
    },
    /// The program is of other sources.
    #[error("{}: this program was not built from the sources there", .0.display())]
    OtherSources(PathBuf),
    /// Another commit was stated than there is.
    #[error("{}: is at {found}, but {stated} was stated", root.display())]
    Contradiction {
        /// The checkout.
        root: PathBuf,
        /// Its HEAD.
        found: String,
        /// What was stated.
        stated: String,
    },
    /// HEAD is no commit.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// git cannot be run.
    #[error("{}: `git {step}` cannot be run", root.display())]
    Git {
        /// The checkout.
        root: PathBuf,
        /// What was asked.
        step: &'static str,
        /// Why.
        source: ProcessError,
    },
    /// git refused.
    #[error("{}: `git {step}` failed: {words}", root.display())]
    Refused {
        /// The checkout.
        root: PathBuf,
        /// What was asked.
        step: &'static str,
        /// Its last words.
        words: String,
    },
    /// The system does not let it be looked at.
    #[error("{}: cannot be looked at", path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Failure for CheckoutError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NotOurs(_) => ExitCode::Usage,
            Self::System { .. } => ExitCode::InputUnreadable,
            Self::Git { .. } | Self::Refused { .. } => ExitCode::Unexpected,
            Self::NoCheckout(_)
            | Self::NoHistory(_)
            | Self::Nested { .. }
            | Self::Dirty { .. }
            | Self::OtherSources(_)
            | Self::Contradiction { .. }
            | Self::Commit(_) => ExitCode::Refused,
        }
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::NoCheckout(_) => "name its checkout with --checkout, or state the commit in HARNESS_COMMIT",
            Self::NotOurs(_) => "name the folder that has its Cargo.toml, scorer/ and shared/",
            Self::NoHistory(_) => "clone the repository, or state the commit in HARNESS_COMMIT",
            Self::Nested { .. } => "clone the project into a repository of its own",
            Self::Dirty { .. } => "commit or take back what differs, and build again",
            Self::OtherSources(_) => "build it there: cargo build --release --package scorer",
            Self::Contradiction { .. } => "state the commit of the checkout, or nothing",
            Self::Git { .. } => "install git (https://git-scm.com)",
            Self::Commit(_) | Self::Refused { .. } | Self::System { .. } => return None,
        };
        Some(advice.to_owned())
    }
}
