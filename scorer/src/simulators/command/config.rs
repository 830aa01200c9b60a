//! What `simulators.toml` says about a `command`, and which simulator that makes.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shared::contract::{ANSWER_SCHEMA, REQUEST_SCHEMA};
use shared::digest::Digest;
use shared::id::EstimatorId;
use shared::outcome::{SimulatorData, SimulatorIdentity};

use super::KIND;
use super::pool::Template;
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, sha256_of_file};
use crate::process::{located, on_path};
use crate::simulators::Label;
use crate::simulators::config::SetUp;

/// The table of one `command` simulator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandConfig {
    /// The program and its arguments. A name without `/` is looked up in `PATH` (that of `env`, where it has one); an
    /// argument that names a file below the folder of the configuration stands for that file.
    pub command: Vec<String>,
    /// Its name as people write it; the id when it is not given.
    #[serde(default)]
    pub name: Option<Label>,
    /// Its version.
    #[serde(default)]
    pub version: Option<Label>,
    /// Whether it is a release; what rests on others is labelled experimental.
    #[serde(default)]
    pub release: bool,
    /// Further files on which its answers depend.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// Variables of its environment, on which its answers may depend.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// A `command` cannot be a simulator.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no program.
    #[error("the command is empty: name a program and its arguments, such as [\"python3\", \"mine.py\"]")]
    Empty,
    /// A variable has a name that none can have.
    #[error("the command's environment has a variable without a name, or with `=` in its name: `{0}`")]
    Variable(String),
    /// No folder of `PATH` has the program.
    #[error("the command `{}` is in no folder of PATH", .0.display())]
    NotOnPath(PathBuf),
    /// A file of it is not there.
    #[error("the command needs a file")]
    File(#[source] FileError),
    /// A digest cannot be taken.
    #[error("the command cannot be written as JSON")]
    Digest(#[source] serde_json::Error),
}

impl Failure for CommandError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Empty | Self::Variable(_) => ExitCode::InputInvalid,
            Self::NotOnPath(_) => ExitCode::InputUnreadable,
            Self::File(error) => error.exit_code(),
            Self::Digest(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::NotOnPath(_) => Some("install it, or name it with its path".to_owned()),
            Self::Empty | Self::Variable(_) | Self::Digest(_) => None,
        }
    }
}

/// A configuration whose files were found and digested.
#[derive(Debug)]
pub(super) struct Resolved<'a> {
    config: &'a CommandConfig,
    pub(super) program: Template,
    binary: Digest,
    data: Vec<SimulatorData>,
}

impl CommandConfig {
    /// Finds its files from `folder`, which is absolute.
    pub(super) fn resolve(&self, folder: &Path) -> Result<Resolved<'_>, CommandError> {
        let (program, args) = match self.command.split_first() {
            Some((program, args)) if !program.is_empty() => (program, args),
            _ => return Err(CommandError::Empty),
        };
        if let Some(name) = self.env.keys().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(CommandError::Variable(name.clone()));
        }
        let path = self.program(Path::new(program), folder)?;
        let binary = digest(&path)?;
        let mut data = vec![self.digest_of_command()?];
        let args = args
            .iter()
            .map(|arg| {
                let file = folder.join(arg);
                if !arg.is_empty() && file.is_file() {
                    data.push(file_data(arg.clone(), &file)?);
                    return Ok(file.into());
                }
                Ok(OsString::from(arg))
            })
            .collect::<Result<Vec<_>, CommandError>>()?;
        for file in &self.files {
            data.push(file_data(file.display().to_string(), &folder.join(file))?);
        }
        let env = self.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Ok(Resolved { config: self, program: Template { path, args, env }, binary, data })
    }

    /// Where the program is; a bare name is looked up where the system would.
    fn program(&self, program: &Path, folder: &Path) -> Result<PathBuf, CommandError> {
        let path = located(program, folder);
        if path.is_absolute() {
            return Ok(path);
        }
        let folders =
            self.env.get("PATH").map(OsString::from).or_else(|| env::var_os("PATH")).unwrap_or_default();
        on_path(&path, &folders).ok_or(CommandError::NotOnPath(path))
    }

    /// What is said to the program beside its requests, and in which version of the contract.
    fn digest_of_command(&self) -> Result<SimulatorData, CommandError> {
        #[derive(Serialize)]
        struct Said<'a> {
            contract: [&'static str; 2],
            command: &'a [String],
            env: &'a BTreeMap<String, String>,
        }
        let contract = [REQUEST_SCHEMA, ANSWER_SCHEMA];
        let said = Said { contract, command: &self.command, env: &self.env };
        let sha256 = Digest::of_json(&said).map_err(CommandError::Digest)?;
        Ok(SimulatorData::digested("command line", sha256))
    }
}

impl Resolved<'_> {
    /// What it is, exactly: equal for equal files, wherever they are.
    pub(super) fn identity(&self, id: EstimatorId, with: SetUp<'_>) -> SimulatorIdentity {
        let unversioned = || SimulatorIdentity::UNVERSIONED.to_owned();
        SimulatorIdentity {
            name: self.config.name.clone().map_or_else(|| id.to_string(), String::from),
            id,
            kind: KIND.to_owned(),
            version: self.config.version.clone().map_or_else(unversioned, String::from),
            commit: None,
            binary_sha256: Some(self.binary.clone()),
            release: with.is_release(self.config.release),
            data: self.data.clone(),
            settings: with.profile,
        }
    }
}

