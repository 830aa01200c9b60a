//! Proving that a file is what it says it is.
//!
//! Three layers, each only when the one before found nothing: the JSON Schema of the file's kind (with
//! unknown fields refused), the types of `shared` (whose constructors refuse what cannot be true), and
//! what no schema can say: order, digests, balance, and for a snapshot every figure, computed again. What
//! `report` and `compare` print has the first layer only: nothing reads it.

mod corpus;
mod data;
mod outcomes;
mod schema;
mod summary;
mod sweep;
mod unit;

use std::fmt;
use std::path::{Path, PathBuf};

use shared::plan::Plan;
use shared::schema::FileKind;

pub use corpus::corpus_problems;
pub use data::{index_entry_problems, index_problems};
pub use schema::{problems, schema_of, schema_problems, schemas};
pub use summary::{summary_problems, summary_problems_but_figures};
pub use unit::unit_problems;

use self::schema::printed;
use crate::exit::{ExitCode, Failure};
use crate::files::{FileError, parse_json, read_bytes};
use crate::inputs::stated_schema;
use crate::replay::outcomes::LIMIT;

/// How many problems of a file are listed; a file of a million bad points is not listed point by point.
pub const LISTED: usize = 50;

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, as a path from the root of the document, such as `sweeps[3].points[0].ttft_ms`; empty at
    /// the root.
    pub place: String,
    /// What.
    pub text: String,
}

impl Problem {
    /// A problem at a place.
    pub fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { place: place.into(), text: text.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            formatter.write_str(&self.text)
        } else {
            write!(formatter, "{}: {}", self.place, self.text)
        }
    }
}

/// What was found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The file.
    pub path: PathBuf,
    /// What it says it is, when that is known here.
    pub kind: Option<&'static str>,
    /// The problems, at most [`LISTED`] of them.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
}

/// Checks a file of ours, whatever its kind. With a plan, outcomes are checked for balance too.
///
/// # Errors
/// When the file cannot be read, is no JSON, or says no kind that is known.
pub fn file(path: &Path, plan: Option<&Plan>) -> Result<Verified, FileError> {
    let bytes = read_bytes(path, LIMIT)?;
    let Some(kind) = stated_schema(&bytes).as_deref().and_then(Kind::named) else {
        // Broken JSON is said to be that, with its place.
        parse_json::<serde_json::Value>(path, bytes)?;
        let text = "no `schema` field that names a kind of file that this version knows";
        return Ok(Verified {
            path: path.to_owned(),
            kind: None,
            problems: vec![Problem::new("schema", text)],
            more: 0,
        });
    };
    let mut problems = match &kind {
        Kind::Stage(FileKind::Outcomes) => outcomes::problems(path, &bytes, plan),
        Kind::Stage(kind) => document(path, *kind, bytes)?,
        Kind::Printed(_, schema) => problems(schema, &parse_json(path, bytes)?),
    };
    let more = problems.len().saturating_sub(LISTED);
    problems.truncate(LISTED);
    Ok(Verified { path: path.to_owned(), kind: Some(kind.name()), problems, more })
}

/// A file that a stage made is not what it must be.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// It cannot be read, or is no JSON.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not valid.
    #[error("{}: is not valid: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The first problem.
        problem: Problem,
    },
}

impl Failure for ProofError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Invalid { .. } => ExitCode::InputInvalid,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Invalid { .. } => Some(
                "this is a fault of the scorer's own: please report it with the work directory".to_owned(),
            ),
        }
    }
}

/// Proves files that stages made.
///
/// # Errors
/// With the first problem of the first file that has one.
pub fn prove(paths: &[PathBuf], plan: Option<&Plan>) -> Result<(), ProofError> {
    for path in paths {
        if let Some(problem) = file(path, plan)?.problems.into_iter().next() {
            return Err(ProofError::Invalid { path: path.clone(), problem });
        }
    }
    Ok(())
}

/// A kind of file that can be checked.
enum Kind {
    /// One that the stages exchange.
    Stage(FileKind),
    /// One that is only printed, by its name, with its schema.
    Printed(&'static str, serde_json::Value),
}

impl Kind {
    /// The kind of the file whose `schema` field says `stated`, whatever its version.
    fn named(stated: &str) -> Option<Self> {
        let stage = FileKind::named(stated).map(Self::Stage);
        stage.or_else(|| printed(stated).map(|(name, schema)| Self::Printed(name, schema)))
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Stage(kind) => kind.schema(),
            Self::Printed(name, _) => name,
        }
    }
}

fn document(path: &Path, kind: FileKind, bytes: Vec<u8>) -> Result<Vec<Problem>, FileError> {
    let value: serde_json::Value = parse_json(path, bytes.clone())?;
    let stated = value.get("schema").and_then(|schema| schema.as_str()).unwrap_or_default();
    if let Err(other) = kind.check(stated) {
        return Ok(vec![Problem::new("schema", other.to_string())]);
    }
    let problems = schema_problems(kind, &value);
    if !problems.is_empty() {
        return Ok(problems);
    }
    drop(value);
    Ok(match kind {
        FileKind::Corpus => typed(path, bytes, |corpus| corpus_problems(&corpus)),
        FileKind::Plan => typed(path, bytes, |plan| plan_problems(&plan)),
        FileKind::Summary => typed(path, bytes, |summary| summary_problems(&summary)),
        FileKind::Index => typed(path, bytes, |index| {
            let mut problems = index_problems(&index);
            problems.extend(data::files_beside(path, &index));
            problems
        }),
        FileKind::LastRun => {
            typed(path, bytes, |last: shared::index::LastRun| data::last_run_problems(path, &last))
        }
        FileKind::LastFailure => typed(path, bytes, |_: shared::night::LastFailure| Vec::new()),
        FileKind::Unit => typed(path, bytes, |unit| unit_problems(&unit)),
        FileKind::Outcomes => Vec::new(),
    })
}

/// What is wrong with a plan.
#[must_use]
pub fn plan_problems(plan: &Plan) -> Vec<Problem> {
    let checked = crate::replay::check(plan);
    checked.err().map(|error| Problem::new("body", error.to_string())).into_iter().collect()
}

/// The problems of the value in the bytes; when the types refuse it, that is the problem.
fn typed<T: serde::de::DeserializeOwned>(
    path: &Path,
    bytes: Vec<u8>,
    check: impl FnOnce(T) -> Vec<Problem>,
) -> Vec<Problem> {
    match parse_json(path, bytes) {
        Ok(value) => check(value),
        Err(FileError::WrongShape { fault, .. }) => {
            vec![Problem::new(fault.json_path().unwrap_or_default(), fault.to_string())]
        }
        Err(error) => vec![Problem::new("", error.to_string())],
    }
}
