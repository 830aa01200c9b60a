//! `blis/models.toml` and `blis/hardware.toml`: what a build of BLIS must be told of a model and of a GPU.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::hardware::Hardware;
use super::values::{Names, Positive, Text};

/// The file of models.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlisModelsFile {
    pub(super) model: Vec<BlisModel>,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlisModel {
    /// Its name in the catalog.
    pub name: Text,
    /// The public repository, by whose name BLIS knows the model.
    pub repository: Text,
    /// Where the facts are from.
    pub source: Text,
    /// The facts, with the keys of the public config.json.
    pub config: Map<String, Value>,
    /// The quantised forms.
    pub checkpoint: Vec<BlisCheckpoint>,
}

/// One quantised form of a model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlisCheckpoint {
    /// The precision's name in the corpus.
    pub precision: Text,
    /// How the weights are stored; none: as `torch_dtype` says.
    #[serde(default)]
    pub quantization: Option<Quantization>,
    /// Where it is from.
    pub source: Text,
}

/// How weights are stored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantization {
    /// The method, as config.json files name it.
    pub quant_method: Text,
    /// Bits per weight.
    pub bits: NonZeroU32,
}

/// The file of GPUs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlisHardwareFile {
    pub(super) hardware: Vec<BlisHardware>,
}

/// One GPU.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlisHardware {
    /// Its name in `hardware.toml`.
    pub name: Text,
    /// The name by which BLIS is given it.
    pub blis_name: Text,
    /// Dense peak of 16-bit arithmetic where BLIS's own entry has another than `hardware.toml`, in 10¹² operations per second.
    #[serde(default)]
    pub bf16_tflops: Option<Positive>,
    /// The same for 8-bit floating point.
    #[serde(default)]
    pub fp8_tflops: Option<Positive>,
    /// Share of the peak that prefill reaches, in BLIS's roofline latency model.
    pub mfu_prefill: Positive,
    /// Share of the peak that decode reaches, in the same.
    pub mfu_decode: Positive,
    /// Where the figures are from.
    pub source: Text,
}

impl BlisModelsFile {
    /// What the types do not say.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let mut names = Names::default();
        for model in &self.model {
            let entry = format!("model `{}`", model.name.as_str());
            names.add(&model.name, &entry)?;
            if model.config.contains_key("quantization_config") {
                let problem = "states `quantization_config`, which its checkpoints decide: leave it out";
                return Err((entry, problem.to_owned()));
            }
            let mut precisions = BTreeSet::new();
            for checkpoint in &model.checkpoint {
                if !precisions.insert(checkpoint.precision.as_str()) {
                    let precision = checkpoint.precision.as_str();
                    return Err((entry, format!("has the checkpoint `{precision}` twice: keep one")));
                }
            }
        }
        Ok(())
    }
}

impl BlisHardwareFile {
    /// What the types do not say; every GPU must be one of `known`.
    pub(super) fn check(&self, known: &[Hardware]) -> Result<(), (String, String)> {
        let mut names = Names::default();
        for gpu in &self.hardware {
            let entry = format!("hardware `{}`", gpu.name.as_str());
            names.add(&gpu.name, &entry)?;
            names.add(&gpu.blis_name, &entry)?;
            if !known.iter().any(|other| other.name == gpu.name) {
                return Err((entry, "is not in hardware.toml: add it there".to_owned()));
            }
        }
        Ok(())
    }
}
