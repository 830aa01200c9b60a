//! `demo`: offline, and to the byte what is committed in data/.

use std::path::Path;

use crate::kit::Bench;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data");

#[test]
fn the_demonstration_makes_the_snapshots_that_are_committed() {
    let bench = Bench::with_sweeps(1);
    bench.done(&["demo", "--out", "demo", "--no-serve", "--quiet"]);
    let committed = |file: &str| std::fs::read(Path::new(COMMITTED).join(file)).unwrap_or_default();
    let listed: serde_json::Value = serde_json::from_slice(&committed("index.json")).unwrap_or_default();
    let listed = listed["snapshots"].as_array().cloned().unwrap_or_default();
    let ours = bench.json("demo/data/index.json");
    let ours = ours["snapshots"].as_array().unwrap();
    assert_eq!(
        ours.iter().map(|entry| entry["settings"].as_str().unwrap()).collect::<Vec<_>>(),
        ["recorded", "defaults"]
    );
    for entry in ours {
        let advice = "if the change is meant, run `make snapshots` and commit data/";
        let id = entry["id"].as_str().unwrap();
        assert!(listed.contains(entry), "{id} is not in the committed list: {advice}");
        for name in ["summary.json", "points.csv"] {
            let file = format!("snapshots/{id}/{name}");
            assert!(bench.read(&format!("demo/data/{file}")) == committed(&file), "{file} differs: {advice}");
        }
    }
}

#[test]
fn the_committed_data_directory_is_valid() {
    let bench = Bench::with_sweeps(1);
    let file = |name: &str| format!("{COMMITTED}/{name}");
    bench.done(&[
        "validate",
        &file("index.json"),
        &file("latest/summary.json"),
        &file("state/last-run.json"),
    ]);
}
