use std::process::Command;

use super::*;

/// A repository with a program that does what the least of a build does: it prints a help.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        let flags: String = super::super::testing::help(super::super::dialect::Dialect::Zero, &[]);
        let program = format!("package main\n\nimport \"fmt\"\n\nfunc main() {{ fmt.Print({flags:?}) }}\n");
        repository.put("main.go", &program);
        repository.put("go.mod", "module example.invalid/blis\n\ngo 1.21\n");
        repository.put("defaults.yaml", "defaults: {}\n");
        repository.put(pins::PAGE, "**Compatible blis-catalog release: `0.2.1`**\n");
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.git(&["add", "."]);
        let author = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
        repository.git(&[author.as_slice(), &["commit", "--quiet", "-m", "first"]].concat());
        repository.git(&["tag", "v0.7.99"]);
        repository
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, args: &[&str]) -> String {
        let done = Command::new("git").args(args).current_dir(self.folder.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    fn build(&self, reference: &str, cache: &Path) -> Result<Built, BuildError> {
        let options = BuildOptions {
            repository: self.folder.path().to_str().unwrap().to_owned(),
            reference: reference.parse()?,
            cache: cache.to_owned(),
        };
        build(&options, |_| {})
    }
}

/// Go is not needed to build the scorer, so a machine without it builds everything but this.
fn without_go() -> bool {
    let missing = Command::new("go").arg("version").output().is_err();
    if missing {
        eprintln!("skipped: Go is not installed");
    }
    missing
}

#[test]
fn a_tag_and_its_commit_lead_to_one_build_that_is_kept() {
    if without_go() {
        return;
    }
    let repository = Repository::new();
    let cache = tempfile::tempdir().unwrap();
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let built = repository.build("v0.7.99", cache.path()).unwrap();
    let record = built.installation.record.clone().unwrap();
    assert_eq!((record.version(), record.commit.as_str()), ("v0.7.99", commit.as_str()));
    assert_eq!(record.catalog.as_deref(), Some("0.2.1"));
    assert!(record.go.starts_with("go1."), "{}", record.go);
    assert!(built.installation.defaults.is_some() && !built.cached);
    let again = repository.build(&commit, cache.path()).unwrap();
    assert!(again.cached);
    assert_eq!(again.installation, built.installation);
    // Nothing else is left behind.
    let left: Vec<_> = fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [commit.as_str()]);
}

#[test]
fn a_binary_that_was_changed_is_not_the_build_any_more() {
    if without_go() {
        return;
    }
    let repository = Repository::new();
    let cache = tempfile::tempdir().unwrap();
    let built = repository.build("v0.7.99", cache.path()).unwrap();
    let mut bytes = fs::read(&built.installation.binary).unwrap();
    bytes.push(0);
    fs::write(&built.installation.binary, bytes).unwrap();
    let refused = repository.build("v0.7.99", cache.path()).unwrap_err();
    assert!(refused.to_string().contains("is not the binary"), "{refused}");
}

#[test]
fn a_branch_and_a_strange_repository_are_refused_before_anything_is_made() {
    let repository = Repository::new();
    let cache = tempfile::tempdir().unwrap();
    let refused = repository.build("main", cache.path()).unwrap_err();
    assert!(matches!(refused, BuildError::Reference(ReferenceError::Branch(_))), "{refused}");
    for strange in ["", "--upload-pack=x", "ext::sh -c reboot"] {
        assert!(matches!(located(strange), Err(BuildError::Repository(_))), "{strange}");
    }
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
}
