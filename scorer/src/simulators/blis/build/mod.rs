//! `scorer simulator build`: a build of BLIS from a repository's release tag or commit.
//!
//! The sources are fetched without their history, compiled with the paths of this machine left out, and thrown away. What stays is a
//! folder by commit in the cache: the binary, the files of that commit that it reads, and the record of how it came about.

pub mod pins;
pub mod reference;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shared::digest::Digest;

use super::installation::{BINARY, BuildRecord, DEFAULTS, Installation, InstallationError, RECORD};
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, json_bytes, read_bytes, write_atomically};
use crate::process::{self, Finished, Limits, ProcessError, Program, last_line};
use pins::Pins;
use reference::{Reference, ReferenceError, Resolved, resolve};

/// Files of the commit that a binary reads, or a reader wants beside it.
const KEPT: [&str; 3] = [DEFAULTS, "hardware_config.json", "LICENSE"];

/// The largest binary and page, in bytes.
const LIMIT: u64 = 1 << 30;

/// What is built, and where it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// A URL, or a folder with a repository.
    pub repository: String,
    /// The release tag or commit.
    pub reference: Reference,
    /// The folder of builds.
    pub cache: PathBuf,
}

/// A build cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A program is not there.
    #[error("`{program}` is not installed: install {what}")]
    NotInstalled {
        /// The program.
        program: &'static str,
        /// What to install.
        what: &'static str,
    },
    /// A program cannot be run to its end.
    #[error("`{step}` cannot be run to its end")]
    Process {
        /// What was run.
        step: String,
        /// Why.
        source: ProcessError,
    },
    /// A program failed.
    #[error("`{step}` failed: {words}")]
    Failed {
        /// What was run.
        step: String,
        /// Its last words.
        words: String,
    },
    /// The repository's name could be taken for something else.
    #[error("`{0}` is no repository: give a URL or a folder")]
    Repository(String),
    /// What is to be built is none that stays what it is.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The cache cannot be written.
    #[error("{}: cannot be written", path.display())]
    NotWritten {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was built cannot be driven.
    #[error(transparent)]
    Installation(#[from] InstallationError),
    /// The system gives no thread.
    #[error("the system does not give what a build needs")]
    Runtime(#[source] io::Error),
}

impl Failure for BuildError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Repository(_) | Self::Reference(_) => ExitCode::Usage,
            Self::NotWritten { .. } => ExitCode::OutputNotWritten,
            Self::File(error) => error.exit_code(),
            Self::Installation(error) => error.exit_code(),
            Self::NotInstalled { .. } | Self::Process { .. } | Self::Failed { .. } | Self::Runtime(_) => {
                ExitCode::Unexpected
            }
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Installation(error) => error.advice(),
            _ => None,
        }
    }
}

/// A build in the cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Its folder.
    pub folder: PathBuf,
    /// The build.
    pub installation: Installation,
    /// Whether it was there already.
    pub cached: bool,
}

/// Makes a build, or finds it in the cache. `tell` is told of every step that takes a while.
///
/// # Errors
/// When git or Go is missing or fails, or what comes out cannot be driven.
pub fn build(options: &BuildOptions, tell: impl Fn(&str)) -> Result<Built, BuildError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(BuildError::Runtime)?;
    let folder = runtime.block_on(folder(options, tell))?;
    let installation = Installation::open(&folder.path, None)?;
    Ok(Built { folder: folder.path, installation, cached: folder.cached })
}

struct Folder {
    path: PathBuf,
    cached: bool,
}

/// The folder of the build, made if it is not there.
async fn folder(options: &BuildOptions, tell: impl Fn(&str)) -> Result<Folder, BuildError> {
    let BuildOptions { repository, reference, cache } = options;
    let not_written = |path: &Path| {
        let path = path.to_owned();
        move |source| BuildError::NotWritten { path, source }
    };
    fs::create_dir_all(cache).map_err(not_written(cache))?;
    let repository = located(repository)?;
    tell(&format!("looking for {reference} in {repository}"));
    let resolved = resolve(reference, &listed(&repository, cache).await?)?;
    let path = cache.join(&resolved.commit);
    if path.join(RECORD).is_file() {
        return Ok(Folder { path, cached: true });
    }
    let work = tempfile::Builder::new().prefix(".build-").tempdir_in(cache).map_err(not_written(cache))?;
    let sources = work.path().join("sources");
    fs::create_dir(&sources).map_err(not_written(&sources))?;
    tell(&format!("fetching {}", resolved.commit));
    fetch(&repository, &resolved, &sources).await?;
    tell("compiling");
    let ready = work.path().join("ready");
    fs::create_dir(&ready).map_err(not_written(&ready))?;
    let record = compile(&repository, &resolved, &sources, &ready).await?;
    write_atomically(&ready.join(RECORD), &json_bytes(&record)?)?;
    match fs::rename(&ready, &path) {
        // Somebody else was faster; what they made is as good.
        Err(_) if path.join(RECORD).is_file() => {}
        renamed => renamed.map_err(not_written(&path))?,
    }
    Ok(Folder { path, cached: false })
}

