//! The stages before the replay: what a night is about, and the work frozen.

use shared::night::Stage;
use shared::outcome::SettingsProfile;

use super::stages::{Flow, Stages, files, finished};
use super::{Halt, NightlyError};
use crate::cli::database::DumpArgs;
use crate::cli::format::Format;
use crate::cli::ingest::{CorpusArgs, IngestArgs, IngestSource};
use crate::cli::plan::{PlanArgs, ReferenceArgs, SimulatorArgs};
use crate::cli::simulator::BuildArgs;
use crate::commands::{ingest, plan, resolve, simulator};
use crate::files::{Destination, read_json, write_json};
use crate::github::Server;
use crate::measurements::dump::location::DumpLocation;
use crate::measurements::http::Retry;
use crate::resolve::Resolved;
use crate::simulators::blis::build::BuildError;
use crate::simulators::blis::installation::{BINARY, RECORD};

impl Stages<'_> {
    /// The newest releases. A night that is under way keeps what it found, as long as that is still the newest: so what
    /// was published before it stays what its snapshot is compared with. Parts are always of what was prepared.
    pub(super) fn resolve(&mut self) -> Result<Resolved, Halt> {
        self.stage = Stage::Resolve;
        let is_part = self.args.shard.is_some() || !self.args.outcomes.is_empty();
        let begun: Option<Resolved> = match self.work.files(Stage::Resolve) {
            Some(_) if is_part || !self.work.is_over() => Some(read_json(&self.path(files::RESOLVED))?),
            _ => None,
        };
        if is_part {
            return Ok(begun.ok_or_else(|| NightlyError::NothingPrepared(self.args.work.clone()))?);
        }
        let mut newest = resolve::newest(&self.args.releases, self.console)?;
        newest.unchanged &= !self.args.force;
        self.console.status(&format!("resolve: {} and {}", newest.simulator.tag, newest.measurements.tag));
        if let Some(begun) = begun.filter(|begun| begun.is_of_the_same(&newest) && !begun.unchanged) {
            return Ok(begun);
        }
        self.work.begin(Stage::Resolve)?;
        write_json(&self.path(files::RESOLVED), &newest)?;
        let inputs = self.work.inputs(&newest, &[])?;
        self.work.finish(Stage::Resolve, inputs, vec![files::RESOLVED.to_owned()])?;
        Ok(newest)
    }

    pub(super) fn build(&mut self, resolved: &Resolved) -> Result<Flow, Halt> {
        let simulator = &resolved.simulator;
        let repository = Server::from_environment(Retry::default()).clone_url(&simulator.repository);
        self.step(Stage::Build, &(&repository, &simulator.tag), &[], |this| {
            let args = BuildArgs {
                repo: repository.clone(),
                reference: simulator.tag.parse().map_err(BuildError::from)?,
                builds: Some(this.path(files::BUILDS)),
                format: Format::default(),
            };
            let built = simulator::built(&args, this.console)?;
            let commit = built.folder.file_name().unwrap_or_default().to_string_lossy();
            Ok([BINARY, RECORD].map(|name| format!("{}/{commit}/{name}", files::BUILDS)).to_vec())
        })
    }

    /// The simulators that are asked: the build, and what was configured.
    pub(super) fn simulators(&self) -> Result<SimulatorArgs, Halt> {
        let binary = self
            .work
            .files(Stage::Build)
            .and_then(|mut files| files.find(|name| name.ends_with(BINARY)).map(|name| self.path(name)));
        let binary = binary.ok_or_else(|| NightlyError::NoBuild(self.args.work.clone()))?;
        Ok(SimulatorArgs { simulators: self.args.simulators.clone(), blis: Some(binary) })
    }

    pub(super) fn ingest(&mut self, resolved: &Resolved) -> Result<Flow, Halt> {
        let measurements = &resolved.measurements;
        let selection = self.args.selection;
        let options = (
            &measurements.repository,
            &measurements.tag,
            selection.latest_versions,
            selection.all_versions,
            selection.with_arguments_only,
        );
        self.step(Stage::Ingest, &options, &[], |this| {
            let args = DumpArgs {
                source: vec![DumpLocation::Release(measurements.tag.parse().map_err(NightlyError::Tag)?)],
                sums: None,
                part_size: None,
                keep_parts: this.args.keep_parts.clone(),
                repository: measurements.repository.clone(),
                selection,
                common: CorpusArgs {
                    output: Destination::File(this.path(files::CORPUS)),
                    explain: None,
                    reference: None,
                },
            };
            finished(ingest::run(&IngestArgs { source: IngestSource::Dump(args) }, this.console))?;
            Ok(vec![files::CORPUS.to_owned()])
        })
    }

    pub(super) fn plan(&mut self, _: &Resolved) -> Result<Flow, Halt> {
        let mut reads = vec![self.path(files::CORPUS)];
        reads.extend(self.args.simulators.clone());
        let simulators = self.simulators()?;
        reads.extend(simulators.blis.clone());
        let settings = self.args.releases.settings;
        self.step(Stage::Plan, &SettingsProfile::from(settings), &reads, |this| {
            let args = PlanArgs {
                corpus: this.path(files::CORPUS),
                output: Destination::File(this.path(files::PLAN)),
                settings,
                estimators: Vec::new(),
                sweeps: Vec::new(),
                simulators,
                reference: ReferenceArgs::default(),
            };
            finished(plan::run(&args, this.console))?;
            Ok(vec![files::PLAN.to_owned()])
        })
    }
}
