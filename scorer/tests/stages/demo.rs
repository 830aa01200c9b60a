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
    assert_takes_back_only_its_own(&bench);
}

#[test]
fn a_demonstration_leaves_alone_what_it_did_not_make() {
    let bench = Bench::with_sweeps(1);
    for place in ["data", "work", "site"] {
        let mine = format!("{place}/mine.txt");
        std::fs::create_dir(bench.path(place)).unwrap();
        bench.put(&mine, "mine");
        for _ in 0..2 {
            bench
                .ends(&["demo", "--out", ".", "--no-serve"])
                .refused(7, &[&format!("./{place}: is there, and no demonstration made it"), "--out"]);
        }
        assert_eq!(bench.read(&mine), b"mine");
        std::fs::remove_dir_all(bench.path(place)).unwrap();
    }
    assert_eq!(bench.names(), ["corpus.json"]);
}

/// Made again in the same place, after somebody published there.
fn assert_takes_back_only_its_own(bench: &Bench) {
    bench.done(&["plan", "corpus.json", "-o", "plan.json", "--estimators", "aic,aisimulate"]);
    bench.done(&["run", "plan.json", "-o", "outcomes.jsonl"]);
    bench.summarize("summary.json", "2026-11-30T00:00:00Z");
    bench.done(&["publish", "summary.json", "--data", "demo/data"]);
    let mine = bench.json("summary.json")["run"]["id"].as_str().unwrap().to_owned();
    // As if an earlier version had made another snapshot.
    let copy = bench.json("demo/data/index.json")["snapshots"][0]["id"].as_str().unwrap().to_owned();
    let stale = "2026-01-01_earlier-1_00000000";
    let folder = |id: &str| bench.path(&format!("demo/data/snapshots/{id}"));
    std::fs::create_dir(folder(stale)).unwrap();
    let claim = String::from_utf8(bench.read("demo/.scorer-demo")).unwrap();
    assert!(claim.contains(&copy) && !claim.contains(&mine), "{claim}");
    bench.put("demo/.scorer-demo", format!("{claim}{stale}\n"));
    bench.done(&["demo", "--out", "demo", "--no-serve", "--quiet"]);
    assert!(!folder(stale).exists());
    assert!(folder(&mine).exists() && folder(&copy).exists());
    bench.done(&["validate", "demo/data/index.json"]);
    assert_eq!(String::from_utf8(bench.read("demo/.scorer-demo")).unwrap(), claim);
    assert_shows_what_is_beside(bench, &mine);
}

/// In a second place, with what the first one lists, and then without.
fn assert_shows_what_is_beside(bench: &Bench, other: &str) {
    for name in ["work", ".scorer-demo"] {
        let from = bench.path(&format!("demo/{name}"));
        std::fs::create_dir_all(bench.path("second")).unwrap();
        let copied = std::process::Command::new("cp").arg("-r").arg(from).arg(bench.path("second")).status();
        assert!(copied.unwrap().success());
    }
    let demo = ["demo", "--out", "second", "--no-serve", "--quiet"];
    bench.done(&[demo.as_slice(), &["--beside", "demo/data"]].concat());
    assert_eq!(bench.read("second/data/index.json"), bench.read("demo/data/index.json"));
    assert_eq!(bench.read("second/data/latest/summary.json"), bench.read("demo/data/latest/summary.json"));
    bench.done(&demo);
    assert!(!bench.path("second/data/snapshots").join(other).exists());
    bench.ends(&[demo.as_slice(), &["--beside", "nothing"]].concat()).refused(3, &["nothing/index.json"]);
    let summary = format!("demo/data/snapshots/{other}/summary.json");
    let text = String::from_utf8(bench.read(&summary)).unwrap();
    bench.put(&summary, text.replace("2026-11-30T00:00:00Z", "2026-11-29T00:00:00Z"));
    bench
        .ends(&[demo.as_slice(), &["--beside", "demo/data"]].concat())
        .refused(4, &[other, "the list says something else of it"]);
}

#[test]
fn what_cannot_be_shown_is_refused_before_any_work() {
    let bench = Bench::with_sweeps(1);
    bench.ends(&["demo", "--out", "demo", "--page", "nopage"]).refused(3, &["nopage: has no index.html"]);
    std::fs::create_dir(bench.path("dist")).unwrap();
    bench.put("dist/index.html", "<noscript><!-- noscript-table --></noscript>");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    bench
        .ends(&["demo", "--out", "demo", "--page", "dist", "--port", &port])
        .refused(9, &[&format!("port {port} is taken"), "choose another with --port, or leave --port out"]);
    assert!(!bench.path("demo").exists());
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
