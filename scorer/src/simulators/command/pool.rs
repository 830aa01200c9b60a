//! The running programs of one `command` simulator: as many as are asked at a time.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use shared::outcome::Reason;
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::judge::judge;
use crate::process::{Interactive, Limits, ProcessError, Program};
use crate::simulators::{Reply, not_scored};

/// What is started, without its folder: each child has one of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub path: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
}

/// Programs that stay from point to point.
#[derive(Debug)]
pub struct Pool {
    template: Template,
    limits: Limits,
    idle: Mutex<Vec<PooledChild>>,
}

/// One running program and its folder, which goes when it goes.
#[derive(Debug)]
struct PooledChild {
    // Before the folder: the program is gone when the folder is removed.
    program: Interactive,
    _folder: TempDir,
}

impl PooledChild {
    /// The most memory that it was seen to use so far, in bytes.
    fn peak_memory(&self) -> Option<u64> {
        self.program.peak_memory()
    }
}

impl Pool {
    /// A pool in which nothing runs yet.
    pub fn new(template: Template, limits: Limits) -> Self {
        Self { template, limits, idle: Mutex::default() }
    }

    /// Asks a line, the request `id`, and judges the answer; who is out of step is not asked again.
    pub async fn judged(&self, line: &str, id: &str, sent: &[(u32, u32)]) -> Reply {
        let (answered, child) = match self.ask(line).await {
            Ok(answered) => answered,
            Err(error) => return error.into(),
        };
        let peak_memory = child.peak_memory();
        let judged = judge(&answered, id, sent);
        if judged.is_ok() {
            self.put_back(child);
        }
        let outcome = judged.unwrap_or_else(|fault| not_scored(Reason::BadResult, fault.to_string()));
        Reply::from(outcome).with_peak_memory(peak_memory)
    }

    /// Asks a child that is idle, else a new one, and hands it out with its answer.
    ///
    /// One that ended while it was idle is no failure of the point: a new one is asked instead.
    async fn ask(&self, line: &str) -> Result<(Vec<u8>, PooledChild), ProcessError> {
        if let Some(mut child) = self.take() {
            match child.program.ask(line).await {
                Ok(answer) => return Ok((answer, child)),
                Err(ProcessError::Ended { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let mut child = self.start()?;
        let answer = child.program.ask(line).await?;
        Ok((answer, child))
    }

    /// Keeps a child for the next question.
    fn put_back(&self, child: PooledChild) {
        self.idle().push(child);
    }

    /// Lets all idle children end.
    pub async fn rest(&self) {
        let idle = std::mem::take(&mut *self.idle());
        let mut ending = JoinSet::new();
        for PooledChild { program, _folder: folder } in idle {
            ending.spawn(async move {
                // One that cannot be ended was told apart by its answers already.
                let _ = program.end().await;
                drop(folder);
            });
        }
        while ending.join_next().await.is_some() {}
    }

    fn start(&self) -> Result<PooledChild, ProcessError> {
        let Template { path, args, env } = self.template.clone();
        let folder = tempfile::Builder::new().prefix("scorer-").tempdir();
        let folder = folder.map_err(|source| ProcessError::NotStarted { program: path.clone(), source })?;
        let program = Program { path, args, env, directory: folder.path().to_owned() };
        Ok(PooledChild { program: Interactive::start(&program, &self.limits)?, _folder: folder })
    }

    fn take(&self) -> Option<PooledChild> {
        self.idle().pop()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<PooledChild>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
