//! What stands in for the actions that workflows here use: a checkout from a local repository, artifacts as folders, and nothing
//! for those that set a machine up.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workflow::Fields;

/// Does what an action would do, and gives its outputs.
pub type Action = Box<dyn Fn(&Call<'_>) -> Result<Fields, String>>;

/// What an action is told.
pub struct Call<'a> {
    pub with: BTreeMap<String, String>,
    pub github: &'a Fields,
    pub home: &'a Path,
    pub workspace: &'a Path,
    pub artifacts: &'a Path,
}

impl Call<'_> {
    fn given(&self, name: &str) -> Option<&str> {
        self.with.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    fn of_github(&self, name: &str) -> Result<&str, String> {
        self.github
            .get(name)
            .and_then(|value| value.as_str())
            .ok_or_else(|| format!("github.{name} is not set"))
    }
}

/// The actions that need nothing of a test.
pub fn usual() -> BTreeMap<String, Action> {
    let mut actions = BTreeMap::<String, Action>::new();
    for set_up in [
        "Swatinem/rust-cache",
        "actions/cache",
        "actions/cache/restore",
        "actions/cache/save",
        "actions/setup-go",
        "actions/setup-node",
        "taiki-e/install-action",
    ] {
        actions.insert(set_up.to_owned(), Box::new(|_| Ok(Fields::new())));
    }
    actions.insert("actions/upload-artifact".to_owned(), Box::new(upload));
    actions.insert("actions/download-artifact".to_owned(), Box::new(download));
    actions
}

