//! Number formats: how many bytes a number takes in memory, and the arithmetic that multiplies it.

use serde::Deserialize;

/// How weights and cached keys and values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberFormat {
    /// bfloat16.
    Bf16,
    /// FP8 E4M3 (OCP 8-bit Floating Point Specification 1.0). One 32-bit scale per tensor, or per block of 128 × 128, is below
    /// 0.003 bits a number and left out.
    Fp8,
    /// MXFP8 (OCP Microscaling Formats Specification 1.0): one 8-bit scale per 32 numbers.
    Mxfp8,
    /// MXFP4 (OCP Microscaling Formats Specification 1.0): one 8-bit scale per 32 numbers.
    Mxfp4,
    /// NVFP4 (NVIDIA): one FP8 scale per 16 numbers.
    Nvfp4,
    /// 4-bit integers in groups of 32 with one 16-bit scale (compressed-tensors `pack-quantized`).
    Int4G32,
}

impl NumberFormat {
    /// Bytes per number, scales included.
    #[must_use]
    pub fn bytes(self) -> f64 {
        let bits = match self {
            Self::Bf16 => 16.0,
            Self::Fp8 => 8.0,
            Self::Mxfp8 => 8.0 + 8.0 / 32.0,
            Self::Mxfp4 => 4.0 + 8.0 / 32.0,
            // 8 bits per 16 numbers, 16 bits per 32 numbers.
            Self::Nvfp4 | Self::Int4G32 => 4.0 + 0.5,
        };
        bits / 8.0
    }
}

/// The arithmetic of a matrix product: the wider of its two operands decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Math {
    /// 16-bit floating point.
    Bf16,
    /// 8-bit floating point.
    Fp8,
    /// 4-bit floating point.
    Fp4,
}
