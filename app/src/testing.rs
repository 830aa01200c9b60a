//! A small snapshot for tests: three sweeps of three points, two estimators.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared::aggregate;
use shared::corpus::RowAccount;
use shared::coverage;
use shared::id::EstimatorId;
use shared::outcome::Outcome;
use shared::outline::Outline;
use shared::rules::{Grading, RuleBook};
use shared::summary::Summary;
use shared::sweep::Sweep;
use shared::verdict;

use crate::data::decode;

/// Predicted over measured, of both metrics; none: not scored.
pub type Ratios = [Option<f64>; 3];

/// A sweep whose measured TTFT is 100, 200, 400 ms and whose TPOT is a tenth of it.
pub fn sweep(id: char, family: &str, verdict: &str, sim: Ratios, rival: Ratios) -> Sweep<Outcome> {
    let outcome = |ratio: Option<f64>, measured: f64| match ratio {
        Some(ratio) => {
            json!({ "scored": { "ttft_ms": measured * ratio, "tpot_ms": measured * ratio / 10.0 } })
        }
        None => json!({ "not_scored": { "reason": "timeout", "detail": "900 s" } }),
    };
    let points: Vec<Value> = [(1, 100.0), (8, 200.0), (64, 400.0)]
        .iter()
        .zip(sim.into_iter().zip(rival))
        .map(|((concurrency, measured), (sim, rival))| {
            json!({
                "concurrency": concurrency, "ttft_ms": measured, "tpot_ms": measured / 10.0,
                "predictions": { "rival": outcome(rival, *measured), "sim": outcome(sim, *measured) },
            })
        })
        .collect();
    serde_json::from_value(json!({
        "id": id.to_string().repeat(16), "model": format!("{family}-m"), "family": family,
        "hardware": "h200", "framework": "vllm", "precision": "fp8",
        "parallelism": { "tp": 8, "pp": 1, "dp": 1, "ep": 1, "dp_attention": false },
        "spec": { "method": "none" }, "isl": 1024, "osl": 1024, "range_ratio": 0.8,
        "prompts_per_concurrency": 10, "dates": { "first": "2026-07-12", "last": "2026-07-12" },
        "source": {}, "settings": {}, "verdict": verdict, "points": points,
    }))
    .unwrap()
}

/// A snapshot of some sweeps, with all its figures.
pub fn summary(sweeps: Vec<Sweep<Outcome>>) -> Summary {
    let estimators = ["rival", "sim"].map(|id| EstimatorId::new(id).unwrap());
    let grading = Grading::default();
    let rules = RuleBook::current(&grading);
    let rows = json!({ "read": sweeps.len() + 2, "kept": sweeps.len(), "skipped": [
        { "reason": "other_framework", "count": 2, "named": ["x", "y"] },
    ] });
    let rows: RowAccount = serde_json::from_value(rows).unwrap();
    let coverage = coverage::of(&rows, &sweeps, &estimators).unwrap();
    let aggregates = aggregate::all(&sweeps, &estimators, &rules.rules, &grading);
    let simulator = |id: &str, name: &str, version: &str| json!({ "id": id, "name": name, "kind": "command", "version": version, "release": true, "settings": "recorded" });
    let digest = "0".repeat(64);
    let mut summary: Summary = serde_json::from_value(json!({
        "schema": "summary.v1",
        "run": {
            "id": "2026-09-28_sim-1.0_00000000", "generated_at": "2026-11-30T08:00:00Z", "label": "released",
            "primary": "sim", "scorer": { "version": "0.1.0", "commit_source": "unknown" }, "repro": "",
        },
        "simulators": [simulator("rival", "Rival", "unversioned"), simulator("sim", "Sim", "1.0")],
        "measurements": {
            "kind": "artifact", "name": "InferenceX", "release": true, "date": "2026-09-28", "digest": digest,
        },
        "corpus": digest, "selection": { "min_concurrencies": 3 },
        "rules": rules, "grading": grading, "coverage": coverage,
        "verdicts": verdict::counts(&sweeps), "unpassed": BTreeMap::<String, u64>::new(),
        "aggregates": [], "sweeps": [],
    }))
    .unwrap();
    summary.aggregates = aggregates;
    summary.sweeps = sweeps;
    summary
}

/// One family without a sweep in measured-or-resolved, one that the simulator could not score, one scored.
pub fn mixed() -> Summary {
    let right = [Some(1.0); 3];
    summary(vec![
        sweep('a', "gpt-oss", "PARTIAL", [Some(1.1), Some(1.3), Some(0.75)], right),
        sweep('b', "kimi", "PARTIAL", [None; 3], right),
        sweep('c', "llama", "NOT_REPRODUCIBLE", [Some(2.0), Some(2.0), None], right),
    ])
}

/// What the page reads of a snapshot's file.
pub fn outline(summary: &Summary) -> Outline {
    decode::outline("summary.json", serde_json::to_value(summary).map_err(|error| error.to_string())).unwrap()
}
