//! `scorer validate`: files in, findings out.

use std::fmt::Write as _;

use serde::Serialize;

use crate::cli::format::Format;
use crate::cli::validate::ValidateArgs;
use crate::console::{Console, printable};
use crate::exit::{CommandResult, ExitCode, Failure as _};
use crate::files::{Destination, FileError, json_bytes};
use crate::inputs;
use crate::validate::{self, Verified};

/// What is printed for one file.
#[derive(Serialize)]
struct Finding {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    valid: bool,
    problems: Vec<Line>,
    /// Problems that are not listed.
    more: usize,
}

#[derive(Serialize)]
struct Line {
    place: String,
    problem: String,
}

/// Checks every file, and lists every problem.
pub fn run(args: &ValidateArgs, console: &Console) -> CommandResult {
    let plan = args.plan.as_deref().map(inputs::plan).transpose()?;
    let mut worst = ExitCode::Success;
    let mut findings = Vec::new();
    for path in &args.files {
        console.detail(&format!("checking {}", path.display()));
        let finding = match validate::file(path, plan.as_ref()) {
            Ok(verified) => {
                if !verified.problems.is_empty() {
                    worst = worst.max(ExitCode::InputInvalid);
                }
                of_verified(verified)
            }
            Err(error) => {
                worst = worst.max(error.exit_code());
                of_error(path.display().to_string(), &error)
            }
        };
        findings.push(finding);
    }
    let bytes = match args.format {
        Format::Text => text(&findings).into_bytes(),
        Format::Json => json_bytes(&findings)?,
    };
    Destination::Stdout.write(&bytes)?;
    Ok(worst)
}

fn of_verified(verified: Verified) -> Finding {
    Finding {
        file: verified.path.display().to_string(),
        kind: verified.kind,
        valid: verified.problems.is_empty(),
        problems: verified
            .problems
            .into_iter()
            .map(|problem| Line { place: problem.place, problem: problem.text })
            .collect(),
        more: verified.more,
    }
}

fn of_error(file: String, error: &FileError) -> Finding {
    let mut problem = error.to_string();
    if let Some(cause) = std::error::Error::source(error) {
        // Writing to a string cannot fail.
        let _ = write!(problem, ": {cause}");
    }
    Finding {
        file,
        kind: None,
        valid: false,
        problems: vec![Line { place: String::new(), problem }],
        more: 0,
    }
}

fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding { file, kind, valid, problems, more } in findings {
        let file = printable(file);
        // Writing to a string cannot fail.
        let _ = match (valid, kind) {
            (true, kind) => writeln!(text, "{file}: valid {}", kind.unwrap_or_default()),
            (false, Some(kind)) => writeln!(text, "{file}: not a valid {kind}"),
            (false, None) => writeln!(text, "{file}: not valid"),
        };
        for Line { place, problem } in problems {
            let separator = if place.is_empty() { "" } else { ": " };
            let _ = writeln!(text, "  {}{separator}{}", printable(place), printable(problem));
        }
        if *more > 0 {
            let _ = writeln!(text, "  … and {more} more");
        }
    }
    text
}
