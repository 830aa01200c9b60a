//! `scorer merge`: shards in, the whole out.

use std::path::{Path, PathBuf};

use shared::format::counted;

use crate::cli::run::MergeArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::check_paths;
use crate::replay::{merge, outcomes};

/// Merges the files and writes the whole.
pub fn run(args: &MergeArgs, console: &Console) -> CommandResult {
    let files: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    check_paths(&files, &[&args.output])?;
    let merged = merge(&args.files, args.partial)?;
    args.output.write(&outcomes::bytes(&merged.header, &merged.records)?)?;
    let (files, outcomes) = (args.files.len() as u64, merged.records.len() as u64);
    console.status(&format!("merged {} into {}", counted(files, "file"), counted(outcomes, "outcome")));
    if merged.missing > 0 {
        let missing = counted(merged.missing, "outcome");
        console.warning(&format!("this file is partial: {missing} missing"));
    }
    Ok(ExitCode::Success)
}
