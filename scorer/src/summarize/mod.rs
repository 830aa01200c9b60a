//! From a corpus and the outcomes of a run to a snapshot.
//!
//! Everything that a reader will see is computed by `shared`. What is done here is to check that the
//! two files fit ([`fit`], [`answer`]), to spread the figures over threads ([`figures`]), and to add what is in
//! neither: who made the snapshot, and when.

pub mod answer;
mod figures;
pub mod fit;
mod moment;
pub mod points_csv;

use shared::assemble::{AssembleError, Ingredients, assemble};
use shared::corpus::Corpus;
use shared::digest::Digest;
use shared::id::EstimatorId;
use shared::outcome::{ScorerIdentity, SettingsProfile, SimulatorIdentity};
use shared::rules::Grading;
use shared::summary::Summary;

pub use figures::figures;
pub use moment::{Moment, MomentError};

use crate::exit::{ExitCode, Failure};
use crate::replay::outcomes::Outcomes;
use crate::simulators::{published, roofline};

/// The estimator that a snapshot is about, unless another is named.
const PRIMARY: &str = "roofline";

/// What is not in the two files.
#[derive(Clone, Debug)]
pub struct SummarizeOptions {
    /// The estimator that the snapshot is about; none: the baseline, else the first.
    pub primary: Option<EstimatorId>,
    /// When the snapshot is made.
    pub generated_at: Moment,
    /// The program that makes it.
    pub scorer: ScorerIdentity,
}

/// A snapshot cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SummarizeError {
    /// The two files do not fit.
    #[error(transparent)]
    Fit(#[from] fit::FitError),
    /// What they contain makes no snapshot.
    #[error("the corpus and the outcomes make no snapshot")]
    Assemble(#[from] AssembleError),
    /// The outcomes are not of the estimator that the snapshot should be about.
    #[error("the outcomes have no estimator `{primary}`: choose the primary one from {available}")]
    NoPrimary {
        /// What was asked for.
        primary: EstimatorId,
        /// What there is.
        available: String,
    },
    /// There is no estimator at all.
    #[error("the outcomes name no estimator")]
    NoEstimators,
}

impl Failure for SummarizeError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Fit(error) => error.exit_code(),
            Self::Assemble(_) | Self::NoEstimators => ExitCode::InputInvalid,
            Self::NoPrimary { .. } => ExitCode::Usage,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::Fit(error) => error.advice(),
            _ => None,
        }
    }
}

/// Makes the snapshot of a corpus, whose file has the digest `corpus_digest`, and of the outcomes of a
/// complete run on it.
///
/// # Errors
/// When the two do not fit together, point for point.
pub fn summarize(
    corpus: Corpus,
    corpus_digest: Digest,
    outcomes: Outcomes,
    options: SummarizeOptions,
) -> Result<Summary, SummarizeError> {
    fit::check(&corpus, &corpus_digest, &outcomes)?;
    let Outcomes { header, records, .. } = outcomes;
    let primary = primary(options.primary, &header.simulators)?;
    let ingredients = Ingredients {
        corpus,
        corpus_digest,
        repro: repro(&primary),
        primary: primary.id.clone(),
        simulators: header.simulators,
        scorer: options.scorer,
        generated_at: options.generated_at.to_string(),
        grading: Grading::default(),
    };
    Ok(assemble(ingredients, records, figures)?)
}

fn primary(
    wanted: Option<EstimatorId>,
    simulators: &[SimulatorIdentity],
) -> Result<SimulatorIdentity, SummarizeError> {
    let Some(first) = simulators.first() else { return Err(SummarizeError::NoEstimators) };
    let named = |id: &str| simulators.iter().find(|simulator| simulator.id.as_str() == id);
    match wanted {
        None => Ok(named(PRIMARY).unwrap_or(first).clone()),
        Some(primary) => named(primary.as_str()).cloned().ok_or_else(|| {
            let available: Vec<&str> = simulators.iter().map(|simulator| simulator.id.as_str()).collect();
            SummarizeError::NoPrimary { primary, available: available.join(", ") }
        }),
    }
}

/// The commands that compute one sweep again. Names of files are for the reader to put in.
fn repro(primary: &SimulatorIdentity) -> String {
    let settings = match primary.settings {
        SettingsProfile::Defaults => SettingsProfile::Defaults,
        SettingsProfile::Recorded | SettingsProfile::Published => SettingsProfile::Recorded,
    };
    let estimator = match primary.kind.as_str() {
        roofline::KIND if !primary.release => " --reference DIR",
        roofline::KIND | published::KIND => "",
        _ => " --simulators simulators.toml",
    };
    format!(
        "scorer plan corpus.json --settings {}{estimator} --sweeps {{sweep}} -o plan.json \
         && scorer run plan.json{estimator} -o outcomes.jsonl",
        settings.key()
    )
}
