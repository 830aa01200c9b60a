//! Facts that the scorer needs and does not measure: models, GPUs, engine defaults, families.
//!
//! The tables of `data/reference/` are built into the program. A directory given with `--reference` replaces those of its files
//! that it contains. Every entry names its source; what a table must not say is refused with the file and the entry.

mod aiconfigurator;
mod blis;
mod defaults;
mod formats;
mod hardware;
mod inferencex;
mod models;
mod parameters;
mod values;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use shared::digest::Digest;

pub use aiconfigurator::{AiconfiguratorCheckpoint, AiconfiguratorSystem};
pub use blis::{BlisCheckpoint, BlisHardware, BlisModel, Quantization};
pub use defaults::{DefaultRule, EngineDefaults, Profile};
pub use formats::{Math, NumberFormat};
pub use hardware::Hardware;
pub use inferencex::{Inferencex, InferencexModel};
pub use models::{Attention, Checkpoint, Component, Dense, Experts, LayerKind, LongRange, Model, Published};
pub use parameters::{Parameters, index_heads_on_one_of, kv_heads_on_one_of};
pub use values::{Positive, Text, Version};

const TABLES: [(&str, &str); 8] = [
    ("models.toml", include_str!("../../../data/reference/models.toml")),
    ("hardware.toml", include_str!("../../../data/reference/hardware.toml")),
    ("vllm_defaults.toml", include_str!("../../../data/reference/vllm_defaults.toml")),
    ("families.toml", include_str!("../../../data/reference/families.toml")),
    ("blis/models.toml", include_str!("../../../data/reference/blis/models.toml")),
    ("blis/hardware.toml", include_str!("../../../data/reference/blis/hardware.toml")),
    ("aiconfigurator.toml", include_str!("../../../data/reference/aiconfigurator.toml")),
    ("inferencex.toml", include_str!("../../../data/reference/inferencex.toml")),
];

/// A table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The file or directory cannot be read.
    #[error("cannot read the reference table {}: check that --reference names a readable directory", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The directory has none of the tables.
    #[error("{} has none of the tables {tables}: name another directory with --reference", path.display())]
    Empty {
        /// The directory.
        path: PathBuf,
        /// The names that were looked for.
        tables: String,
    },
    /// The file is not TOML of the right shape.
    #[error("{file} is not a valid reference table: {source}")]
    Parse {
        /// The file.
        file: String,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
    /// An entry contradicts itself or another.
    #[error("{file}: {entry} {problem}")]
    Entry {
        /// The file.
        file: String,
        /// The entry.
        entry: String,
        /// What is wrong and what to do.
        problem: String,
    },
}

/// The tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    models: Vec<Model>,
    hardware: Vec<Hardware>,
    defaults: EngineDefaults,
    families: BTreeMap<String, String>,
    blis_models: Vec<BlisModel>,
    blis_hardware: Vec<BlisHardware>,
    aiconfigurator: aiconfigurator::AiconfiguratorFile,
    inferencex: Inferencex,
    facts_digest: Digest,
    is_built_in: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FamiliesFile {
    #[expect(dead_code, reason = "required of the file, for its readers")]
    source: Text,
    families: BTreeMap<String, Text>,
}

impl Reference {
    /// The built-in tables.
    pub fn embedded() -> Result<Self, ReferenceError> {
        Self::from_texts(&TABLES.map(|(name, text)| (name.to_owned(), text.to_owned())))
    }

