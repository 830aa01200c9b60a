//! What went into two snapshots: first of all whether they may be compared.

use serde::{Deserialize, Serialize};

use super::pairs::{Comparer, common_points};
use crate::digest::Digest;
use crate::id::EstimatorId;
use crate::outcome::SimulatorIdentity;
use crate::rules::Rules;

/// Whether two snapshots may be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Comparability {
    /// They follow the same rules.
    Comparable,
    /// They follow other rules: nothing is judged.
    OtherRules {
        /// The digest of A's rules.
        a: Digest,
        /// The digest of B's rules.
        b: Digest,
    },
    /// They follow the same rules, but other definitions than this program computes by: nothing is judged.
    UnknownRules {
        /// The version of the definitions that they follow.
        definitions: u32,
    },
    /// They have no estimator in common.
    NoCommonEstimator,
    /// They have no point in common.
    NoCommonPoint,
}

impl Comparer<'_> {
    /// Whether the two may be compared. To be asked first: rows do not check it.
    #[must_use]
    pub fn comparability(&self) -> Comparability {
        Comparability::of(self)
    }

    /// What went into the snapshots that differs.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts::of(self)
    }
}

impl Comparability {
    fn of(comparer: &Comparer<'_>) -> Self {
        let (a, b) = (&comparer.a.rules.digest, &comparer.b.rules.digest);
        let known = Rules::current().definitions;
        let definitions = [comparer.a, comparer.b].map(|summary| summary.rules.rules.definitions);
        let unknown = definitions.into_iter().find(|definitions| *definitions != known);
        let mut common = comparer.pairs.iter().filter_map(|pair| pair.both());
        if a != b {
            Self::OtherRules { a: a.clone(), b: b.clone() }
        } else if let Some(definitions) = unknown {
            Self::UnknownRules { definitions }
        } else if comparer.estimators().is_empty() {
            Self::NoCommonEstimator
        } else if !common.any(|(a, b)| common_points(a.sweep, b.sweep).next().is_some()) {
            Self::NoCommonPoint
        } else {
            Self::Comparable
        }
    }

    /// Whether figures are compared.
    #[must_use]
    pub fn is_comparable(&self) -> bool {
        *self == Self::Comparable
    }

    /// What a reader is told first when the snapshots cannot be compared.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        match self {
            Self::Comparable => None,
            Self::OtherRules { a, b } => Some(format!(
                "The two snapshots follow different scoring rules ({} and {}), so nothing is compared.",
                a.short(8),
                b.short(8)
            )),
            Self::UnknownRules { definitions } => Some(format!(
                "The two snapshots follow version {definitions} of the definitions, which this program does not \
                 know, so nothing is compared."
            )),
            Self::NoCommonEstimator => Some("The two snapshots have no estimator in common.".to_owned()),
            Self::NoCommonPoint => Some("The two snapshots have no measured point in common.".to_owned()),
        }
    }
}

/// What went into two snapshots that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facts {
    /// Whether both follow the same rules.
    pub same_rules: bool,
    /// Whether both were made from the same corpus file.
    pub same_corpus: bool,
    /// Common points that have other measured latencies in B.
    pub remeasured: u64,
    /// Common points with the same measured latencies.
    pub same_measurements: u64,
    /// The simulators that differ, or that only one side has, by id.
    pub simulators: Vec<SimulatorDifference>,
}

/// A simulator that is not the same in both snapshots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulatorDifference {
    /// Its id.
    pub id: EstimatorId,
    /// What it is in A; none when only B has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<SimulatorIdentity>,
    /// What it is in B; none when only A has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<SimulatorIdentity>,
    /// What differs, in words: `version`, `settings profile`, …
    pub differs: Vec<String>,
}

