//! What is asked of GitHub, or of a server of its kind: lists of releases. Both of them are pinned by what is
//! found there: a simulator by the tag of a release, measurements by the tag of a dump.
//!
//! [`Server`] says where GitHub is and who we are for it, [`Releases`] lists the releases of a repository,
//! [`Version`] puts the tags of a simulator in order, [`workflow`] tells it what a step of a workflow found.

mod releases;
mod server;
mod version;
pub mod workflow;

pub use releases::{Asset, GithubError, Page, Release, Releases};
pub use server::{API, Server};
pub use version::{Version, VersionError};