    /// The built-in tables, replaced by the files of a directory that have their names.
    pub fn load(directory: Option<&Path>) -> Result<Self, ReferenceError> {
        let Some(directory) = directory else { return Self::embedded() };
        let mut replaced = 0;
        let mut texts = Vec::new();
        for (name, built_in) in TABLES {
            let path = directory.join(name);
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    replaced += 1;
                    texts.push((path.display().to_string(), text));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    texts.push((name.to_owned(), built_in.to_owned()));
                }
                Err(source) => return Err(ReferenceError::Read { path, source }),
            }
        }
        if replaced == 0 {
            let tables = TABLES.map(|(name, _)| name).join(", ");
            return Err(ReferenceError::Empty { path: directory.to_owned(), tables });
        }
        Self::from_texts(&texts)
    }

    /// The tables from texts in the order of `TABLES`, each with the name that messages use.
    fn from_texts(texts: &[(String, String)]) -> Result<Self, ReferenceError> {
        let [models, hardware, defaults, families, blis_models, blis_hardware, aiconfigurator, inferencex] =
            texts
        else {
            return Err(ReferenceError::Empty {
                path: PathBuf::new(),
                tables: TABLES.map(|(name, _)| name).join(", "),
            });
        };
        let models_file: models::ModelsFile = parse(models)?;
        models_file.check().map_err(|problem| entry_error(models, problem))?;
        let hardware_file: hardware::HardwareFile = parse(hardware)?;
        hardware_file.check().map_err(|problem| entry_error(hardware, problem))?;
        let defaults_file: EngineDefaults = parse(defaults)?;
        defaults_file.check().map_err(|problem| entry_error(defaults, problem))?;
        let blis_models_file: blis::BlisModelsFile = parse(blis_models)?;
        blis_models_file.check().map_err(|problem| entry_error(blis_models, problem))?;
        let blis_hardware_file: blis::BlisHardwareFile = parse(blis_hardware)?;
        blis_hardware_file
            .check(&hardware_file.hardware)
            .map_err(|problem| entry_error(blis_hardware, problem))?;
        let aiconfigurator_file: aiconfigurator::AiconfiguratorFile = parse(aiconfigurator)?;
        aiconfigurator_file
            .check(&models_file.model, &hardware_file.hardware)
            .map_err(|problem| entry_error(aiconfigurator, problem))?;
        let inferencex_file: Inferencex = parse(inferencex)?;
        inferencex_file.check().map_err(|problem| entry_error(inferencex, problem))?;
        let families_file: FamiliesFile = parse(families)?;
        let families = families_file
            .families
            .into_iter()
            .map(|(model, family)| (model, family.as_str().to_owned()))
            .collect();
        // The names of the files do not enter: the same facts have the same digest wherever they are read from.
        let facts = format!("{}\n\u{0}\n{}", models.1, hardware.1);
        Ok(Self {
            models: models_file.model,
            hardware: hardware_file.hardware,
            defaults: defaults_file,
            families,
            blis_models: blis_models_file.model,
            blis_hardware: blis_hardware_file.hardware,
            aiconfigurator: aiconfigurator_file,
            inferencex: inferencex_file,
            facts_digest: Digest::of_bytes(facts.as_bytes()),
            is_built_in: texts.iter().map(|(_, text)| text.as_str()).eq(TABLES.map(|(_, text)| text)),
        })
    }

    /// The facts of a model.
    #[must_use]
    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name.as_str() == name)
    }

    /// All models, in the order of the file.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The facts of a GPU.
    #[must_use]
    pub fn hardware(&self, name: &str) -> Option<&Hardware> {
        self.hardware.iter().find(|gpu| gpu.name.as_str() == name)
    }

    /// All GPUs, in the order of the file.
    #[must_use]
    pub fn all_hardware(&self) -> &[Hardware] {
        &self.hardware
    }

    /// The engine's defaults.
    #[must_use]
    pub fn defaults(&self) -> &EngineDefaults {
        &self.defaults
    }

    /// The family of a model: what the table says, else the model's own name.
    #[must_use]
    pub fn family<'a>(&'a self, model: &'a str) -> &'a str {
        self.families.get(model).map_or(model, String::as_str)
    }

    /// What BLIS must be told of each model, in the order of the file.
    #[must_use]
    pub fn blis_models(&self) -> &[BlisModel] {
        &self.blis_models
    }

    /// What BLIS must be told of each GPU, in the order of the file.
    #[must_use]
    pub fn blis_hardware(&self) -> &[BlisHardware] {
        &self.blis_hardware
    }

    /// How AIConfigurator names a model in a precision.
    #[must_use]
    pub fn aiconfigurator_checkpoint(
        &self,
        model: &str,
        precision: &str,
    ) -> Option<&AiconfiguratorCheckpoint> {
        let checkpoints = &self.aiconfigurator.checkpoint;
        checkpoints.iter().find(|form| form.model.as_str() == model && form.precision.as_str() == precision)
    }

    /// How AIConfigurator names a GPU.
    #[must_use]
    pub fn aiconfigurator_system(&self, hardware: &str) -> Option<&AiconfiguratorSystem> {
        self.aiconfigurator.system.iter().find(|system| system.name.as_str() == hardware)
    }

    /// The digest of all that AIConfigurator is told by its table; sources do not enter.
    ///
    /// # Errors
    /// When the table cannot be written as JSON.
    pub fn aiconfigurator_digest(&self) -> Result<Digest, serde_json::Error> {
        Digest::of_json(&self.aiconfigurator)
    }

    /// How the InferenceX database names things.
    #[must_use]
    pub fn inferencex(&self) -> &Inferencex {
        &self.inferencex
    }

    /// Whether all tables say what the built-in ones say: with others, nothing is a release.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.is_built_in
    }

    /// The digest of models and hardware: part of the identity of every estimate that rests on them.
    #[must_use]
    pub fn facts_digest(&self) -> &Digest {
        &self.facts_digest
    }
}

fn parse<T: DeserializeOwned>((file, text): &(String, String)) -> Result<T, ReferenceError> {
    toml::from_str(text)
        .map_err(|source| ReferenceError::Parse { file: file.clone(), source: Box::new(source) })
}

fn entry_error((file, _): &(String, String), (entry, problem): (String, String)) -> ReferenceError {
    ReferenceError::Entry { file: file.clone(), entry, problem }
}

#[cfg(test)]
mod tests;
