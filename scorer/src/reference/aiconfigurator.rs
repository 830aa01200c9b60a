//! `aiconfigurator.toml`: how AIConfigurator names models and GPUs, and which number formats it is told.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::hardware::Hardware;
use super::models::Model;
use super::values::{Names, Text};

/// The file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AiconfiguratorFile {
    pub(super) system: Vec<AiconfiguratorSystem>,
    pub(super) checkpoint: Vec<AiconfiguratorCheckpoint>,
}

/// A GPU in its server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiconfiguratorSystem {
    /// Its name in `hardware.toml`.
    pub name: Text,
    /// The name that AIConfigurator knows it by.
    pub system: Text,
    /// Where that is from.
    #[serde(skip_serializing)]
    pub source: Text,
}

/// A model in one of its quantised forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiconfiguratorCheckpoint {
    /// The model's name in `models.toml`.
    pub model: Text,
    /// The precision's name in the corpus.
    pub precision: Text,
    /// The repository that AIConfigurator knows it by.
    pub path: Text,
    /// The format of matrix products; none: the checkpoint's own.
    #[serde(default)]
    pub gemm: Option<Text>,
    /// The format of the experts; none: the checkpoint's own.
    #[serde(default)]
    pub experts: Option<Text>,
    /// The format of the KV cache; none: AIConfigurator's choice.
    #[serde(default)]
    pub kv_cache: Option<Text>,
    /// Where these are from.
    #[serde(skip_serializing)]
    pub source: Text,
}

impl AiconfiguratorCheckpoint {
    /// Whether anything has to be told beside the repository.
    #[must_use]
    pub fn has_formats(&self) -> bool {
        self.gemm.is_some() || self.experts.is_some() || self.kv_cache.is_some()
    }
}

impl AiconfiguratorFile {
    /// What the types do not say; models and GPUs must be `known`.
    pub(super) fn check(&self, models: &[Model], hardware: &[Hardware]) -> Result<(), (String, String)> {
        let mut names = Names::default();
        for system in &self.system {
            let entry = format!("system `{}`", system.name.as_str());
            names.add(&system.name, &entry)?;
            if !hardware.iter().any(|gpu| gpu.name == system.name) {
                return Err((entry, "is not in hardware.toml: add it there".to_owned()));
            }
        }
        let mut names = BTreeSet::new();
        for checkpoint in &self.checkpoint {
            let (model, precision) = (checkpoint.model.as_str(), checkpoint.precision.as_str());
            let entry = format!("checkpoint `{model}` in `{precision}`");
            if !names.insert((model, precision)) {
                return Err((entry, "is there twice: keep one".to_owned()));
            }
            if !models.iter().any(|known| known.name.as_str() == model) {
                return Err((entry, "is of a model that is not in models.toml: add it there".to_owned()));
            }
        }
        Ok(())
    }
}
