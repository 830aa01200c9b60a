//! Builds of every dialect, as scripts, and one real build where there is one.

use serde_json::{Value, json};
use shared::deployment::{Parallelism, Workload};
use shared::outcome::{Basis, Outcome, Prediction, Reason};

use super::dialect::Dialect;
use super::testing::{Fake, ask, open, open_within};
use super::*;
use crate::simulators::{Standing, request_list};
use crate::testing::request;

/// What a build says of a point whose requests were all completed.
fn counts(requests: usize) -> Value {
    json!({
        "instance_id": "cluster", "completed_requests": requests, "still_queued": 0, "still_running": 0,
        "injected_requests": requests, "dropped_unservable": 0, "length_capped_requests": 0,
        "timed_out_requests": 0,
    })
}

/// What a release prints for the point at concurrency 4, between its texts.
fn printed(change: impl FnOnce(&mut Value)) -> String {
    let list = request_list(&request(4)).unwrap();
    let mut value = counts(list.len());
    value["total_input_tokens"] = list.total_input_tokens().into();
    value["total_output_tokens"] = list.total_output_tokens().into();
    value["ttft_mean_ms"] = json!(41.177_425);
    value["itl_mean_ms"] = json!(16.957_134_036_924_923);
    change(&mut value);
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    format!("=== Simulation Metrics ===\n{pretty}\n=== Per-Tenant Metrics ===\n  t: requests=40\n")
}

/// A row per request, last first: the first token of request i after 10 + i ms, the others every 5 ms.
fn rows(session: impl Fn(usize) -> Option<(usize, usize)>) -> Vec<Value> {
    let list = request_list(&request(4)).unwrap();
    let rows = list.requests().enumerate().map(|(index, (input, output))| {
        let ttft = 10.0 + index as f64;
        let mut row = json!({
            "requestID": format!("request_{index}"), "num_prefill_tokens": input, "num_decode_tokens": output,
            "ttft_ms": ttft, "e2e_ms": ttft + 5.0 * f64::from(output - 1), "arrived_at": 0,
        });
        if let Some((session, round)) = session(index) {
            row["session_id"] = format!("s{session}").into();
            row["round_index"] = round.into();
        }
        row
    });
    let mut rows: Vec<Value> = rows.collect();
    rows.reverse();
    rows
}

fn scored(outcome: &Outcome) -> &Prediction {
    match outcome {
        Outcome::Scored(prediction) => prediction,
        Outcome::NotScored(why) => panic!("{}: {}", why.reason.key(), why.detail),
    }
}

/// The means of [`rows`].
#[track_caller]
fn has_the_means_of_the_rows(outcome: &Outcome) {
    let prediction = scored(outcome);
    assert_eq!(prediction.ttft_ms.get(), 29.5);
    assert!((prediction.tpot_ms.get() - 5.0).abs() < 1e-9);
    assert_eq!((prediction.completed, prediction.basis), (Some(40), Basis::PerRequest));
}

#[test]
fn a_release_is_scored_by_its_own_means_and_says_so() {
    let fake = Fake::new(Dialect::Zero, &[]);
    fake.put("stdout", &printed(|_| {}));
    let reply = fake.ask(&request(4));
    let prediction = scored(&reply.outcome);
    assert_eq!((prediction.ttft_ms.get(), prediction.tpot_ms.get()), (41.177_425, 16.957_134_036_924_923));
    assert_eq!((prediction.completed, prediction.basis), (Some(40), Basis::Aggregate));
    assert_eq!(reply.standing, Standing::Fact);
    let arguments = fake.arguments();
    assert!(
        arguments.starts_with(
            "replay --trace-header trace.yaml --trace-data trace.csv --model openai/gpt-oss-120b"
        )
    );
    assert!(!arguments.contains("/scorer-blis-"), "{arguments}");
    assert!(fake.seen("trace.csv").lines().nth(5).unwrap().starts_with("4,client,tenant,,s0,1,"));
    assert_eq!(fake.seen("defaults.yaml"), "defaults: {}\n");
    let config: Value = serde_json::from_str(&fake.seen("model/config.json")).unwrap();
    assert_eq!(config["quantization_config"]["bits"], 4);
    let hardware: Value = serde_json::from_str(&fake.seen("hardware.json")).unwrap();
    assert_eq!(hardware["H200"]["BwPeakTBs"], 4.8);
}