impl Facts {
    fn of(comparer: &Comparer<'_>) -> Self {
        let (a, b) = (comparer.a, comparer.b);
        let (mut remeasured, mut same_measurements) = (0, 0);
        for (a, b) in comparer.pairs.iter().filter_map(|pair| pair.both()) {
            for (a, b) in common_points(a.sweep, b.sweep) {
                let same = a.ttft_ms == b.ttft_ms && a.tpot_ms == b.tpot_ms;
                *(if same { &mut same_measurements } else { &mut remeasured }) += 1;
            }
        }
        let mut ids: Vec<&EstimatorId> =
            a.simulators.iter().chain(&b.simulators).map(|simulator| &simulator.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let find = |simulators: &[SimulatorIdentity], id: &EstimatorId| {
            simulators.iter().find(|simulator| simulator.id == *id).cloned()
        };
        let simulators = ids
            .into_iter()
            .filter_map(|id| SimulatorDifference::of(id, find(&a.simulators, id), find(&b.simulators, id)));
        Self {
            same_rules: a.rules.digest == b.rules.digest,
            same_corpus: a.corpus == b.corpus,
            remeasured,
            same_measurements,
            simulators: simulators.collect(),
        }
    }

    /// What differs, in sentences; one that says so when nothing does.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if !self.same_rules {
            sentences.push("The scoring rules differ.".to_owned());
        }
        if self.remeasured > 0 {
            let total = self.remeasured + self.same_measurements;
            let points = crate::format::counted(total, "common point");
            sentences.push(format!("Measured again: {} of {points}.", crate::format::count(self.remeasured)));
        } else if !self.same_corpus {
            sentences.push("The corpora differ, but every common point has the same measurement.".to_owned());
        }
        sentences.extend(self.simulators.iter().map(SimulatorDifference::sentence));
        match (sentences.is_empty(), &self.simulators[..]) {
            (true, _) => vec!["Both snapshots were made from the same inputs.".to_owned()],
            (false, [only]) if sentences.len() == 1 => {
                vec![format!("Only one input differs. {}", only.sentence())]
            }
            _ => sentences,
        }
    }
}

impl SimulatorDifference {
    fn of(id: &EstimatorId, a: Option<SimulatorIdentity>, b: Option<SimulatorIdentity>) -> Option<Self> {
        let differs = match (&a, &b) {
            (Some(a), Some(b)) => differing(a, b),
            (None, Some(_)) => vec!["only in B".to_owned()],
            _ => vec!["only in A".to_owned()],
        };
        (!differs.is_empty()).then(|| Self { id: id.clone(), a, b, differs })
    }

    /// What differs, in a sentence: `roofline: settings profile (recorded → defaults).`
    #[must_use]
    pub fn sentence(&self) -> String {
        let values = |differs: &str, a: &SimulatorIdentity, b: &SimulatorIdentity| match differs {
            "version" => Some((a.version.clone(), b.version.clone())),
            "settings profile" => Some((a.settings.key().to_owned(), b.settings.key().to_owned())),
            _ => None,
        };
        let text = |differs: &String| {
            let both = self.a.as_ref().zip(self.b.as_ref());
            match both.and_then(|(a, b)| values(differs, a, b)) {
                Some((a, b)) => format!("{differs} ({a} → {b})"),
                None => differs.clone(),
            }
        };
        let differs: Vec<String> = self.differs.iter().map(text).collect();
        format!("{}: {}.", self.id, differs.join(", "))
    }
}

/// What of two identities differs, in words.
fn differing(a: &SimulatorIdentity, b: &SimulatorIdentity) -> Vec<String> {
    // Without `..`, so that a new field cannot be forgotten here.
    let SimulatorIdentity { id: _, name, kind, version, commit, binary_sha256, release, data, settings } = a;
    let differs = [
        (*name != b.name, "name"),
        (*kind != b.kind, "kind"),
        (*version != b.version, "version"),
        (*commit != b.commit, "commit"),
        (*binary_sha256 != b.binary_sha256, "binary"),
        (*release != b.release, "release status"),
        (*data != b.data, "data"),
        (*settings != b.settings, "settings profile"),
    ];
    differs.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what.to_owned()).collect()
}
