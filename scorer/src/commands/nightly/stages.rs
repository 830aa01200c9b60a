//! The stages of a night, each by its own command.

use std::path::PathBuf;

use serde::Serialize;
use shared::night::Stage;
use shared::summary::Summary;

use super::{Halt, NightlyError};
use crate::cli::nightly::NightlyArgs;
use crate::cli::plan::ReferenceArgs;
use crate::cli::run::RunArgs;
use crate::commands::run;
use crate::comparison;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::identity;
use crate::nightly::{Work, WorkError};
use crate::replay::Shard;
use crate::resolve::Resolved;

/// The files of the stages, in the work directory.
pub(super) mod files {
    pub const RESOLVED: &str = "resolved.json";
    /// The folder of builds, one by commit.
    pub const BUILDS: &str = "builds";
    pub const CORPUS: &str = "corpus.json";
    pub const PLAN: &str = "plan.json";
    /// The outcomes of a night that one machine runs.
    pub const WHOLE: &str = "whole.outcomes";
    pub const OUTCOMES: &str = "outcomes.jsonl";
    pub const SUMMARY: &str = "summary.json";
    pub const POINTS: &str = "points.csv";
}

/// What came of a night, or of the part of one that was asked for.
#[derive(Debug)]
pub(super) enum Ended {
    /// Nothing is new.
    Unchanged(Resolved),
    /// The last stage that was asked for is done.
    Stage(Resolved),
    /// A part of the plan is run.
    Shard,
    /// A snapshot is published.
    Published { resolved: Resolved, before: Option<Box<Summary>>, summary: Box<Summary> },
}

/// Whether the next stage follows.
pub(super) enum Flow {
    Next,
    End,
}

type Step<'a> = fn(&mut Stages<'a>, &Resolved) -> Result<Flow, Halt>;

/// A night under way.
pub(super) struct Stages<'a> {
    pub(super) args: &'a NightlyArgs,
    pub(super) work: Work,
    pub(super) console: &'a Console,
    pub(super) stage: Stage,
    resolved: Option<Resolved>,
}

impl<'a> Stages<'a> {
    pub(super) fn new(args: &'a NightlyArgs, work: Work, console: &'a Console) -> Self {
        Self { args, work, console, stage: Stage::Resolve, resolved: None }
    }

    /// The stage that is under way, or failed.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// What the night is about, once that is known.
    pub(super) fn resolved(&self) -> Option<&Resolved> {
        self.resolved.as_ref()
    }

    /// Notes that the night is over, once it is told what came of it.
    pub(super) fn end(&mut self, ended: &Ended) -> Result<(), WorkError> {
        match ended {
            Ended::Published { .. } => self.work.end(),
            Ended::Unchanged(_) | Ended::Stage(_) | Ended::Shard => Ok(()),
        }
    }

    /// All stages, or those that were asked for.
    pub(super) fn run(&mut self) -> Result<Ended, Halt> {
        let resolved = self.resolve()?;
        self.resolved = Some(resolved.clone());
        if resolved.unchanged {
            self.console.status("nothing new: a snapshot of these releases is published");
            return Ok(Ended::Unchanged(resolved));
        }
        if self.args.shard.is_some() {
            self.stage = Stage::Run;
            return self.shard();
        }
        if self.args.until == Some(Stage::Resolve) {
            return Ok(Ended::Stage(resolved));
        }
        let before: [Step<'a>; 4] = [Self::build, Self::ingest, Self::plan, Self::run_whole];
        let after: [Step<'a>; 4] = [Self::merge, Self::summarize, Self::validate, Self::publish];
        let is_run = !self.args.outcomes.is_empty();
        for step in before.into_iter().filter(|_| !is_run).chain(after) {
            if matches!(step(self, &resolved)?, Flow::End) {
                return Ok(Ended::Stage(resolved));
            }
        }
        let summary = Box::new(comparison::snapshot(&self.path(files::SUMMARY))?);
        Ok(Ended::Published { before: self.before(&resolved)?.map(Box::new), resolved, summary })
    }

    /// Does a stage, unless it is done.
    pub(super) fn step<O: Serialize>(
        &mut self,
        stage: Stage,
        options: &O,
        reads: &[PathBuf],
        act: impl FnOnce(&Self) -> Result<Vec<String>, Halt>,
    ) -> Result<Flow, Halt> {
        self.stage = stage;
        let scorer = identity::scorer(&self.args.commit.provenance());
        let inputs = self.work.inputs(&(stage, scorer, options), reads)?;
        if self.work.is_done(stage, &inputs) {
            self.console.status(&format!("{}: done before", stage.key()));
        } else {
            self.console.status(&format!("{}:", stage.key()));
            self.work.begin(stage)?;
            let files = act(self)?;
            self.work.finish(stage, inputs, files)?;
        }
        Ok(if self.args.until == Some(stage) { Flow::End } else { Flow::Next })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.work.path(name)
    }

    pub(super) fn paths(&self, names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(|name| self.path(name)).collect()
    }

    fn run_whole(&mut self, _: &Resolved) -> Result<Flow, Halt> {
        let reads = self.paths(&[files::PLAN]);
        self.step(Stage::Run, &(), &reads, |this| {
            this.replay(files::WHOLE, None)?;
            Ok(vec![files::WHOLE.to_owned()])
        })
    }

    /// One part of the plan.
    fn shard(&mut self) -> Result<Ended, Halt> {
        let Some(shard) = self.args.shard else { return Ok(Ended::Shard) };
        if self.work.files(Stage::Plan).is_none() {
            return Err(NightlyError::NothingPrepared(self.args.work.clone()).into());
        }
        let name = shard.to_string().replace('/', "-of-").replace(':', "-");
        self.replay(&format!("part-{name}.outcomes"), self.args.shard)?;
        Ok(Ended::Shard)
    }

    /// Runs the plan, or a part of it.
    fn replay(&self, name: &str, shard: Option<Shard>) -> Result<(), Halt> {
        let args = RunArgs {
            plan: self.path(files::PLAN),
            output: self.path(name),
            jobs: self.args.jobs,
            // Without a part that was asked for it is all of it, also on a cluster.
            shard: Some(shard.unwrap_or(Shard::ALL)),
            simulators: self.simulators()?,
            limits: self.args.limits,
            cache: self.args.cache.clone(),
            reference: ReferenceArgs::default(),
            commit: self.args.commit.clone(),
        };
        finished(run::run_afresh(&args, self.console))
    }
}

/// Whether a command did its work.
pub(super) fn finished(result: CommandResult) -> Result<(), Halt> {
    match result? {
        ExitCode::Success => Ok(()),
        code => Err(Halt::Stopped(code)),
    }
}