#[test]
fn rows_of_rounds_are_joined_by_session_and_round_in_any_order() {
    let fake = Fake::new(Dialect::A, &[]);
    let mut value = counts(40);
    let mut all = rows(|index| Some((index % 4, index / 4)));
    // A later round has an id that does not say which request it is.
    for row in &mut all {
        row["requestID"] = json!("session_followup");
    }
    value["requests"] = all.into();
    fake.put("metrics", &value.to_string());
    fake.put("stdout", &printed(|_| {}));
    has_the_means_of_the_rows(&fake.ask(&request(4)).outcome);
}

#[test]
fn a_pool_gets_a_session_per_request() {
    let fake = Fake::new(Dialect::B, &[]);
    let mut value = counts(40);
    value["requests"] = rows(|_| None).into();
    fake.put("metrics", &value.to_string());
    has_the_means_of_the_rows(&fake.ask(&request(4)).outcome);
    assert!(fake.arguments().contains("--concurrent-sessions 4"));
    assert!(fake.seen("trace.csv").lines().nth(5).unwrap().starts_with("4,client,tenant,,s4,0,"));
}

#[test]
fn rows_of_the_first_round_alone_are_refused() {
    let fake = Fake::new(Dialect::A, &[]);
    let mut value = counts(40);
    value["requests"] = rows(|_| None).split_off(36).into();
    fake.put("metrics", &value.to_string());
    fake.refused(&request(4), Reason::BadResult, "36 of 40 requests have no row");
}

#[test]
fn a_signal_is_an_accident_unless_it_is_what_a_limit_of_memory_comes_to() {
    let fake = Fake::new(Dialect::Zero, &[]);
    fake.put("signal", "SEGV");
    assert_eq!(fake.ask(&request(4)).standing, Standing::Accident);
    if cfg!(target_os = "linux") {
        let limits = Limits { address_space: Some(8 << 30), ..Limits::default() };
        let blis = open_within(&fake.entry, limits).unwrap();
        assert_eq!(ask(&blis, &request(4)).standing, Standing::Circumstance);
    }
}

#[test]
fn a_run_that_ended_early_with_code_0_is_incomplete() {
    let fake = Fake::new(Dialect::Zero, &[]);
    fake.put(
        "stdout",
        &printed(|value| {
            value["completed_requests"] = json!(36);
            value["still_running"] = json!(4);
        }),
    );
    fake.put("stderr", "time=\"x\" level=fatal msg=\"the horizon is over\"\n");
    fake.refused(&request(4), Reason::IncompleteRun, "4 still running: the horizon is over");
}

#[test]
fn a_follow_up_that_met_its_deadline_of_300_s_is_incomplete() {
    let fake = Fake::new(Dialect::Zero, &[]);
    fake.put(
        "stdout",
        &printed(|value| {
            value["injected_requests"] = json!(30);
            value["completed_requests"] = json!(28);
            value["timed_out_requests"] = json!(2);
        }),
    );
    fake.refused(&request(4), Reason::IncompleteRun, "2 timed out");
}

#[test]
fn an_answer_that_is_none_is_a_bad_result() {
    let fake = Fake::new(Dialect::Zero, &[]);
    fake.refused(&request(4), Reason::BadResult, "nothing on stdout");
    for (text, said) in [
        ("garbage\u{0}", "nothing on stdout"),
        ("{\"completed_requests\": 4", "no JSON or YAML"),
        ("{}", "injected_requests"),
    ] {
        fake.put("stdout", text);
        fake.refused(&request(4), Reason::BadResult, said);
    }
    fake.put("stdout", &printed(|value| value["itl_mean_ms"] = json!(0.0)));
    fake.refused(&request(4), Reason::BadResult, "mean TPOT");
    let silent = Fake::new(Dialect::A, &[]);
    silent.put("stdout", &printed(|_| {}));
    silent.refused(&request(4), Reason::BadResult, "no file of rows");
}

#[test]
fn a_build_that_fails_is_known_by_its_fatal_words() {
    let fake = Fake::new(Dialect::Zero, &[]);
    fake.put("code", "1");
    fake.put("stderr", "time=\"x\" level=fatal msg=\"Failed to load trace: no\"\n");
    fake.refused(&request(4), Reason::RunError, "Failed to load trace: no");
    fake.put(
        "stderr",
        "time=\"x\" level=fatal msg=\"CalculateKVBlocks: unsupported activation \\\"swigluoai\\\"\"\n",
    );
    fake.refused(&request(4), Reason::UnsupportedModel, "swigluoai");
}