fn file_data(name: String, file: &Path) -> Result<SimulatorData, CommandError> {
    Ok(SimulatorData::digested(name, digest(file)?))
}

fn digest(file: &Path) -> Result<Digest, CommandError> {
    sha256_of_file(file).map_err(CommandError::File)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::sync::Arc;

    use shared::outcome::SettingsProfile;

    use super::*;
    use crate::process::Limits;
    use crate::reference::Reference;

    fn config(command: &[&str]) -> CommandConfig {
        CommandConfig {
            command: command.iter().map(ToString::to_string).collect(),
            name: None,
            version: None,
            release: false,
            files: Vec::new(),
            env: BTreeMap::new(),
        }
    }

    fn identity(config: &CommandConfig, folder: &Path) -> SimulatorIdentity {
        identity_with(config, folder, Reference::embedded().unwrap())
    }

    fn identity_with(config: &CommandConfig, folder: &Path, reference: Reference) -> SimulatorIdentity {
        let id = EstimatorId::new("mine").unwrap();
        let reference = Arc::new(reference);
        let with =
            SetUp { profile: SettingsProfile::Recorded, reference: &reference, limits: Limits::default() };
        config.resolve(folder).unwrap().identity(id, with)
    }

    #[test]
    fn what_is_asked_with_other_settings_than_the_built_in_tables_give_is_no_release() {
        let folder = tempfile::tempdir().unwrap();
        let released = CommandConfig { release: true, ..config(&["sh"]) };
        assert!(identity(&released, folder.path()).release);
        let table = include_str!("../../../../data/reference/vllm_defaults.toml");
        fs::write(folder.path().join("vllm_defaults.toml"), format!("{table}\n# mine\n")).unwrap();
        let own = Reference::load(Some(folder.path())).unwrap();
        assert!(!identity_with(&released, folder.path(), own).release);
    }

    #[test]
    fn a_script_is_found_beside_the_configuration_and_is_part_of_the_identity() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("mine.py"), "print(1)").unwrap();
        let config = config(&["sh", "mine.py", "--fast"]);
        let program = config.resolve(folder.path()).unwrap().program;
        assert!(program.path.is_absolute() && program.path.ends_with("sh"), "{}", program.path.display());
        assert_eq!(program.args, [folder.path().join("mine.py").into_os_string(), "--fast".into()]);
        let before = identity(&config, folder.path());
        assert_eq!(before.data[1].name, "mine.py");
        fs::write(folder.path().join("mine.py"), "print(2)").unwrap();
        assert_ne!(identity(&config, folder.path()), before);
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("mine.py"), "print(1)").unwrap();
        assert_eq!(identity(&config, elsewhere.path()), before);
    }

    #[test]
    fn a_program_with_a_path_is_digested_and_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(&["./mine"]);
        let missing = config.resolve(folder.path()).unwrap_err();
        assert_eq!(missing.exit_code(), ExitCode::InputUnreadable);
        fs::write(folder.path().join("mine"), "").unwrap();
        assert_eq!(identity(&config, folder.path()).binary_sha256, Some(Digest::of_bytes(b"")));
        assert!(matches!(self::config(&[]).resolve(folder.path()), Err(CommandError::Empty)));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_on_the_path_is_the_one_that_would_be_started_and_is_digested() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let put = |place: &str, mode: u32| {
            let path = folder.path().join(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, place).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        put("first/mine", 0o644);
        put("second/mine", 0o755);
        let folders = ["first", "second"].map(|name| folder.path().join(name));
        let path = env::join_paths(folders).unwrap().into_string().unwrap();
        let config = CommandConfig { env: BTreeMap::from([("PATH".to_owned(), path)]), ..config(&["mine"]) };
        assert_eq!(identity(&config, folder.path()).binary_sha256, Some(Digest::of_bytes(b"second/mine")));
        put("second/mine", 0o644);
        let error = config.resolve(folder.path()).unwrap_err();
        assert_eq!(error.to_string(), "the command `mine` is in no folder of PATH");
    }

    #[test]
    fn a_variable_needs_a_name() {
        for name in ["", "A=B"] {
            let env = BTreeMap::from([(name.to_owned(), String::new())]);
            let error = CommandConfig { env, ..config(&["sh"]) }.resolve(Path::new("/")).unwrap_err();
            assert!(matches!(error, CommandError::Variable(_)), "{error}");
        }
    }

    #[test]
    fn what_may_change_an_answer_changes_the_identity() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("table.csv"), "1").unwrap();
        let plain = identity(&config(&["sh"]), folder.path());
        let changes: [fn(&mut CommandConfig); 5] = [
            |config| config.command.push("-x".to_owned()),
            |config| config.files.push("table.csv".into()),
            |config| drop(config.env.insert("MODE".to_owned(), "fast".to_owned())),
            |config| config.version = Label::try_from("2".to_owned()).ok(),
            |config| config.release = true,
        ];
        for change in changes {
            let mut config = config(&["sh"]);
            change(&mut config);
            assert_ne!(identity(&config, folder.path()), plain, "{config:?}");
        }
    }
}
