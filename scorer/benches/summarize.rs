//! How long it takes to summarize a million points: 142,857 synthetic sweeps of seven concurrencies,
//! four models on three GPUs at three workloads, one estimator.
//!
//! With criterion on 10,000 points, and once on 1,000,000 with the time of each step.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput};
use scorer::identity::{self, Provenance};
use scorer::replay::outcomes::{self, Outcomes, Torn};
use scorer::summarize::{SummarizeOptions, summarize};
use shared::corpus::Corpus;
use shared::digest::Digest;
use shared::outcome::{
    Outcome, OutcomeRecord, OutcomesHeader, Prediction, SettingsProfile, SimulatorIdentity,
};
use shared::schema::FileKind;
use shared::sweep::{Identity, Sweep};

const CONCURRENCIES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

fn main() -> Result<(), Box<dyn Error>> {
    let small = material(10_000)?;
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    let mut group = criterion.benchmark_group("summarize");
    group.throughput(Throughput::Elements(small.outcomes.records.len() as u64));
    group.measurement_time(Duration::from_secs(10));
    group.bench_function("10,000 points", |bencher| {
        bencher.iter_batched(
            || small.clone(),
            |material| black_box(material.summarize()),
            BatchSize::LargeInput,
        );
    });
    group.finish();
    criterion.final_summary();
    // `cargo test --benches` only wants to see that it runs.
    if std::env::args().any(|argument| argument == "--bench") {
        whole(1_000_000)?;
    }
    Ok(())
}

/// From two files in memory to the bytes of a snapshot, step by step.
fn whole(points: usize) -> Result<(), Box<dyn Error>> {
    let Material { corpus, outcomes, .. } = material(points)?;
    let corpus_bytes = serde_json::to_vec(&corpus)?;
    let outcome_bytes = outcomes::bytes(&outcomes.header, &outcomes.records)?;
    drop((corpus, outcomes));
    let mut stdout = io::stdout();
    writeln!(
        stdout,
        "{points} points: corpus {} MB, outcomes {} MB",
        corpus_bytes.len() / 1_000_000,
        outcome_bytes.len() / 1_000_000
    )?;
    let start = Instant::now();
    let mut told = start;
    let mut tell = |what: &str| {
        let now = Instant::now();
        let step = now.duration_since(std::mem::replace(&mut told, now));
        writeln!(stdout, "  {what}: {:.2} s", step.as_secs_f64())
    };
    let digest = Digest::of_bytes(&corpus_bytes);
    let corpus: Corpus = serde_json::from_slice(&corpus_bytes)?;
    tell("read the corpus")?;
    let mut outcomes = outcomes::parse("outcomes.jsonl".as_ref(), &outcome_bytes, Torn::Refused)?;
    outcomes.header.corpus = digest.clone();
    tell("read the outcomes")?;
    let summary = summarize(corpus, digest, outcomes, options()?)?;
    tell("summarize")?;
    let bytes = serde_json::to_vec(&summary)?;
    tell("write the snapshot")?;
    let total = start.elapsed();
    writeln!(stdout, "  in all: {:.2} s, snapshot {} MB", total.as_secs_f64(), bytes.len() / 1_000_000)?;
    Ok(())
}

#[derive(Clone)]
struct Material {
    corpus: Corpus,
    digest: Digest,
    outcomes: Outcomes,
}

impl Material {
    fn summarize(self) -> usize {
        let options = options().map_err(|error| error.to_string());
        let summary = options.and_then(|options| {
            summarize(self.corpus, self.digest, self.outcomes, options).map_err(|error| error.to_string())
        });
        summary.map_or(0, |summary| summary.aggregates.len())
    }
}

fn options() -> Result<SummarizeOptions, Box<dyn Error>> {
    let generated_at = "2026-11-30T00:00:00Z".parse()?;
    Ok(SummarizeOptions { primary: None, generated_at, scorer: identity::scorer(&Provenance::Unknown) })
}

/// A corpus made of the embedded one's first sweep, and an outcome for each of its points.
fn material(points: usize) -> Result<Material, Box<dyn Error>> {
    let mut corpus: Corpus = serde_json::from_slice(scorer::demo::CORPUS)?;
    let pattern = corpus.sweeps.swap_remove(0);
    let mut random = Random(1);
    corpus.sweeps = (0..points / CONCURRENCIES.len())
        .map(|number| sweep(&pattern, number, &mut random))
        .collect::<Result<_, Box<dyn Error>>>()?;
    corpus.sweeps.sort_by(|a, b| a.id.cmp(&b.id));
    corpus.published_estimators.clear();
    let digest = Digest::of_json(&corpus)?;
    let simulator = SimulatorIdentity {
        id: "synthetic".parse()?,
        name: "Synthetic".to_owned(),
        kind: "synthetic".to_owned(),
        version: "1".to_owned(),
        commit: None,
        binary_sha256: None,
        release: false,
        data: Vec::new(),
        settings: SettingsProfile::Recorded,
    };
    let mut records = Vec::new();
    for sweep in &corpus.sweeps {
        for point in &sweep.points {
            records.push(OutcomeRecord {
                sweep: sweep.id.clone(),
                concurrency: point.concurrency,
                estimator: simulator.id.clone(),
                request: digest.clone(),
                outcome: Outcome::Scored(Prediction {
                    ttft_ms: (point.ttft_ms.get() * random.between(0.5, 2.0)).try_into()?,
                    tpot_ms: (point.tpot_ms.get() * random.between(0.5, 2.0)).try_into()?,
                    completed: Some(10 * point.concurrency),
                    basis: shared::outcome::Basis::PerRequest,
                }),
            });
        }
    }
    let header = OutcomesHeader {
        schema: FileKind::Outcomes.schema().to_owned(),
        plan: digest.clone(),
        corpus: digest.clone(),
        items: records.len() as u64,
        shard: None,
        scorer: identity::scorer(&Provenance::Unknown),
        simulators: vec![simulator],
    };
    Ok(Material { corpus, digest, outcomes: Outcomes { header, records, whole_bytes: 0 } })
}

fn sweep<T: Clone>(
    pattern: &Sweep<T>,
    number: usize,
    random: &mut Random,
) -> Result<Sweep<T>, Box<dyn Error>> {
    let mut sweep = pattern.clone();
    sweep.model = format!("model-{}", number % 4);
    sweep.family = format!("family-{}", number % 2);
    ["h100", "h200", "b200"][number / 4 % 3].clone_into(&mut sweep.hardware);
    sweep.isl = 1024 << (number / 12 % 3);
    // Only so that every sweep has an identity of its own.
    sweep.range_ratio = 0.8 + number as f64 * 1e-7;
    let template = pattern.points.first().ok_or("the pattern has no point")?;
    sweep.points = CONCURRENCIES
        .iter()
        .map(|&concurrency| {
            let mut point = template.clone();
            point.concurrency = concurrency;
            point.ttft_ms = (f64::from(concurrency) * random.between(10.0, 100.0)).try_into()?;
            point.tpot_ms = (f64::from(concurrency).sqrt() * random.between(5.0, 20.0)).try_into()?;
            point.predictions.clear();
            Ok(point)
        })
        .collect::<Result<_, Box<dyn Error>>>()?;
    sweep.id = Identity::of(&sweep).id();
    Ok(sweep)
}

/// A linear congruential generator (Knuth, MMIX): the same material in every run.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
