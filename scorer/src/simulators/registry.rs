//! Which estimators there are for a corpus, and the estimators that a plan names.

use std::collections::BTreeSet;
use std::sync::Arc;

use shared::corpus::Corpus;
use shared::id::EstimatorId;
use shared::outcome::SimulatorIdentity;
use shared::plan::{PlanBody, PlannedSweep};

use super::blis::BlisError;
use super::command::CommandError;
use super::config::SetUp;
use super::python::PythonSimulatorError;
use super::{Config, Published, Roofline, Simulator, Simulators, published, roofline};
use crate::exit::{ExitCode, Failure};
use crate::process::Limits;
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
    /// The plan was made with an estimator that is not configured here.
    #[error("estimator `{id}` of the plan, of kind `{kind}`, is not configured")]
    NotConfigured {
        /// The estimator.
        id: EstimatorId,
        /// Its kind.
        kind: String,
    },
    /// A build of BLIS cannot be set up.
    #[error("estimator `{id}` cannot be used")]
    Blis {
        /// The estimator.
        id: EstimatorId,
        /// Why.
        source: Box<BlisError>,
    },
    /// A simulator in a Python cannot be set up.
    #[error("estimator `{id}` cannot be used")]
    Python {
        /// The estimator.
        id: EstimatorId,
        /// Why.
        source: Box<PythonSimulatorError>,
    },
    /// A command cannot be a simulator.
    #[error("estimator `{id}` cannot be used")]
    Command {
        /// The estimator.
        id: EstimatorId,
        /// Why.
        source: Box<CommandError>,
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
    #[error("`{0}` is the id of two estimators: give one of them another")]
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
            Self::Unknown { .. } | Self::NotConfigured { .. } => ExitCode::Usage,
            Self::Differs { .. } => ExitCode::Refused,
            Self::Blis { source, .. } => source.exit_code(),
            Self::Python { source, .. } => source.exit_code(),
            Self::Command { source, .. } => source.exit_code(),
            Self::Twice(_) => ExitCode::InputInvalid,
            Self::Id(_) | Self::Digest(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::NotConfigured { .. } => {
                Some("name it as the plan was made, with --simulators or --blis".to_owned())
            }
            Self::Differs { .. } => {
                Some("run the plan with the program that made it, or plan again".to_owned())
            }
            Self::Blis { source, .. } => source.advice(),
            Self::Python { source, .. } => source.advice(),
            Self::Command { source, .. } => source.advice(),
            _ => None,
        }
    }
}

/// The estimators for the sweeps of a corpus, by id. Only those that are wanted are set up.
///
/// # Errors
/// When `wanted` names one that is not there, one cannot be set up, or an id stands for two.
pub fn choose(
    corpus: &Corpus,
    sweeps: &[PlannedSweep],
    config: &Config,
    with: SetUp<'_>,
    wanted: Option<&BTreeSet<EstimatorId>>,
) -> Result<Simulators, RegistryError> {
    let mut ids = config.ids(corpus)?;
    ids.sort();
    if let Some([id, _]) = ids.array_windows().find(|[a, b]| a == b) {
        return Err(RegistryError::Twice(id.clone()));
    }
    let unknown = |id: &EstimatorId| {
        let available = ids.iter().map(EstimatorId::as_str).collect::<Vec<_>>().join(", ");
        RegistryError::Unknown { id: id.clone(), available }
    };
    let chosen: Vec<&EstimatorId> = match wanted {
        None => ids.iter().collect(),
        Some(wanted) => wanted.iter().collect(),
    };
    let simulator = |id| config.simulator(id, corpus, sweeps, with)?.ok_or_else(|| unknown(id));
    chosen.into_iter().map(simulator).collect()
}

/// The estimators that a plan names, in its order.
///
/// # Errors
/// When there is none under that name, or another.
pub fn of_plan(
    plan: &PlanBody,
    reference: &Arc<Reference>,
    config: &Config,
    limits: Limits,
) -> Result<Simulators, RegistryError> {
    plan.simulators
        .iter()
        .map(|planned| {
            let here: Arc<dyn Simulator> = match planned.kind.as_str() {
                published::KIND => {
                    Arc::new(Published::of_plan(planned, &plan.sweeps).map_err(RegistryError::Digest)?)
                }
                roofline::KIND => {
                    let (id, reference) = (planned.id.clone(), Arc::clone(reference));
                    Arc::new(Roofline::new(id, reference, planned.settings))
                }
                kind => {
                    let with = SetUp { profile: planned.settings, reference, limits };
                    config.program(&planned.id, with)?.ok_or_else(|| RegistryError::NotConfigured {
                        id: planned.id.clone(),
                        kind: kind.to_owned(),
                    })?
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
