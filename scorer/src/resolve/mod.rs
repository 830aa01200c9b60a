//! Which releases a night is about: the newest stable one of the simulator and the newest dump of measurements,
//! asked live, and whether a snapshot of the two is published already.
//!
//! A release of the simulator counts when its tag is a version and it is neither a draft nor a pre-release; the newest
//! has the greatest version, whatever the list's order and whatever GitHub calls the latest: a patch of an older line
//! is published later than the line that follows it.

mod known;

use std::fmt::Write as _;
use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared::id::SnapshotId;
use shared::index::LastRun;
use shared::outcome::SettingsProfile;

use crate::console::{Console, printable};
use crate::data_folder::Layout;
use crate::exit::{ExitCode, Failure};
use crate::github::{GithubError, Release, Releases, Server, Version};
use crate::measurements::dump::release::{DumpReleases, ReleaseError};
use crate::measurements::http::HttpError;

/// The value of [`Resolved::schema`].
pub const SCHEMA: &str = "resolved.v1";

/// Where BLIS is released.
pub const SIMULATOR: &str = "inference-sim/inference-sim";

/// The longest time of publication that is taken over, in characters.
const LONGEST_TIME: usize = 40;

/// What is looked for, and where.
#[derive(Clone, Debug)]
pub struct ResolveOptions {
    /// The GitHub.
    pub server: Server,
    /// `OWNER/NAME` of the simulator.
    pub simulator: String,
    /// `OWNER/NAME` of the measurements.
    pub measurements: String,
    /// Which engine settings the simulator will be given.
    pub settings: SettingsProfile,
}

/// The newest releases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// `resolved.v1`.
    pub schema: String,
    /// The simulator's newest stable release.
    pub simulator: Newest,
    /// The newest dump.
    pub measurements: Newest,
    /// Which engine settings the simulator is given.
    pub settings: SettingsProfile,
    /// What was published last, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastRun>,
    /// The published snapshot of these very releases and settings, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<SnapshotId>,
    /// Whether there is nothing to do, because that snapshot is published.
    pub unchanged: bool,
}

/// A release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Newest {
    /// `OWNER/NAME`.
    pub repository: String,
    /// The tag.
    pub tag: String,
    /// When it was published, as GitHub says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<String>,
}

/// The newest releases cannot be found out.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The server cannot be asked.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The simulator's releases cannot be listed.
    #[error(transparent)]
    Simulator(#[from] GithubError),
    /// There is no dump, or dumps cannot be listed.
    #[error(transparent)]
    Measurements(Box<ReleaseError>),
    /// No release of the simulator counts.
    #[error(
        "{0} has no stable release: one whose tag is a version such as v0.7.15, no draft and no pre-release"
    )]
    NoRelease(String),
    /// The system gives no thread.
    #[error("the system does not give what a connection needs")]
    Runtime(#[source] io::Error),
}

impl Failure for ResolveError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Http(error) => error.exit_code(),
            Self::Simulator(error) => error.exit_code(),
            Self::Measurements(error) => error.exit_code(),
            Self::NoRelease(_) => ExitCode::InputUnreadable,
            Self::Runtime(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Http(error) => error.advice(),
            Self::Simulator(error) => error.advice(),
            Self::Measurements(error) => error.advice(),
            Self::NoRelease(_) | Self::Runtime(_) => None,
        }
    }
}

/// Finds the newest releases, and what of them is published in a data directory.
///
/// # Errors
/// When a server does not answer, or has no such release.
pub fn resolve(options: &ResolveOptions, data: &Layout, console: &Console) -> Result<Resolved, ResolveError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ResolveError::Runtime)?;
    let (simulator, measurements) = runtime.block_on(newest(options, console))?;
    let known = known::of(data, &simulator.tag, &measurements.tag, options.settings, console);
    Ok(Resolved {
        schema: SCHEMA.to_owned(),
        simulator,
        measurements,
        settings: options.settings,
        last: known.last,
        unchanged: known.published.is_some(),
        published: known.published,
    })
}

async fn newest(options: &ResolveOptions, console: &Console) -> Result<(Newest, Newest), ResolveError> {
    let (http, api) = options.server.client(console)?;
    let releases = Releases::of(&http, api.clone(), &options.simulator);
    let found = releases.greatest(stable).await?;
    let (_, release) = found.ok_or_else(|| ResolveError::NoRelease(options.simulator.clone()))?;
    let simulator = Newest {
        repository: options.simulator.clone(),
        tag: release.tag_name,
        published_at: release.published_at.map(|time| time.chars().take(LONGEST_TIME).collect()),
    };
    let dump = DumpReleases::of(&http, api, &options.measurements).newest().await;
    let dump = dump.map_err(|error| ResolveError::Measurements(Box::new(error)))?;
    let measurements =
        Newest { repository: options.measurements.clone(), tag: dump.to_string(), published_at: None };
    Ok((simulator, measurements))
}

/// The version of a stable release.
fn stable(release: &Release) -> Option<Version> {
    if release.prerelease { None } else { release.tag_name.parse().ok() }
}

impl Resolved {
    /// Whether both are about the same releases and settings.
    #[must_use]
    pub fn is_of_the_same(&self, other: &Self) -> bool {
        let pair = |resolved: &Self| {
            let tag = |newest: &Newest| (newest.repository.clone(), newest.tag.clone());
            (tag(&resolved.simulator), tag(&resolved.measurements), resolved.settings)
        };
        pair(self) == pair(other)
    }

    /// As a person reads it, a line each.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<16}{}", printable(value));
        };
        for (name, newest) in [("simulator", &self.simulator), ("measurements", &self.measurements)] {
            let published = newest.published_at.as_deref().map(|at| format!(", published {at}"));
            line(name, &format!("{} of {}{}", newest.tag, newest.repository, published.unwrap_or_default()));
        }
        line("settings", self.settings.key());
        let last = self.last.as_ref().map_or("nothing", |last| last.snapshot.as_str());
        line("last published", last);
        match &self.published {
            Some(id) => line("unchanged", &format!("yes, {id} is of these releases")),
            None => line("unchanged", "no"),
        }
        text
    }

    /// As the outputs of a workflow's step.
    #[must_use]
    pub fn outputs(&self) -> Vec<(&'static str, String)> {
        let id = |id: Option<&SnapshotId>| id.map(ToString::to_string).unwrap_or_default();
        vec![
            ("simulator", self.simulator.tag.clone()),
            ("measurements", self.measurements.tag.clone()),
            ("unchanged", self.unchanged.to_string()),
            ("previous", id(self.last.as_ref().map(|last| &last.snapshot))),
        ]
    }
}
