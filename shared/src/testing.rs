//! Builders of sweeps and of a small snapshot for tests.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::aggregate::Table;
use crate::assemble::{Ingredients, assemble};
use crate::corpus::{Corpus, MeasurementSource, PublishedRatio, RowCounter, Selection, SourceKind};
use crate::deployment::{Parallelism, Speculation};
use crate::digest::Digest;
use crate::id::{EstimatorId, SweepId};
use crate::millis::Millis;
use crate::outcome::{
    Basis, CommitSource, NotScored, Outcome, OutcomeRecord, Prediction, Reason, ScorerIdentity,
    SettingsProfile, SimulatorIdentity,
};
use crate::rules::Grading;
use crate::schema::FileKind;
use crate::setting::{ADMISSION_SETTINGS, Setting};
use crate::summary::Summary;
use crate::sweep::{Dates, LengthCheck, Point, Sweep, SweepSource};
use crate::tier::Verdict;

/// A sweep that is being put together.
pub(crate) struct SweepBuilder(Sweep<Outcome>);

/// A sweep of gpt-oss on an H200 without points, with an id made of `number`.
pub(crate) fn sweep(number: u64) -> SweepBuilder {
    SweepBuilder(Sweep {
        id: SweepId::new(format!("{number:016x}")).unwrap(),
        model: "gpt-oss-120b".to_owned(),
        family: "gpt-oss".to_owned(),
        hardware: "h200".to_owned(),
        framework: "vllm".to_owned(),
        precision: "fp4".to_owned(),
        parallelism: Parallelism::tensor(4),
        spec: Speculation::none(),
        isl: 1024,
        osl: 1024,
        range_ratio: 0.8,
        prompts_per_concurrency: 10,
        template_tokens: 0,
        image: None,
        engine_version: Some("0.11.0".to_owned()),
        dates: Dates { first: "2026-09-01".to_owned(), last: "2026-09-02".to_owned() },
        source: SweepSource::default(),
        settings: BTreeMap::new(),
        verdict: Verdict::NotReproducible,
        verdict_reasons: Vec::new(),
        points: Vec::new(),
    })
}

/// An estimator's id.
pub(crate) fn estimator(name: &str) -> EstimatorId {
    EstimatorId::new(name).unwrap()
}

/// A scored outcome.
pub(crate) fn scored(ttft: f64, tpot: f64) -> Outcome {
    Outcome::Scored(Prediction {
        ttft_ms: Millis::new(ttft).unwrap(),
        tpot_ms: Millis::new(tpot).unwrap(),
        completed: None,
        basis: Basis::Estimate,
    })
}

/// An outcome without a prediction.
pub(crate) fn not_scored(reason: Reason) -> Outcome {
    Outcome::NotScored(NotScored { reason, detail: reason.key().to_owned() })
}

impl SweepBuilder {
    /// Another family, of which the model has the name too.
    pub(crate) fn family(mut self, family: &str) -> Self {
        self.0.family = family.to_owned();
        self.0.model = family.to_owned();
        self
    }

    /// Another verdict.
    pub(crate) fn verdict(mut self, verdict: Verdict) -> Self {
        self.0.verdict = verdict;
        self
    }

    /// One more point, with measured TTFT and TPOT.
    pub(crate) fn measured(mut self, concurrency: u32, ttft: f64, tpot: f64) -> Self {
        self.0.points.push(Point {
            concurrency,
            ttft_ms: Millis::new(ttft).unwrap(),
            tpot_ms: Millis::new(tpot).unwrap(),
            repeats: 1,
            spread: None,
            settings: BTreeMap::new(),
            kv_tokens: None,
            acceptance_length: None,
            lengths: LengthCheck::Unknown,
            flags: Vec::new(),
            predictions: BTreeMap::new(),
        });
        self
    }

    /// What an estimator says of the last point.
    pub(crate) fn outcome(mut self, name: &str, outcome: Outcome) -> Self {
        self.0.points.last_mut().unwrap().predictions.insert(estimator(name), outcome);
        self
    }

    /// All four admission settings passed at every point so far.
    pub(crate) fn passed(mut self) -> Self {
        for point in &mut self.0.points {
            for name in ADMISSION_SETTINGS {
                point.settings.insert(name.to_owned(), Setting::passed(16_u32));
            }
        }
        self
    }

    /// The sweep.
    pub(crate) fn build(self) -> Sweep<Outcome> {
        self.0
    }
}

