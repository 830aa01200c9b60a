//! `scorer resolve` against a server that answers as GitHub does, on good days and bad ones.

use std::fs;

use serde_json::{Value, json};

use crate::github::release;
use crate::world::{DUMPS, SIMULATOR, World};

fn resolved(world: &World, more: &[&str]) -> Value {
    let (code, printed, said) = world.run(&[&["resolve", "--format", "json"], more].concat());
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn the_newest_release_is_the_one_of_the_greatest_version_on_whatever_page_it_is() {
    let Some(world) = World::new() else { return };
    // Patches of an old line, which are published last and so listed first, on more than a page.
    let mut releases: Vec<Value> = (0..120).rev().map(|n| release(&format!("v0.7.{n}"), "", &[])).collect();
    releases.push(release("v0.10.1", "", &[]));
    for (tag, kind) in
        [("v0.10.0", ""), ("v0.9.9", ""), ("v2.0.0", "draft"), ("v1.0.0", "prerelease"), ("nightly", "")]
    {
        releases.insert(0, release(tag, kind, &[]));
    }
    world.github.list(SIMULATOR, releases);
    let mut dumps: Vec<Value> =
        (1..=28).map(|d| release(&format!("db-dump/2026-08-{d:02}"), "", &[])).collect();
    dumps.push(release("db-dump/2026-09-02", "", &[]));
    dumps.insert(0, release("db-dump/2026-10-01", "draft", &[]));
    world.github.list(DUMPS, dumps);
    let found = resolved(&world, &[]);
    assert_eq!(
        (&found["simulator"]["tag"], &found["measurements"]["tag"]),
        (&json!("v0.10.1"), &json!("db-dump/2026-09-02"))
    );
    assert_eq!((&found["schema"], &found["unchanged"]), (&json!("resolved.v1"), &json!(false)));
    let pages = world.github.asked().iter().filter(|path| path.contains(SIMULATOR)).count();
    assert_eq!(pages, 2);
    let (code, text, _) = world.run(&["resolve"]);
    assert_eq!(code, 0);
    assert!(
        text.contains("v0.10.1 of inference-sim/inference-sim, published 2026-09-28T01:02:03Z"),
        "{text}"
    );
    fs::write(world.path("resolved.json"), found.to_string()).unwrap();
    assert_eq!(world.run(&["validate", "resolved.json"]).0, 0);
}

#[test]
fn outputs_of_a_workflow_say_whether_anything_changed() {
    let Some(world) = World::new() else { return };
    world.list_simulators(&[("v0.7.15", "")]);
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../data");
    let output = world.path("output");
    let found = resolved(&world, &["--data", data, "--github-output", output.to_str().unwrap()]);
    assert_eq!(
        (&found["unchanged"], &found["published"]),
        (&json!(true), &json!("2026-09-28_blis-v0.7.15_c66ac14a"))
    );
    let written = fs::read_to_string(&output).unwrap();
    assert_eq!(
        written,
        "simulator=v0.7.15\nmeasurements=db-dump/2026-09-28\nunchanged=true\nprevious=2026-09-28_blis-v0.7.15_c66ac14a\n"
    );
    assert_eq!(resolved(&world, &["--data", data, "--settings", "defaults"])["unchanged"], false);
}

#[test]
fn what_github_does_not_have_or_does_not_say_is_told() {
    let Some(world) = World::new() else { return };
    let refused = |more: &[&str], code: i32, words: &str| {
        let (found, _, said) = world.run(&[&["resolve", "--attempts", "1"], more].concat());
        assert!(found == code && said.contains(words), "{found}: {said}");
    };
    refused(&[], 3, "the server answers 404 (not found)");
    world.list_simulators(&[("v1.0.0-rc1", "prerelease"), ("nightly", "")]);
    refused(&[], 3, "inference-sim/inference-sim has no stable release");
    refused(&["--simulator-repository", "no-slash"], 2, "OWNER/NAME");
    world.list_simulators(&[("v1.0.0", "")]);
    refused(&["--dump-repository", SIMULATOR], 3, "has no release of a dump");
    world.github.is_down(true);
    refused(&[], 3, "the server answers 502 (an error of its own)");
    let nowhere = world
        .scorer(&["resolve", "--attempts", "1"])
        .env("GITHUB_API_URL", "http://127.0.0.1:1")
        .output()
        .unwrap();
    let said = String::from_utf8(nowhere.stderr).unwrap();
    assert!(nowhere.status.code() == Some(3) && said.contains("advice: check the network"), "{said}");
}
