//! What a build is and can do, for people and for scripts.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use shared::outcome::SimulatorData;

use super::dialect::{Dialect, Interface};
use super::installation::Installation;
use super::{Blis, Simulator};

/// What a build is and can do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// The binary.
    pub binary: PathBuf,
    /// Its digest.
    pub sha256: String,
    /// Its version, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its commit, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether it is a release.
    pub release: bool,
    /// The Go that compiled it, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub go: Option<String>,
    /// The release of the catalog that goes with it, if its sources say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalog: Option<String>,
    /// The release of the registry that goes with it, if its sources say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
    /// The dialect.
    pub dialect: Dialect,
    /// What it can do.
    pub can: Abilities,
    /// What its answers rest on beside the binary; none for a build that was only made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<SimulatorData>,
}

/// What a build can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "a list of independent abilities")]
pub struct Abilities {
    /// The client's closed loop exactly, without deadlines for later requests.
    pub session_pool: bool,
    /// A row per request, rather than means of its own.
    pub rows_per_request: bool,
    /// Data parallelism.
    pub data_parallel: bool,
    /// Expert parallelism.
    pub expert_parallel: bool,
    /// Agentic scenarios.
    pub agentic: bool,
}

impl Abilities {
    fn of(interface: &Interface) -> Self {
        let by_scenario = interface.dialect() == Dialect::C;
        Self {
            session_pool: matches!(interface.dialect(), Dialect::B | Dialect::C),
            rows_per_request: interface.dialect() != Dialect::Zero,
            data_parallel: by_scenario || interface.has("dp"),
            expert_parallel: by_scenario || interface.has("enable-expert-parallel"),
            agentic: by_scenario && interface.has("agentic-scenario"),
        }
    }

    fn named(self) -> [(&'static str, bool); 5] {
        [
            ("pool of sessions", self.session_pool),
            ("row per request", self.rows_per_request),
            ("data parallelism", self.data_parallel),
            ("expert parallelism", self.expert_parallel),
            ("agentic scenarios", self.agentic),
        ]
    }
}

impl Profile {
    /// Of a build by itself.
    #[must_use]
    pub fn of_installation(installation: &Installation) -> Self {
        let record = installation.record.as_ref();
        Self {
            binary: installation.binary.clone(),
            sha256: installation.sha256.to_string(),
            version: record.map(|record| record.version().to_owned()),
            commit: record.map(|record| record.commit.clone()),
            release: record.is_some_and(|record| record.tag.is_some()),
            go: record.map(|record| record.go.clone()),
            catalog: record.and_then(|record| record.catalog.clone()),
            registry: record.and_then(|record| record.registry.clone()),
            dialect: installation.interface.dialect(),
            can: Abilities::of(&installation.interface),
            data: Vec::new(),
        }
    }

    /// Of a build as it is set up.
    #[must_use]
    pub fn of_simulator(blis: &Blis) -> Self {
        let identity = blis.identity();
        let known = identity.version != shared::outcome::SimulatorIdentity::UNVERSIONED;
        Self {
            version: known.then(|| identity.version.clone()),
            commit: identity.commit.clone(),
            release: identity.release,
            data: identity.data.clone(),
            ..Self::of_installation(blis.installation())
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let release = if self.release { "a release" } else { "not known to be a release" };
        let version = self.version.as_deref().unwrap_or("of unknown version");
        writeln!(formatter, "BLIS {version}, {release}")?;
        let mut line = |name: &str, value: &str| writeln!(formatter, "  {name:<11} {value}");
        line("binary", &self.binary.display().to_string())?;
        line("SHA-256", &self.sha256)?;
        let optional = [
            ("commit", &self.commit),
            ("compiled by", &self.go),
            ("catalog", &self.catalog),
            ("registry", &self.registry),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                line(name, value)?;
            }
        }
        line("dialect", self.dialect.key())?;
        for (named, able) in [("can", true), ("cannot", false)] {
            let abilities = self.can.named().into_iter().filter(|(_, has)| *has == able);
            let names: Vec<&str> = abilities.map(|(name, _)| name).collect();
            if !names.is_empty() {
                line(named, &names.join(", "))?;
            }
        }
        for data in &self.data {
            let what = data.sha256.as_ref().map(|sha256| sha256.short(16).to_owned());
            let told = [data.tag.clone(), what].into_iter().flatten().collect::<Vec<_>>().join(" ");
            line("rests on", &format!("{} {told}", data.name))?;
        }
        Ok(())
    }
}
