//! `scorer ledger`: what is frozen stays as it was, to the last digit, or is told.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use scorer::ledger::Ledger;
use serde_json::{Value, json};
use shared::id::UnitId;

use crate::kit::Bench;
use crate::tree::tree;

/// The embedded corpus, where it is.
fn sample_path() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample/corpus.json").display().to_string()
}

/// A bench with `ledger`: units of the sweeps that are the least work.
fn frozen(count: usize) -> Bench {
    let bench = Bench::with_sweeps(count);
    bench.done(&["ledger", "freeze", "corpus.json", "--ledger", "ledger"]);
    bench
}

fn units(bench: &Bench) -> BTreeMap<PathBuf, Vec<u8>> {
    tree(&bench.path("ledger"))
}

fn first(bench: &Bench) -> String {
    units(bench).into_keys().next().unwrap().file_stem().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn sweeps_are_frozen_listed_and_proven_and_freezing_again_changes_nothing() {
    let bench = frozen(3);
    let before = units(&bench);
    assert_eq!(before.len(), 3);
    let ended = bench.done(&["ledger", "freeze", "corpus.json", "--ledger", "ledger"]);
    assert!(ended.stderr.contains("ledger: 0 units added, 3 there before"), "{ended:?}");
    assert_eq!(units(&bench), before);
    let listed: Value =
        serde_json::from_str(&bench.done(&["ledger", "list", "ledger", "--format", "json"]).stdout).unwrap();
    let corpus = bench.json("corpus.json");
    for (unit, sweep) in listed.as_array().unwrap().iter().zip(corpus["sweeps"].as_array().unwrap()) {
        assert_eq!(unit["sweep"], sweep["id"]);
        assert_eq!(unit["id"], format!("{}_db-dump-2026-09-28", sweep["id"].as_str().unwrap()));
        assert_eq!(unit["concurrencies"][0], sweep["points"][0]["concurrency"]);
        let name = format!("ledger/{}.json", unit["id"].as_str().unwrap());
        let file = bench.json(&name);
        assert_eq!((&file["body"]["sweep"], &file["body"]["source"]), (sweep, &corpus["source"]));
        assert_eq!(bench.done(&["validate", &name]).stdout, format!("{name}: valid unit.v1\n"));
    }
    let text = bench.done(&["ledger", "list", "ledger"]).stdout;
    assert!(text.contains("3 units, ") && text.contains(" of one core"), "{text}");
    let text = bench.done(&["ledger", "verify", "ledger"]).stdout;
    assert_eq!(text, "3 units, 0 not as frozen\n");
}

#[test]
fn one_changed_digit_anywhere_in_a_unit_is_caught() {
    let bench = frozen(1);
    let name = first(&bench);
    let (id, path) = (UnitId::new(&*name).unwrap(), bench.path(&format!("ledger/{name}.json")));
    let ledger = Ledger::new(&bench.path("ledger"));
    assert!(ledger.read(&id).is_ok());
    let bytes = fs::read(&path).unwrap();
    let digits: Vec<usize> = (0..bytes.len()).filter(|place| bytes[*place].is_ascii_digit()).collect();
    assert!(digits.len() > 200, "{}", digits.len());
    for place in digits {
        let mut changed = bytes.clone();
        changed[place] = if changed[place] == b'9' { b'0' } else { changed[place] + 1 };
        fs::write(&path, &changed).unwrap();
        assert!(ledger.read(&id).is_err(), "{}", String::from_utf8_lossy(&changed[..=place]));
    }
    let spaced = String::from_utf8(bytes.clone()).unwrap().replacen(':', ": ", 1);
    fs::write(&path, spaced).unwrap();
    bench.ends(&["ledger", "list", "ledger"]).refused(4, &["has not the bytes"]);
    let ended = bench.ends(&["ledger", "verify", "ledger"]);
    assert!(ended.code == Some(4) && ended.stdout.ends_with("1 unit, 1 not as frozen\n"), "{ended:?}");
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let ended = bench.ends(&["ledger", "verify", "ledger", "--format", "json"]);
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert!(ended.code == Some(4) && found[0]["valid"] == json!(false), "{ended:?}");
}

#[test]
fn a_unit_whose_digest_was_made_again_still_cannot_say_what_is_not_true() {
    let bench = frozen(1);
    let file = format!("ledger/{}.json", first(&bench));
    let original = bench.read(&file);
    let edits: [fn(&mut Value); 4] = [
        |unit| unit["body"]["sweep"]["verdict"] = json!("EXACT"),
        |unit| unit["body"]["sweep"]["isl"] = json!(4242),
        |unit| unit["body"]["source"]["date"] = json!("yesterday"),
        |unit| unit["body"]["id"] = json!("0123456789abcdef_another"),
    ];
    for edit in edits {
        bench.put(&file, &original);
        let mut unit: shared::unit::Unit = serde_json::from_slice(&original).unwrap();
        let mut value = serde_json::to_value(&unit).unwrap();
        edit(&mut value);
        let Ok(changed) = serde_json::from_value::<shared::unit::Unit>(value.clone()) else {
            bench.put_json(&file, &value);
            bench.ends(&["validate", &file]).refused(4, &[]);
            continue;
        };
        unit.body = changed.body;
        unit.digest = shared::digest::Digest::of_json(&unit.body).unwrap();
        bench.put(&file, serde_json::to_vec(&unit).unwrap());
        let ended = bench.ends(&["validate", &file]);
        assert!(ended.code == Some(4) && ended.stdout.contains("body"), "{ended:?}");
    }
}

#[test]
fn a_frozen_unit_is_never_replaced_and_units_are_not_frozen_again() {
    let bench = frozen(2);
    let before = units(&bench);
    bench.edit("corpus.json", |corpus| {
        let latency = &mut corpus["sweeps"][0]["points"][0]["ttft_ms"];
        *latency = json!(latency.as_f64().unwrap() * 2.0);
    });
    let refused = bench.ends(&["ledger", "freeze", "corpus.json", "--ledger", "ledger"]);
    refused.refused(7, &["is frozen with another content, and a unit never changes", "advice:"]);
    assert_eq!(units(&bench), before);
    bench.edit("corpus.json", |corpus| corpus["source"]["kind"] = json!("ledger"));
    let refused = bench.ends(&["ledger", "freeze", "corpus.json", "--ledger", "others"]);
    refused.refused(7, &["is itself made of units"]);
    assert!(!bench.path("others").exists());
}

#[test]
fn what_is_no_ledger_or_not_in_one_is_told() {
    let bench = frozen(1);
    bench
        .ends(&["ledger", "list", "nowhere"])
        .refused(3, &["nowhere: this folder of units cannot be read", "advice:"]);
    fs::create_dir(bench.path("empty")).unwrap();
    bench.ends(&["ledger", "verify", "empty"]).refused(4, &["empty: there are no units in it"]);
    let strange = ["ledger", "freeze", "corpus.json", "--sweeps", "0123456789abcdef", "--ledger", "ledger"];
    bench.ends(&strange).refused(2, &["the corpus has no sweep 0123456789abcdef"]);
    bench.put("ledger/corpus.json", "{}");
    bench
        .ends(&["ledger", "list", "ledger"])
        .refused(4, &["corpus.json: is in a folder of units, but has not the name"]);
    fs::remove_file(bench.path("ledger/corpus.json")).unwrap();
    let name = first(&bench);
    let other = format!("ledger/{}_another.json", &name[..16]);
    fs::rename(bench.path(&format!("ledger/{name}.json")), bench.path(&other)).unwrap();
    let ended = bench.ends(&["ledger", "verify", "ledger"]);
    assert!(ended.code == Some(4) && ended.stdout.contains("so it must be called"), "{ended:?}");
}

#[test]
fn the_ledger_of_this_repository_is_the_one_that_its_readme_freezes() {
    let bench = Bench::with_sweeps(1);
    bench.done(&["ledger", "freeze", &sample_path(), "--cheapest", "--ledger", "ledger"]);
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/ledger");
    let readme = fs::read_to_string(ours.join("README.md")).unwrap();
    assert!(readme.contains("scorer ledger freeze data/sample/corpus.json --cheapest"), "{readme}");
    let mut committed = tree(&ours);
    committed.remove(Path::new("README.md"));
    assert_eq!(units(&bench), committed);
}
