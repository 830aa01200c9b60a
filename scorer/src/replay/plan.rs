//! Freezing the work: which point is predicted by which estimator, with which engine settings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shared::corpus::{Corpus, PublishedRatio};
use shared::digest::Digest;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::{Prediction, SettingsProfile};
use shared::plan::{Plan, PlanBody, PlanItem, PlannedPoint, PlannedSweep};
use shared::rules::{Grading, RuleBook};
use shared::schema::FileKind;
use shared::sweep::{Point, Sweep};

use super::settings::{self, SettingsError};
use super::work::{ItemKey, Requests, request};
use crate::exit::{ExitCode, Failure};
use crate::process::Limits;
use crate::reference::Reference;
use crate::simulators::config::SetUp;
use crate::simulators::registry::{RegistryError, choose};
use crate::simulators::{Config, Simulators};

/// What is planned.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// Which engine settings the simulators are given.
    pub settings: SettingsProfile,
    /// The estimators; none: all that there are.
    pub estimators: Option<BTreeSet<EstimatorId>>,
    /// The sweeps; none: all of the corpus.
    pub sweeps: Option<BTreeSet<SweepId>>,
    /// Which estimators there are.
    pub config: Config,
}

/// A plan cannot be made, or is not what it says it is.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The corpus does not have a sweep.
    #[error("the corpus has no sweep {0}")]
    UnknownSweep(SweepId),
    /// There is nothing to do.
    #[error("the corpus has no sweeps, so there is nothing to plan")]
    NoSweeps,
    /// Nobody is asked.
    #[error("there is no estimator to plan for")]
    NoEstimators,
    /// Sweeps or points are out of order or there twice.
    #[error("{0} is out of order or there twice: sweeps are sorted by id, points by concurrency")]
    Order(String),
    /// A setting of a point cannot be used.
    #[error("sweep {sweep}, concurrency {concurrency}")]
    Settings {
        /// The sweep.
        sweep: SweepId,
        /// The concurrency.
        concurrency: u32,
        /// What is wrong.
        source: SettingsError,
    },
    /// A published prediction is no latency.
    #[error("sweep {sweep}, concurrency {concurrency}: the prediction of `{estimator}` is not a latency")]
    Published {
        /// The sweep.
        sweep: SweepId,
        /// The concurrency.
        concurrency: u32,
        /// The estimator.
        estimator: EstimatorId,
        /// What is wrong.
        source: shared::millis::MillisError,
    },
    /// An estimator is not there.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The plan's content does not have the digest that it states.
    #[error("the plan's content was changed: its digest is {found}, but it states {stated}")]
    Changed {
        /// The digest in the file.
        stated: Digest,
        /// The digest of the content.
        found: Digest,
    },
    /// An item of the plan asks for what the plan does not have.
    #[error("the plan has an item for which it has no point or estimator: {0}")]
    Dangling(ItemKey),
    /// An item's cost is no cost.
    #[error("the plan's cost of {0} is not a finite number of at least 0")]
    Cost(ItemKey),
    /// A digest cannot be taken.
    #[error("the plan cannot be written as JSON")]
    Digest(#[source] serde_json::Error),
}

impl Failure for PlanError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::UnknownSweep(_) => ExitCode::Usage,
            Self::Registry(error) => error.exit_code(),
            Self::Digest(_) => ExitCode::Unexpected,
            _ => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Registry(error) => error.advice(),
            Self::NoEstimators => {
                Some("list one in the file of --simulators: see docs/simulators.md".to_owned())
            }
            Self::Changed { .. } | Self::Dangling(_) | Self::Cost(_) => {
                Some("make the plan again".to_owned())
            }
            Self::Order(_) | Self::Published { .. } | Self::Settings { .. } => {
                Some("`scorer validate` lists everything that is wrong with the corpus".to_owned())
            }
            _ => None,
        }
    }
}

/// The sweeps of a corpus with these ids; all, when none are given.
///
/// # Errors
/// With the first id that the corpus does not have.
pub fn named_sweeps<'a>(
    corpus: &'a Corpus,
    wanted: Option<&BTreeSet<SweepId>>,
) -> Result<Vec<&'a Sweep<PublishedRatio>>, SweepId> {
    let Some(wanted) = wanted else { return Ok(corpus.sweeps.iter().collect()) };
    let sweep = |id: &SweepId| {
        let place = corpus.sweeps.binary_search_by(|sweep| sweep.id.cmp(id));
        place.map(|place| &corpus.sweeps[place]).map_err(|_| id.clone())
    };
    wanted.iter().map(sweep).collect()
}

