//! Which engine settings a point ran with, and how they are known.
//!
//! What the arguments line says is `passed`. An admission setting that it does not say is `resolved`
//! by the engine's default table when there is a log, for then the run's defaults are what applied;
//! without a log nothing is known of the run, and the setting is `absent`.

use std::collections::BTreeMap;

use shared::setting::{ADMISSION_SETTINGS, Setting, SettingValue};

/// Facts about models, GPUs and engines that a source of measurements does not state itself.
pub trait Facts {
    /// The family of a model; a model that nobody grouped is its own family.
    fn family(&self, model: &str) -> String;

    /// What the engine sets when nothing is passed, on this GPU; none when that is not known.
    fn admission_defaults(
        &self,
        framework: &str,
        engine_version: Option<&str>,
        hardware: &str,
    ) -> Option<AdmissionDefaults>;
}

/// The defaults of the four settings that decide which requests run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionDefaults {
    /// The most requests in one step.
    pub max_num_seqs: u32,
    /// The most tokens in one step.
    pub max_num_batched_tokens: u32,
    /// Tokens per KV block.
    pub block_size: u32,
    /// Whether equal prefixes share KV blocks.
    pub enable_prefix_caching: bool,
}

impl AdmissionDefaults {
    fn of(&self, name: &str) -> Option<SettingValue> {
        match name {
            "max_num_seqs" => Some(self.max_num_seqs.into()),
            "max_num_batched_tokens" => Some(self.max_num_batched_tokens.into()),
            "block_size" => Some(self.block_size.into()),
            "enable_prefix_caching" => Some(self.enable_prefix_caching.into()),
            _ => None,
        }
    }
}

/// The settings of a point of a sweep that has a log: what was passed, and the admission settings
/// that were not, from the defaults.
#[must_use]
pub fn of_logged_point(
    passed: impl IntoIterator<Item = (String, SettingValue)>,
    defaults: Option<&AdmissionDefaults>,
) -> BTreeMap<String, Setting> {
    let mut settings: BTreeMap<String, Setting> =
        passed.into_iter().map(|(name, value)| (name, Setting::passed(value))).collect();
    for name in ADMISSION_SETTINGS {
        let default = || defaults.and_then(|defaults| defaults.of(name));
        settings
            .entry(name.to_owned())
            .or_insert_with(|| default().map_or_else(Setting::absent, Setting::resolved));
    }
    settings
}

/// The settings of a point of a sweep without any log: nothing is known.
#[must_use]
pub fn of_logless_point() -> BTreeMap<String, Setting> {
    ADMISSION_SETTINGS.iter().map(|name| ((*name).to_owned(), Setting::absent())).collect()
}

#[cfg(test)]
mod tests {
    use shared::setting::Origin;

    use super::*;

    const DEFAULTS: AdmissionDefaults = AdmissionDefaults {
        max_num_seqs: 1024,
        max_num_batched_tokens: 8192,
        block_size: 16,
        enable_prefix_caching: true,
    };

    #[test]
    fn a_passed_value_wins_over_the_default() {
        let passed = [("block_size".to_owned(), SettingValue::from(256_u32))];
        let settings = of_logged_point(passed, Some(&DEFAULTS));
        assert_eq!(settings["block_size"], Setting::passed(256_u32));
        assert_eq!(settings["max_num_seqs"], Setting::resolved(1024_u32));
        assert_eq!(settings["max_num_batched_tokens"], Setting::resolved(8192_u32));
        assert_eq!(settings["enable_prefix_caching"], Setting::resolved(true));
    }

    #[test]
    fn every_admission_setting_is_there_whatever_is_known() {
        for settings in [of_logged_point([], None), of_logless_point()] {
            assert_eq!(settings.len(), ADMISSION_SETTINGS.len());
            assert!(settings.values().all(|setting| setting.origin == Origin::Absent));
        }
        let resolved = of_logged_point([], Some(&DEFAULTS));
        assert!(resolved.values().all(|setting| setting.origin == Origin::Resolved));
    }
}
