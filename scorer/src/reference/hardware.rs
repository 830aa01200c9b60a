//! `hardware.toml`: what a GPU can do at most.

use std::num::NonZeroU32;

use serde::Deserialize;

use super::formats::Math;
use super::values::{Names, Positive, Text};

/// The file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HardwareFile {
    pub(super) hardware: Vec<Hardware>,
}

impl HardwareFile {
    /// What the types do not say.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let mut names = Names::default();
        for gpu in &self.hardware {
            names.add(&gpu.name, &format!("hardware `{}`", gpu.name.as_str()))?;
        }
        Ok(())
    }
}

/// One GPU.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardware {
    /// Its name in the corpus, such as `h200`.
    pub name: Text,
    /// Memory bandwidth, in 10⁹ bytes per second.
    pub memory_gb_s: Positive,
    /// Memory, in GiB.
    pub memory_gib: Positive,
    /// Dense peak of 16-bit matrix arithmetic, in 10¹² operations per second.
    pub bf16_tflops: Positive,
    /// Dense peak of 8-bit floating-point matrix arithmetic, in 10¹² operations per second.
    pub fp8_tflops: Positive,
    /// Dense peak of 4-bit floating-point matrix arithmetic; none when the tensor cores have no such arithmetic.
    #[serde(default)]
    pub fp4_tflops: Option<Positive>,
    /// What one GPU can send to the others of its node, in 10⁹ bytes per second.
    pub link_gb_s: Positive,
    /// GPUs that such links join.
    pub node_gpus: NonZeroU32,
    /// Where the figures are from.
    pub source: Text,
}

impl Hardware {
    /// Dense peak in operations per second. Without 4-bit arithmetic, 4-bit operands are widened to
    /// 16 bits first, so the 16-bit peak holds.
    #[must_use]
    pub fn peak(&self, math: Math) -> f64 {
        let tflops = match math {
            Math::Bf16 => self.bf16_tflops,
            Math::Fp8 => self.fp8_tflops,
            Math::Fp4 => self.fp4_tflops.unwrap_or(self.bf16_tflops),
        };
        tflops.get() * 1e12
    }

    /// Memory, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> f64 {
        self.memory_gib.get() * 1_073_741_824.0
    }
}
