//! Verdicts and tiers: how far a sweep's run can be reproduced, and which sweeps a figure rests on.

use serde::{Deserialize, Serialize};

/// How far the run behind a sweep can be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// All four admission settings passed at every point, and the sent lengths verified.
    Exact,
    /// An arguments line somewhere, but not `EXACT`.
    Partial,
    /// No arguments line at all.
    NotReproducible,
}

impl Verdict {
    /// Every verdict, best first.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Partial, Self::NotReproducible];

    /// As it stands in reports and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "EXACT",
            Self::Partial => "PARTIAL",
            Self::NotReproducible => "NOT_REPRODUCIBLE",
        }
    }

    /// The smallest tier that contains sweeps of this verdict.
    #[must_use]
    pub fn tier(self) -> Tier {
        match self {
            Self::Exact => Tier::Strict,
            Self::Partial => Tier::MeasuredOrResolved,
            Self::NotReproducible => Tier::All,
        }
    }
}

/// A cumulative set of sweeps: each tier contains the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Only `EXACT` sweeps.
    Strict,
    /// `EXACT` and `PARTIAL` sweeps.
    MeasuredOrResolved,
    /// Every sweep; no conclusion rests on it.
    All,
}

impl Tier {
    /// Every tier, smallest first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::MeasuredOrResolved, Self::All];

    /// As it stands in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "STRICT",
            Self::MeasuredOrResolved => "MEASURED-OR-RESOLVED",
            Self::All => "ALL (approximate)",
        }
    }

    /// As it stands in files, keys and URLs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::MeasuredOrResolved => "measured-or-resolved",
            Self::All => "all",
        }
    }

    /// The tier of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.key() == key)
    }

    /// Whether sweeps of this verdict belong to the tier.
    #[must_use]
    pub fn contains(self, verdict: Verdict) -> bool {
        verdict.tier() <= self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_cumulative() {
        assert!(Tier::Strict.contains(Verdict::Exact));
        assert!(!Tier::Strict.contains(Verdict::Partial));
        assert!(Tier::MeasuredOrResolved.contains(Verdict::Exact));
        assert!(!Tier::MeasuredOrResolved.contains(Verdict::NotReproducible));
        assert!(Verdict::ALL.into_iter().all(|verdict| Tier::All.contains(verdict)));
    }
}
