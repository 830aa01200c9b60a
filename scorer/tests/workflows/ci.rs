//! ci.yml and pages.yml: that they call what they say they call.

use serde_json::json;

use crate::actions::checkout;
use crate::kit::{Repository, program};
use crate::runner::{Played, Runner};
use crate::stage::Ending;
use crate::workflow::{Fields, Workflow};

/// Plays a workflow on a repository with an empty commit, and a `make` that does what the script says.
fn played(name: &str, make: &str) -> (tempfile::TempDir, Played) {
    let folder = tempfile::tempdir().unwrap();
    let repository = Repository::new(&folder.path().join("origin"));
    let commit = repository.put("README.md", "# ours\n").commit("first");
    let programs = folder.path().join("programs");
    program(&programs, "make", make);
    let mut runner = Runner::new(folder.path());
    runner.programs(&programs).variable("CALLED", folder.path().join("called"));
    runner.github("repository", "us/ours").github("sha", commit).github("ref", "refs/heads/main");
    runner.action("actions/checkout", checkout(&[("us/ours", &repository.folder)]));
    runner.action("actions/upload-pages-artifact", Box::new(|_| Ok(Fields::new())));
    let deployed = || Fields::from_iter([("page_url".to_owned(), json!("https://example.invalid/"))]);
    runner.action("actions/deploy-pages", Box::new(move |_| Ok(deployed())));
    let played = runner.play(&Workflow::ours(name).unwrap(), &json!({})).unwrap();
    (folder, played)
}

#[test]
fn ci_makes_the_tests_and_the_lints() {
    let (folder, played) = played("ci.yml", "test -f README.md && echo \"$@\" >>\"$CALLED\"");
    assert!(played.is_success(), "{}", played.log());
    let called = std::fs::read_to_string(folder.path().join("called")).unwrap();
    assert_eq!(called, "test\nlint\n");
}

#[test]
fn a_failed_test_fails_ci() {
    let (_folder, played) = played("ci.yml", "test \"$1\" != test");
    let endings: Vec<Ending> = played.jobs.iter().map(|job| job.ending).collect();
    assert_eq!(endings, [Ending::Failure, Ending::Success], "{}", played.log());
}

#[test]
fn the_pages_are_staged_by_the_scorer_that_was_built() {
    let make =
        "mkdir -p target/release && printf '#!/bin/sh\\necho \"$@\" >\"$CALLED\"\\n' >target/release/scorer
                chmod +x target/release/scorer";
    let (folder, played) = played("pages.yml", make);
    assert!(played.is_success(), "{}", played.log());
    let called = std::fs::read_to_string(folder.path().join("called")).unwrap();
    assert_eq!(called, "site --page dist --data data -o target/site\n");
    assert_eq!(played.job("deploy").ending, Ending::Success);
}
