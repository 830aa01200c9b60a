//! Every parameter of the scoring, so that two snapshots can be told to follow the same rules.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::setting::ADMISSION_SETTINGS;

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
    /// The greatest number of clusters that are drawn: more sweeps are pooled into this many groups of
    /// neighbouring ids.
    pub bootstrap_max_clusters: u32,
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

impl RuleBook {
    /// The rules of this version of the product, with these grades.
    #[must_use]
    pub fn current(grading: &Grading) -> Self {
        Self::of(Rules::current(), grading)
    }

    /// Some rules with their digest.
    #[must_use]
    pub fn of(rules: Rules, grading: &Grading) -> Self {
        let digest = Digest::of_json(&(&rules, grading))
            .unwrap_or_else(|_| Digest::of_bytes(b"unreachable: every key is text"));
        Self { digest, rules }
    }
}

/// A rule that is not the same in two sets of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The rule: the name of its field, with `grading.` before the limit of a grade.
    pub rule: String,
    /// What it is in the first set, as JSON.
    pub a: String,
    /// What it is in the second set, as JSON.
    pub b: String,
}

/// The rules in which two snapshots differ, by name. Empty when both have the same digest.
#[must_use]
pub fn differences(a: (&Rules, &Grading), b: (&Rules, &Grading)) -> Vec<Difference> {
    let named = |(rules, grading): (&Rules, &Grading)| {
        let mut named = fields(rules, "");
        named.extend(fields(grading, "grading."));
        named
    };
    let (a, b) = (named(a), named(b));
    // Both are of the same types, so they have the same fields.
    let both = a.into_iter().zip(b);
    let different = both.filter(|((_, a), (_, b))| a != b);
    different.map(|((rule, a), (_, b))| Difference { rule, a, b }).collect()
}

/// The fields of something by name, each as JSON.
fn fields(of: &impl Serialize, prefix: &str) -> Vec<(String, String)> {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(of) else { return Vec::new() };
    fields.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value.to_string())).collect()
}

/// The rules of a file are not ones that anybody can compute by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{rule}` of the rules must be {bounds}, not {found}")]
pub struct RulesError {
    /// Which rule.
    rule: &'static str,
    /// What it may be.
    bounds: String,
    /// What it is.
    found: String,
}

impl Rules {
    /// The most rounds of the bootstrap: ten times what 95 % intervals need, and some milliseconds a figure.
    pub const MOST_BOOTSTRAP_ROUNDS: u32 = 10_000;

    /// The most clusters that a round draws.
    pub const MOST_BOOTSTRAP_CLUSTERS: u32 = 10_000;

    /// Checks that the rules of a file are within their bounds, before anything is computed by them.
    ///
    /// # Errors
    /// Names the first rule that is not.
    pub fn check(&self) -> Result<(), RulesError> {
        let Self { spike_factor, bootstrap_rounds, bootstrap_max_clusters, confidence, .. } = self;
        let (rounds, clusters) = (Self::MOST_BOOTSTRAP_ROUNDS, Self::MOST_BOOTSTRAP_CLUSTERS);
        let rules = [
            (
                "spike_factor",
                *spike_factor >= 1.0 && spike_factor.is_finite(),
                "a number of at least 1".to_owned(),
                spike_factor.to_string(),
            ),
            (
                "bootstrap_rounds",
                *bootstrap_rounds <= rounds,
                format!("at most {rounds}"),
                bootstrap_rounds.to_string(),
            ),
            (
                "bootstrap_max_clusters",
                (1..=clusters).contains(bootstrap_max_clusters),
                format!("from 1 to {clusters}"),
                bootstrap_max_clusters.to_string(),
            ),
            (
                "confidence",
                *confidence > 0.0 && *confidence < 1.0,
                "between 0 and 1".to_owned(),
                confidence.to_string(),
            ),
        ];
        let broken = rules.into_iter().find(|(_, is_within, ..)| !is_within);
        broken.map_or(Ok(()), |(rule, _, bounds, found)| Err(RulesError { rule, bounds, found }))
    }

    /// The rules of this version of the product: those of `docs/scoring.md`.
    #[must_use]
    pub fn current() -> Self {
        Self {
            definitions: 1,
            spike_factor: 10.0,
            bootstrap_rounds: 1000,
            bootstrap_min_sweeps: 5,
            bootstrap_max_clusters: 2000,
            confidence: 0.95,
            admission_settings: ADMISSION_SETTINGS.map(str::to_owned).to_vec(),
            min_concurrencies: 3,
        }
    }
}

impl Default for Grading {
    fn default() -> Self {
        Self { a: 10.0, b: 20.0, c: 40.0, d: 80.0 }
    }
}

/// The limits of the grades cannot be told apart.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("limits of grades must be greater than 0 and rise from a to d, not {0}, {1}, {2}, {3}")]
pub struct GradingError(f64, f64, f64, f64);

impl Grading {
    /// Checks that the limits are finite, positive and rise from A to D.
    pub fn check(&self) -> Result<(), GradingError> {
        let Self { a, b, c, d } = *self;
        let rising = 0.0 < a && a < b && b < c && c < d && d.is_finite();
        if rising { Ok(()) } else { Err(GradingError(a, b, c, d)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_rules_or_grades_have_another_digest() {
        let grading = Grading::default();
        let current = RuleBook::current(&grading);
        assert_eq!(current, RuleBook::of(Rules::current(), &grading));
        assert_ne!(current.digest, RuleBook::current(&Grading { d: 90.0, ..grading }).digest);
        let other = Rules { bootstrap_rounds: 999, ..Rules::current() };
        assert_ne!(current.digest, RuleBook::of(other, &grading).digest);
    }

    type Change = fn(&mut Rules);

    #[test]
    fn a_rule_out_of_its_bounds_is_named() {
        assert_eq!(Rules::current().check(), Ok(()));
        let changes: [(&str, Change); 6] = [
            ("bootstrap_rounds", |rules| rules.bootstrap_rounds = 4_000_000_000),
            ("bootstrap_max_clusters", |rules| rules.bootstrap_max_clusters = 10_001),
            ("bootstrap_max_clusters", |rules| rules.bootstrap_max_clusters = 0),
            ("spike_factor", |rules| rules.spike_factor = 0.5),
            ("confidence", |rules| rules.confidence = 1.0),
            ("confidence", |rules| rules.confidence = f64::NAN),
        ];
        for (rule, change) in changes {
            let mut rules = Rules::current();
            change(&mut rules);
            let error = rules.check().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{rule}` of the rules must be ")), "{error}");
        }
    }

    #[test]
    fn limits_of_grades_must_rise() {
        assert_eq!(Grading::default().check(), Ok(()));
        for (a, b) in [(20.0, 20.0), (0.0, 20.0), (30.0, 20.0), (f64::NAN, 20.0)] {
            let grading = Grading { a, b, ..Grading::default() };
            assert!(grading.check().is_err(), "{a} {b}");
        }
        assert!(Grading { d: f64::INFINITY, ..Grading::default() }.check().is_err());
    }
}
