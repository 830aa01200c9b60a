//! The stages after the replay: from outcomes to a published snapshot.

use shared::id::EstimatorId;
use shared::night::Stage;
use shared::summary::Summary;

use super::Halt;
use super::stages::{Flow, Stages, files, finished};
use crate::cli::publish::PublishArgs;
use crate::cli::run::MergeArgs;
use crate::cli::summarize::SummarizeArgs;
use crate::commands::{merge, publish, summarize};
use crate::comparison;
use crate::data_folder::Layout;
use crate::files::Destination;
use crate::inputs;
use crate::nightly::qualify::qualify;
use crate::resolve::Resolved;
use crate::simulators::blis;
use crate::simulators::registry::RegistryError;
use crate::summarize::Moment;
use crate::validate;

impl Stages<'_> {
    pub(super) fn merge(&mut self, _: &Resolved) -> Result<Flow, Halt> {
        let parts = match &self.args.outcomes {
            none if none.is_empty() => self.paths(&[files::WHOLE]),
            parts => parts.clone(),
        };
        self.step(Stage::Merge, &(), &parts, |this| {
            let output = Destination::File(this.path(files::OUTCOMES));
            let args = MergeArgs { files: parts.clone(), output, partial: false };
            finished(merge::run(&args, this.console))?;
            Ok(vec![files::OUTCOMES.to_owned()])
        })
    }

    pub(super) fn summarize(&mut self, _: &Resolved) -> Result<Flow, Halt> {
        let reads = self.paths(&[files::CORPUS, files::OUTCOMES]);
        self.step(Stage::Summarize, &(), &reads, |this| {
            let args = SummarizeArgs {
                corpus: this.path(files::CORPUS),
                outcomes: this.path(files::OUTCOMES),
                output: Destination::File(this.path(files::SUMMARY)),
                points: Some(Destination::File(this.path(files::POINTS))),
                primary: Some(EstimatorId::new(blis::KIND).map_err(RegistryError::from)?),
                generated_at: Some(this.moment()?),
                commit: this.args.commit.clone(),
            };
            finished(summarize::run(&args, this.console))?;
            Ok(vec![files::SUMMARY.to_owned(), files::POINTS.to_owned()])
        })
    }

    /// Now, but later than every published snapshot: the newest is what the page opens with, whatever the clock says.
    fn moment(&self) -> Result<Moment, Halt> {
        let now = Moment::now()?;
        // A list that cannot be read is made again by the publish.
        let Ok(index) = inputs::index(&Layout::new(&self.args.releases.data).index()) else { return Ok(now) };
        let moments = index.snapshots.iter().filter_map(|entry| entry.generated_at.parse::<Moment>().ok());
        let Some(newest) = moments.max() else { return Ok(now) };
        let moment = now.after(newest);
        if moment != now {
            self.console.warning(&format!(
                "the clock says {now}, but a snapshot of {newest} is published: this one is said to be of {moment}"
            ));
        }
        Ok(moment)
    }

    /// Proves every file, and holds the snapshot against the one before.
    pub(super) fn validate(&mut self, resolved: &Resolved) -> Result<Flow, Halt> {
        let reads = self.paths(&[files::CORPUS, files::PLAN, files::OUTCOMES, files::SUMMARY]);
        let before = resolved.last.as_ref().map(|last| &last.snapshot);
        let options = (before, self.args.least_scored);
        self.step(Stage::Validate, &options, &reads, |this| {
            let plan = inputs::plan(&this.path(files::PLAN))?;
            validate::prove(&reads, Some(&plan))?;
            drop(plan);
            let summary = comparison::snapshot(&this.path(files::SUMMARY))?;
            qualify(this.before(resolved)?.as_ref(), &summary, this.args.least_scored)?;
            Ok(Vec::new())
        })
    }

    /// The snapshot that was published last when the night began.
    pub(super) fn before(&self, resolved: &Resolved) -> Result<Option<Summary>, Halt> {
        let Some(last) = &resolved.last else { return Ok(None) };
        let path = Layout::new(&self.args.releases.data).summary(&last.snapshot);
        if !path.exists() {
            self.console.warning(&format!("{}: is not there any more: nothing is compared", path.display()));
            return Ok(None);
        }
        Ok(Some(comparison::snapshot(&path)?))
    }

    /// Publishes. It is never noted as done: what a data directory has is its own to say, and publishing again changes
    /// nothing.
    pub(super) fn publish(&mut self, _: &Resolved) -> Result<Flow, Halt> {
        self.stage = Stage::Publish;
        let args = PublishArgs {
            summary: self.path(files::SUMMARY),
            data: Some(self.args.releases.data.clone()),
            out: None,
            lock_timeout: self.args.lock_timeout,
        };
        finished(publish::run(&args, self.console))?;
        Ok(Flow::Next)
    }
}
