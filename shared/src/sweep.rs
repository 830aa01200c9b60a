//! Sweeps and points: the unit of scoring.
//!
//! A **point** is one measured concurrency of one deployment at one workload. A **sweep** is a
//! deployment and a workload over its concurrencies. The types are generic over what is known of
//! each point's predictions: in a corpus the published ratios, in a snapshot the outcomes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::deployment::{Deployment, Parallelism, Speculation, Workload};
use crate::digest::Digest;
use crate::id::{EstimatorId, SweepId};
use crate::metric::Metric;
use crate::millis::Millis;
use crate::setting::{Origin, Setting, SettingValue};
use crate::tier::Verdict;

/// A deployment and a workload over its concurrencies; `T` is what is known of each prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sweep<T> {
    /// The sweep's id, from its [`Identity`].
    pub id: SweepId,
    /// The model's name in the catalog.
    pub model: String,
    /// The model's family.
    pub family: String,
    /// The GPU's name.
    pub hardware: String,
    /// The engine.
    pub framework: String,
    /// The precision of the weights.
    pub precision: String,
    /// The layout over GPUs.
    pub parallelism: Parallelism,
    /// Speculative decoding.
    pub spec: Speculation,
    /// Input length, in tokens.
    pub isl: u32,
    /// Output length, in tokens.
    pub osl: u32,
    /// The lower end of the drawn lengths as a share of the upper end.
    pub range_ratio: f64,
    /// Requests sent per unit of concurrency.
    pub prompts_per_concurrency: u32,
    /// Tokens of each prompt that the client's chat template adds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub template_tokens: u32,
    /// The container image, when recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// The engine's version, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    /// When the points were measured.
    pub dates: Dates,
    /// Where the points come from.
    pub source: SweepSource,
    /// The settings that are the same at all points.
    pub settings: BTreeMap<String, Setting>,
    /// How far the run can be reproduced.
    pub verdict: Verdict,
    /// Why the verdict is not better; empty for `EXACT`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdict_reasons: Vec<String>,
    /// The points, by ascending concurrency.
    pub points: Vec<Point<T>>,
}

/// One measured concurrency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point<T> {
    /// Requests in flight.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub concurrency: u32,
    /// The client's mean time to first token, in milliseconds.
    pub ttft_ms: Millis,
    /// The client's mean time per output token, in milliseconds.
    pub tpot_ms: Millis,
    /// How many measurements were averaged.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub repeats: u32,
    /// The greatest mean TPOT of the repeats over the smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// The settings that differ from point to point.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Setting>,
    /// The size of the KV pool of one data-parallel rank by the engine's log, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv_tokens: Option<u64>,
    /// The mean acceptance length of speculative decoding by the engine's log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_length: Option<f64>,
    /// Whether the sent lengths are known to be the client's.
    #[serde(default, skip_serializing_if = "LengthCheck::is_unknown")]
    pub lengths: LengthCheck,
    /// What a reader should know of the measurement; nothing is dropped for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// What is known of each estimator's prediction.
    #[serde(default = "no_predictions::<T>", skip_serializing_if = "BTreeMap::is_empty")]
    pub predictions: BTreeMap<EstimatorId, T>,
}

fn no_predictions<T>() -> BTreeMap<EstimatorId, T> {
    BTreeMap::new()
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_zero(value: &u32) -> bool {
    *value == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(value: &u32) -> bool {
    *value == 1
}

/// The first and the last day of a sweep's measurements, as `YYYY-MM-DD`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dates {
    /// The first day.
    pub first: String,
    /// The last day.
    pub last: String,
}

/// Where a sweep's points come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweepSource {
    /// The sweep's name in its source, such as a scenario file and a workload label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Database ids of the configurations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub configs: Vec<i64>,
    /// Workflow runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<i64>,
    /// Database ids of the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<i64>,
}

/// Whether the lengths that the client sent are those of the seed-0 draw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LengthCheck {
    /// They are; says how it was shown.
    Verified(String),
    /// They are not; says what differs.
    Different(String),
    /// The source does not say enough.
    #[default]
    Unknown,
}

impl LengthCheck {
    fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }
}

/// Something a reader should know of a measured point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// An interior point whose measured TTFT is more than ten times both neighbours'.
    TtftSpike,
    /// Repeats of the point had different values of a setting.
    SettingsDisagree,
}

impl<T> Point<T> {
    /// The measured latency of a metric.
    #[must_use]
    pub fn measured(&self, metric: Metric) -> Millis {
        match metric {
            Metric::Tpot => self.tpot_ms,
            Metric::Ttft => self.ttft_ms,
        }
    }
}

impl<T> Sweep<T> {
    /// The deployment as a simulator may know it.
    #[must_use]
    pub fn deployment(&self) -> Deployment {
        Deployment {
            model: self.model.clone(),
            hardware: self.hardware.clone(),
            framework: self.framework.clone(),
            engine_version: self.engine_version.clone(),
            precision: self.precision.clone(),
            parallelism: self.parallelism,
            spec: self.spec.clone(),
        }
    }

    /// The client's load.
    #[must_use]
    pub fn workload(&self) -> Workload {
        Workload {
            isl: self.isl,
            osl: self.osl,
            range_ratio: self.range_ratio,
            prompts_per_concurrency: self.prompts_per_concurrency,
            template_tokens: self.template_tokens,
        }
    }

