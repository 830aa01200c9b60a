//! One sweep of the artifact, joined with its latencies and its log.

use std::collections::{BTreeMap, BTreeSet};

use shared::corpus::{PublishedEstimator, PublishedRatio};
use shared::deployment::{Parallelism, Speculation};
use shared::digest::Digest;
use shared::id::{EstimatorId, SweepId};
use shared::millis::Millis;
use shared::rules::Rules;
use shared::setting::{Setting, SettingValue};
use shared::sweep::{Dates, Flag, LengthCheck, Point, Sweep, SweepSource};
use shared::tier::Verdict;

use super::check;
use super::error::{ArtifactError, Fault, Place};
use super::files::{Anchor, ArtifactPoint, ArtifactSweep, LoggedPoint, PassedValue, SettingsRecord};
use super::input::{Input, reason};
use super::predictions::{self, Measured};
use super::unique::Concurrency;
use crate::measurements::complete::complete;
use crate::measurements::explain::RowBook;
use crate::measurements::name::Name;
use crate::measurements::settings::{self, AdmissionDefaults, Facts};

/// The InferenceX client draws lengths between this share of the nominal length and all of it.
const RANGE_RATIO: f64 = 0.8;
/// The InferenceX client sends this many requests per unit of concurrency.
const PROMPTS_PER_CONCURRENCY: u32 = 10;
/// The passed setting that names the served checkpoint by its path on the benchmark's machine.
const SERVED_PATH: &str = "model";
/// How many tokens a draft proposes, where speculative decoding was on.
const DRAFT_TOKENS: &str = "num_speculative_tokens";

/// A sweep with what the other files say of it.
pub(super) struct Joined<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) place: &'a Place,
    pub(super) sweep: &'a ArtifactSweep,
    /// Input and output length.
    pub(super) lengths: (u32, u32),
    pub(super) anchor: &'a Anchor,
    pub(super) record: Option<&'a SettingsRecord>,
    pub(super) published: &'a BTreeMap<EstimatorId, PublishedEstimator>,
}

/// What became of a sweep.
pub(super) enum Kept {
    /// It is in the corpus; with what a reader should know of it.
    Sweep(Box<Sweep<PublishedRatio>>, Option<String>),
    /// It has too few points; they are counted.
    TooShort,
}

/// Joins one sweep and counts its rows.
pub(super) fn join(
    joined: &Joined<'_>,
    facts: &dyn Facts,
    rules: &Rules,
    rows: &mut RowBook,
) -> Result<Kept, ArtifactError> {
    let Joined { input, place, sweep, .. } = joined;
    let in_corpus = |fault| check::at(&input.paths.corpus, place)(fault);
    let (isl, osl) = joined.lengths;
    let parallelism = parallelism(sweep).map_err(in_corpus)?;
    joined.agree()?;

    let measured = joined.measured(rows)?;
    if measured.len() < rules.min_concurrencies as usize {
        for point in &measured {
            rows.skip(reason::FEWER_THAN_THREE, || place.at(point.source.concurrency).to_string());
        }
        return Ok(Kept::TooShort);
    }
    for _ in &measured {
        rows.keep();
    }

    let (engine_version, note) = joined.engine_version(&measured);
    let defaults =
        facts.admission_defaults(sweep.framework.as_str(), engine_version.as_deref(), sweep.gpu.as_str());
    let mut kept = Sweep {
        id: SweepId::of_digest(&Digest::of_bytes(b"")),
        model: sweep.model.to_string(),
        family: facts.family(sweep.model.as_str()),
        hardware: sweep.gpu.to_string(),
        framework: sweep.framework.to_string(),
        precision: sweep.precision.to_string(),
        parallelism,
        spec: Speculation { method: sweep.spec_method.to_string(), tokens: None },
        isl,
        osl,
        range_ratio: RANGE_RATIO,
        prompts_per_concurrency: PROMPTS_PER_CONCURRENCY,
        template_tokens: 0,
        image: None,
        engine_version,
        dates: Dates {
            first: joined.anchor.source_run_date.to_string(),
            last: joined.anchor.source_run_date.to_string(),
        },
        source: SweepSource {
            name: Some(place.to_string()),
            configs: joined.anchor.source_config_id.into_iter().collect(),
            runs: Vec::new(),
            rows: Vec::new(),
        },
        settings: BTreeMap::new(),
        verdict: Verdict::NotReproducible,
        verdict_reasons: Vec::new(),
        points: points(&measured, defaults.as_ref()),
    };
    kept.spec.tokens = draft_tokens(&kept);
    complete(&mut kept, rules);
    Ok(Kept::Sweep(Box::new(kept), note))
}

