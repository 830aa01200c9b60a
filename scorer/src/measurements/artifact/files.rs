//! The three files as they are written: field by field, nothing joined and nothing judged.
//!
//! Their shapes are those of the public test data of BLIS's metricscore. A field that is not listed
//! here is an error, because it may change what the others mean.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny};
use shared::setting::SettingValue;

use super::unique::{Concurrency, Unique};
use crate::measurements::name::Name;

/// Where the three files are.
#[derive(Clone, Debug)]
pub struct ArtifactPaths {
    /// The sweeps with the published predictions (`aisimulate_e2e.json`).
    pub corpus: PathBuf,
    /// The measured latencies (`inferencex_absolutes.json`).
    pub absolutes: PathBuf,
    /// The engine settings from the server logs (`inferencex_engine_settings.json`).
    pub settings: PathBuf,
}

/// The sweeps with the published predictions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArtifactFile {
    pub(super) source: Name,
    #[serde(default)]
    pub(super) measurement_source: Option<Name>,
    #[serde(default)]
    pub(super) measurement_source_url: Option<Name>,
    pub(super) sweeps: Vec<ArtifactSweep>,
}

/// One deployment at one workload.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArtifactSweep {
    pub(super) scenario: Name,
    pub(super) model: Name,
    pub(super) gpu: Name,
    pub(super) label: Name,
    pub(super) workload: Name,
    pub(super) framework: Name,
    pub(super) precision: Name,
    pub(super) serving: Name,
    pub(super) spec_method: Name,
    pub(super) parallelism: ArtifactParallelism,
    #[serde(default)]
    #[expect(dead_code, reason = "the artifact's own name of the layout, which the fields above repeat")]
    pub(super) topology_id: Option<IgnoredAny>,
    pub(super) points: Vec<ArtifactPoint>,
}

/// The layout over GPUs; the expert sizes are absent for dense models.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the names of the file")]
pub(super) struct ArtifactParallelism {
    pub(super) tp_size: u32,
    pub(super) pp_size: u32,
    pub(super) attention_dp_size: u32,
    #[serde(default)]
    pub(super) moe_ep_size: Option<u32>,
    #[serde(default)]
    pub(super) moe_tp_size: Option<u32>,
}

/// One concurrency: all `relative` values are ratios to the latency measured at the anchor, and
/// `error_pct` is the printed absolute error.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArtifactPoint {
    pub(super) concurrency: u32,
    pub(super) status: Name,
    #[serde(default)]
    pub(super) measured_tpot_relative: Option<f64>,
    #[serde(default)]
    pub(super) measured_ttft_relative: Option<f64>,
    #[serde(default)]
    pub(super) aisimulate_tpot_relative: Option<f64>,
    #[serde(default)]
    pub(super) aisimulate_tpot_error_pct: Option<f64>,
    #[serde(default)]
    pub(super) aisimulate_ttft_relative: Option<f64>,
    #[serde(default)]
    pub(super) aisimulate_ttft_error_pct: Option<f64>,
    #[serde(default)]
    pub(super) aic_tpot_relative: Option<f64>,
    #[serde(default)]
    pub(super) aic_tpot_error_pct: Option<f64>,
    #[serde(default)]
    pub(super) aic_ttft_relative: Option<f64>,
    #[serde(default)]
    pub(super) aic_ttft_error_pct: Option<f64>,
}

/// The measured latencies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AbsolutesFile {
    pub(super) source: Name,
    #[serde(default)]
    pub(super) source_url: Option<Name>,
    pub(super) release_tag: Name,
    #[serde(default)]
    pub(super) benchmark_type: Option<Name>,
    pub(super) metrics: Name,
    #[serde(default)]
    #[expect(dead_code, reason = "how the file was checked when it was made; we check it again")]
    pub(super) validation: Option<IgnoredAny>,
    pub(super) anchors: Vec<Anchor>,
}

