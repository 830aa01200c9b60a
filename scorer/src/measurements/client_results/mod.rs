//! One's own measurements: the result files of `vllm bench serve` or of InferenceX's client, and a file that
//! says what was deployed.
//!
//! The files of several concurrencies become one sweep; those of one concurrency are its repeats. A row is
//! one result. What the deployment file says was passed counts like an arguments line; a server log says it
//! better, and must not say anything else.

mod agreement;
mod deployment;
mod error;
mod files;
mod logs;
mod reason;
mod result;
mod sweep;

use std::path::{Path, PathBuf};

pub use deployment::DeploymentFile;
pub use error::{ClientResultsError, Fault};
pub use files::ResultFiles;
pub use reason::ALL as REASONS;

use super::Ingested;
use super::settings::Facts;

/// A server log, of one concurrency or of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConcurrencyLog {
    /// The concurrency of its point; none: all points were measured on that server.
    pub concurrency: Option<u32>,
    /// The file.
    pub path: PathBuf,
}

/// The files that are read.
#[derive(Clone, Copy, Debug)]
pub struct ClientInputs<'a> {
    /// Result files.
    pub results: &'a ResultFiles,
    /// What was deployed.
    pub deployment: &'a Path,
    /// Server logs.
    pub logs: &'a [ConcurrencyLog],
}

/// Reads results as a corpus of one sweep.
///
/// # Errors
/// When a file cannot be read, the files contradict each other, or too few results are left.
pub fn read(inputs: &ClientInputs<'_>, facts: &dyn Facts) -> Result<Ingested, ClientResultsError> {
    let mut parts = Vec::new();
    let deployment = DeploymentFile::read(inputs.deployment, &mut parts)?;
    let results = files::results(inputs.results, &mut parts)?;
    let logs = logs::read(inputs.logs, &mut parts)?;
    let read = sweep::Read {
        deployment: &deployment,
        deployment_path: inputs.deployment,
        results: &results,
        logs: &logs,
    };
    sweep::corpus(&read, parts, facts)
}

#[cfg(test)]
mod tests;
