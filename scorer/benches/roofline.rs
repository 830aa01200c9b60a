//! How long the roofline takes per point, from a small one to the largest kind in the corpus.

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput};
use scorer::reference::Reference;
use scorer::simulators::{Roofline, Simulator as _};
use shared::deployment::{Deployment, EngineSettings, Parallelism, Speculation, Workload};
use shared::id::{EstimatorId, SweepId};
use shared::outcome::SettingsProfile;
use shared::plan::PointRequest;

fn main() -> Result<(), Box<dyn Error>> {
    let reference = Arc::new(Reference::embedded()?);
    let roofline = Roofline::new(EstimatorId::new("roofline")?, reference, SettingsProfile::Recorded);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    let mut group = criterion.benchmark_group("roofline");
    for concurrency in [4, 64, 1024] {
        let request = point(concurrency)?;
        group.throughput(Throughput::Elements(1));
        group.bench_function(
            BenchmarkId::new("gpt-oss-120b h200 tp8 1k1k, concurrency", concurrency),
            |bencher| {
                bencher.iter(|| runtime.block_on(roofline.predict(black_box(&request))));
            },
        );
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

fn point(concurrency: u32) -> Result<PointRequest, Box<dyn Error>> {
    Ok(PointRequest {
        sweep: SweepId::new("0123456789abcdef")?,
        deployment: Deployment {
            model: "gpt-oss-120b".to_owned(),
            hardware: "h200".to_owned(),
            framework: "vllm".to_owned(),
            engine_version: None,
            precision: "fp4".to_owned(),
            parallelism: Parallelism::tensor(8),
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
            max_num_seqs: 1024,
            max_num_batched_tokens: 8192,
            block_size: 16,
            enable_prefix_caching: false,
            max_model_len: None,
            gpu_memory_utilization: 0.9,
            enable_expert_parallel: false,
            kv_tokens: None,
        },
        acceptance_length: None,
    })
}
