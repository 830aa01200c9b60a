//! `scorer nightly` on one machine: it goes on where it stopped, wherever that was, and publishes nothing that it should not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::tree::tree;
use crate::world::World;

impl World {
    /// Ready for a night: a release that answers `factor` times what was measured, more or less.
    fn ready(factor: f64) -> Option<Self> {
        let world = Self::new()?;
        world.tag_simulator("v0.7.99", factor);
        world.list_simulators(&[("v0.7.99", "")]);
        Some(world)
    }

    fn night(&self, more: &[&str]) -> (i32, String, String) {
        self.run(&[&["nightly", "--data", "data", "--work", "work"], more].concat())
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }
}

#[track_caller]
fn done((code, printed, said): (i32, String, String)) -> (String, String) {
    assert_eq!(code, 0, "{said}");
    (printed, said)
}

#[test]
fn a_night_goes_on_where_it_stopped_and_trusts_no_file_that_is_not_as_it_was_left() {
    let Some(world) = World::ready(1.0) else { return };
    let (_, said) = done(world.night(&["--until", "plan"]));
    assert!(said.contains("planned ") && !world.path("data").exists(), "{said}");
    let (summary, said) = done(world.night(&[]));
    for stage in ["build", "ingest", "plan"] {
        assert!(said.contains(&format!("{stage}: done before")), "{said}");
    }
    assert!(summary.starts_with("# Published "), "{summary}");
    let whole = tree(&world.path("data"));
    assert_eq!(whole.len(), 5, "{:?}", whole.keys());
    assert_eq!(done(world.night(&[])).0.lines().next(), Some("# Nothing new tonight"));

    // The same night again, with half a plan left of an earlier one.
    let plan = fs::read(world.path("work/plan.json")).unwrap();
    done(world.night(&["--force", "--until", "plan"]));
    fs::write(world.path("work/plan.json"), &plan[..plan.len() / 2]).unwrap();
    let (_, said) = done(world.night(&["--force"]));
    assert!(said.contains("ingest: done before") && !said.contains("plan: done before"), "{said}");
    assert_eq!(fs::read(world.path("work/plan.json")).unwrap(), plan);
    assert_eq!(tree(&world.path("data")), whole);
    for name in ["work/night.json", "work/resolved.json", "data/index.json", "data/state/last-run.json"] {
        done(world.run(&["validate", name]));
    }
}