#[test]
fn what_is_not_described_is_not_asked() {
    let fake = Fake::new(Dialect::Zero, &[]);
    let mut other = request(4);
    other.deployment.model = "mystery-7b".to_owned();
    fake.refused(&other, Reason::UnsupportedModel, "no model `mystery-7b`");
    let mut precision = request(4);
    precision.deployment.precision = "fp8".to_owned();
    fake.refused(&precision, Reason::UnsupportedModel, "no `fp8` checkpoint");
    let mut gpu = request(4);
    gpu.deployment.hardware = "mi300x".to_owned();
    fake.refused(&gpu, Reason::UnsupportedHardware, "mi300x");
    let mut spread = request(4);
    spread.deployment.parallelism = Parallelism { tp: 2, pp: 1, dp: 2, ep: 4, dp_attention: true };
    fake.refused(&spread, Reason::UnsupportedLayout, "--dp");
    assert!(!fake.path("seen.args").exists());
}

/// A build of dialect C with all that it needs.
fn with_scenarios(more: &[&str]) -> Fake {
    let mut fake = Fake::new(Dialect::C, more);
    fake.put("catalog/models.yaml", "models: []\n");
    fake.put("registry/sets.yaml", "sets: []\n");
    fake.put(
        "scenarios/gpt-oss-120b-h200-fp4-vllm-tp1.yaml",
        "kind: Scenario\nname: a\n---\nkind: Deployment\nname: a\npools:\n  - parallel: { tp: 1 }\n    engine: { max_num_seqs: 8 }\n",
    );
    fake.entry.catalog = Some(fake.path("catalog"));
    fake.entry.registry = Some(fake.path("registry"));
    fake.entry.scenarios = Some(fake.path("scenarios"));
    fake
}

#[test]
fn a_scenario_is_filled_in_and_a_result_document_is_read() {
    let fake = with_scenarios(&[]);
    let document = json!({
        "apiVersion": "llm-d-perf-simulator/v1", "kind": "ReplayResult",
        "result": {
            "conservation": {
                "injected": 40, "completed": 40, "still_queued": 0, "still_running": 0, "dropped": 0,
                "timed_out": 0, "length_capped": 0,
            },
            "requests": { "rows": rows(|_| None) },
        },
    });
    fake.put("stdout", &serde_json::to_string_pretty(&document).unwrap());
    has_the_means_of_the_rows(&fake.ask(&request(4)).outcome);
    assert!(fake.arguments().contains("--scenario point.yaml --scenarios scenarios --catalog catalog"));
    assert!(fake.seen("scenarios/point.yaml").contains("\"max_num_seqs\":256"));
    assert_eq!(fake.seen("catalog/models.yaml"), "models: []\n");
    let names: Vec<String> =
        fake.open().unwrap().identity().data.iter().map(|data| data.name.clone()).collect();
    assert_eq!(names, ["adapter", "dialect", "catalog", "registry", "scenarios"]);
}

#[test]
fn an_agentic_point_is_scored_only_where_its_scenario_is() {
    let mut fake = with_scenarios(&["agentic-scenario"]);
    let mut agentic = request(4);
    agentic.workload = Workload { isl: 0, osl: 0, ..agentic.workload };
    fake.refused(&agentic, Reason::UnsupportedLayout, "no agentic scenario");
    fake.put(&format!("agentic/{}.yaml", agentic.sweep), "kind: Agentic\n");
    fake.entry.agentic_scenarios = Some(fake.path("agentic"));
    fake.put("stdout", "kind: ReplayResult\nresult:\n  ttft_mean_ms: 812.5\n  tpot_mean_ms: 14.25\n");
    let reply = fake.ask(&agentic);
    let prediction = scored(&reply.outcome);
    assert_eq!((prediction.ttft_ms.get(), prediction.tpot_ms.get()), (812.5, 14.25));
    assert_eq!(fake.seen("agentic.yaml"), "kind: Agentic\n");
    let old = Fake::new(Dialect::Zero, &[]);
    old.refused(&agentic, Reason::UnsupportedLayout, "dialect 0");
}

#[test]
fn the_identity_is_of_the_binary_and_of_all_that_it_rests_on() {
    let mut fake = Fake::new(Dialect::Zero, &[]);
    let first = fake.open().unwrap().identity().clone();
    let names: Vec<&str> = first.data.iter().map(|data| data.name.as_str()).collect();
    assert_eq!(names, ["adapter", "dialect", "latency model", "models", "hardware", "defaults.yaml"]);
    assert_eq!((first.version.as_str(), first.release), (SimulatorIdentity::UNVERSIONED, false));
    assert_eq!(fake.open().unwrap().identity(), &first);
    fake.put("defaults.yaml", "defaults: {other: 1}\n");
    assert_ne!(fake.open().unwrap().identity().data, first.data);
    fake.entry.latency_model = LatencyModel::Roofline;
    assert_ne!(fake.open().unwrap().identity().data[2], first.data[2]);
}

