//! What builds are told of models and GPUs: a config.json and a hardware file, made from the reference tables.
//!
//! Their digests are part of a build's identity. They are taken from what is told, not from the tables' text, so that a comment, or
//! a GPU that BLIS is not told of, changes nothing.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use shared::digest::Digest;

use crate::reference::{BlisCheckpoint, BlisHardware, BlisModel, Reference};

/// What BLIS is told of one checkpoint of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelDescription {
    /// The model's name for BLIS.
    pub repository: String,
    /// The content of its config.json.
    pub config: Value,
}

/// What BLIS is told of one GPU, with the keys of its hardware file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct GpuDescription {
    #[serde(rename = "TFlopsPeak")]
    bf16_tflops: f64,
    #[serde(rename = "TFlopsFP8")]
    fp8_tflops: f64,
    #[serde(rename = "BwPeakTBs")]
    memory_tb_s: f64,
    #[serde(rename = "mfuPrefill")]
    mfu_prefill: f64,
    #[serde(rename = "mfuDecode")]
    mfu_decode: f64,
    #[serde(rename = "MemoryGiB")]
    memory_gib: f64,
}

/// All descriptions, and their digests.
#[derive(Clone, Debug, PartialEq)]
pub struct Descriptions {
    models: BTreeMap<String, BTreeMap<String, ModelDescription>>,
    gpu_names: BTreeMap<String, String>,
    hardware_file: Vec<u8>,
    models_digest: Digest,
    hardware_digest: Digest,
}

impl Descriptions {
    /// From the reference tables.
    ///
    /// # Errors
    /// When a description cannot be written as JSON.
    pub fn new(reference: &Reference) -> Result<Self, serde_json::Error> {
        let models: BTreeMap<_, BTreeMap<_, _>> = reference
            .blis_models()
            .iter()
            .map(|model| {
                let checkpoints = model.checkpoint.iter().map(|checkpoint| {
                    (checkpoint.precision.as_str().to_owned(), described(model, checkpoint))
                });
                (model.name.as_str().to_owned(), checkpoints.collect())
            })
            .collect();
        let mut gpu_names = BTreeMap::new();
        let mut gpus = BTreeMap::new();
        for entry in reference.blis_hardware() {
            // The tables were checked: the GPU is there.
            let Some(facts) = reference.hardware(entry.name.as_str()) else { continue };
            gpu_names.insert(entry.name.as_str().to_owned(), entry.blis_name.as_str().to_owned());
            gpus.insert(entry.blis_name.as_str().to_owned(), gpu(entry, facts));
        }
        Ok(Self {
            models_digest: Digest::of_json(&models)?,
            hardware_digest: Digest::of_json(&gpus)?,
            hardware_file: serde_json::to_vec_pretty(&gpus)?,
            models,
            gpu_names,
        })
    }

    /// What BLIS is told of a model's checkpoint.
    #[must_use]
    pub fn model(&self, name: &str, precision: &str) -> Option<&ModelDescription> {
        self.models.get(name)?.get(precision)
    }

    /// Whether any checkpoint of a model is described.
    #[must_use]
    pub fn knows_model(&self, name: &str) -> bool {
        self.models.contains_key(name)
    }

    /// The name by which BLIS is given a GPU.
    #[must_use]
    pub fn gpu_name(&self, name: &str) -> Option<&str> {
        self.gpu_names.get(name).map(String::as_str)
    }

    /// The hardware file.
    #[must_use]
    pub fn hardware_file(&self) -> &[u8] {
        &self.hardware_file
    }

    /// The digest of all that is told of models.
    #[must_use]
    pub fn models_digest(&self) -> &Digest {
        &self.models_digest
    }

    /// The digest of all that is told of GPUs.
    #[must_use]
    pub fn hardware_digest(&self) -> &Digest {
        &self.hardware_digest
    }
}

