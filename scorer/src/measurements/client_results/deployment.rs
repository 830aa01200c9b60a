//! The deployment file: what ran, on what, how it was loaded, and what was passed to the engine.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use shared::corpus::SourcePart;
use shared::deployment::{Parallelism, Speculation};
use shared::digest::Digest;
use shared::setting::SettingValue;

use super::agreement::{Difference, with_settings};
use super::error::{ClientResultsError, Fault};
use super::files::part_of;
use crate::files::read_text;
use crate::measurements::name::Name;
use crate::measurements::settings::check_stated;
use crate::workload::DEFAULT_RANGE_RATIO;

/// The largest deployment file that is read.
const LARGEST: u64 = 1 << 20;

/// What a deployment file says. `examples/deployment.toml` explains every line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeploymentFile {
    pub(super) model: Name,
    pub(super) hardware: Name,
    pub(super) precision: Name,
    #[serde(default = "vllm")]
    pub(super) framework: Name,
    #[serde(default)]
    pub(super) engine_version: Option<Name>,
    #[serde(default)]
    pub(super) image: Option<Name>,
    #[serde(default)]
    pub(super) measured_by: Option<Name>,
    #[serde(default)]
    pub(super) parallelism: Layout,
    #[serde(default)]
    pub(super) speculation: Option<Speculated>,
    pub(super) workload: Lengths,
    /// What was passed; none: not known.
    #[serde(default)]
    pub(super) settings: Option<BTreeMap<String, SettingValue>>,
}

fn vllm() -> Name {
    Name::of_constant("vllm")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Layout {
    pub(super) tp: u32,
    pub(super) pp: u32,
    pub(super) dp: u32,
    pub(super) ep: u32,
}

impl Default for Layout {
    fn default() -> Self {
        Self { tp: 1, pp: 1, dp: 1, ep: 1 }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Speculated {
    method: Name,
    #[serde(default)]
    tokens: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lengths {
    pub(super) isl: u32,
    pub(super) osl: u32,
    #[serde(default = "default_ratio")]
    pub(super) range_ratio: f64,
}

fn default_ratio() -> f64 {
    DEFAULT_RANGE_RATIO
}

impl DeploymentFile {
    pub(super) fn read(path: &Path, parts: &mut Vec<SourcePart>) -> Result<Self, ClientResultsError> {
        let text = read_text(path, LARGEST)?;
        parts.push(part_of(path, Digest::of_bytes(text.as_bytes()), text.len() as u64));
        let at = |fault| ClientResultsError::at(path, fault);
        let file: Self = toml::from_str(&text).map_err(|error| at(Fault::NotToml(Box::new(error))))?;
        file.check().map_err(at)?;
        Ok(file)
    }

    fn check(&self) -> Result<(), Fault> {
        let Layout { tp, pp, dp, ep } = self.parallelism;
        let Lengths { isl, osl, range_ratio } = self.workload;
        for (name, number) in [
            ("parallelism.tp", tp),
            ("parallelism.pp", pp),
            ("parallelism.dp", dp),
            ("parallelism.ep", ep),
            ("workload.isl", isl),
            ("workload.osl", osl),
        ] {
            if number == 0 {
                return Err(Fault::Zero(name));
            }
        }
        if !(0.0..=1.0).contains(&range_ratio) {
            return Err(Fault::Ratio(range_ratio));
        }
        self.settings.iter().flatten().try_for_each(|(name, value)| check_stated(name, value))?;
        match with_settings(self) {
            None => Ok(()),
            Some(Difference { what, found, stated }) => {
                Err(Fault::OwnContradiction { place: "[settings]", what, found, stated })
            }
        }
    }

    /// The engine's version, as logs write it: without the `v` of an image's tag.
    pub(super) fn engine_version(&self) -> Option<String> {
        let version = self.engine_version.as_ref()?.as_str();
        Some(version.strip_prefix('v').unwrap_or(version).to_owned())
    }

    pub(super) fn parallelism(&self) -> Parallelism {
        let Layout { tp, pp, dp, ep } = self.parallelism;
        Parallelism { tp, pp, dp, ep, dp_attention: dp > 1 }
    }

    pub(super) fn spec(&self) -> Speculation {
        match &self.speculation {
            None => Speculation::none(),
            Some(Speculated { method, tokens }) => {
                Speculation { method: method.to_string(), tokens: *tokens }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        "model = 'm'\nhardware = 'h200'\nprecision = 'fp4'\n[workload]\nisl = 8000\nosl = 1000\n";

    fn read(text: &str) -> Result<DeploymentFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deployment.toml");
        std::fs::write(&path, text).unwrap();
        DeploymentFile::read(&path, &mut Vec::new()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_not_said_is_the_ordinary() {
        let file = read(WHOLE).unwrap();
        assert_eq!((file.framework.as_str(), file.workload.range_ratio), ("vllm", 0.8));
        assert_eq!((file.parallelism(), file.spec()), (Parallelism::tensor(1), Speculation::none()));
        assert_eq!(file.settings, None);
    }

    #[test]
    fn what_cannot_be_is_refused_by_its_place() {
        for (more, expected) in [
            ("[parallelism]\ntp = 0", "`parallelism.tp` is 0"),
            ("[settings]\nmax_num_seq = 4", "there is no setting `max_num_seq`"),
            ("[settings]\nblock_size = '16'", "setting `block_size` cannot be `16`"),
            ("[extra]\n", "unknown field `extra`"),
            ("range_ratio = 1.5", "1.5"),
            (
                "[settings]\nspeculative_method = 'mtp'",
                "says in [settings] that speculative_method is `mtp`, but elsewhere that it is `none`",
            ),
            (
                "[speculation]\nmethod = 'mtp'\ntokens = 1\n[settings]\nnum_speculative_tokens = 2",
                "num_speculative_tokens is `2`, but elsewhere that it is `1`",
            ),
            (
                "[parallelism]\ntp = 4\n[settings]\nenable_expert_parallel = true",
                "the expert-parallel size by enable_expert_parallel is `4`, but elsewhere that it is `1`",
            ),
        ] {
            let error = read(&format!("{WHOLE}{more}\n")).unwrap_err();
            assert!(error.contains(expected), "{more}: {error}");
        }
        assert!(read("model = ''").unwrap_err().contains("is no name"));
    }
}
