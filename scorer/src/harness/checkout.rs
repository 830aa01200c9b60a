//! Which commit this program is built from: shown by the checkout that it lies in, or else stated by somebody.
//!
//! It is shown when every file below [`PROVEN`] is, byte for byte, the one of HEAD, there is no other one, and the digest of the sources is the
//! one that the build left in the program. What git keeps about files (its index, what it is told to ignore) has no say in that.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::{CheckoutError, sources};
use crate::identity::{Commit, Provenance};
use crate::process::{Limits, last_line, run_apart};
use crate::replay::named;

/// What must be as it was committed: files and folders, as seen from the root.
pub const PROVEN: [&str; 8] = [
    "Cargo.lock",
    "Cargo.toml",
    "data/reference",
    "data/sample/corpus.json",
    "rust-toolchain.toml",
    "schemas",
    "scorer",
    "shared",
];

/// How many files git is asked for at a time.
const AT_A_TIME: usize = 500;

/// The commit of this program: of the checkout at `named`, else of the one that the program or the current folder is in; without one,
/// or without its history, the one that is stated.
///
/// # Errors
/// When nothing tells the commit, or the checkout is not what the program was built from.
pub fn commit(named: Option<&Path>, stated: Option<&Commit>) -> Result<Provenance, CheckoutError> {
    let asserted = |error| stated.cloned().map(Provenance::Asserted).ok_or(error);
    let Some(root) = root(named)? else {
        return asserted(CheckoutError::NoCheckout(program()?));
    };
    let digest = sources::digest(&root).map_err(system(&root))?;
    if digest != env!("SCORER_SOURCES") {
        return Err(CheckoutError::OtherSources(root));
    }
    if !root.join(".git").exists() {
        return match root.ancestors().skip(1).find(|folder| folder.join(".git").exists()) {
            Some(of) => Err(CheckoutError::Nested { of: of.to_owned(), root }),
            None => asserted(CheckoutError::NoHistory(root)),
        };
    }
    let head = text(&git(&root, "rev-parse", &["--verify", "HEAD^{commit}"])?);
    let differing = differing(&root, &head)?;
    if !differing.is_empty() {
        return Err(CheckoutError::Dirty { root, commit: head, files: named_files(&differing) });
    }
    let found: Commit = head.parse()?;
    match stated {
        Some(stated) if *stated != found => {
            Err(CheckoutError::Contradiction { root, found: head, stated: stated.to_string() })
        }
        _ => Ok(Provenance::Checked(found)),
    }
}

fn system(path: &Path) -> impl FnOnce(std::io::Error) -> CheckoutError {
    let path = path.to_owned();
    |source| CheckoutError::System { path, source }
}

/// Where this program lies.
fn program() -> Result<PathBuf, CheckoutError> {
    env::current_exe().and_then(fs::canonicalize).map_err(system(Path::new("the program")))
}

/// The root of the checkout.
fn root(named: Option<&Path>) -> Result<Option<PathBuf>, CheckoutError> {
    if let Some(named) = named {
        let root = fs::canonicalize(named).map_err(system(named))?;
        return if is_ours(&root) { Ok(Some(root)) } else { Err(CheckoutError::NotOurs(named.to_owned())) };
    }
    let here = env::current_dir().and_then(fs::canonicalize).map_err(system(Path::new(".")))?;
    let above = |place: &Path| place.ancestors().find(|folder| is_ours(folder)).map(Path::to_owned);
    Ok(above(&program()?).or_else(|| above(&here)))
}

fn is_ours(folder: &Path) -> bool {
    ["Cargo.toml", "scorer/Cargo.toml", "shared/Cargo.toml"].iter().all(|name| folder.join(name).is_file())
}

/// How a file differs from the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    Changed,
    Untracked,
    Missing,
}