fn described(model: &BlisModel, checkpoint: &BlisCheckpoint) -> ModelDescription {
    let mut config = model.config.clone();
    if let Some(quantization) = &checkpoint.quantization {
        let told = json!({
            "quant_method": quantization.quant_method.as_str(),
            "bits": quantization.bits,
        });
        config.insert("quantization_config".to_owned(), told);
    }
    ModelDescription { repository: model.repository.as_str().to_owned(), config: Value::Object(config) }
}

fn gpu(entry: &BlisHardware, facts: &crate::reference::Hardware) -> GpuDescription {
    GpuDescription {
        bf16_tflops: entry.bf16_tflops.unwrap_or(facts.bf16_tflops).get(),
        fp8_tflops: entry.fp8_tflops.unwrap_or(facts.fp8_tflops).get(),
        memory_tb_s: facts.memory_gb_s.get() / 1000.0,
        mfu_prefill: entry.mfu_prefill.get(),
        mfu_decode: entry.mfu_decode.get(),
        memory_gib: facts.memory_gib.get(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptions() -> Descriptions {
        Descriptions::new(&Reference::embedded().unwrap()).unwrap()
    }

    #[test]
    fn an_h200_is_an_h100_with_other_memory() {
        let file: Value = serde_json::from_slice(descriptions().hardware_file()).unwrap();
        // The H100 of every release's own hardware_config.json.
        let mut expected = json!({
            "TFlopsPeak": 989.5, "TFlopsFP8": 1979.0, "BwPeakTBs": 3.35,
            "mfuPrefill": 0.45, "mfuDecode": 0.30, "MemoryGiB": 80.0,
        });
        assert_eq!(file["H100"], expected);
        expected["BwPeakTBs"] = json!(4.8);
        expected["MemoryGiB"] = json!(141.0);
        assert_eq!(file["H200"], expected);
        assert_eq!(descriptions().gpu_name("b300"), Some("B300"));
        assert_eq!(descriptions().gpu_name("gb200"), None);
    }

    #[test]
    fn the_bits_of_the_weights_follow_the_precision() {
        let all = descriptions();
        for (model, precision, bits) in [
            ("gpt-oss-120b", "fp4", Some(4)),
            ("llama-3.1-70b-instruct", "fp8", Some(8)),
            ("llama-3.1-70b-instruct", "fp4", Some(4)),
            ("llama-3.1-70b-instruct", "bf16", None),
        ] {
            let config = &all.model(model, precision).unwrap().config;
            assert_eq!(config["quantization_config"]["bits"].as_u64(), bits, "{model} {precision}");
            assert_eq!(config["torch_dtype"], "bfloat16");
        }
        assert!(all.model("gpt-oss-120b", "fp8").is_none());
    }

    #[test]
    fn every_point_of_the_corpus_is_described() {
        let all = descriptions();
        for sweep in crate::testing::corpus(usize::MAX).sweeps {
            assert!(all.model(&sweep.model, &sweep.precision).is_some(), "{}", sweep.model);
            assert!(all.gpu_name(&sweep.hardware).is_some(), "{}", sweep.hardware);
        }
    }

    /// They are part of every identity: when one changes, no answer of an earlier run is used again.
    #[test]
    fn a_digest_changes_only_on_purpose() {
        let all = descriptions();
        assert_eq!(all.models_digest().short(12), "da608df703c4");
        assert_eq!(all.hardware_digest().short(12), "432a39dc0d82");
    }

    #[test]
    fn a_comment_in_a_table_changes_no_digest() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("blis")).unwrap();
        let text = include_str!("../../../../data/reference/blis/models.toml");
        std::fs::write(folder.path().join("blis/models.toml"), format!("{text}\n# a remark\n")).unwrap();
        let changed = Descriptions::new(&Reference::load(Some(folder.path())).unwrap()).unwrap();
        assert_eq!(changed, descriptions());
        let other = text.replacen("num_hidden_layers = 36", "num_hidden_layers = 37", 1);
        std::fs::write(folder.path().join("blis/models.toml"), other).unwrap();
        let changed = Descriptions::new(&Reference::load(Some(folder.path())).unwrap()).unwrap();
        assert_ne!(changed.models_digest(), descriptions().models_digest());
    }
}
