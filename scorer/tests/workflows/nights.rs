//! nightly.yml, played: three nights of a project, and one that fails.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::actions::checkout;
use crate::runner::{Played, Runner};
use crate::stage::Ending;
use crate::workflow::Workflow;
use crate::world::{OURS, World, go_cache, itl_ms, ttft_ms};

/// Plays a night in a folder of its own. The moment is counted from 1970, in seconds.
fn night(world: &World, name: &str, moment: u64) -> Played {
    let folder = world.path(name);
    let mut runner = Runner::new(&folder);
    runner.programs(&world.programs()).variable("SCORER", env!("CARGO_BIN_EXE_scorer"));
    runner.variable("GITHUB_API_URL", &world.github.url).variable("GITHUB_SERVER_URL", world.server());
    runner.variable("GOCACHE", go_cache()).variable("SOURCE_DATE_EPOCH", moment.to_string());
    let head = world.ours.git(&["rev-parse", "main"]);
    runner.github("repository", OURS).github("sha", head);
    runner.github("ref", "refs/heads/main").github("ref_name", "main");
    runner.action("actions/checkout", checkout(&[(OURS, world.ours.folder.as_path())]));
    let workflow = Workflow::ours("nightly.yml").unwrap();
    runner.play(&workflow, &json!({})).unwrap()
}

fn endings(played: &Played) -> Vec<(&str, Ending)> {
    played.jobs.iter().map(|job| (job.id.as_str(), job.ending)).collect()
}

fn commits(world: &World) -> usize {
    world.ours.git(&["rev-list", "--count", "main"]).parse().unwrap()
}

fn listed(world: &World) -> Vec<Value> {
    let index = world.committed("data/index.json");
    index.and_then(|index| index["snapshots"].as_array().cloned()).unwrap_or_default()
}

/// The mean absolute error of the simulator's TPOT and TTFT in percent, and of how many points, computed here from what was
/// measured and from the formulas of the simulator.
fn expected(world: &World, entry: &Value, factor: f64) -> (f64, f64, u64) {
    let id = entry["id"].as_str().unwrap();
    let snapshot = world.committed(&format!("data/snapshots/{id}/summary.json")).unwrap();
    let points =
        snapshot["sweeps"].as_array().unwrap().iter().flat_map(|sweep| sweep["points"].as_array().unwrap());
    let scored = points.filter(|point| point["predictions"]["blis"].get("scored").is_some());
    let (mut tpot, mut ttft, mut count) = (0.0, 0.0, 0_u32);
    for point in scored {
        let concurrency = point["concurrency"].as_f64().unwrap();
        let error = |predicted: f64, measured: &Value| (predicted / measured.as_f64().unwrap() - 1.0).abs();
        tpot += error(itl_ms(factor, concurrency), &point["tpot_ms"]);
        ttft += error(ttft_ms(concurrency), &point["ttft_ms"]);
        count += 1;
    }
    let points = f64::from(count);
    (100.0 * tpot / points, 100.0 * ttft / points, u64::from(count))
}

#[track_caller]
fn assert_figures(world: &World, entry: &Value, factor: f64) {
    let (tpot, ttft, count) = expected(world, entry, factor);
    assert!(count > 20, "{count}");
    assert_eq!(entry["scored"], count);
    for (metric, expected) in [("tpot", tpot), ("ttft", ttft)] {
        let mut headline = entry["headline"].as_array().unwrap().iter();
        let found = headline.find(|line| line["tier"] == "all" && line["metric"] == metric).unwrap();
        assert_eq!(found["points"], count);
        let mape = found["mape"].as_f64().unwrap();
        assert!((mape - expected).abs() < 1e-9, "{metric}: {mape}, not {expected}");
    }
}

/// What the newest commit changed.
fn changed(world: &World) -> Vec<String> {
    let names = world.ours.git(&["show", "--name-only", "--format=", "main"]);
    names.lines().map(str::to_owned).collect()
}

