use proptest::prelude::*;
use shared::deployment::{Deployment, EngineSettings, Parallelism, Speculation, Workload};
use shared::id::SweepId;
use shared::outcome::Prediction;

use super::*;

/// A point of the corpus, described as its sweep describes it.
fn point(
    model: &str,
    hardware: &str,
    precision: &str,
    tp: u32,
    lengths: (u32, u32),
    concurrency: u32,
) -> PointRequest {
    PointRequest {
        sweep: SweepId::new("0123456789abcdef").unwrap(),
        deployment: Deployment {
            model: model.to_owned(),
            hardware: hardware.to_owned(),
            framework: "vllm".to_owned(),
            engine_version: None,
            precision: precision.to_owned(),
            parallelism: Parallelism::tensor(tp),
            spec: Speculation::none(),
        },
        workload: Workload {
            isl: lengths.0,
            osl: lengths.1,
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
    }
}

fn ask(request: &PointRequest) -> Outcome {
    let reference = Arc::new(Reference::embedded().unwrap());
    let roofline = Roofline::new(EstimatorId::new("roofline").unwrap(), reference, SettingsProfile::Recorded);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(roofline.predict(request)).outcome
}

fn scored(request: &PointRequest) -> Prediction {
    match ask(request) {
        Outcome::Scored(prediction) => prediction,
        Outcome::NotScored(why) => panic!("{why:?}"),
    }
}

fn refused(change: impl FnOnce(&mut PointRequest)) -> (Reason, String) {
    let mut request = point("gpt-oss-120b", "h200", "fp4", 1, (1024, 1024), 1);
    change(&mut request);
    match ask(&request) {
        Outcome::NotScored(why) => (why.reason, why.detail),
        Outcome::Scored(prediction) => panic!("{prediction:?}"),
    }
}

// Measured by SemiAnalysis InferenceX (dump of 2026-09-28), in milliseconds. What physics allows at best must lie below, and
// facts that were wrong by a unit would not lie within a factor of twenty.
#[test]
fn no_measured_point_is_faster_than_the_roofline() {
    for (request, ttft_ms, tpot_ms) in [
        (point("deepseek-v4-pro", "b300", "fp4", 4, (1024, 1024), 64), 287.1, 27.50),
        (point("gpt-oss-120b", "h200", "fp4", 1, (8192, 1024), 64), 1524.0, 41.86),
        (point("llama-3.1-70b-instruct", "h200", "fp8", 1, (1024, 1024), 4), 202.8, 21.47),
        (point("llama-3.1-70b-instruct", "b200", "fp4", 8, (8192, 1024), 64), 854.8, 21.11),
        (point("minimax-m2.5", "b200", "fp4", 1, (1024, 1024), 16), 78.8, 10.92),
    ] {
        let prediction = scored(&request);
        for (predicted, measured) in [(prediction.ttft_ms, ttft_ms), (prediction.tpot_ms, tpot_ms)] {
            let share = predicted.get() / measured;
            assert!((0.05..1.0).contains(&share), "{}: {share}", request.deployment.model);
        }
        assert_eq!(prediction.completed, Some(10 * request.concurrency));
    }
}

#[test]
fn equal_requests_have_equal_bits() {
    let request = point("minimax-m2.5", "h200", "fp8", 4, (1024, 1024), 8);
    let [first, second] = [scored(&request), scored(&request)];
    assert_eq!(first.ttft_ms.get().to_bits(), second.ttft_ms.get().to_bits());
    assert_eq!(first.tpot_ms.get().to_bits(), second.tpot_ms.get().to_bits());
}

#[test]
fn a_single_request_at_a_time_waits_for_its_prompt_alone() {
    // One request of the closed loop: its TTFT is one step over its prompt, its TPOT the mean of its decode steps.
    let request = point("llama-3.1-70b-instruct", "h200", "fp8", 1, (1024, 1024), 1);
    let reference = Reference::embedded().unwrap();
    let model = reference.model("llama-3.1-70b-instruct").unwrap();
    let machine = Machine {
        model,
        checkpoint: model.checkpoint("fp8").unwrap(),
        hardware: reference.hardware("h200").unwrap(),
        layout: Layout { tensor: 1, pipeline: 1, data: 1, expert: 1 },
    };
    let cost = machine.cost_model().unwrap();
    let step = |cached, tokens| {
        let mut load = cost::StepLoad::default();
        load.add(&cost.reaches, cached, tokens, true);
        1e3 * cost.step_seconds(&[load])
    };
    let list = requests(&request).unwrap();
    let (mut ttft, mut tpot) = (0.0, 0.0);
    for Request { input, output } in &list {
        ttft += step(0, *input);
        tpot += (1..*output).map(|token| step(input + token - 1, 1)).sum::<f64>() / f64::from(output - 1);
    }
    let count = list.len() as f64;
    let prediction = scored(&request);
    assert!((prediction.ttft_ms.get() / (ttft / count) - 1.0).abs() < 1e-9);
    assert!((prediction.tpot_ms.get() / (tpot / count) - 1.0).abs() < 1e-9);
}

#[test]
fn fewer_batched_tokens_delay_the_first_token() {
    let wide = point("gpt-oss-120b", "h200", "fp4", 1, (8192, 1024), 4);
    let mut narrow = wide.clone();
    narrow.engine.max_num_batched_tokens = 512;
    assert!(scored(&narrow).ttft_ms > scored(&wide).ttft_ms);
}

#[test]
fn what_is_not_modelled_is_refused_with_its_reason() {
    let (reason, detail) = refused(|request| request.deployment.framework = "sglang".to_owned());
    assert_eq!((reason, detail.contains("`sglang`")), (Reason::UnsupportedFramework, true));
    let (reason, detail) = refused(|request| request.deployment.model = "gpt-2".to_owned());
    assert_eq!((reason, detail.contains("`gpt-2`")), (Reason::UnsupportedModel, true));
    let (reason, detail) = refused(|request| request.deployment.precision = "fp8".to_owned());
    assert_eq!((reason, detail.contains("`fp8`")), (Reason::UnsupportedModel, true));
    let (reason, detail) = refused(|request| request.deployment.hardware = "mi355x".to_owned());
    assert_eq!((reason, detail.contains("`mi355x`")), (Reason::UnsupportedHardware, true));
    let (reason, detail) = refused(|request| request.deployment.parallelism.pp = 2);
    assert_eq!((reason, detail.contains("pp 2")), (Reason::UnsupportedLayout, true));
    let (reason, detail) = refused(|request| request.engine.gpu_memory_utilization = 0.4);
    assert_eq!((reason, detail.contains("GB of weights")), (Reason::UnsupportedLayout, true));
    let (reason, detail) = refused(|request| {
        request.deployment.model = "minimax-m2.5".to_owned();
        request.deployment.parallelism.tp = 2;
        request.engine.kv_tokens = Some(1024);
    });
    assert_eq!((reason, detail.contains("KV cache")), (Reason::UnsupportedLayout, true));
    let (reason, detail) = refused(|request| request.engine.max_num_seqs = 0);
    assert_eq!((reason, detail.contains("max_num_seqs")), (Reason::RunError, true));
    let (reason, detail) = refused(|request| request.workload.osl = 1);
    assert_eq!((reason, detail.contains("empty input or output")), (Reason::RunError, true));
    let (reason, _) = refused(|request| request.deployment.spec.method = "mtp".to_owned());
    assert_eq!(reason, Reason::NoAcceptanceRate);
    let (reason, _) = refused(|request| {
        request.deployment.spec.method = "mtp".to_owned();
        request.acceptance_length = Some(2.5);
    });
    assert_eq!(reason, Reason::UnsupportedLayout);
    let (reason, _) = refused(|request| request.workload.range_ratio = 2.0);
    assert_eq!(reason, Reason::RunError);
    let (reason, detail) = refused(|request| {
        request.workload.osl = 1;
        request.workload.range_ratio = 1.0;
    });
    assert_eq!((reason, detail.contains("TPOT")), (Reason::BadResult, true));
}

#[test]
fn the_identity_changes_with_the_facts() {
    let reference = Reference::embedded().unwrap();
    let identity = |reference: Reference| {
        let id = EstimatorId::new("roofline").unwrap();
        Roofline::new(id, Arc::new(reference), SettingsProfile::Recorded).identity.clone()
    };
    let directory = tempfile::tempdir().unwrap();
    let text = include_str!("../../../../data/reference/hardware.toml");
    std::fs::write(directory.path().join("hardware.toml"), text.replace("4800.0", "4000.0")).unwrap();
    let changed = Reference::load(Some(directory.path())).unwrap();
    assert_eq!(identity(reference.clone()), identity(reference.clone()));
    assert_ne!(identity(reference), identity(changed));
}

proptest! {
    #[test]
    fn no_settings_make_it_panic(
        model in prop::sample::select(vec!["gpt-oss-120b", "llama-3.1-70b-instruct", "minimax-m3", "deepseek-v4-pro"]),
        sizes in prop::array::uniform4(prop::sample::select(vec![0_u32, 1, 1, 1, 1, 2, 4, 8])),
        limits in prop::array::uniform3(prop_oneof![0_u32..40, Just(u32::MAX)]),
        share in prop_oneof![Just(f64::NAN), Just(f64::INFINITY), -1.0..2.0],
        kv_tokens in prop::option::of(prop_oneof![0_u64..100, Just(u64::MAX)]),
        lengths in (0_u32..80, 0_u32..80),
        concurrency in 0_u32..3,
    ) {
        let mut request = point(model, "b300", "fp4", 1, lengths, concurrency);
        let [tp, pp, dp, ep] = sizes;
        request.deployment.parallelism = Parallelism { tp, pp, dp, ep, dp_attention: dp > 1 };
        let [max_num_seqs, max_num_batched_tokens, block_size] = limits;
        let gpu_memory_utilization = share;
        request.engine = EngineSettings {
            max_num_seqs, max_num_batched_tokens, block_size, gpu_memory_utilization, kv_tokens, ..request.engine
        };
        if let Outcome::NotScored(why) = ask(&request) {
            prop_assert!(!why.detail.contains("the estimator stopped"), "{}", why.detail);
        }
    }
}

#[test]
fn with_other_tables_than_the_built_in_ones_it_is_no_release() {
    let own = tempfile::tempdir().unwrap();
    let table = include_str!("../../../../data/reference/hardware.toml");
    let identity = |text: &str| {
        std::fs::write(own.path().join("hardware.toml"), text).unwrap();
        let reference = Arc::new(Reference::load(Some(own.path())).unwrap());
        let id = EstimatorId::new("roofline").unwrap();
        Roofline::new(id, reference, SettingsProfile::Recorded).identity().clone()
    };
    let (same, faster) =
        (identity(table), identity(&table.replacen("memory_gb_s = 3350.0", "memory_gb_s = 3351.0", 1)));
    assert_eq!((same.release, faster.release), (true, false));
    assert_ne!(same.data, faster.data);
}
