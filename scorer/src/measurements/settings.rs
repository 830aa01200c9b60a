//! Which engine settings a point ran with, and how they are known.
//!
//! What the arguments line says is `passed`. What it does not say is `resolved` by a line of the log that
//! tells what the engine made of it, and an admission setting else by the engine's default table, for
//! then the run's defaults are what applied. Without a log nothing is known of the run, and the setting
//! is `absent`.

use std::collections::BTreeMap;

use shared::format::shortened;
use shared::setting::{ADMISSION_SETTINGS, Setting, SettingValue};

use super::engine_log::LogFacts;
use crate::reference::Version;

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

    /// The engine's version by an image's tag; none when it is no numbered one.
    fn version_of_image(&self, image: &str) -> Option<Version>;
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

/// What a setting's value must be; another one says nothing that a simulator could be given.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A whole number above 0.
    Count,
    /// `true` or `false`.
    Flag,
    /// A number above 0 and up to 1.
    Share,
    /// Any text.
    Text,
}

/// The arguments that say something of the deployment, and not of the machine that it ran on. The layout
/// is no setting.
const OF_THE_DEPLOYMENT: [(&str, Kind); 18] = [
    ("async_scheduling", Kind::Flag),
    ("block_size", Kind::Count),
    ("enable_chunked_prefill", Kind::Flag),
    ("enable_expert_parallel", Kind::Flag),
    ("enable_prefix_caching", Kind::Flag),
    ("enforce_eager", Kind::Flag),
    ("gpu_memory_utilization", Kind::Share),
    ("kv_cache_dtype", Kind::Text),
    ("max_cudagraph_capture_size", Kind::Count),
    ("max_model_len", Kind::Count),
    ("max_num_batched_tokens", Kind::Count),
    ("max_num_seqs", Kind::Count),
    ("num_speculative_tokens", Kind::Count),
    ("prefill_schedule_interval", Kind::Count),
    ("quantization", Kind::Text),
    ("scheduling_policy", Kind::Text),
    ("speculative_method", Kind::Text),
    ("stream_interval", Kind::Count),
];

/// A value was stated that no setting has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingFault {
    /// Nothing of that name is known.
    #[error("there is no setting `{name}`: the known ones are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// Those that are known.
        known: String,
    },
    /// The value is of another kind.
    #[error("setting `{name}` cannot be `{value}`: it is {expected}")]
    Value {
        /// The setting.
        name: String,
        /// Its value.
        value: String,
        /// What it must be.
        expected: &'static str,
    },
}

/// Checks a setting that somebody states of a deployment.
///
/// # Errors
/// When there is no such setting, or its value is of another kind.
pub fn check_stated(name: &str, value: &SettingValue) -> Result<(), SettingFault> {
    let Some((_, kind)) = OF_THE_DEPLOYMENT.iter().find(|(known, _)| *known == name) else {
        let known = OF_THE_DEPLOYMENT.map(|(known, _)| known).join(", ");
        return Err(SettingFault::Unknown { name: shortened(name, 60), known });
    };
    if kind.fits(value) {
        return Ok(());
    }
    let value = shortened(&value.to_string(), 60);
    Err(SettingFault::Value { name: name.to_owned(), value, expected: kind.in_words() })
}

impl Kind {
    fn in_words(self) -> &'static str {
        match self {
            Self::Count => "a whole number above 0",
            Self::Flag => "true or false",
            Self::Share => "a number above 0 and up to 1",
            Self::Text => "a text",
        }
    }

    fn fits(self, value: &SettingValue) -> bool {
        match self {
            Self::Count => value.as_count().is_some_and(|count| count > 0),
            Self::Flag => value.as_flag().is_some(),
            Self::Share => value.as_number().is_some_and(|share| share > 0.0 && share <= 1.0),
            Self::Text => matches!(value, SettingValue::Text(_)),
        }
    }
}

/// What a log says of the settings of its run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoggedSettings {
    /// What was passed.
    pub passed: BTreeMap<String, SettingValue>,
    /// What lines of the log resolved.
    pub resolved: BTreeMap<String, SettingValue>,
}

impl LoggedSettings {
    /// The settings by a log; none when it has no arguments line that can be read, for then it is not known
    /// what was passed.
    #[must_use]
    pub fn of(facts: &LogFacts) -> Option<Self> {
        let kept = |name: &str, value: &SettingValue| {
            OF_THE_DEPLOYMENT.iter().any(|(known, kind)| *known == name && kind.fits(value))
        };
        let entry =
            |name: &str, value: &SettingValue| kept(name, value).then(|| (name.to_owned(), value.clone()));
        let passed = facts.passed()?.iter();
        Some(Self {
            passed: passed.filter_map(|(name, value)| entry(name, value)).collect(),
            resolved: facts.resolved.iter().filter_map(|(name, stated)| entry(name, &stated.value)).collect(),
        })
    }
}

