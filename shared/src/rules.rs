//! Every parameter of the scoring, so that two snapshots can be told to follow the same rules.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// The rules, with the digest that stands for them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleBook {
    /// The digest of the rules and the grading.
    pub digest: Digest,
    /// The rules.
    pub rules: Rules,
}

/// The parameters of `docs/scoring.md`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// The version of the definitions in `docs/scoring.md`; raised when a formula changes.
    pub definitions: u32,
    /// A measured TTFT is a spike when it exceeds both neighbours by more than this factor.
    pub spike_factor: f64,
    /// Rounds of the cluster bootstrap.
    pub bootstrap_rounds: u32,
    /// The least number of sweeps for an interval.
    pub bootstrap_min_sweeps: u32,
    /// The coverage of an interval.
    pub confidence: f64,
    /// The settings that decide a verdict.
    pub admission_settings: Vec<String>,
    /// How many distinct concurrencies a sweep needs.
    pub min_concurrencies: u32,
}

/// The upper limits of the grades A to D, in percent of absolute error; F is above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grading {
    /// The greatest error of an A.
    pub a: f64,
    /// The greatest error of a B.
    pub b: f64,
    /// The greatest error of a C.
    pub c: f64,
    /// The greatest error of a D.
    pub d: f64,
}
