//! `scorer harness`: what it scores, what it calls a figure, what it refuses, and that it goes on where it was stopped.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::kit::Repository;
use crate::project::{SWEEPS, TAG, copy_into, sample};
use crate::world::{World, itl_ms};

impl World {
    /// Ready for the harness: a release that answers by the formulas, and a checkout of this project at the commit that is given.
    fn with_project(factor: f64) -> Option<(Self, Repository, String)> {
        let world = Self::new()?;
        world.tag_simulator("v0.7.99", factor);
        let (project, commit) = world.project("project");
        Some((world, project, commit))
    }

    fn read(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// Fails the test unless the harness is refused with this code and words.
    #[track_caller]
    fn refused(&self, more: &[&str], code: i32, words: &[&str]) {
        let (found, _, said) = self.harness(&[&["--sim", "v0.7.99"], more].concat());
        assert_eq!(found, code, "{said}");
        for word in words {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
    }

    /// Fails the test unless the checkout is taken, which is looked at first: then the ledger is missed.
    #[track_caller]
    fn accepted(&self) {
        let words = ["harness", "--sim", "v0.7.99", "--pull", "nowhere", "--checkout", "project"];
        let (code, _, said) = self.run(&words);
        assert!(code == 3 && said.contains("nowhere: this folder of units cannot be read"), "{code} {said}");
    }
}

#[test]
fn a_released_build_on_released_units_is_released_and_its_figures_name_the_commit_that_was_checked() {
    let Some((world, _, commit)) = World::with_project(1.0) else { return };
    let (code, _, said) = world.harness(&["--sim", "v0.7.99", "--output", "summary.json"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(&format!("harness: commit {commit}, checked")), "{said}");
    let summary = world.read("summary.json");
    let run = &summary["run"];
    assert_eq!((&run["label"], &run["primary"]), (&json!("released"), &json!("blis")));
    assert_eq!(
        (&run["scorer"]["commit"], &run["scorer"]["commit_source"]),
        (&json!(commit), &json!("checked"))
    );
    let measurements = &summary["measurements"];
    assert_eq!(measurements["kind"], "ledger");
    assert_eq!(measurements["parts"][0]["name"], format!("{}_{TAG}.json", SWEEPS[0]));
    let sweeps = summary["sweeps"].as_array().unwrap();
    assert_eq!(sweeps.iter().map(|sweep| sweep["id"].as_str().unwrap()).collect::<Vec<_>>(), SWEEPS);
    // The figures by hand, from the measurements and the formula of the simulator.
    let mut errors = Vec::new();
    for point in sweeps.iter().flat_map(|sweep| sweep["points"].as_array().unwrap()) {
        let predicted = itl_ms(1.0, point["concurrency"].as_f64().unwrap());
        errors.push(100.0 * (predicted / point["tpot_ms"].as_f64().unwrap() - 1.0).abs());
    }
    let expected = errors.iter().sum::<f64>() / errors.len() as f64;
    let of = json!({ "by": "all", "key": "all", "tier": "all", "estimator": "blis", "metric": "tpot" });
    let aggregates = summary["aggregates"].as_array().unwrap();
    let found = aggregates.iter().find(|aggregate| aggregate["of"] == of).unwrap();
    let mape = found["figures"]["mape"].as_f64().unwrap();
    assert!((mape - expected).abs() < 1e-9, "{mape}, not {expected}");
    let (code, printed, said) = world.run(&["validate", "summary.json", "target/harness/corpus.json"]);
    assert_eq!(code, 0, "{printed}{said}");
}

#[test]
fn a_build_or_a_unit_that_is_no_release_makes_an_experimental_figure_and_that_is_never_published() {
    let Some((world, _, _)) = World::with_project(1.0) else { return };
    let commit = world.commit_simulator(2.0);
    let (code, _, said) = world.harness(&["--sim", &commit, "--output", "build.json"]);
    assert_eq!(code, 0, "{said}");
    let mut corpus: Value = serde_json::from_slice(&fs::read(sample()).unwrap()).unwrap();
    corpus["source"]["release"] = json!(false);
    fs::write(world.path("corpus.json"), serde_json::to_vec(&corpus).unwrap()).unwrap();
    let words = ["ledger", "freeze", "corpus.json", "--sweeps", SWEEPS[0], "--ledger", "unreleased"];
    assert_eq!(world.run(&words).0, 0);
    let words =
        ["harness", "--checkout", "project", "--repo", "servers/inference-sim/inference-sim", "--no-cache"];
    let more = ["--sim", "v0.7.99", "--pull", "unreleased", "--output", "units.json"];
    let (code, _, said) = world.run(&[&words[..], &more[..]].concat());
    assert_eq!(code, 0, "{said}");
    for name in ["build.json", "units.json"] {
        assert_eq!(world.read(name)["run"]["label"], "experimental", "{name}");
        let (code, _, said) = world.run(&["publish", name, "--data", "site"]);
        assert!(code == 7 && said.contains("experimental"), "{said}");
    }
    assert!(!world.path("site/index.json").exists());
}

#[test]
fn whatever_is_no_tag_and_no_full_commit_is_refused_before_anything_is_built() {
    let Some((world, _, _)) = World::with_project(1.0) else { return };
    let commit = world.simulator.git(&["rev-parse", "HEAD"]);
    let longer = format!("{commit}0");
    for (sim, said) in [
        ("main", "is a branch, and a branch moves"),
        (&commit[..7], "give all 40 hexadecimal digits"),
        (&commit[..39], "give all 40 hexadecimal digits"),
        (&longer, "give all 40 hexadecimal digits"),
        ("v9.9.9", "the repository has no tag"),
        ("HEAD^", "is no release tag and no full commit"),
        ("", "is no release tag and no full commit"),
    ] {
        let (code, _, printed) = world.harness(&["--sim", sim, "--builds", "builds"]);
        assert!(code == 2 && printed.contains(said), "{sim}: {code} {printed}");
        assert!(!world.path("target/harness/plan.json").exists(), "{sim}");
    }
}

#[test]
fn a_checkout_that_differs_from_its_commit_is_refused_however_git_is_told_to_look_away() {
    let Some((world, project, commit)) = World::with_project(1.0) else { return };
    world.accepted();
    let differs = format!("project: differs from its commit {commit}: ");
    let tracked = "schemas/plan.v1.json";
    let original = fs::read(project.folder.join(tracked)).unwrap();
    project.put(tracked, "{}\n");
    world.refused(&[], 7, &[&differs, "schemas/plan.v1.json (changed)", "commit or take back"]);
    project.git(&["update-index", "--assume-unchanged", tracked]);
    assert_eq!(project.git(&["status", "--porcelain"]), "");
    world.refused(&[], 7, &["schemas/plan.v1.json (changed)"]);
    project.git(&["update-index", "--no-assume-unchanged", tracked]);
    fs::remove_file(project.folder.join(tracked)).unwrap();
    world.refused(&[], 7, &["schemas/plan.v1.json (missing)"]);
    project.put(tracked, original);
    world.accepted();

    project.put(".git/info/exclude", "*.mine\n");
    for name in ["scorer/tests/extra.mine", "shared/extra.rs", "schemas/extra.json"] {
        project.put(name, "new\n");
        world.refused(&[], 7, &[&differs, &format!("{name} (not committed)")]);
        fs::remove_file(project.folder.join(name)).unwrap();
    }
    // Elsewhere anything may change.
    project.put("docs/mine.md", "new\n");
    world.accepted();
}

#[test]
fn a_program_of_other_sources_cannot_speak_for_a_checkout() {
    let Some((world, project, _)) = World::with_project(1.0) else { return };
    for name in ["scorer/src/lib.rs", "shared/src/lib.rs", "data/reference/models.toml", "Cargo.lock"] {
        let original = fs::read(project.folder.join(name)).unwrap();
        project.put(name, [original.as_slice(), b"\n"].concat());
        world.refused(
            &[],
            7,
            &["project: this program was not built from the sources there", "build it there"],
        );
        project.commit("Change");
        world.refused(&[], 7, &["project: this program was not built from the sources there"]);
        project.put(name, original).commit("Back");
    }
    world.accepted();
}

#[test]
fn a_folder_of_another_repository_is_refused_and_a_copy_without_history_has_a_stated_commit() {
    let Some(world) = World::new() else { return };
    let other = Repository::new(&world.path("other"));
    copy_into(&other.folder.join("vendor/project"));
    other.commit("Vendor it");
    let nested = "other/vendor/project";
    let stated = "0123456789abcdef0123456789abcdef01234567";
    let ends = |checkout: &str, stated: Option<&str>| {
        let words = ["harness", "--sim", "v0.7.99", "--pull", "nowhere", "--checkout", checkout];
        let mut command = world.scorer(&words);
        if let Some(stated) = stated {
            command.env("HARNESS_COMMIT", stated);
        }
        let output = command.output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for stated in [None, Some(stated)] {
        let (code, said) = ends(nested, stated);
        assert!(code == 7 && said.contains("is a folder of another repository"), "{code} {said}");
    }
    copy_into(&world.path("copy"));
    let (code, said) = ends("copy", None);
    assert!(code == 7 && said.contains("has no git history") && said.contains("HARNESS_COMMIT"), "{said}");
    let (code, said) = ends("copy", Some(stated));
    assert!(code == 3 && said.contains(&format!("harness: commit {stated}, by assertion")), "{said}");
    for no_commit in ["main", &stated[1..]] {
        let (code, said) = ends("copy", Some(no_commit));
        assert!(code == 2 && said.contains("is no full commit"), "{said}");
    }
    let (project, commit) = world.project("project");
    let (code, said) = ends("project", Some(stated));
    assert!(code == 7 && said.contains(&format!("is at {commit}, but {stated} was stated")), "{said}");
    let (code, said) = ends("project", Some(&commit));
    assert!(code == 3 && said.contains("checked"), "{said}");
    drop(project);
    let (code, said) = ends("servers", None);
    assert!(code == 2 && said.contains("servers: is no checkout of this project"), "{said}");
}

#[test]
fn units_are_chosen_by_ids_or_by_a_list_and_a_changed_one_is_never_scored() {
    let Some((world, project, _)) = World::with_project(1.0) else { return };
    let id = |sweep: &str| format!("{sweep}_{TAG}");
    fs::write(world.path("list.txt"), format!("# one\n{}\n", id(SWEEPS[1]))).unwrap();
    for (units, sweep) in [(id(SWEEPS[2]), SWEEPS[2]), ("list.txt".to_owned(), SWEEPS[1])] {
        let (code, _, said) = world.harness(&["--sim", "v0.7.99", "--units", &units, "-o", "summary.json"]);
        assert_eq!(code, 0, "{said}");
        let summary = world.read("summary.json");
        let sweeps = summary["sweeps"].as_array().unwrap();
        assert_eq!((sweeps.len(), &sweeps[0]["id"]), (1, &json!(sweep)));
    }
    world.refused(&["--units", &id("0123456789abcdef")], 3, &["there is no unit `0123456789abcdef_"]);
    let unit = format!("data/ledger/{}.json", id(SWEEPS[0]));
    let text = fs::read_to_string(project.folder.join(&unit)).unwrap();
    project.put(&unit, text.replacen("\"ttft_ms\":", "\"ttft_ms\":1", 1));
    world.refused(&["-o", "changed.json"], 4, &["its content was changed: the digest is"]);
    let clash = format!("project/{unit}");
    world.refused(&["-o", &clash], 2, &["this is an input"]);
    assert!(!world.path("changed.json").exists());
}

#[test]
fn a_harness_that_is_killed_again_and_again_gives_the_bytes_of_an_undisturbed_one() {
    let Some((world, _, _)) = World::with_project(1.0) else { return };
    let undisturbed =
        ["--sim", "v0.7.99", "--work", "undisturbed", "--builds", "builds", "-o", "expected.json"];
    let start = Instant::now();
    let (code, _, said) = world.harness(&undisturbed);
    assert_eq!(code, 0, "{said}");
    let whole = start.elapsed();
    let words = ["--sim", "v0.7.99", "--work", "work", "--builds", "others", "-o", "found.json"];
    for kill in 1..=8 {
        let mut child = world.spawn_harness(&words);
        std::thread::sleep(whole.mul_f64(f64::from(kill) / 10.0).min(Duration::from_secs(10)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (code, _, said) = world.harness(&words);
    assert_eq!(code, 0, "{said}");
    let read = |name: &str| fs::read(world.path(name)).unwrap();
    assert_eq!(read("found.json"), read("expected.json"));
    assert_eq!(read("work/points.csv"), read("undisturbed/points.csv"));
    // Half a journal is gone on with.
    let whole = fs::read_to_string(world.path("work/whole.outcomes")).unwrap();
    let half: String = whole.split_inclusive('\n').take(4).collect();
    fs::write(world.path("work/whole.outcomes"), half).unwrap();
    let (code, _, said) = world.harness(&words);
    assert!(code == 0 && said.contains("going on, 3 of "), "{said}");
    assert_eq!(read("found.json"), read("expected.json"));
    // Two in one folder would mix their files.
    let held = fs::File::open(world.path("work")).unwrap();
    held.lock().unwrap();
    let (code, _, said) = world.harness(&words);
    assert!(code == 6 && said.contains("somebody else is at work here"), "{said}");
}