/// The settings of a point of a sweep that has a log: what was passed, what lines of the log resolved,
/// and the other admission settings from the defaults.
#[must_use]
pub fn of_logged_point(
    passed: impl IntoIterator<Item = (String, SettingValue)>,
    resolved: impl IntoIterator<Item = (String, SettingValue)>,
    defaults: Option<&AdmissionDefaults>,
) -> BTreeMap<String, Setting> {
    let resolved = resolved.into_iter().map(|(name, value)| (name, Setting::resolved(value)));
    let mut settings: BTreeMap<String, Setting> = resolved.collect();
    settings.extend(passed.into_iter().map(|(name, value)| (name, Setting::passed(value))));
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
    use crate::measurements::engine_log::LogScanner;

    const DEFAULTS: AdmissionDefaults = AdmissionDefaults {
        max_num_seqs: 1024,
        max_num_batched_tokens: 8192,
        block_size: 16,
        enable_prefix_caching: true,
    };

    #[test]
    fn a_passed_value_wins_over_the_default() {
        let passed = [("block_size".to_owned(), SettingValue::from(256_u32))];
        let settings = of_logged_point(passed, [], Some(&DEFAULTS));
        assert_eq!(settings["block_size"], Setting::passed(256_u32));
        assert_eq!(settings["max_num_seqs"], Setting::resolved(1024_u32));
        assert_eq!(settings["max_num_batched_tokens"], Setting::resolved(8192_u32));
        assert_eq!(settings["enable_prefix_caching"], Setting::resolved(true));
    }

    #[test]
    fn a_line_of_the_log_wins_over_the_default_and_loses_to_what_was_passed() {
        let passed = [("block_size".to_owned(), SettingValue::from(256_u32))];
        let resolved = ["block_size", "max_num_batched_tokens", "max_model_len"];
        let resolved = resolved.map(|name| (name.to_owned(), SettingValue::from(2048_u32)));
        let settings = of_logged_point(passed, resolved, Some(&DEFAULTS));
        assert_eq!(settings["block_size"], Setting::passed(256_u32));
        assert_eq!(settings["max_num_batched_tokens"], Setting::resolved(2048_u32));
        assert_eq!(settings["max_model_len"], Setting::resolved(2048_u32));
    }

    #[test]
    fn of_a_log_only_what_a_simulator_could_be_given_is_kept() {
        let log = "non-default args: {'port': 8888, 'model': '/scratch/x', 'max_num_seqs': 'many', 'block_size': 0, \
            'gpu_memory_utilization': 1.5, 'enable_prefix_caching': False, 'max_model_len': -1}\n\
            (APIServer pid=1) INFO x Using max model len 9472\n";
        let mut scanner = LogScanner::default();
        scanner.push(log.as_bytes());
        let settings = LoggedSettings::of(&scanner.finish()).unwrap();
        assert_eq!(settings.passed, [("enable_prefix_caching".to_owned(), false.into())].into());
        assert_eq!(settings.resolved, [("max_model_len".to_owned(), 9472_u32.into())].into());
        assert_eq!(LoggedSettings::of(&LogFacts::default()), None);
    }

    #[test]
    fn a_stated_setting_is_known_and_fits() {
        assert_eq!(check_stated("max_num_seqs", &256_u32.into()), Ok(()));
        let error = check_stated("max_num_seqs", &true.into()).unwrap_err().to_string();
        assert_eq!(error, "setting `max_num_seqs` cannot be `true`: it is a whole number above 0");
        let error = check_stated("max-num-seqs", &1_u32.into()).unwrap_err().to_string();
        assert!(error.starts_with("there is no setting `max-num-seqs`: the known ones are async_scheduling"));
    }

    #[test]
    fn every_admission_setting_is_there_whatever_is_known() {
        for settings in [of_logged_point([], [], None), of_logless_point()] {
            assert_eq!(settings.len(), ADMISSION_SETTINGS.len());
            assert!(settings.values().all(|setting| setting.origin == Origin::Absent));
        }
        let resolved = of_logged_point([], [], Some(&DEFAULTS));
        assert!(resolved.values().all(|setting| setting.origin == Origin::Resolved));
    }
}