fn simulator(id: &str, version: &str) -> SimulatorIdentity {
    SimulatorIdentity {
        id: estimator(id),
        name: id.to_uppercase(),
        kind: "command".to_owned(),
        version: version.to_owned(),
        commit: None,
        binary_sha256: None,
        release: true,
        data: Vec::new(),
        settings: SettingsProfile::Recorded,
    }
}

/// The sweeps of [`summary`]: seven of two families, some with a log, one point a spike and one not
/// scored by `blis`.
fn sweeps() -> Vec<Sweep<Outcome>> {
    let sweep_of = |number: u32| {
        let mut builder = sweep(number.into()).family(if number < 4 { "kimi" } else { "gpt-oss" });
        for concurrency in [1, 2, 4] {
            let load = f64::from(number) + f64::from(concurrency);
            let spike = if (number, concurrency) == (2, 2) { 1000.0 } else { 1.0 };
            let blis = scored(30.0 + 8.0 * load, 4.0 + 1.1 * load + 0.1 * load * load);
            let missing = not_scored(Reason::RunError);
            builder = builder
                .measured(concurrency, spike * (20.0 + 10.0 * load), 5.0 + load)
                .outcome("blis", if (number, concurrency) == (3, 4) { missing } else { blis })
                .outcome("aic", scored(25.0 + 10.0 * load, 5.5 + 0.9 * load));
        }
        if number < 6 { builder.passed().build() } else { builder.build() }
    };
    (1..=7).map(sweep_of).collect()
}

/// A corpus of seven sweeps without published predictions.
pub(crate) fn corpus() -> Corpus {
    let mut rows = RowCounter::default();
    for _ in 0..21 {
        rows.keep();
    }
    let mut sweeps: Vec<Sweep<PublishedRatio>> =
        sweeps().into_iter().map(|sweep| sweep.with_predictions(|_, _| BTreeMap::new())).collect();
    for sweep in &mut sweeps {
        sweep.hoist_settings();
    }
    Corpus {
        schema: FileKind::Corpus.schema().to_owned(),
        source: MeasurementSource {
            kind: SourceKind::Artifact,
            name: "a test".to_owned(),
            tag: Some("db-dump/2026-09-28".to_owned()),
            release: true,
            date: "2026-09-28".to_owned(),
            digest: Digest::of_bytes(b"parts"),
            parts: Vec::new(),
            retrieved_at: None,
        },
        selection: Selection { latest_versions: None, version_window: Vec::new(), min_concurrencies: 3 },
        rows: rows.finish(),
        published_estimators: BTreeMap::new(),
        sweeps,
    }
}

/// One outcome for every point of [`corpus`] and both estimators.
pub(crate) fn outcomes() -> Vec<OutcomeRecord> {
    let mut records = Vec::new();
    for sweep in sweeps() {
        for point in sweep.points {
            for (estimator, outcome) in point.predictions {
                let request = Digest::of_bytes(b"request");
                let (sweep, concurrency) = (sweep.id.clone(), point.concurrency);
                records.push(OutcomeRecord { sweep, concurrency, estimator, request, outcome });
            }
        }
    }
    records
}

/// What [`summary`] is made of, besides the outcomes.
pub(crate) fn ingredients() -> Ingredients {
    Ingredients {
        corpus: corpus(),
        corpus_digest: Digest::of_bytes(b"corpus"),
        simulators: vec![simulator("blis", "0.7.15"), simulator("aic", "0.12.0")],
        primary: estimator("blis"),
        scorer: ScorerIdentity {
            version: "0.1.0".to_owned(),
            commit: None,
            commit_source: CommitSource::Unknown,
        },
        generated_at: "2026-11-30T08:00:00Z".to_owned(),
        repro: "scorer run --sweep {sweep}".to_owned(),
        grading: Grading::default(),
    }
}

/// A small snapshot.
pub(crate) fn summary() -> Summary {
    assemble(ingredients(), outcomes(), Table::all).unwrap()
}

/// A snapshot of other sweeps, as far as a comparison looks at it: its aggregates are not theirs.
pub(crate) fn snapshot_of(sweeps: Vec<Sweep<Outcome>>) -> Summary {
    static TEMPLATE: OnceLock<Summary> = OnceLock::new();
    let template =
        TEMPLATE.get_or_init(|| Summary { aggregates: Vec::new(), sweeps: Vec::new(), ..summary() });
    Summary { sweeps, ..template.clone() }
}