/// `actions/checkout` of repositories that are folders here, by their names on GitHub: one commit, one tag or one branch, without
/// history unless `fetch-depth: 0` asks for it. `origin` is the folder.
pub fn checkout(repositories: &[(&str, &Path)]) -> Action {
    let repositories: BTreeMap<String, PathBuf> =
        repositories.iter().map(|(name, path)| ((*name).to_owned(), (*path).to_owned())).collect();
    Box::new(move |call| {
        let own = call.of_github("repository")?;
        let name = call.given("repository").unwrap_or(own);
        let folder = repositories.get(name).ok_or_else(|| format!("there is no repository `{name}`"))?;
        let reference = match call.given("ref") {
            Some(reference) => reference,
            None if name == own => call.of_github("sha")?,
            None => "HEAD",
        };
        let target = call.workspace.join(call.given("path").unwrap_or_default());
        fs::create_dir_all(&target).map_err(|error| error.to_string())?;
        let origin = format!("file://{}", folder.display());
        let git = |args: &[&str]| git(call.home, &target, args);
        git(&["init", "--quiet", "--initial-branch=main"])?;
        git(&["remote", "add", "origin", &origin])?;
        let listed = git(&["ls-remote", "origin"])?;
        let has = |full: &str| listed.lines().any(|line| line.ends_with(&format!("\t{full}")));
        let bare = |kind: &str| reference.strip_prefix(kind).unwrap_or(reference).to_owned();
        let (branch, tag) = (bare("refs/heads/"), bare("refs/tags/"));
        let (wanted, start) = if has(&format!("refs/heads/{branch}")) {
            let here = format!("refs/remotes/origin/{branch}");
            (format!("+refs/heads/{branch}:{here}"), vec!["-B".to_owned(), branch, here])
        } else if has(&format!("refs/tags/{tag}")) {
            (
                format!("+refs/tags/{tag}:refs/tags/{tag}"),
                vec!["--detach".to_owned(), format!("refs/tags/{tag}")],
            )
        } else {
            (reference.to_owned(), vec!["--detach".to_owned(), "FETCH_HEAD".to_owned()])
        };
        let mut fetch = vec!["fetch", "--quiet", "--no-tags"];
        if call.given("fetch-depth") != Some("0") {
            fetch.extend(["--depth", "1"]);
        }
        fetch.extend(["origin", &wanted]);
        if call.given("fetch-depth") == Some("0") {
            fetch.extend(["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]);
        }
        git(&fetch)?;
        let start: Vec<&str> = start.iter().map(String::as_str).collect();
        git(&[&["checkout", "--quiet", "--force"], start.as_slice()].concat())?;
        let commit = git(&["rev-parse", "HEAD"])?;
        Ok(Fields::from_iter([("commit".to_owned(), commit.trim().into())]))
    })
}

fn git(home: &Path, folder: &Path, args: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    command.args(args).current_dir(folder).env("HOME", home).env("GIT_CONFIG_NOSYSTEM", "1");
    // Where the tests themselves are run by git, as in a hook, it says so to every git.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let done = command.output().map_err(|error| error.to_string())?;
    if done.status.success() {
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    } else {
        Err(format!("git {}: {}", args.join(" "), String::from_utf8_lossy(&done.stderr)))
    }
}

/// `actions/upload-artifact`: the files of `path`, as seen from the deepest folder that has all of what it lists.
fn upload(call: &Call<'_>) -> Result<Fields, String> {
    let name = call.given("name").unwrap_or("artifact");
    let target = call.artifacts.join(name);
    if target.exists() && call.given("overwrite") != Some("true") {
        return Err(format!("there is an artifact `{name}` already"));
    }
    let listed = call.given("path").ok_or("`path` is missing")?;
    let mut roots = Vec::new();
    let mut files = Vec::new();
    for line in listed.lines().map(str::trim).filter(|line| !line.is_empty()) {
        for path in matching(&call.workspace.join(line))? {
            if path.is_dir() {
                roots.push(path.clone());
            } else {
                roots.extend(path.parent().map(Path::to_owned));
            }
            collect(&path, &mut files)?;
        }
    }
    if files.is_empty() {
        let quiet = ["ignore", "warn"].contains(&call.given("if-no-files-found").unwrap_or("warn"));
        return if quiet { Ok(Fields::new()) } else { Err(format!("nothing is at {listed}")) };
    }
    let root = roots.iter().skip(1).fold(roots[0].clone(), |root, other| common(&root, other));
    for file in files {
        let to = target.join(file.strip_prefix(&root).map_err(|error| error.to_string())?);
        copy(&file, &to)?;
    }
    Ok(Fields::new())
}

/// `actions/download-artifact`: one by its name into `path`, or those that a pattern fits, each in its folder or all in one.
fn download(call: &Call<'_>) -> Result<Fields, String> {
    let target = call.workspace.join(call.given("path").unwrap_or_default());
    if let Some(name) = call.given("name") {
        let source = call.artifacts.join(name);
        if !source.is_dir() {
            return Err(format!("there is no artifact `{name}`"));
        }
        return copy_all(&source, &target);
    }
    for source in matching(&call.artifacts.join(call.given("pattern").unwrap_or("*")))? {
        let merged = call.given("merge-multiple") == Some("true");
        let name = source.file_name().unwrap_or_default();
        copy_all(&source, &if merged { target.clone() } else { target.join(name) })?;
    }
    Ok(Fields::new())
}

/// Copies a file, or a folder with all files in it.
pub fn copy_all(source: &Path, target: &Path) -> Result<Fields, String> {
    let mut files = Vec::new();
    collect(source, &mut files)?;
    for file in files {
        let below = file.strip_prefix(source).map_err(|error| error.to_string())?;
        let to = if file == source { target.to_owned() } else { target.join(below) };
        copy(&file, &to)?;
    }
    Ok(Fields::new())
}

/// Copies a file as an artifact keeps it: its bytes, and not that it is a program.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let text = |error: std::io::Error| format!("{}: {error}", to.display());
    fs::create_dir_all(to.parent().unwrap_or(to)).map_err(text)?;
    fs::write(to, fs::read(from).map_err(text)?).map_err(text)
}

/// The paths that fit one with `*` in its last part; itself when it has none and is there.
fn matching(path: &Path) -> Result<Vec<PathBuf>, String> {
    let (Some(folder), Some(last)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(vec![path.to_owned()]);
    };
    if folder.to_string_lossy().contains('*') {
        return Err(format!("`{}` is not understood: `*` may stand in the last part only", path.display()));
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |name: &str| match last.split_once('*') {
        None => name == last,
        Some((before, after)) => {
            name.len() + 1 >= last.len() && name.starts_with(before) && name.ends_with(after)
        }
    };
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| fits(name) && !name.starts_with('.')))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    Ok(found)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().try_for_each(|entry| collect(entry, files))
}

fn common(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}