#[test]
fn a_record_tells_the_release_and_must_not_be_contradicted() {
    let mut fake = Fake::new(Dialect::Zero, &[]);
    let sha256 = fake.open().unwrap().installation().sha256.clone();
    let commit = "3".repeat(40);
    let record = json!({
        "repository": "https://host.invalid/blis", "tag": "v0.7.15", "commit": commit, "go": "go1.26 linux amd64",
        "binary_sha256": sha256,
    });
    fake.put("build.json", &record.to_string());
    let identity = fake.open().unwrap().identity().clone();
    assert_eq!((identity.version.as_str(), identity.release), ("v0.7.15", true));
    assert_eq!(identity.commit, Some(commit));
    // Nothing proves what a folder is.
    fake.put("catalog/models.yaml", "models: []\n");
    fake.entry.catalog = Some(fake.path("catalog"));
    assert!(!fake.open().unwrap().identity().release);
    fake.entry.catalog = None;
    fake.entry.version = Some("v0.7.14".to_owned());
    assert!(matches!(fake.open(), Err(BlisError::Contradiction { what: "version", .. })));
    fake.put("build.json", "{}");
    let refused = fake.open().unwrap_err();
    assert!(matches!(refused, BlisError::Installation(InstallationError::Record { .. })), "{refused}");
}

#[test]
fn a_build_that_lacks_what_it_needs_is_refused_before_any_point() {
    let fake = Fake::new(Dialect::Zero, &[]);
    std::fs::remove_file(fake.path("defaults.yaml")).unwrap();
    assert!(matches!(fake.open(), Err(BlisError::NoDefaults { .. })));
    let bare = Fake::new(Dialect::C, &[]);
    assert!(matches!(bare.open(), Err(BlisError::NoFolder { what: "catalog", .. })));
    let none = BlisEntry::of_binary("/no/such/blis".into());
    assert!(matches!(open(&none), Err(BlisError::Installation(InstallationError::File(_)))));
    let other = Fake::new(Dialect::Zero, &[]);
    other.put("help", "usage: true\n");
    assert!(matches!(other.open(), Err(BlisError::Installation(InstallationError::Dialect { .. }))));
}

/// The expected figures are those of the measured sweep's reference replay; `BLIS_BIN` names a build of v0.7.14 or newer.
#[test]
#[ignore = "needs a real build: BLIS_BIN=PATH cargo test -p scorer a_real_build -- --ignored"]
fn a_real_build_answers_as_the_reference_replay_did() {
    let entry = BlisEntry::of_binary(std::env::var_os("BLIS_BIN").unwrap().into());
    let mut measured = request(4);
    measured.workload = Workload { isl: 8000, osl: 1000, ..measured.workload };
    measured.engine.max_model_len = Some(10_240);
    let reply = ask(&open(&entry).unwrap(), &measured);
    let prediction = scored(&reply.outcome);
    assert!((prediction.ttft_ms.get() - 56.26).abs() < 0.005, "{prediction:?}");
    assert!((prediction.tpot_ms.get() - 18.40).abs() < 0.005, "{prediction:?}");
}

#[test]
fn costs_order_points_as_measured_times_do() {
    let fake = Fake::new(Dialect::Zero, &[]);
    let blis = fake.open().unwrap();
    let cost = |isl, osl, concurrency| {
        let mut point = request(concurrency);
        point.workload = Workload { isl, osl, ..point.workload };
        blis.cost(&point)
    };
    // Seconds: the fastest replays of such a point by the releases v0.7.12 and v0.7.15, on the embedded corpus.
    for (isl, osl, concurrency, seconds) in [
        (8192, 1024, 4, 0.25),
        (1024, 1024, 32, 0.5),
        (1024, 1024, 256, 5.0),
        (8192, 1024, 64, 2.0),
        (1024, 8192, 8, 0.7),
        (1024, 8192, 64, 7.5),
    ] {
        let ratio = cost(isl, osl, concurrency) / seconds;
        assert!((0.4..2.5).contains(&ratio), "{isl}:{osl} at {concurrency}: {ratio}");
    }
}
