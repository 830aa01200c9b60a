//! Small values for the tests of this crate.

use std::sync::Arc;

use shared::corpus::Corpus;
use shared::deployment::{Deployment, EngineSettings, Parallelism, Speculation, Workload};
use shared::digest::Digest;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::{Outcome, OutcomeRecord, OutcomesHeader, SettingsProfile, SimulatorIdentity};
use shared::plan::PointRequest;
use shared::summary::Summary;

use crate::demo::CORPUS;
use crate::identity::{Provenance, scorer};
use crate::reference::Reference;
use crate::replay::outcomes::Outcomes;
use crate::replay::{self, PlanOptions};
use crate::simulators::Config;
use crate::summarize::{SummarizeOptions, summarize};

/// An estimator of that id.
pub fn identity(id: &str) -> SimulatorIdentity {
    SimulatorIdentity {
        id: EstimatorId::new(id).unwrap(),
        name: id.to_owned(),
        kind: "test".to_owned(),
        version: "1".to_owned(),
        commit: None,
        binary_sha256: None,
        release: true,
        data: Vec::new(),
        settings: SettingsProfile::Recorded,
    }
}

/// The request of a point of one small sweep.
pub fn request(concurrency: u32) -> PointRequest {
    PointRequest {
        sweep: SweepId::new("0123456789abcdef").unwrap(),
        deployment: Deployment {
            model: "gpt-oss-120b".to_owned(),
            hardware: "h200".to_owned(),
            framework: "vllm".to_owned(),
            engine_version: Some("0.22.0".to_owned()),
            precision: "fp4".to_owned(),
            parallelism: Parallelism::tensor(1),
            spec: Speculation::none(),
        },
        workload: Workload {
            isl: 1024,
            osl: 1024,
            range_ratio: 0.8,
            prompts_per_concurrency: 10,
            template_tokens: 0,
        },
        concurrency,
        engine: EngineSettings {
            max_num_seqs: 256,
            max_num_batched_tokens: 8192,
            block_size: 16,
            enable_prefix_caching: true,
            max_model_len: None,
            gpu_memory_utilization: 0.9,
            enable_expert_parallel: false,
            kv_tokens: None,
        },
        acceptance_length: None,
    }
}

/// The first sweeps of the embedded corpus, as a corpus of their own.
pub fn corpus(sweeps: usize) -> Corpus {
    let mut value: serde_json::Value = serde_json::from_slice(CORPUS).unwrap();
    let list = value["sweeps"].as_array_mut().unwrap();
    list.truncate(sweeps);
    let rows: u64 = list.iter().map(|sweep| sweep["points"].as_array().unwrap().len() as u64).sum();
    value["rows"] = serde_json::json!({ "read": rows, "kept": rows, "skipped": [] });
    serde_json::from_value(value).unwrap()
}

/// The snapshot of a corpus with its published predictions, without a run.
pub fn snapshot(corpus: Corpus, generated_at: &str) -> Summary {
    let digest = Digest::of_json(&corpus).unwrap();
    let options = PlanOptions {
        settings: SettingsProfile::Recorded,
        estimators: Some(corpus.published_estimators.keys().cloned().collect()),
        sweeps: None,
        config: Config::default(),
    };
    let reference = Arc::new(Reference::embedded().unwrap());
    let plan = replay::plan(&corpus, digest.clone(), &options, &reference).unwrap();
    let mut records = Vec::new();
    for sweep in &plan.body.sweeps {
        for point in &sweep.points {
            for (estimator, prediction) in &point.published {
                records.push(OutcomeRecord {
                    sweep: sweep.id.clone(),
                    concurrency: point.concurrency,
                    estimator: estimator.clone(),
                    request: digest.clone(),
                    outcome: Outcome::Scored(*prediction),
                });
            }
        }
    }
    let header = OutcomesHeader {
        schema: "outcomes.v1".to_owned(),
        plan: plan.digest,
        corpus: digest.clone(),
        items: records.len() as u64,
        shard: None,
        scorer: scorer(&Provenance::Unknown),
        simulators: plan.body.simulators,
    };
    let options = SummarizeOptions {
        primary: None,
        generated_at: generated_at.parse().unwrap(),
        scorer: scorer(&Provenance::Unknown),
    };
    summarize(corpus, digest, Outcomes { header, records, whole_bytes: 0 }, options).unwrap()
}
