//! `scorer merge`: shards in, the whole out.

use crate::cli::run::MergeArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::replay::{merge, outcomes};

/// Merges the files and writes the whole.
pub fn run(args: &MergeArgs, console: &Console) -> CommandResult {
    let merged = merge(&args.files, args.partial)?;
    args.output.write(&outcomes::bytes(&merged.header, &merged.records)?)?;
    console.status(&format!("merged {} files into {} outcomes", args.files.len(), merged.records.len()));
    if merged.missing > 0 {
        console.warning(&format!("{} items have no outcome: this file is partial", merged.missing));
    }
    Ok(ExitCode::Success)
}
