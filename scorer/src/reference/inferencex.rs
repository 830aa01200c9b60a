//! `inferencex.toml`: how the InferenceX database names models, GPUs and images.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::values::{Names, Text, Version};

/// The file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inferencex {
    model: Vec<InferencexModel>,
    hardware: HardwareNames,
    image: ImageRule,
}

/// A model of the database.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InferencexModel {
    /// Its key in the database.
    pub key: Text,
    /// Its name in the corpus; none: the corpus cannot hold it.
    #[serde(default)]
    pub name: Option<Text>,
    /// The name that the API is asked by; several keys may share one.
    pub display: Text,
    /// Where these are from.
    pub source: Text,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct HardwareNames {
    nvidia: BTreeSet<Text>,
    source: Text,
}

/// What the tag of a numbered version is made of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ImageRule {
    prefix: String,
    suffixes: BTreeSet<Text>,
    numbered_suffixes: BTreeSet<Text>,
    source: Text,
}

impl Inferencex {
    /// What the types do not say.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let mut names = Names::default();
        self.model
            .iter()
            .try_for_each(|model| names.add(&model.key, &format!("model `{}`", model.key.as_str())))
    }

    /// The name of a model of the database.
    #[must_use]
    pub fn model(&self, key: &str) -> Option<&str> {
        self.model.iter().find(|model| model.key.as_str() == key)?.name.as_ref().map(Text::as_str)
    }

    /// The names that the API is asked by, each once.
    #[must_use]
    pub fn displays(&self) -> BTreeSet<&str> {
        self.model.iter().map(|model| model.display.as_str()).collect()
    }

    /// Whether a GPU of the database is NVIDIA's.
    #[must_use]
    pub fn is_nvidia(&self, hardware: &str) -> bool {
        self.hardware.nvidia.iter().any(|name| name.as_str() == hardware)
    }

    /// The engine's version in the tag of an image; none when the tag is not one of a numbered version.
    #[must_use]
    pub fn version_of_image(&self, image: &str) -> Option<Version> {
        let name = image.split('@').next().unwrap_or(image);
        let name = name.rsplit('/').next().unwrap_or(name);
        let (_, tag) = name.rsplit_once(':')?;
        let mut parts = tag.strip_prefix(self.image.prefix.as_str())?.split('-');
        let version = parts.next()?;
        let (numbers, post) = version.split_once(".post").map_or((version, None), |(n, p)| (n, Some(p)));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_triple = numbers.split('.').count() == 3 && numbers.split('.').all(is_number);
        let is_suffix = |part: &str| {
            let of = |suffixes: &BTreeSet<Text>, fits: &dyn Fn(&str) -> bool| {
                suffixes.iter().any(|suffix| part.strip_prefix(suffix.as_str()).is_some_and(fits))
            };
            of(&self.image.suffixes, &str::is_empty) || of(&self.image.numbered_suffixes, &is_number)
        };
        if !is_triple || !post.is_none_or(is_number) || !parts.all(is_suffix) {
            return None;
        }
        numbers.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::reference::Reference;

    #[test]
    fn the_version_is_read_from_numbered_tags_only() {
        // Tags in InferenceX's configurations, and some that look like them.
        let reference = Reference::embedded().unwrap();
        let version =
            |image: &str| reference.inferencex().version_of_image(image).map(|version| version.to_string());
        for (image, expected) in [
            ("vllm/vllm-openai:v0.25.0", Some("0.25.0")),
            ("vllm/vllm-openai:v0.19.0-cu130", Some("0.19.0")),
            ("vllm/vllm-openai:v0.20.1-ubuntu2404", Some("0.20.1")),
            ("vllm/vllm-openai:v0.10.1.post2-x86_64-cu130", Some("0.10.1")),
            ("vllm/vllm-openai:v0.25.0@sha256:a9095d4c", Some("0.25.0")),
            ("registry.example:5000/vllm/vllm-openai:v0.25.0", Some("0.25.0")),
            ("registry.example:5000/vllm-openai", None),
            ("vllm/vllm-openai:nightly-09663abde0f50944a8d5ea30120666024b503faa", None),
            ("vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-75c2eef", None),
            ("vllm/vllm-openai:minimax-m3-0618-x86_64-cu130", None),
            ("vllm/vllm-openai:kimi-k3", None),
            ("vllm/vllm-openai:vllm-x86_64-cu13-0.25.1-7a33ba9", None),
            ("quay.io/rh-ee-imarkov/llm-d-nokube-vllm:vllm0.26@sha256:a9095d4c", None),
            ("vllm/vllm-openai:v0.25", None),
            ("vllm/vllm-openai:v0.25.0rc1", None),
            ("vllm/vllm-openai:v0.25.0-dev", None),
            ("vllm/vllm-openai:v0.25.0-cu", None),
            ("vllm/vllm-openai:v0.25.0-", None),
            ("vllm/vllm-openai:v0.25.0.1", None),
            ("vllm/vllm-openai:v0.25.99999999999", None),
            ("", None),
            (":@/", None),
        ] {
            assert_eq!(version(image).as_deref(), expected, "{image}");
        }
    }

    #[test]
    fn every_model_has_a_name_of_the_catalog() {
        let reference = Reference::embedded().unwrap();
        let table = reference.inferencex();
        assert_eq!(table.model("dsv4"), Some("deepseek-v4-pro"));
        assert_eq!(table.model("kimik3"), None);
        assert!(table.is_nvidia("gb300") && !table.is_nvidia("mi355x"));
    }

    proptest! {
        #[test]
        fn no_image_makes_it_panic(image in "[a-z0-9.:/@-]{0,40}|\\PC{0,40}") {
            let reference = Reference::embedded().unwrap();
            if let Some(version) = reference.inferencex().version_of_image(&image) {
                prop_assert!(image.contains(":v") && version.to_string().split('.').count() == 3);
            }
        }
    }
}
