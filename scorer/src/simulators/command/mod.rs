//! `command`: any program as a simulator, asked line by line (docs/simulator-contract.md).
//!
//! The program is started once for each job and stays from point to point (`pool`); one that has
//! died is started again. Whatever it answers is checked against what was asked (`judge`).

mod config;
mod judge;
mod pool;

use std::path::Path;

use shared::contract::{REQUEST_SCHEMA, SimulatorRequest};
use shared::id::EstimatorId;
use shared::outcome::{Outcome, Reason, SimulatorIdentity};
use shared::plan::PointRequest;

use super::config::SetUp;
use super::{Answer, Reply, Rest, Simulator, not_scored, request_list};
use crate::replay;

pub use config::{CommandConfig, CommandError};
pub(super) use pool::{Pool, Template};

/// How it is driven, as its identity says.
pub const KIND: &str = "command";

/// How many digits of a request's digest are its name.
const ID_DIGITS: usize = 16;

/// A simulator that is a program of somebody's.
#[derive(Debug)]
pub struct Command {
    identity: SimulatorIdentity,
    pool: Pool,
}

impl Command {
    /// The simulator of a configuration whose relative paths start at `folder`.
    ///
    /// # Errors
    /// When the program or one of its files is not there.
    pub fn new(
        id: EstimatorId,
        config: &CommandConfig,
        folder: &Path,
        with: SetUp<'_>,
    ) -> Result<Self, CommandError> {
        let resolved = config.resolve(folder)?;
        Ok(Self { identity: resolved.identity(id, with), pool: Pool::new(resolved.program, with.limits) })
    }

    async fn ask(&self, point: &PointRequest) -> Reply {
        let question = match question(point) {
            Ok(question) => question,
            Err(refusal) => return refusal.into(),
        };
        let line = match serde_json::to_string(&question) {
            Ok(line) => line,
            Err(error) => return not_written(&error).into(),
        };
        self.pool.judged(&line, &question.id, &question.requests).await
    }
}

fn question(point: &PointRequest) -> Result<SimulatorRequest, Outcome> {
    let requests = request_list(point)?;
    let digest = replay::digest(point).map_err(|error| not_written(&error))?;
    Ok(SimulatorRequest {
        schema: REQUEST_SCHEMA.to_owned(),
        id: digest.short(ID_DIGITS).to_owned(),
        point: point.clone(),
        requests: requests.requests().collect(),
    })
}

fn not_written(error: &serde_json::Error) -> Outcome {
    not_scored(Reason::RunError, format!("the request cannot be written as JSON: {error}"))
}

impl Simulator for Command {
    fn identity(&self) -> &SimulatorIdentity {
        &self.identity
    }

    fn predict<'a>(&'a self, request: &'a PointRequest) -> Answer<'a> {
        Box::pin(self.ask(request))
    }

    fn rest(&self) -> Rest<'_> {
        Box::pin(self.pool.rest())
    }
}

#[cfg(test)]
mod tests;
