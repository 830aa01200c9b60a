//! deploy/github/accuracy.yml on a pull request, played with the workflow harness.yml that it calls: a planted regression is blocked, a
//! planted improvement passes.

use std::path::Path;

use serde_json::{Value, json};

use crate::actions::checkout;
use crate::kit::Repository;
use crate::runner::{Played, Runner};
use crate::stage::Ending;
use crate::workflow::Workflow;
use crate::world::{SIMULATOR, World, go_cache, root};

/// Where this project is on GitHub.
const HARNESS: &str = "inference-sim/accuracy-dashboard";

/// How many times as long a token takes in the worse simulator: with it every unit's error is larger than without.
const WORSE: f64 = 20.0;

/// A world whose simulator has pull requests, and a checkout of this project.
struct Gate {
    world: World,
    project: Repository,
    base: String,
}

impl Gate {
    /// The simulator takes `factor` times as long for a token on its main branch, where the pins are too.
    fn new(factor: f64) -> Option<Self> {
        let world = World::new()?;
        let (project, harness) = world.project("project");
        let pins = include_str!("../../../deploy/github/accuracy.json").replace(&"0".repeat(40), &harness);
        world.simulator.put(".github/accuracy.json", pins);
        let base = world.commit_simulator(factor);
        Some(Self { world, project, base })
    }

    /// A pull request with this commit, from a repository of this name.
    fn play(&self, name: &str, head: &str, from: &str) -> Played {
        let world = &self.world;
        let mut runner = Runner::new(&world.path(name));
        runner.programs(&world.programs()).variable("SCORER", env!("CARGO_BIN_EXE_scorer"));
        runner.variable("GOCACHE", go_cache()).variable("GITHUB_API_URL", &world.github.url);
        runner.github("repository", SIMULATOR).github("sha", head).github("ref", "refs/pull/7/merge");
        runner.github("server_url", world.server());
        let event = json!({ "pull_request": {
            "number": 7, "base": { "sha": self.base }, "head": { "sha": head, "repo": { "full_name": from } },
        } });
        runner.github("event", event);
        let folders: [(&str, &Path); 2] =
            [(HARNESS, &self.project.folder), (SIMULATOR, &world.simulator.folder)];
        runner.action("actions/checkout", checkout(&folders));
        let file = root().join("deploy/github/accuracy.yml");
        runner.play(&Workflow::read(&file).unwrap(), &json!({})).unwrap()
    }
}