#[test]
fn three_nights_publish_twice_and_rest_once() {
    let Some(world) = World::new() else { return };
    world.tag_simulator("v0.9.9", 1.0);
    world.list_simulators(&[("v0.9.9", ""), ("v0.9.10-rc1", "prerelease")]);

    let first = night(&world, "first", 1_796_000_000);
    assert!(first.is_success(), "{}", first.log());
    assert_eq!(first.job("failed").ending, Ending::Skipped);
    assert_eq!(endings(&first).iter().filter(|(id, _)| *id == "shard").count(), 8);
    assert_eq!(commits(&world), 2);
    assert!(changed(&world).iter().all(|name| name.starts_with("data/")), "{:?}", changed(&world));
    let snapshots = listed(&world);
    let [entry] = &snapshots[..] else { panic!("{snapshots:?}") };
    assert_eq!(
        (&entry["simulator"], &entry["measurements"]),
        (&json!("BLIS v0.9.9"), &json!("db-dump/2026-09-28"))
    );
    assert_figures(&world, entry, 1.0);
    let summary = &first.job("publish").summary;
    assert!(
        summary.starts_with("# Published ") && summary.contains("- **the one before**: none"),
        "{summary}"
    );
    assert_eq!(summary.matches("# Published ").count(), 1, "{summary}");
    let pages =
        ("/repos/us/ours/actions/workflows/pages.yml/dispatches".to_owned(), json!({ "ref": "main" }));
    assert_eq!(world.github.started(), std::slice::from_ref(&pages));

    let second = night(&world, "second", 1_796_086_400);
    assert!(second.is_success(), "{}", second.log());
    let ran: Vec<_> = endings(&second).into_iter().filter(|(_, ending)| *ending != Ending::Skipped).collect();
    assert_eq!(ran, [("scorer", Ending::Success), ("prepare", Ending::Success)]);
    assert!(
        second.job("prepare").summary.contains("# Nothing new tonight"),
        "{}",
        second.job("prepare").summary
    );
    assert_eq!((commits(&world), world.github.started().len()), (2, 1));

    // The newest by its version, which the list names neither first nor last.
    world.tag_simulator("v0.10.0", 2.0);
    world.list_simulators(&[
        ("v0.11.0", "draft"),
        ("v0.9.9", ""),
        ("v0.10.0", ""),
        ("v0.9.10", "prerelease"),
    ]);
    let third = night(&world, "third", 1_796_172_800);
    assert!(third.is_success(), "{}", third.log());
    assert_eq!((commits(&world), world.github.started().len()), (3, 2));
    let snapshots_then = listed(&world);
    let [newest, before] = &snapshots_then[..] else { panic!("{snapshots_then:?}") };
    assert_eq!((&newest["simulator"], before), (&json!("BLIS v0.10.0"), entry));
    assert_figures(&world, newest, 2.0);
    let summary = &third.job("publish").summary;
    let place = |words: &str| summary.find(words).unwrap_or_else(|| panic!("no `{words}` in {summary}"));
    assert!(place(before["id"].as_str().unwrap()) < place("## Gate: a sweep is worse"));
    assert!(place("## Worse: ") < place("Why the MAPE changed"));
    assert_site(&world, &third, newest["id"].as_str().unwrap());
}

/// The page of what was pushed is whole, and shows the newest snapshot also without a program.
fn assert_site(world: &World, night: &Played, newest: &str) {
    let page = world.path("page");
    fs::create_dir_all(&page).unwrap();
    fs::write(
        page.join("index.html"),
        "<html><body><noscript><!-- noscript-table --></noscript></body></html>",
    )
    .unwrap();
    let clone = world.path("clone");
    world.ours.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let (code, _, said) = world.run(&["site", "--page", "page", "--data", "clone/data", "-o", "site"]);
    assert_eq!(code, 0, "{said}");
    let shown = fs::read_to_string(world.path("site/index.html")).unwrap();
    assert!(shown.contains(newest) && shown.contains("<table"), "{shown}");
    assert_eq!(
        fs::read(world.path("site/data/latest/summary.json")).unwrap(),
        snapshot(&clone.join("data"), newest)
    );
    // The same bytes that the job made, whoever made them.
    let made = night.job("publish").workspace.join("night/work/summary.json");
    assert_eq!(fs::read(made).unwrap(), snapshot(&clone.join("data"), newest));
}

fn snapshot(data: &Path, id: &str) -> Vec<u8> {
    fs::read(data.join("snapshots").join(id).join("summary.json")).unwrap()
}

#[test]
fn a_night_that_fails_is_noted_and_the_next_one_that_succeeds_takes_the_note_back() {
    let Some(world) = World::new() else { return };
    world.tag_program("v1.0.0", "package main\n\nfunc main() { this does not compile }\n");
    world.list_simulators(&[("v1.0.0", "")]);
    for name in ["first", "again"] {
        let failed = night(&world, name, 1_796_000_000);
        assert_eq!(failed.job("prepare").ending, Ending::Failure, "{}", failed.log());
        assert_eq!(failed.job("failed").ending, Ending::Success, "{}", failed.log());
        assert_eq!(failed.job("publish").ending, Ending::Skipped);
        assert!(failed.job("prepare").summary.contains("# The night failed: build"), "{}", failed.log());
        let note = world.committed("data/state/last-failure.json").unwrap();
        assert_eq!((&note["schema"], &note["stage"]), (&json!("last-failure.v1"), &json!("build")));
        assert!(listed(&world).is_empty());
        // The second time says nothing that the first did not.
        assert_eq!(commits(&world), 2);
        assert_eq!(changed(&world), ["data/state/last-failure.json"]);
    }
    world.tag_simulator("v1.0.1", 1.0);
    world.list_simulators(&[("v1.0.1", ""), ("v1.0.0", "")]);
    let mended = night(&world, "mended", 1_796_086_400);
    assert!(mended.is_success(), "{}", mended.log());
    assert_eq!(listed(&world).len(), 1);
    assert_eq!(world.committed("data/state/last-failure.json"), None);
}