/// Plans the work on a corpus whose file has the digest `corpus_digest`.
///
/// # Errors
/// When the options ask for what is not there, or the corpus is not in order.
pub fn plan(
    corpus: &Corpus,
    corpus_digest: Digest,
    options: &PlanOptions,
    reference: &Arc<Reference>,
) -> Result<Plan, PlanError> {
    check_corpus_order(corpus)?;
    let sweeps = named_sweeps(corpus, options.sweeps.as_ref())
        .map_err(PlanError::UnknownSweep)?
        .into_iter()
        .map(|sweep| planned_sweep(sweep, options.settings, reference))
        .collect::<Result<Vec<_>, _>>()?;
    if sweeps.is_empty() {
        return Err(PlanError::NoSweeps);
    }
    let with = SetUp { profile: options.settings, reference, limits: Limits::default() };
    let simulators = choose(corpus, &sweeps, &options.config, with, options.estimators.as_ref())?;
    if simulators.is_empty() {
        return Err(PlanError::NoEstimators);
    }
    let items = items(&sweeps, &simulators);
    let body = PlanBody {
        corpus: corpus_digest,
        rules: RuleBook::current(&Grading::default()).digest,
        settings: options.settings,
        simulators: simulators.iter().map(|simulator| simulator.identity().clone()).collect(),
        sweeps,
        items,
    };
    let digest = Digest::of_json(&body).map_err(PlanError::Digest)?;
    Ok(Plan { schema: FileKind::Plan.schema().to_owned(), digest, body })
}

fn check_corpus_order(corpus: &Corpus) -> Result<(), PlanError> {
    if let Some(pair) = corpus.sweeps.windows(2).find(|pair| pair[0].id >= pair[1].id) {
        return Err(PlanError::Order(format!("sweep {}", pair[1].id)));
    }
    for sweep in &corpus.sweeps {
        let unordered = sweep.points.windows(2).find(|pair| pair[0].concurrency >= pair[1].concurrency);
        if let Some(pair) = unordered {
            let place = format!("concurrency {} of sweep {}", pair[1].concurrency, sweep.id);
            return Err(PlanError::Order(place));
        }
    }
    Ok(())
}

fn planned_sweep(
    sweep: &Sweep<PublishedRatio>,
    profile: SettingsProfile,
    reference: &Reference,
) -> Result<PlannedSweep, PlanError> {
    let deployment = sweep.deployment();
    let points = sweep
        .points
        .iter()
        .map(|point| {
            let engine = settings::defaults(reference, &deployment)
                .and_then(|defaults| settings::engine(sweep, point, profile, defaults))
                .map_err(|source| PlanError::Settings {
                    sweep: sweep.id.clone(),
                    concurrency: point.concurrency,
                    source,
                })?;
            Ok(PlannedPoint {
                concurrency: point.concurrency,
                engine,
                acceptance_length: point.acceptance_length,
                published: published(sweep, point)?,
            })
        })
        .collect::<Result<Vec<_>, PlanError>>()?;
    Ok(PlannedSweep { id: sweep.id.clone(), deployment, workload: sweep.workload(), points })
}

/// The published predictions of a point, as latencies: they came as ratios to the sweep's lowest
/// concurrency.
fn published(
    sweep: &Sweep<PublishedRatio>,
    point: &Point<PublishedRatio>,
) -> Result<BTreeMap<EstimatorId, Prediction>, PlanError> {
    let Some(anchor) = sweep.points.first() else { return Ok(BTreeMap::new()) };
    let latencies = point.predictions.iter().map(|(estimator, ratio)| {
        let prediction = ratio.prediction(anchor).map_err(|source| PlanError::Published {
            sweep: sweep.id.clone(),
            concurrency: point.concurrency,
            estimator: estimator.clone(),
            source,
        })?;
        Ok((estimator.clone(), prediction))
    });
    latencies.collect()
}

fn items(sweeps: &[PlannedSweep], simulators: &Simulators) -> Vec<PlanItem> {
    let mut items = Vec::new();
    for sweep in sweeps {
        for point in &sweep.points {
            let request = request(sweep, point);
            items.extend(simulators.iter().map(|simulator| PlanItem {
                sweep: sweep.id.clone(),
                concurrency: point.concurrency,
                estimator: simulator.identity().id.clone(),
                cost: simulator.cost(&request),
            }));
        }
    }
    items
}

/// Checks that a plan is whole: its digest, its order, and that every item can be asked.
///
/// # Errors
/// When it was changed by hand or is not in order.
pub fn check(plan: &Plan) -> Result<(), PlanError> {
    let found = Digest::of_json(&plan.body).map_err(PlanError::Digest)?;
    if found != plan.digest {
        return Err(PlanError::Changed { stated: plan.digest.clone(), found });
    }
    let items = &plan.body.items;
    let unordered = |[a, b]: &&[PlanItem; 2]| ItemKey::of_item(a) >= ItemKey::of_item(b);
    if let Some([_, item]) = items.array_windows().find(unordered) {
        return Err(PlanError::Order(ItemKey::of_item(item).to_string()));
    }
    let requests = Requests::new(&plan.body.sweeps);
    for item in items {
        let known = plan.body.simulators.iter().any(|simulator| simulator.id == item.estimator);
        if !known || requests.get(&item.sweep, item.concurrency).is_none() {
            return Err(PlanError::Dangling(ItemKey::of_item(item)));
        }
        if !(item.cost.is_finite() && item.cost >= 0.0) {
            return Err(PlanError::Cost(ItemKey::of_item(item)));
        }
    }
    Ok(())
}