#[test]
fn shards_on_other_machines_give_the_snapshot_of_one_and_a_missing_one_publishes_nothing() {
    let Some(world) = World::ready(1.0) else { return };
    done(world.night(&[]));
    let whole = tree(&world.path("data"));
    fs::remove_dir_all(world.path("data")).unwrap();
    let (code, _, said) = world.run(&["nightly", "--work", "elsewhere", "--shard", "1/2"]);
    assert!(code == 3 && said.contains("has no prepared night") && said.contains("--until plan"), "{said}");

    let output = world.path("output");
    done(world.night(&["--until", "plan", "--github-output", output.to_str().unwrap()]));
    assert!(fs::read_to_string(&output).unwrap().contains("unchanged=false\n"));
    // Shards may be at work beside each other.
    let shards = ["1/2", "2/2"].map(|shard| {
        let words = ["nightly", "--work", "work", "--shard", shard, "--no-cache"];
        world.scorer(&words).stderr(Stdio::piped()).spawn().unwrap()
    });
    for shard in shards {
        let ended = shard.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    let (code, _, said) = world.night(&["--outcomes", "work/part-1-of-2.outcomes"]);
    assert!(code == 7 && said.contains("the night failed at the stage `merge`"), "{said}");
    let left: Vec<_> = tree(&world.path("data")).into_keys().collect();
    assert_eq!(left, [PathBuf::from("state/last-failure.json")]);
    done(world.run(&["validate", "data/state/last-failure.json"]));
    assert_eq!(world.json("data/state/last-failure.json")["exit_code"], 7);

    let parts = ["--outcomes", "work/part-1-of-2.outcomes", "work/part-2-of-2.outcomes"];
    done(world.night(&parts));
    assert_eq!(tree(&world.path("data")), whole);
    // Once more changes nothing: a push that came too late is made again like this.
    done(world.night(&parts));
    assert_eq!(tree(&world.path("data")), whole);
}

#[test]
fn a_build_that_answers_nothing_is_no_snapshot_and_the_earlier_one_stands() {
    let Some(world) = World::ready(1.0) else { return };
    done(world.night(&[]));
    let before = tree(&world.path("data"));
    let broken = "package main\n\nimport (\"fmt\"; \"os\")\n\nfunc main() {\n\tfmt.Print(\"Flags:\\n  --trace-header s\\n  --trace-data s\\n  \
                  --model s\\n  --hardware s\\n  --tp s\\n  --session-mode s\\n  --horizon s\\n  --max-num-running-reqs s\\n  \
                  --max-num-scheduled-tokens s\\n\")\n\tif os.Args[2] != \"--help\" { os.Exit(1) }\n}\n";
    world.tag_program("v0.8.0", broken);
    world.list_simulators(&[("v0.8.0", ""), ("v0.7.99", "")]);
    let (code, told, said) = world.night(&[]);
    assert!(code == 7 && said.contains("`blis` has no scored point"), "{code} {said}");
    assert!(told.contains("# The night failed: validate") && told.contains("still shown"), "{told}");
    let mut after = tree(&world.path("data"));
    let note: Value =
        serde_json::from_slice(&after.remove(Path::new("state/last-failure.json")).unwrap()).unwrap();
    assert_eq!(after, before);
    assert_eq!((&note["stage"], &note["simulator"]), (&json!("validate"), &json!("v0.8.0")));
    // Only what depends on the simulator was made again.
    assert!(said.contains("ingest: done before") && !said.contains("plan: done before"), "{said}");
    // The release is taken back: nothing is new, and nothing fails any more.
    world.list_simulators(&[("v0.7.99", "")]);
    assert!(done(world.night(&[])).0.contains("# Nothing new tonight"));
    assert_eq!(tree(&world.path("data")), before);
}

#[test]
fn a_clock_that_went_backwards_does_not_hide_the_newest_snapshot() {
    let Some(world) = World::ready(1.0) else { return };
    done(world.night(&[]));
    let first = world.json("data/state/last-run.json")["snapshot"].clone();
    world.tag_simulator("v0.8.0", 1.5);
    world.list_simulators(&[("v0.8.0", "")]);
    let ended = world
        .scorer(&["nightly", "--data", "data", "--work", "work"])
        .env("SOURCE_DATE_EPOCH", "1000000000")
        .output()
        .unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(
        ended.status.success() && said.contains("warning: the clock says 2001-09-09T01:46:40Z"),
        "{said}"
    );
    let index = world.json("data/index.json");
    assert_eq!(
        (&index["snapshots"][0]["simulator"], &index["snapshots"][1]["id"]),
        (&json!("BLIS v0.8.0"), &first)
    );
    assert_eq!(world.json("data/state/last-run.json")["snapshot"], index["snapshots"][0]["id"]);
    done(world.run(&["validate", "data/index.json"]));
}

#[test]
fn a_night_that_is_killed_again_and_again_publishes_what_an_undisturbed_one_does() {
    let Some(world) = World::ready(1.0) else { return };
    let start = Instant::now();
    done(world.run(&["nightly", "--data", "expected", "--work", "undisturbed", "--no-cache"]));
    let whole = start.elapsed();
    let expected = tree(&world.path("expected"));
    // Later each time, so that every stage is met; the last one is not killed.
    let words = ["nightly", "--data", "data", "--work", "work", "--no-cache"];
    for kill in 1..=12 {
        let mut child = world.scorer(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(kill) / 14.0).min(Duration::from_secs(20)));
        child.kill().unwrap();
        child.wait().unwrap();
        if world.path("data/latest/summary.json").exists() {
            done(world.run(&["validate", "data/latest/summary.json"]));
        }
    }
    done(world.run(&words));
    assert_eq!(tree(&world.path("data")), expected);
}

#[test]
fn one_night_at_a_time_is_in_a_work_directory() {
    let Some(world) = World::ready(1.0) else { return };
    fs::create_dir(world.path("work")).unwrap();
    let held = fs::File::open(world.path("work")).unwrap();
    held.lock().unwrap();
    let (code, _, said) = world.night(&[]);
    assert!(code == 6 && said.contains("somebody else is at work here"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_stops_a_night_and_with_room_again_it_goes_on() {
    let Some(world) = World::ready(1.0) else { return };
    done(world.night(&["--until", "run"]));
    // A limit of eight blocks a file, and its signal ignored: writing fails as on a full disk.
    let limited = world
        .scorer(&[])
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        .collect::<Vec<_>>();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_scorer")]);
    command.args(["nightly", "--data", "data", "--work", "work"]).current_dir(world.path(""));
    for (name, value) in limited {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let ended = command.output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(5) && said.contains("cannot be written"), "{said}");
    let (_, said) = done(world.night(&[]));
    assert!(said.contains("run: done before"), "{said}");
    done(world.run(&["validate", "data/index.json"]));
}