/// A point whose measurement can be used.
struct MeasuredPoint<'a> {
    source: &'a ArtifactPoint,
    log: Option<&'a LoggedPoint>,
    ttft_ms: Millis,
    tpot_ms: Millis,
    predictions: BTreeMap<EstimatorId, PublishedRatio>,
}

impl<'a> Joined<'a> {
    /// The files agree on what the sweep is.
    fn agree(&self) -> Result<(), ArtifactError> {
        let Self { input, place, sweep, anchor, record, .. } = self;
        let corpus = &input.paths.corpus;
        let in_absolutes = |fault| check::at(&input.paths.absolutes, place)(fault);
        check::same("framework", Some(&anchor.framework), corpus, Some(&sweep.framework))
            .map_err(in_absolutes)?;
        check::same("gpu", Some(&anchor.gpu), corpus, Some(&sweep.gpu)).map_err(in_absolutes)?;
        let Some(record) = record else { return Ok(()) };
        let absolutes = &input.paths.absolutes;
        let in_settings = |fault| check::at(&input.paths.settings, place)(fault);
        check::same("framework", Some(&record.framework), corpus, Some(&sweep.framework))
            .map_err(in_settings)?;
        check::same("gpu", Some(&record.gpu), corpus, Some(&sweep.gpu)).map_err(in_settings)?;
        let date = record.source_run_date.as_ref().map(|date| date as &dyn ToString);
        check::same("source_run_date", date, absolutes, Some(&anchor.source_run_date))
            .map_err(in_settings)?;
        let config = record.source_config_id.as_ref().map(|id| id as &dyn ToString);
        let expected = anchor.source_config_id.as_ref().map(|id| id as &dyn ToString);
        check::same("source_config_id", config, absolutes, expected).map_err(in_settings)
    }

    /// The points with a measurement, by concurrency; the others are counted.
    fn measured(&self, rows: &mut RowBook) -> Result<Vec<MeasuredPoint<'a>>, ArtifactError> {
        let mut points = Vec::new();
        for source in &self.sweep.points {
            let place = self.place.at(source.concurrency);
            if source.status.as_str() != "success" {
                rows.skip(reason::NOT_SUCCESS, || place.to_string());
                continue;
            }
            let tpot = check::value_at(&self.anchor.absolute_tpot_us, source.concurrency);
            let ttft = check::value_at(&self.anchor.absolute_ttft_us, source.concurrency);
            let (Some(tpot), Some(ttft)) = (tpot, ttft) else {
                rows.skip(reason::NO_MEASUREMENT, || place.to_string());
                continue;
            };
            let point = self.point(source, tpot, ttft);
            points.push(point.map_err(|fault| check::at(&self.input.paths.corpus, &place)(fault))?);
        }
        points.sort_by_key(|point| point.source.concurrency);
        rebase(&mut points, self.anchor);
        Ok(points)
    }

    fn point(
        &self,
        source: &'a ArtifactPoint,
        tpot_us: f64,
        ttft_us: f64,
    ) -> Result<MeasuredPoint<'a>, Fault> {
        let Self { anchor, input, .. } = self;
        let absolutes = &input.paths.absolutes;
        let relative =
            |field, value, latency, anchor| check::relative(field, value, latency, anchor, absolutes);
        let measured = Measured {
            tpot: relative(
                "measured_tpot_relative",
                source.measured_tpot_relative,
                tpot_us,
                anchor.anchor_tpot_us,
            )?,
            ttft: relative(
                "measured_ttft_relative",
                source.measured_ttft_relative,
                ttft_us,
                anchor.anchor_ttft_us,
            )?,
        };
        let millis = |field, latency: f64| {
            Millis::new(latency / 1000.0).map_err(|_| Fault::Number {
                field,
                value: latency,
                rule: "a number of microseconds above 0",
            })
        };
        Ok(MeasuredPoint {
            source,
            log: self.record.and_then(|record| record.by_concurrency.0.get(&Concurrency(source.concurrency))),
            ttft_ms: millis("absolute_ttft_us", ttft_us)?,
            tpot_ms: millis("absolute_tpot_us", tpot_us)?,
            predictions: predictions::of_point(source, measured, self.published)?,
        })
    }

    /// The engine's version, if the log says it and all points agree; else what they say.
    fn engine_version(&self, points: &[MeasuredPoint<'_>]) -> (Option<String>, Option<String>) {
        let logs = points.iter().filter_map(|point| point.log);
        let versions: BTreeSet<&str> =
            logs.filter_map(|log| log.resolved.engine_version.as_ref()).map(Name::as_str).collect();
        let mut versions = versions.into_iter();
        match (versions.next(), versions.next()) {
            (Some(one), None) => (Some(one.to_owned()), None),
            (None, _) => (None, None),
            (Some(first), Some(second)) => {
                let place = self.place;
                let note =
                    format!("{place}: its points ran engine {first} and {second}, so its version is unknown");
                (None, Some(note))
            }
        }
    }
}

