//! `scorer report`: the report that mirrors metricscore, of a corpus or a snapshot.

use std::path::{Path, PathBuf};

use shared::coverage::CoverageError;
use shared::report::{self as model, Report};
use shared::schema::{FileKind, SchemaField};
use shared::verify::{self, Unverified};

use crate::cli::report::{ReportArgs, ReportFormat};
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode, Failure};
use crate::files::{DEFAULT_LIMIT, Destination, FileError, check_paths, json_bytes, parse_json, read_bytes};
use crate::inputs::{self, InputError};
use crate::report::{csv, markdown, text};

/// A file cannot be reported on.
#[derive(Debug, thiserror::Error)]
enum ReportError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: its `schema` is `{found}`, but a report is made of a corpus (`corpus.v1`) or a snapshot (`summary.v1`)", .path.display())]
    OtherKind { path: PathBuf, found: String },
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}: its points are not accounted for", .path.display())]
    Unbalanced {
        path: PathBuf,
        #[source]
        source: CoverageError,
    },
    #[error("{}: cannot be reported on", .path.display())]
    Definitions {
        path: PathBuf,
        #[source]
        source: Unverified,
    },
    #[error(transparent)]
    Csv(#[from] csv::CsvError),
}

impl Failure for ReportError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Input(error) => error.exit_code(),
            Self::OtherKind { .. } | Self::Unbalanced { .. } | Self::Definitions { .. } => {
                ExitCode::InputInvalid
            }
            Self::Csv(_) => ExitCode::Unexpected,
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::File(error) => error.advice(),
            Self::Unbalanced { .. } => Some("make the file again with the command that wrote it".to_owned()),
            Self::Input(error) => error.advice(),
            Self::OtherKind { .. } | Self::Definitions { .. } | Self::Csv(_) => None,
        }
    }
}

/// Reads the file, whatever of the two it is, and prints its report.
pub fn run(args: &ReportArgs, console: &Console) -> CommandResult {
    check_paths(&[&args.file], &[&args.output])?;
    let report = read(&args.file)?;
    let bytes = match args.format {
        ReportFormat::Text => {
            let with_style = args.output == Destination::Stdout && console.colors_stdout();
            text::render(&report, with_style).into_bytes()
        }
        ReportFormat::Markdown => markdown::render(&report).into_bytes(),
        ReportFormat::Json => json_bytes(&report)?,
        ReportFormat::Csv => csv::render(&report).map_err(ReportError::from)?,
    };
    args.output.write(&bytes)?;
    Ok(ExitCode::Success)
}

fn read(path: &Path) -> Result<Report, ReportError> {
    let bytes = read_bytes(path, DEFAULT_LIMIT)?;
    // A file without the field is told apart by the place where it should be.
    let found = match inputs::stated_schema(&bytes) {
        Some(stated) => stated,
        None => parse_json::<SchemaField>(path, bytes.clone())?.schema,
    };
    let kind = FileKind::named(&found).filter(|kind| matches!(kind, FileKind::Corpus | FileKind::Summary));
    let Some(kind) = kind else {
        let found = found.chars().take(60).collect();
        return Err(ReportError::OtherKind { path: path.to_owned(), found });
    };
    let report = if kind == FileKind::Corpus {
        model::of_corpus(&inputs::corpus(path, bytes)?)
    } else {
        let summary = inputs::summary(path, bytes)?;
        let known = verify::definitions(&summary);
        known.map_err(|source| ReportError::Definitions { path: path.to_owned(), source })?;
        model::of_summary(&summary)
    };
    report.map_err(|source| ReportError::Unbalanced { path: path.to_owned(), source })
}
