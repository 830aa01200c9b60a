//! `vllm_defaults.toml`: the engine settings that apply when none are passed.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use serde::Deserialize;

use super::values::{Positive, Text, Version};

/// The file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineDefaults {
    /// The profile that is used when none is asked for.
    pub default_profile: Text,
    /// The profiles.
    pub profile: Vec<Profile>,
}

/// One set of rules.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name.
    pub name: Text,
    /// Where the rules are from.
    pub source: Text,
    /// Tried in order.
    pub rule: Vec<DefaultRule>,
}

/// Settings, and when they apply.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultRule {
    /// The first version.
    #[serde(default)]
    pub from: Option<Version>,
    /// The first version that is too new.
    #[serde(default)]
    pub before: Option<Version>,
    /// The least device memory, in GiB.
    #[serde(default)]
    pub min_memory_gib: Option<Positive>,
    /// The most requests in one step.
    pub max_num_seqs: NonZeroU32,
    /// The most tokens in one step.
    pub max_num_batched_tokens: NonZeroU32,
    /// Tokens per KV block.
    pub block_size: NonZeroU32,
    /// Whether KV blocks of equal prefixes are shared.
    pub enable_prefix_caching: bool,
    /// The share of the device's memory that the engine may use.
    pub gpu_memory_utilization: Positive,
}

impl EngineDefaults {
    /// What the types do not say.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let mut names = BTreeSet::new();
        for profile in &self.profile {
            let entry = || format!("profile `{}`", profile.name.as_str());
            if !names.insert(profile.name.as_str()) {
                return Err((entry(), "is there twice: keep one".to_owned()));
            }
            let last = profile.rule.last();
            if last.is_none_or(|rule| {
                rule.from.is_some() || rule.before.is_some() || rule.min_memory_gib.is_some()
            }) {
                return Err((
                    entry(),
                    "needs a last rule without conditions, for every device it does not name".to_owned(),
                ));
            }
            if profile.rule.iter().any(|rule| rule.gpu_memory_utilization.get() > 1.0) {
                return Err((entry(), "has a `gpu_memory_utilization` above 1".to_owned()));
            }
        }
        if names.contains(self.default_profile.as_str()) {
            Ok(())
        } else {
            let name = self.default_profile.as_str();
            Err((format!("default_profile `{name}`"), format!("is none of the profiles: {}", list(names))))
        }
    }

    /// The rules of a profile; none when there is no such profile.
    #[must_use]
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.profile.iter().find(|profile| profile.name.as_str() == name)
    }
}

impl Profile {
    /// The settings that an engine of this version uses on a device with this much memory.
    #[must_use]
    pub fn rule(&self, version: Option<Version>, memory_gib: f64) -> Option<&DefaultRule> {
        self.rule.iter().find(|rule| {
            rule.from.is_none_or(|from| version.is_some_and(|version| version >= from))
                && rule.before.is_none_or(|before| version.is_some_and(|version| version < before))
                && rule.min_memory_gib.is_none_or(|least| memory_gib >= least.get())
        })
    }
}

fn list(names: BTreeSet<&str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}
