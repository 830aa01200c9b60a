//! What engine settings a simulator is given for a point.
//!
//! With the profile `recorded` a setting is the one of the run: passed on the engine's arguments line,
//! else resolved by its log, else the engine's default. With `defaults` every setting is the default
//! of the engine's version on that GPU, as if nothing were known of the run.

use shared::deployment::{Deployment, EngineSettings};
use shared::outcome::SettingsProfile;
use shared::setting::SettingValue;
use shared::sweep::{Point, Sweep};

use crate::reference::{DefaultRule, Reference, Version};

/// A recorded setting cannot be given to a simulator, or there is no default.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The value has another type.
    #[error("setting `{name}` is `{value}`, but {expected} is needed")]
    Type {
        /// The setting.
        name: &'static str,
        /// Its recorded value.
        value: String,
        /// What is needed.
        expected: &'static str,
    },
    /// The tables have no rule for the engine.
    #[error("the reference tables have no engine defaults: name other tables")]
    NoDefaults,
}

/// The engine's defaults for a deployment.
///
/// A GPU or a version that the tables do not know gets the rule for every other one; no estimator that
/// rests on the tables can predict it anyway.
///
/// # Errors
/// When the tables have no rule at all.
pub fn defaults<'a>(
    reference: &'a Reference,
    deployment: &Deployment,
) -> Result<&'a DefaultRule, SettingsError> {
    let memory_gib = reference.hardware(&deployment.hardware).map_or(0.0, |gpu| gpu.memory_gib.get());
    let version = deployment.engine_version.as_deref().and_then(|text| text.parse::<Version>().ok());
    let table = reference.defaults();
    table
        .profile(table.default_profile.as_str())
        .and_then(|profile| profile.rule(version, memory_gib))
        .ok_or(SettingsError::NoDefaults)
}

/// The engine's settings at one point, every value known.
///
/// # Errors
/// When a recorded value has another type than the setting.
pub fn engine<T>(
    sweep: &Sweep<T>,
    point: &Point<T>,
    profile: SettingsProfile,
    defaults: &DefaultRule,
) -> Result<EngineSettings, SettingsError> {
    let recorded = Recorded { sweep, point, used: profile == SettingsProfile::Recorded };
    Ok(EngineSettings {
        max_num_seqs: recorded.count("max_num_seqs")?.unwrap_or(defaults.max_num_seqs.get()),
        max_num_batched_tokens: recorded
            .count("max_num_batched_tokens")?
            .unwrap_or(defaults.max_num_batched_tokens.get()),
        block_size: recorded.count("block_size")?.unwrap_or(defaults.block_size.get()),
        enable_prefix_caching: recorded
            .flag("enable_prefix_caching")?
            .unwrap_or(defaults.enable_prefix_caching),
        max_model_len: recorded.count("max_model_len")?,
        gpu_memory_utilization: recorded
            .share("gpu_memory_utilization")?
            .unwrap_or(defaults.gpu_memory_utilization.get()),
        // The layout says whether the experts are spread; it is no default.
        enable_expert_parallel: recorded.flag("enable_expert_parallel")?.unwrap_or(sweep.parallelism.ep > 1),
        kv_tokens: point.kv_tokens.filter(|_| recorded.used),
    })
}

/// The recorded settings of a point, or nothing when they are not used.
struct Recorded<'a, T> {
    sweep: &'a Sweep<T>,
    point: &'a Point<T>,
    used: bool,
}

impl<T> Recorded<'_, T> {
    fn count(&self, name: &'static str) -> Result<Option<u32>, SettingsError> {
        let positive = |value: &SettingValue| value.as_count().filter(|count| *count > 0);
        self.value(name, "a whole number above 0", positive)
    }

    fn flag(&self, name: &'static str) -> Result<Option<bool>, SettingsError> {
        self.value(name, "`true` or `false`", SettingValue::as_flag)
    }

    fn share(&self, name: &'static str) -> Result<Option<f64>, SettingsError> {
        let share = |value: &SettingValue| value.as_number().filter(|share| *share > 0.0 && *share <= 1.0);
        self.value(name, "a number above 0 and up to 1", share)
    }

    fn value<V>(
        &self,
        name: &'static str,
        expected: &'static str,
        read: impl FnOnce(&SettingValue) -> Option<V>,
    ) -> Result<Option<V>, SettingsError> {
        let setting = self.sweep.setting(self.point, name).filter(|_| self.used);
        let Some(value) = setting.and_then(|setting| setting.value.as_ref()) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(SettingsError::Type {
                name,
                value: value.to_string().chars().take(60).collect(),
                expected,
            }),
        }
    }
}