    /// The sweep in words: `gpt-oss-120b h200 vllm fp4 tp4 1k1k`, with `mtp` or the like at the end.
    #[must_use]
    pub fn title(&self) -> String {
        let Self { model, hardware, framework, precision, parallelism, .. } = self;
        let workload = Workload::label(self.isl, self.osl);
        let spec = if self.spec.is_none() { String::new() } else { format!(" {}", self.spec.method) };
        format!("{model} {hardware} {framework} {precision} {parallelism} {workload}{spec}")
    }

    /// A setting of one point: its own, else the sweep's.
    #[must_use]
    pub fn setting<'a>(&'a self, point: &'a Point<T>, name: &str) -> Option<&'a Setting> {
        point.settings.get(name).or_else(|| self.settings.get(name))
    }

    /// The same sweep with other predictions, given by the sweep's id and the point.
    #[must_use]
    pub fn with_predictions<U>(
        self,
        mut predictions: impl FnMut(&SweepId, &Point<T>) -> BTreeMap<EstimatorId, U>,
    ) -> Sweep<U> {
        let points = self.points.into_iter().map(|point| Point {
            predictions: predictions(&self.id, &point),
            concurrency: point.concurrency,
            ttft_ms: point.ttft_ms,
            tpot_ms: point.tpot_ms,
            repeats: point.repeats,
            spread: point.spread,
            settings: point.settings,
            kv_tokens: point.kv_tokens,
            acceptance_length: point.acceptance_length,
            lengths: point.lengths,
            flags: point.flags,
        });
        let points = points.collect();
        Sweep {
            id: self.id,
            model: self.model,
            family: self.family,
            hardware: self.hardware,
            framework: self.framework,
            precision: self.precision,
            parallelism: self.parallelism,
            spec: self.spec,
            isl: self.isl,
            osl: self.osl,
            range_ratio: self.range_ratio,
            prompts_per_concurrency: self.prompts_per_concurrency,
            template_tokens: self.template_tokens,
            image: self.image,
            engine_version: self.engine_version,
            dates: self.dates,
            source: self.source,
            settings: self.settings,
            verdict: self.verdict,
            verdict_reasons: self.verdict_reasons,
            points,
        }
    }

    /// Moves settings that are the same at all points from the points to the sweep, so that equal
    /// sweeps have equal bytes however they were put together.
    pub fn hoist_settings(&mut self) {
        let Some((first, rest)) = self.points.split_first() else { return };
        let common: Vec<(String, Setting)> = first
            .settings
            .iter()
            .filter(|(name, setting)| rest.iter().all(|point| point.settings.get(*name) == Some(setting)))
            .map(|(name, setting)| (name.clone(), setting.clone()))
            .collect();
        for (name, setting) in common {
            for point in &mut self.points {
                point.settings.remove(&name);
            }
            self.settings.insert(name, setting);
        }
    }
}

/// What decides whether two sweeps are the same to a simulator.
///
/// The fields are those of design "Scoring: Unit" plus the engine, so that a sweep of another
/// framework never shares an id. The engine's version is not among them: the same deployment
/// measured with a newer engine keeps its id. Only values that the run itself passed count; resolved
/// ones follow from the version.
#[derive(Debug, Serialize)]
pub struct Identity<'a> {
    model: &'a str,
    hardware: &'a str,
    framework: &'a str,
    precision: &'a str,
    parallelism: Parallelism,
    spec: &'a Speculation,
    isl: u32,
    osl: u32,
    range_ratio: f64,
    common: BTreeMap<&'static str, &'a SettingValue>,
    per_concurrency: BTreeMap<u32, BTreeMap<&'static str, &'a SettingValue>>,
}

impl<'a> Identity<'a> {
    const COMMON: [&'static str; 4] =
        ["block_size", "enable_expert_parallel", "enable_prefix_caching", "gpu_memory_utilization"];
    const PER_CONCURRENCY: [&'static str; 3] = ["max_model_len", "max_num_batched_tokens", "max_num_seqs"];

    /// The identity of a sweep. A deployment-wide setting that differs between points is listed per
    /// concurrency.
    #[must_use]
    pub fn of<T>(sweep: &'a Sweep<T>) -> Self {
        let passed = |setting: Option<&'a Setting>| {
            setting
                .filter(|setting| setting.origin == Origin::Passed)
                .and_then(|setting| setting.value.as_ref())
        };
        let common = Self::COMMON
            .into_iter()
            .filter_map(|name| passed(sweep.settings.get(name)).map(|value| (name, value)))
            .collect();
        let per_concurrency = sweep
            .points
            .iter()
            .map(|point| {
                let own = Self::COMMON
                    .into_iter()
                    .filter_map(|name| Some((name, passed(point.settings.get(name))?)));
                let any = Self::PER_CONCURRENCY
                    .into_iter()
                    .filter_map(|name| Some((name, passed(sweep.setting(point, name))?)));
                (point.concurrency, own.chain(any).collect())
            })
            .collect();
        Self {
            model: &sweep.model,
            hardware: &sweep.hardware,
            framework: &sweep.framework,
            precision: &sweep.precision,
            parallelism: sweep.parallelism,
            spec: &sweep.spec,
            isl: sweep.isl,
            osl: sweep.osl,
            range_ratio: sweep.range_ratio,
            common,
            per_concurrency,
        }
    }

    /// The id: the first 16 hexadecimal digits of the digest of the identity.
    #[must_use]
    pub fn id(&self) -> SweepId {
        let digest =
            Digest::of_json(self).unwrap_or_else(|_| Digest::of_bytes(b"unreachable: every key is text"));
        SweepId::of_digest(&digest)
    }
}