/// The repository as git is given it: a folder by its absolute path, since git runs elsewhere.
fn located(repository: &str) -> Result<String, BuildError> {
    let refused = || BuildError::Repository(repository.chars().take(200).collect());
    if repository.is_empty() || repository.starts_with('-') || repository.contains("::") {
        return Err(refused());
    }
    if !Path::new(repository).is_dir() {
        return Ok(repository.to_owned());
    }
    let absolute = fs::canonicalize(repository).map_err(|_| refused())?;
    absolute.into_os_string().into_string().map_err(|_| refused())
}

/// The tags and branches of a repository.
async fn listed(repository: &str, folder: &Path) -> Result<String, BuildError> {
    let listed = git(folder, &["ls-remote", "--tags", "--heads", "--", repository]).await?;
    Ok(String::from_utf8_lossy(&listed.stdout).into_owned())
}

/// Puts the sources of a commit into a folder.
async fn fetch(repository: &str, resolved: &Resolved, sources: &Path) -> Result<(), BuildError> {
    git(sources, &["init", "--quiet"]).await?;
    let commit = resolved.commit.as_str();
    let shallow = git(sources, &["fetch", "--quiet", "--depth", "1", "--", repository, commit]).await;
    if shallow.is_err() {
        // A server may refuse to serve a commit by its name.
        let all = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
        git(sources, &[&["fetch", "--quiet", "--", repository], all.as_slice()].concat()).await?;
    }
    git(sources, &["checkout", "--quiet", "--detach", commit]).await?;
    Ok(())
}

/// Compiles the sources into `ready` and puts the files beside it.
async fn compile(
    repository: &str,
    resolved: &Resolved,
    sources: &Path,
    ready: &Path,
) -> Result<BuildRecord, BuildError> {
    let binary = ready.join(BINARY);
    // Without paths and version control the binary depends on nothing but the sources and the compiler.
    let flags = ["-trimpath", "-buildvcs=false", "-o"].map(OsString::from);
    go(sources, "build", flags.into_iter().chain([binary.clone().into_os_string(), ".".into()])).await?;
    let compiler = go(sources, "env", ["GOVERSION", "GOOS", "GOARCH"].map(OsString::from)).await?;
    let compiler: Vec<String> =
        String::from_utf8_lossy(&compiler.stdout).split_whitespace().map(str::to_owned).collect();
    for name in KEPT {
        let from = sources.join(name);
        if from.is_file() {
            let to = ready.join(name);
            fs::copy(from, &to).map_err(|source| BuildError::NotWritten { path: to, source })?;
        }
    }
    let page = read_bytes(&sources.join(pins::PAGE), LIMIT).unwrap_or_default();
    let pins = Pins::of_page(&String::from_utf8_lossy(&page));
    Ok(BuildRecord {
        repository: repository.to_owned(),
        tag: resolved.tag.clone(),
        commit: resolved.commit.clone(),
        go: compiler.join(" "),
        binary_sha256: Digest::of_bytes(&read_bytes(&binary, LIMIT)?),
        catalog: pins.catalog,
        registry: pins.registry,
    })
}

async fn git(folder: &Path, args: &[&str]) -> Result<Finished, BuildError> {
    // Nothing on this machine may change what is fetched, and nobody is asked for a password.
    let env = [("GIT_TERMINAL_PROMPT", "0"), ("GIT_CONFIG_COUNT", "0")];
    let args = args.iter().map(OsString::from).collect();
    step("git", "git (https://git-scm.com)", folder, args, &env).await
}

async fn go(
    sources: &Path,
    command: &str,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Finished, BuildError> {
    let here = [command.into(), "-C".into(), sources.into()];
    let args = here.into_iter().chain(args).collect();
    // It is started one folder up: a program's folder is also its folder for temporary files, and Go takes no module from that.
    let folder = sources.parent().unwrap_or(sources);
    step("go", "Go (https://go.dev/dl)", folder, args, &[("CGO_ENABLED", "0")]).await
}

async fn step(
    program: &'static str,
    what: &'static str,
    folder: &Path,
    args: Vec<OsString>,
    env: &[(&str, &str)],
) -> Result<Finished, BuildError> {
    let name = format!("{program} {}", args.first().map(|arg| arg.to_string_lossy()).unwrap_or_default());
    let run = Program {
        path: program.into(),
        args,
        env: env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        directory: folder.to_owned(),
    };
    let limits = Limits { deadline: Duration::from_mins(30), ..Limits::default() };
    let finished = process::run(&run, &limits).await.map_err(|source| match source {
        ProcessError::NotStarted { ref source, .. } if source.kind() == io::ErrorKind::NotFound => {
            BuildError::NotInstalled { program, what }
        }
        source => BuildError::Process { step: name.clone(), source },
    })?;
    if finished.ended.is_success() {
        return Ok(finished);
    }
    let words = last_line(&finished.stderr).unwrap_or_else(|| finished.ended.to_string());
    Err(BuildError::Failed { step: name, words })
}

#[cfg(test)]
mod tests;
