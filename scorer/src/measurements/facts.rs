//! The reference tables as the facts that readers of measurements ask for.

use super::settings::{AdmissionDefaults, Facts};
use crate::reference::{Reference, Version};

/// The engine whose defaults the tables hold.
const ENGINE: &str = "vllm";

impl Facts for Reference {
    fn family(&self, model: &str) -> String {
        Self::family(self, model).to_owned()
    }

    fn admission_defaults(
        &self,
        framework: &str,
        engine_version: Option<&str>,
        hardware: &str,
    ) -> Option<AdmissionDefaults> {
        if framework != ENGINE {
            return None;
        }
        let memory_gib = self.hardware(hardware)?.memory_gib.get();
        let version = engine_version.and_then(|version| version.parse::<Version>().ok());
        let tables = self.defaults();
        let rule = tables.profile(tables.default_profile.as_str())?.rule(version, memory_gib)?;
        Some(AdmissionDefaults {
            max_num_seqs: rule.max_num_seqs.get(),
            max_num_batched_tokens: rule.max_num_batched_tokens.get(),
            block_size: rule.block_size.get(),
            enable_prefix_caching: rule.enable_prefix_caching,
        })
    }

    fn version_of_image(&self, image: &str) -> Option<Version> {
        self.inferencex().version_of_image(image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_depend_on_the_memory_of_the_gpu() {
        // The table of the reference harness, read at vLLM 0.22.
        let reference = Reference::embedded().unwrap();
        let tokens = |hardware: &str| {
            let defaults = reference.admission_defaults("vllm", Some("0.22.0"), hardware)?;
            Some((defaults.max_num_seqs, defaults.max_num_batched_tokens))
        };
        assert_eq!(tokens("b200"), Some((1024, 16384)));
        assert_eq!(tokens("h100"), Some((1024, 8192)));
        assert_eq!(tokens("abacus"), None);
        assert_eq!(reference.admission_defaults("sglang", None, "b200"), None);
    }

    #[test]
    fn a_model_that_nobody_grouped_is_its_own_family() {
        let reference = Reference::embedded().unwrap();
        assert_eq!(Facts::family(&reference, "minimax-m3"), "minimax");
        assert_eq!(Facts::family(&reference, "unheard-of"), "unheard-of");
    }
}
