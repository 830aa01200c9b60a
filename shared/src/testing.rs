//! Builders of sweeps for tests.

use std::collections::BTreeMap;

use crate::deployment::{Parallelism, Speculation};
use crate::id::{EstimatorId, SweepId};
use crate::millis::Millis;
use crate::outcome::{Basis, NotScored, Outcome, Prediction, Reason};
use crate::setting::{ADMISSION_SETTINGS, Setting};
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