fn points(
    measured: &[MeasuredPoint<'_>],
    defaults: Option<&AdmissionDefaults>,
) -> Vec<Point<PublishedRatio>> {
    let point = |point: &MeasuredPoint<'_>| Point {
        concurrency: point.source.concurrency,
        ttft_ms: point.ttft_ms,
        tpot_ms: point.tpot_ms,
        repeats: 1,
        spread: None,
        settings: point.log.map_or_else(settings::of_logless_point, |log| settings_of(log, defaults)),
        kv_tokens: point.log.and_then(|log| log.resolved.resolved_gpu_kv_tokens),
        acceptance_length: None,
        lengths: LengthCheck::Unknown,
        flags: if point.log.is_some_and(disagrees) { vec![Flag::SettingsDisagree] } else { Vec::new() },
        predictions: point.predictions.clone(),
    };
    measured.iter().map(point).collect()
}

/// Ratios are to the anchor of the source. When that point is not kept, they are made ratios to the
/// lowest concurrency that is, so that the corpus holds what they refer to.
fn rebase(points: &mut [MeasuredPoint<'_>], anchor: &Anchor) {
    let Some(lowest) = points.first() else { return };
    if lowest.source.concurrency == anchor.anchor_concurrency {
        return;
    }
    let ttft = anchor.anchor_ttft_us / (lowest.ttft_ms.get() * 1000.0);
    let tpot = anchor.anchor_tpot_us / (lowest.tpot_ms.get() * 1000.0);
    for ratio in points.iter_mut().flat_map(|point| point.predictions.values_mut()) {
        *ratio = PublishedRatio { ttft: ratio.ttft * ttft, tpot: ratio.tpot * tpot };
    }
}

fn settings_of(log: &LoggedPoint, defaults: Option<&AdmissionDefaults>) -> BTreeMap<String, Setting> {
    let passed = log.passed.0.iter().filter(|(name, _)| name.as_str() != SERVED_PATH);
    let stated = passed.filter_map(|(name, value)| match value {
        PassedValue::One(value) => Some((name.to_string(), value.clone())),
        PassedValue::Several | PassedValue::Nothing => None,
    });
    settings::of_logged_point(stated, [], defaults)
}

fn disagrees(log: &LoggedPoint) -> bool {
    log.passed.0.values().any(|value| matches!(value, PassedValue::Several))
}

fn draft_tokens(sweep: &Sweep<PublishedRatio>) -> Option<u32> {
    let tokens = |point| {
        let setting = sweep.setting(point, DRAFT_TOKENS)?;
        setting.value.as_ref().and_then(SettingValue::as_count)
    };
    let first = sweep.points.first().and_then(tokens);
    first.filter(|_| sweep.points.iter().all(|point| tokens(point) == first))
}

fn parallelism(sweep: &ArtifactSweep) -> Result<Parallelism, Fault> {
    let sizes = sweep.parallelism;
    let (ep, moe_tp) = (sizes.moe_ep_size.unwrap_or(1), sizes.moe_tp_size.unwrap_or(1));
    for (field, size) in [
        ("tp_size", sizes.tp_size),
        ("pp_size", sizes.pp_size),
        ("attention_dp_size", sizes.attention_dp_size),
        ("moe_ep_size", ep),
        ("moe_tp_size", moe_tp),
    ] {
        if size == 0 {
            return Err(Fault::Number { field, value: 0.0, rule: "a whole number above 0" });
        }
    }
    Ok(Parallelism {
        tp: sizes.tp_size,
        pp: sizes.pp_size,
        dp: sizes.attention_dp_size,
        ep,
        dp_attention: sizes.attention_dp_size > 1,
    })
}
