//! What Compare says, as plain texts: made of `shared::compare`'s answers in the words of the Overview, so that
//! sentence, tables and lists never contradict each other.

pub mod groups;
pub mod lists;
pub mod sweeps;
#[cfg(test)]
mod tests;

use shared::compare::Change;
use shared::format;
use shared::rules;
use shared::summary::Summary;

use crate::views::overview::model::shown::Shown;

/// Which rows are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Only {
    /// All of them.
    #[default]
    All,
    /// Those with an error that rose.
    Worse,
    /// Those with an error that fell.
    Better,
}

impl Only {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::All, Self::Worse, Self::Better];

    /// As it stands in the address.
    pub fn key(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Worse => "worse",
            Self::Better => "better",
        }
    }

    /// The choice of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|only| only.key() == key)
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Worse => "Only regressions",
            Self::Better => "Only improvements",
        }
    }

    /// Whether a row of which these changes are judged is shown.
    fn takes_judged(self, changes: [&Change; 2]) -> bool {
        let any = |wanted| changes.into_iter().any(|change| Shown::of(change) == wanted);
        match self {
            Self::All => true,
            Self::Worse => any(Shown::Worse),
            Self::Better => any(Shown::Better),
        }
    }

    /// Whether a row of which nobody can judge these changes is shown: by the direction that it shows.
    fn takes(self, changes: [&Change; 2]) -> bool {
        let any = |wanted| changes.into_iter().any(|change| format::arrow(change.delta) == Some(wanted));
        match self {
            Self::All => true,
            Self::Worse => any('▲'),
            Self::Better => any('▼'),
        }
    }
}

/// In which order rows stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The greatest difference first, whichever way it goes.
    #[default]
    Size,
    /// By name.
    Name,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 2] = [Self::Size, Self::Name];

    /// As it stands in the address.
    pub fn key(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Name => "name",
        }
    }

    /// The order of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.key() == key)
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "Greatest difference first",
            Self::Name => "By name",
        }
    }
}

/// The greater of two differences, whichever way they go: `|Δ MAPE|` or `|Δ shape|`.
fn size(changes: [&Change; 2]) -> f64 {
    changes.into_iter().filter_map(|change| change.delta).map(f64::abs).fold(0.0, f64::max)
}

/// Why two runs cannot be compared, rule by rule: `spike_factor: 10 in A, 12 in B`. Empty where they follow the
/// same rules.
pub fn rules_that_differ(a: &Summary, b: &Summary) -> Vec<String> {
    let differences = rules::differences((&a.rules.rules, &a.grading), (&b.rules.rules, &b.grading));
    let say = |difference: rules::Difference| {
        let value = |value: &str| format::shortened(value, 100);
        format!("{}: {} in A, {} in B", difference.rule, value(&difference.a), value(&difference.b))
    };
    differences.into_iter().map(say).collect()
}