fn named_files(differing: &BTreeMap<String, Difference>) -> String {
    named(differing.iter().map(|(name, difference)| {
        let word = match difference {
            Difference::Changed => "changed",
            Difference::Untracked => "not committed",
            Difference::Missing => "missing",
        };
        format!("{name} ({word})")
    }))
}

/// The files that are not as in the commit.
fn differing(root: &Path, commit: &str) -> Result<BTreeMap<String, Difference>, CheckoutError> {
    let committed = committed(root, commit)?;
    let mut files = BTreeSet::new();
    for name in PROVEN {
        collect(root, name, &mut files)?;
    }
    let mut differing: BTreeMap<String, Difference> = committed
        .keys()
        .filter(|name| !files.contains(*name))
        .map(|name| (name.clone(), Difference::Missing))
        .collect();
    let (known, unknown): (Vec<String>, Vec<String>) =
        files.into_iter().partition(|name| committed.contains_key(name) && root.join(name).is_file());
    differing.extend(unknown.into_iter().map(|name| (name, Difference::Untracked)));
    for names in known.chunks(AT_A_TIME) {
        let more = ["--no-filters", "--"].into_iter().chain(names.iter().map(String::as_str));
        let hashed = text(&git(root, "hash-object", &more.collect::<Vec<_>>())?);
        for (name, hash) in names.iter().zip(hashed.lines().chain(std::iter::repeat(""))) {
            if committed.get(name).map(String::as_str) != Some(hash) {
                differing.insert(name.clone(), Difference::Changed);
            }
        }
    }
    Ok(differing)
}

/// The names of the files of a commit with git's hashes; what is no file has none.
fn committed(root: &Path, commit: &str) -> Result<BTreeMap<String, String>, CheckoutError> {
    let args = [["-r", "-z", "--full-tree", commit, "--"].as_slice(), PROVEN.as_slice()].concat();
    let listed = git(root, "ls-tree", &args)?;
    let entries = listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    let entry = |entry: &[u8]| {
        let entry = String::from_utf8_lossy(entry);
        let (about, name) = entry.split_once('\t').unwrap_or_default();
        let mut about = about.split(' ');
        let (mode, hash) = (about.next().unwrap_or_default(), about.nth(1).unwrap_or_default());
        let is_file = mode.starts_with("100");
        (name.to_owned(), if is_file { hash.to_owned() } else { String::new() })
    };
    Ok(entries.map(entry).collect())
}

/// The names of all files below a place, links and empty folders' contents as they are: only folders are gone into.
fn collect(root: &Path, name: &str, files: &mut BTreeSet<String>) -> Result<(), CheckoutError> {
    let path = root.join(name);
    let Ok(found) = fs::symlink_metadata(&path) else { return Ok(()) };
    if !found.is_dir() {
        files.insert(name.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(&path).map_err(system(&path))? {
        let below = entry.map_err(system(&path))?.file_name();
        collect(root, &format!("{name}/{}", below.to_string_lossy()), files)?;
    }
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// What git prints of the repository at `root`, whatever the environment says of others.
fn git(root: &Path, step: &'static str, args: &[&str]) -> Result<Vec<u8>, CheckoutError> {
    let option = |name: &str, value: &Path| {
        let mut option = OsString::from(name);
        option.push(value);
        option
    };
    let mut all = vec![
        "--no-replace-objects".into(),
        option("--git-dir=", &root.join(".git")),
        option("--work-tree=", root),
        "-C".into(),
        root.into(),
        step.into(),
    ];
    all.extend(args.iter().map(OsString::from));
    let finished = run_apart(Path::new("git"), all, &Limits::default())
        .map_err(system(root))?
        .map_err(|source| CheckoutError::Git { root: root.to_owned(), step, source })?;
    if finished.ended.is_success() {
        return Ok(finished.stdout);
    }
    let words = last_line(&finished.stderr).unwrap_or_else(|| finished.ended.to_string());
    Err(CheckoutError::Refused { root: root.to_owned(), step, words })
}
