//! `scorer simulator`: builds of BLIS, made and looked at.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use shared::id::EstimatorId;
use shared::outcome::SettingsProfile;

use crate::cli::format::Format;
use crate::cli::simulator::{Action, BuildArgs, CheckArgs, SimulatorArgs};
use crate::console::Console;
use crate::exit::{CommandError, CommandResult, ExitCode, Failure};
use crate::files::{Destination, json_bytes, user_cache};
use crate::process::Limits;
use crate::reference::Reference;
use crate::simulators::blis::build::{BuildOptions, Built, build};
use crate::simulators::blis::{self, BlisEntry, Profile};
use crate::simulators::config::SetUp;
use crate::simulators::registry::RegistryError;
use crate::simulators::{Blis, Config};

/// What is asked for is not there.
#[derive(Debug, thiserror::Error)]
enum SimulatorError {
    #[error("there is no folder for builds, because there is no home directory: name one with --builds")]
    NoFolder,
    #[error("{} lists no build of BLIS `{id}`: choose from {known}", file.display())]
    Unknown { file: PathBuf, id: String, known: String },
}

impl Failure for SimulatorError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

/// Builds a simulator, or tells what one can do.
pub fn run(args: &SimulatorArgs, console: &Console) -> CommandResult {
    match &args.action {
        Action::Build(args) => make(args, console),
        Action::Check(args) => check(args),
    }
}

fn make(args: &BuildArgs, console: &Console) -> CommandResult {
    print(&Profile::of_installation(&built(args, console)?.installation), args.format)
}

/// Makes a build, or finds it.
///
/// # Errors
/// When it cannot be made, or there is no folder for it.
pub(super) fn built(args: &BuildArgs, console: &Console) -> Result<Built, CommandError> {
    let folder = args.builds.clone().or_else(|| Some(user_cache()?.join("builds/blis")));
    let options = BuildOptions {
        repository: args.repo.clone(),
        reference: args.reference.clone(),
        cache: folder.ok_or(SimulatorError::NoFolder)?,
    };
    let built = build(&options, |step| console.status(step))?;
    console.status(if built.cached { "it was built before" } else { "built" });
    Ok(built)
}

fn check(args: &CheckArgs) -> CommandResult {
    let (id, entry) = match &args.simulators {
        None => (
            EstimatorId::new(blis::KIND).map_err(RegistryError::from)?,
            BlisEntry::of_binary(PathBuf::from(&args.simulator)),
        ),
        Some(file) => configured(file, &args.simulator)?,
    };
    let reference = Arc::new(Reference::load(args.reference.reference.as_deref())?);
    let with = SetUp { profile: SettingsProfile::Recorded, reference: &reference, limits: Limits::default() };
    let blis = Blis::open(id, &entry, with)?;
    print(&Profile::of_simulator(&blis), args.format)
}

/// The build with an id in a file.
fn configured(file: &Path, wanted: &str) -> Result<(EstimatorId, BlisEntry), CommandError> {
    let builds: Vec<(EstimatorId, BlisEntry)> = Config::load(file)?.builds().collect();
    let known = builds.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>().join(", ");
    let found = builds.into_iter().find(|(id, _)| id.as_str() == wanted);
    found.ok_or_else(|| {
        let (file, id) = (file.to_owned(), wanted.to_owned());
        SimulatorError::Unknown { file, id, known }.into()
    })
}

fn print(profile: &Profile, format: Format) -> CommandResult {
    let bytes = match format {
        Format::Text => profile.to_string().into_bytes(),
        Format::Json => json_bytes(profile)?,
    };
    Destination::Stdout.write(&bytes)?;
    Ok(ExitCode::Success)
}
