//! Which estimators there are for a corpus, and the estimators that a plan names.

use std::collections::BTreeSet;
use std::sync::Arc;

use shared::corpus::Corpus;
use shared::id::EstimatorId;
use shared::outcome::{SettingsProfile, SimulatorIdentity};
use shared::plan::{PlanBody, PlannedSweep};

use super::{Published, Simulator, Simulators, published, roofline};
use crate::exit::{ExitCode, Failure};
use crate::reference::Reference;

/// An estimator is not there, or not the same.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Nothing has that id.
    #[error("there is no estimator `{id}` for this corpus: choose from {available}")]
    Unknown {
        /// What was asked for.
        id: EstimatorId,
        /// What there is.
        available: String,
    },
    /// The plan was made with an estimator that this program does not drive.
    #[error("estimator `{id}` of the plan is of kind `{kind}`, which this program cannot run")]
    UnknownKind {
        /// The estimator.
        id: EstimatorId,
        /// Its kind.
        kind: String,
    },
    /// The plan was made with another version of the estimator or of its data.
    #[error("estimator `{id}` is not the one that the plan was made with ({differs} differs)")]
    Differs {
        /// The estimator.
        id: EstimatorId,
        /// Which part of the identity.
        differs: &'static str,
    },
    /// Two estimators have one id.
    #[error("the corpus has published predictions of `{0}`, which is the id of a built-in estimator")]
    Twice(EstimatorId),
    /// A built-in id is none.
    #[error(transparent)]
    Id(#[from] shared::id::IdError),
    /// An identity cannot be written as JSON.
    #[error("the predictions of an estimator cannot be digested")]
    Digest(#[source] serde_json::Error),
}

impl Failure for RegistryError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Unknown { .. } => ExitCode::Usage,
            Self::UnknownKind { .. } | Self::Differs { .. } => ExitCode::Refused,
            Self::Twice(_) => ExitCode::InputInvalid,
            Self::Id(_) | Self::Digest(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::UnknownKind { .. } | Self::Differs { .. } => {
                Some("run the plan with the program that made it, or plan again".to_owned())
            }
            _ => None,
        }
    }
}

/// The estimators for the sweeps of a corpus, by id: the built-in ones and the published ones.
///
/// # Errors
/// When `wanted` names one that is not there, or an id stands for two.
pub fn choose(
    corpus: &Corpus,
    sweeps: &[PlannedSweep],
    profile: SettingsProfile,
    reference: &Arc<Reference>,
    wanted: Option<&BTreeSet<EstimatorId>>,
) -> Result<Simulators, RegistryError> {
    let id = EstimatorId::new(roofline::KIND)?;
    let mut all: Simulators = vec![Arc::new(roofline::Roofline::new(id, Arc::clone(reference), profile))];
    for (id, about) in &corpus.published_estimators {
        all.push(Arc::new(Published::new(id, about, sweeps).map_err(RegistryError::Digest)?));
    }
    all.sort_by(|a, b| a.identity().id.cmp(&b.identity().id));
    if let Some(pair) = all.windows(2).find(|pair| pair[0].identity().id == pair[1].identity().id) {
        return Err(RegistryError::Twice(pair[0].identity().id.clone()));
    }
    if let Some(wanted) = wanted {
        let ids: Vec<&EstimatorId> = all.iter().map(|simulator| &simulator.identity().id).collect();
        if let Some(id) = wanted.iter().find(|id| !ids.contains(id)) {
            let available = ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", ");
            return Err(RegistryError::Unknown { id: id.clone(), available });
        }
        all.retain(|simulator| wanted.contains(&simulator.identity().id));
    }
    Ok(all)
}

/// The estimators that a plan names, in its order.
///
/// # Errors
/// When this program has another estimator under that name, or none.
pub fn of_plan(plan: &PlanBody, reference: &Arc<Reference>) -> Result<Simulators, RegistryError> {
    plan.simulators
        .iter()
        .map(|planned| {
            let here: Arc<dyn Simulator> = match planned.kind.as_str() {
                published::KIND => {
                    Arc::new(Published::of_plan(planned, &plan.sweeps).map_err(RegistryError::Digest)?)
                }
                roofline::KIND => {
                    let (id, reference) = (planned.id.clone(), Arc::clone(reference));
                    Arc::new(roofline::Roofline::new(id, reference, planned.settings))
                }
                kind => {
                    return Err(RegistryError::UnknownKind { id: planned.id.clone(), kind: kind.to_owned() });
                }
            };
            match difference(planned, here.identity()) {
                None => Ok(here),
                Some(differs) => Err(RegistryError::Differs { id: planned.id.clone(), differs }),
            }
        })
        .collect()
}

/// The first part in which two identities differ.
#[must_use]
pub fn difference(a: &SimulatorIdentity, b: &SimulatorIdentity) -> Option<&'static str> {
    let parts = [
        ("id", a.id == b.id),
        ("kind", a.kind == b.kind),
        ("version", a.version == b.version),
        ("commit", a.commit == b.commit),
        ("binary", a.binary_sha256 == b.binary_sha256),
        ("data", a.data == b.data),
        ("settings", a.settings == b.settings),
        ("name or release", a == b),
    ];
    parts.into_iter().find(|(_, equal)| !equal).map(|(name, _)| name)
}