fn summary_of(played: &Played, side: &str) -> Value {
    let path = played.artifacts.join(side).join(format!("{side}.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// By sweep, the mean absolute error of TPOT in percent, computed here from the points.
fn errors(summary: &Value) -> Vec<f64> {
    let sweeps = summary["sweeps"].as_array().unwrap();
    let of_sweep = |sweep: &Value| {
        let points = sweep["points"].as_array().unwrap();
        let error = |point: &Value| {
            let predicted = point["predictions"]["blis"]["scored"]["tpot_ms"].as_f64().unwrap();
            100.0 * (predicted / point["tpot_ms"].as_f64().unwrap() - 1.0).abs()
        };
        points.iter().map(error).sum::<f64>() / points.len() as f64
    };
    sweeps.iter().map(of_sweep).collect()
}

#[test]
fn a_planted_regression_is_blocked_and_said_where_people_look() {
    let Some(gate) = Gate::new(1.0) else { return };
    let head = gate.world.commit_simulator(WORSE);
    let played = gate.play("regression", &head, SIMULATOR);
    assert_eq!(played.job("gate").ending, Ending::Failure, "{}", played.log());
    for job in ["pins", "scorer", "comment"] {
        assert_eq!(played.job(job).ending, Ending::Success, "{}", played.log());
    }
    let (base, head_figures) = (errors(&summary_of(&played, "base")), errors(&summary_of(&played, "head")));
    assert!(base.iter().zip(&head_figures).all(|(base, head)| head > base), "{base:?} {head_figures:?}");
    let job = played.job("gate");
    let decided = job.steps.last().unwrap();
    assert_eq!((decided.title.as_str(), decided.ending), ("decide", Ending::Failure));
    let log = &job.steps[3].log;
    assert!(log.contains("::error "), "{log}");
    assert!(job.summary.contains("a sweep is worse"), "{}", job.summary);
    let junit = std::fs::read_to_string(played.artifacts.join("gate/junit.xml")).unwrap();
    assert!(junit.contains("<failure "), "{junit}");
    // Both figures say which commit of the harness made them, and that this is no release.
    let harness = gate.project.git(&["rev-parse", "HEAD"]);
    for (side, commit) in [("base", &gate.base), ("head", &head)] {
        let summary = summary_of(&played, side);
        assert_eq!(
            summary["run"]["scorer"],
            json!({
                "version": summary["run"]["scorer"]["version"], "commit": harness, "commit_source": "checked",
            })
        );
        assert_eq!(summary["run"]["label"], "experimental");
        assert_eq!(summary["simulators"][0]["commit"], json!(commit));
    }
    let comments = gate.world.github.started();
    let [(path, body)] = &comments[..] else { panic!("{comments:?}") };
    assert_eq!(path, "/repos/inference-sim/inference-sim/issues/7/comments");
    assert_eq!(body["body"].as_str().unwrap(), job.summary);
}

#[test]
fn a_planted_improvement_passes() {
    let Some(gate) = Gate::new(WORSE) else { return };
    let head = gate.world.commit_simulator(1.0);
    let played = gate.play("improvement", &head, SIMULATOR);
    assert!(played.is_success(), "{}", played.log());
    let (base, head) = (errors(&summary_of(&played, "base")), errors(&summary_of(&played, "head")));
    assert!(base.iter().zip(&head).all(|(base, head)| head < base), "{base:?} {head:?}");
    let job = played.job("gate");
    assert!(job.summary.contains("\n#### Gate: pass\n"), "{}", job.summary);
    assert!(!job.steps[3].log.contains("::error "), "{}", job.steps[3].log);
}

#[test]
fn a_fork_gets_no_comment_and_cannot_loosen_its_pins() {
    let Some(gate) = Gate::new(1.0) else { return };
    let pins = gate.world.simulator.folder.join(".github/accuracy.json");
    let text = std::fs::read_to_string(&pins).unwrap();
    std::fs::write(&pins, text.replace("\"worse_points\": 2", "\"worse_points\": 1000000")).unwrap();
    let head = gate.world.commit_simulator(WORSE);
    let played = gate.play("fork", &head, "somebody/inference-sim");
    assert_eq!(played.job("gate").ending, Ending::Failure, "{}", played.log());
    assert_eq!(played.job("comment").ending, Ending::Skipped);
    assert!(gate.world.github.started().is_empty());
}

#[test]
fn a_head_that_does_not_build_and_pins_that_move_fail_without_a_decision() {
    let Some(mut gate) = Gate::new(1.0) else { return };
    gate.world.simulator.put("main.go", "package main\n\nfunc main() { this does not compile }\n");
    let head = gate.world.simulator.commit("Break it");
    let played = gate.play("broken", &head, SIMULATOR);
    let scored: Vec<Ending> =
        played.jobs.iter().filter(|job| job.id == "score").map(|job| job.ending).collect();
    assert_eq!(scored, [Ending::Success, Ending::Failure], "{}", played.log());
    assert_eq!(played.job("gate").ending, Ending::Skipped);
    assert_eq!(played.job("comment").ending, Ending::Skipped, "there is nothing to comment");

    for (text, said) in [
        ("{\"harness\":\"main\",\"units\":\"all\",\"worse_points\":2,\"worse_percent\":10}", "full commit"),
        (
            "{\"harness\":\"HARNESS\",\"units\":\"$(id)\",\"worse_points\":2,\"worse_percent\":10}",
            "units must be",
        ),
        (
            "{\"harness\":\"HARNESS\",\"units\":\"all\",\"worse_points\":\"2\",\"worse_percent\":10}",
            "worse_points",
        ),
    ] {
        let harness = gate.project.git(&["rev-parse", "HEAD"]);
        gate.world.simulator.put(".github/accuracy.json", text.replace("HARNESS", &harness));
        gate.base = gate.world.commit_simulator(1.0);
        let played = gate.play("pins", &gate.base, SIMULATOR);
        let pins = played.job("pins");
        assert_eq!(pins.ending, Ending::Failure, "{}", played.log());
        assert!(pins.steps[1].log.contains(said), "{}", pins.steps[1].log);
    }
}
