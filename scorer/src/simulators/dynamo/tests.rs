//! A Python in which a module of ours stands in for Dynamo's.

use std::time::Duration;

use shared::deployment::Parallelism;
use shared::outcome::{Basis, Prediction, Reason, SettingsProfile};

use super::*;
use crate::exit::Failure as _;
use crate::simulators::python::stand_in;
use crate::testing;

/// It checks what it is given, and does what the size of a step says.
const REPLAY: &str = r#"
import argparse, json, os, sys
parser = argparse.ArgumentParser()
for option in ("--extra-engine-args", "--replay-concurrency", "--trace-block-size", "--report-json"):
    parser.add_argument(option)
parser.add_argument("trace")
given = parser.parse_args()
engine = json.loads(given.extra_engine_args)
requests = [json.loads(line) for line in open(given.trace)]
ids = [block for request in requests for block in request["hash_ids"]]
assert ids == list(range(len(ids))), "no two requests share a block"
assert all(len(r["hash_ids"]) == -(-r["input_length"] // 512) for r in requests)
case = engine["max_num_batched_tokens"]
if case == 1:
    sys.exit("Exception: RuntimeError: AIC perf database not found for system='h200_sxm'")
if case == 2:
    print("thread '<unnamed>' (%d) panicked at lib/mocker.rs:7:3:" % os.getpid(), file=sys.stderr)
    print("no room\nException: PanicException", file=sys.stderr)
    sys.exit(1)
if case == 3:
    sys.exit(0)
report = {"mean_ttft_ms": engine["num_gpu_blocks"] / 100, "mean_tpot_ms": int(given.replay_concurrency)}
report["completed_requests"] = len(requests) - (case == 4)
if case == 5:
    report["mean_tpot_ms"] = 0
if case == 6:
    report = {"completed": 1}
if case == 7:
    os.kill(os.getpid(), 15)
json.dump(report, open(given.report_json, "w"))
"#;

fn python(folder: &Path, packages: &[&str]) -> DynamoEntry {
    let modules = [("dynamo/replay/__main__.py", REPLAY)];
    DynamoEntry { name: None, python: stand_in::python(folder, &modules, packages), backend_version: None }
}

fn open(folder: &Path, entry: &DynamoEntry) -> Result<Dynamo, PythonSimulatorError> {
    let reference = Arc::new(Reference::embedded().unwrap());
    let limits = Limits { deadline: Duration::from_secs(30), ..Limits::default() };
    let with = SetUp { profile: SettingsProfile::Recorded, reference: &reference, limits };
    Dynamo::open(EstimatorId::new("dynamo").unwrap(), entry, folder, with)
}

/// The outcome of a point of which something is changed.
fn ask(dynamo: &Dynamo, change: impl FnOnce(&mut PointRequest)) -> Outcome {
    let mut request = testing::request(8);
    request.engine.kv_tokens = Some(160_000);
    change(&mut request);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(dynamo.predict(&request)).outcome
}

fn scored(outcome: Outcome) -> Prediction {
    match outcome {
        Outcome::Scored(prediction) => prediction,
        Outcome::NotScored(why) => panic!("{why:?}"),
    }
}

#[track_caller]
fn refused(outcome: Outcome, reason: Reason, said: &str) {
    match outcome {
        Outcome::NotScored(why) => {
            assert_eq!(why.reason, reason, "{}", why.detail);
            assert!(why.detail.contains(said), "{}", why.detail);
        }
        Outcome::Scored(prediction) => panic!("{prediction:?}"),
    }
}

#[test]
fn its_identity_has_the_versions_of_its_packages_and_of_the_kernels_it_was_told() {
    let folder = tempfile::tempdir().unwrap();
    let entry = python(folder.path(), &PACKAGES);
    let plain = open(folder.path(), &entry).unwrap();
    assert_eq!((plain.identity().name.as_str(), plain.identity().version.as_str()), ("Dynamo", "1.2.3"));
    let told = DynamoEntry { backend_version: Some("0.19.0".to_owned()), ..entry };
    assert_ne!(open(folder.path(), &told).unwrap().identity(), plain.identity());
    let without = tempfile::tempdir().unwrap();
    let error = open(without.path(), &python(without.path(), &PACKAGES[..2])).unwrap_err();
    assert!(error.to_string().ends_with("has no package `aiconfigurator`"), "{error}");
    assert!(error.advice().unwrap().contains("ai-dynamo==1.2.1 aiconfigurator==0.10.0"));
}

#[test]
fn a_replay_answers_with_its_own_means() {
    let folder = tempfile::tempdir().unwrap();
    let dynamo = open(folder.path(), &python(folder.path(), &PACKAGES)).unwrap();
    let prediction = scored(ask(&dynamo, |_| {}));
    // 160,000 tokens of KV cache are 10,000 blocks of 16.
    assert_eq!((prediction.ttft_ms.get(), prediction.tpot_ms.get()), (100.0, 8.0));
    assert_eq!((prediction.completed, prediction.basis), (Some(80), Basis::Aggregate));
}

#[test]
fn what_goes_wrong_is_the_points_own_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let dynamo = open(folder.path(), &python(folder.path(), &PACKAGES)).unwrap();
    for (case, reason, said) in [
        (1, Reason::UnsupportedHardware, "AIC perf database not found"),
        (2, Reason::RunError, "panicked at lib/mocker.rs:7:3: no room (exit code 1)"),
        (3, Reason::BadResult, "no report was written"),
        (4, Reason::IncompleteRun, "79 of 80 requests"),
        (5, Reason::BadResult, "mean_tpot_ms is no latency"),
        (6, Reason::BadResult, "not a report"),
        (7, Reason::RunError, "signal 15"),
    ] {
        refused(ask(&dynamo, |request| request.engine.max_num_batched_tokens = case), reason, said);
    }
}

#[test]
fn what_cannot_be_asked_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let dynamo = open(folder.path(), &python(folder.path(), &PACKAGES)).unwrap();
    let spread = Parallelism { tp: 2, pp: 1, dp: 2, ep: 1, dp_attention: true };
    refused(
        ask(&dynamo, |request| request.deployment.parallelism = spread),
        Reason::UnsupportedLayout,
        "tp2 dp2",
    );
    refused(
        ask(&dynamo, |request| request.engine.kv_tokens = None),
        Reason::UnsupportedLayout,
        "the size of the KV cache",
    );
    refused(
        ask(&dynamo, |request| request.engine.kv_tokens = Some(1024)),
        Reason::UnsupportedLayout,
        "the KV cache holds 1024",
    );
    refused(
        ask(&dynamo, |request| request.deployment.model = "llama-3.1-70b-instruct".to_owned()),
        Reason::UnsupportedModel,
        "number formats",
    );
}