/// One sweep's latencies in microseconds, by concurrency.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the names of the file")]
pub(super) struct Anchor {
    pub(super) scenario: Name,
    pub(super) label: Name,
    pub(super) framework: Name,
    pub(super) gpu: Name,
    #[serde(default)]
    pub(super) source_config_id: Option<i64>,
    pub(super) source_run_date: Name,
    pub(super) anchor_concurrency: u32,
    pub(super) absolute_tpot_us: Unique<Concurrency, Option<f64>>,
    pub(super) absolute_ttft_us: Unique<Concurrency, Option<f64>>,
    pub(super) anchor_tpot_us: f64,
    pub(super) anchor_ttft_us: f64,
    #[serde(default)]
    #[expect(dead_code, reason = "how well the relatives agreed when the file was made; we check it again")]
    pub(super) relative_agreement: Option<IgnoredAny>,
}

/// The engine settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsFile {
    #[expect(dead_code, reason = "where it is from, which the release tag says more exactly")]
    pub(super) source: Name,
    #[serde(default)]
    pub(super) source_url: Option<Name>,
    pub(super) release_tag: Name,
    #[serde(default)]
    #[expect(dead_code, reason = "how runs were chosen when the file was made")]
    pub(super) run_selection: Option<IgnoredAny>,
    #[serde(default)]
    pub(super) incomplete: Vec<IncompleteRecord>,
    pub(super) settings: Vec<SettingsRecord>,
}

/// A sweep whose log does not say enough to be listed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IncompleteRecord {
    pub(super) scenario: Name,
    pub(super) label: Name,
    pub(super) reason: Name,
}

/// One sweep's settings by concurrency.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsRecord {
    pub(super) scenario: Name,
    pub(super) label: Name,
    pub(super) framework: Name,
    pub(super) gpu: Name,
    #[serde(default)]
    pub(super) source_config_id: Option<i64>,
    #[serde(default)]
    pub(super) source_run_date: Option<Name>,
    pub(super) by_concurrency: Unique<Concurrency, LoggedPoint>,
}

/// What the server log of one point says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoggedPoint {
    /// The arguments line; what is not there was not passed.
    pub(super) passed: Unique<Name, PassedValue>,
    /// The lines in which the engine reports what it made of them.
    #[serde(default)]
    pub(super) resolved: ResolvedLines,
}

/// What the engine reported.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResolvedLines {
    #[serde(default)]
    pub(super) engine_version: Option<Name>,
    #[serde(default)]
    pub(super) resolved_gpu_kv_tokens: Option<u64>,
    #[serde(default)]
    #[expect(dead_code, reason = "the KV tokens over the longest request: it says nothing new")]
    pub(super) resolved_max_concurrency: Option<f64>,
}

/// The value of a setting on the arguments line: one, or several when the point was repeated and
/// the repeats passed different ones.
#[derive(Debug)]
pub(super) enum PassedValue {
    /// All repeats passed it.
    One(SettingValue),
    /// They did not agree.
    Several,
    /// `null`: not passed.
    Nothing,
}

impl<'de> Deserialize<'de> for PassedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a boolean, a number, a string, null, or a list of those")]
        enum Written {
            One(SettingValue),
            Several(Vec<Option<SettingValue>>),
            Nothing(()),
        }
        match Written::deserialize(deserializer)? {
            Written::One(value) => Ok(Self::One(value)),
            Written::Nothing(()) => Ok(Self::Nothing),
            Written::Several(mut values) => {
                let Some(first) = values.pop() else {
                    return Err(de::Error::custom(
                        "the list of a setting's values is empty: leave the setting out",
                    ));
                };
                if values.iter().any(|value| *value != first) {
                    return Ok(Self::Several);
                }
                Ok(first.map_or(Self::Nothing, Self::One))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_that_disagree_state_nothing() {
        let read = |text: &str| serde_json::from_str::<PassedValue>(text).map_err(|error| error.to_string());
        assert!(matches!(read("256"), Ok(PassedValue::One(SettingValue::Integer(256)))));
        assert!(matches!(read("[256, 256]"), Ok(PassedValue::One(SettingValue::Integer(256)))));
        assert!(matches!(read("[256, 512]"), Ok(PassedValue::Several)));
        assert!(matches!(read("[256, null]"), Ok(PassedValue::Several)));
        assert!(matches!(read("null"), Ok(PassedValue::Nothing)));
        assert!(read("[]").unwrap_err().contains("list of a setting's values is empty"));
        assert!(read("{\"a\": 1}").unwrap_err().contains("expected a boolean"));
    }
}
