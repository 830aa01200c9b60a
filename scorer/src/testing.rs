//! Small values for the tests of this crate.

use shared::deployment::{Deployment, EngineSettings, Parallelism, Speculation, Workload};
use shared::id::{EstimatorId, SweepId};
use shared::outcome::{SettingsProfile, SimulatorIdentity};
use shared::plan::PointRequest;

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
        workload: Workload { isl: 1024, osl: 1024, range_ratio: 0.8, prompts_per_concurrency: 10 },
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
