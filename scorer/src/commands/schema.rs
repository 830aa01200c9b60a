//! `scorer schema`: the JSON Schemas of the files.

use std::path::Path;

use serde_json::Value;

use crate::cli::validate::SchemaArgs;
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode, Failure};
use crate::files::{Destination, FileError, write_atomically};
use crate::validate::schemas;

/// The kind that was asked for is none.
#[derive(Debug, thiserror::Error)]
#[error("there is no kind of file `{kind}`: choose from {known}")]
struct UnknownKind {
    kind: String,
    known: String,
}

impl Failure for UnknownKind {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

/// Prints the schemas, or writes them.
pub fn run(args: &SchemaArgs, console: &Console) -> CommandResult {
    let schemas = schemas();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|source| FileError::NotWritten { path: folder.clone(), source })?;
        for (name, schema) in &schemas {
            write_atomically(&folder.join(Path::new(name)), &pretty(schema)?)?;
        }
        console.status(&format!("{} schemas in {}", schemas.len(), folder.display()));
        return Ok(ExitCode::Success);
    }
    let bytes = match &args.kind {
        None => pretty(&schemas)?,
        Some(kind) => {
            let unknown = || {
                let known: Vec<&str> =
                    schemas.keys().map(|name| name.strip_suffix(".json").unwrap_or(name)).collect();
                UnknownKind { kind: kind.clone(), known: known.join(", ") }
            };
            pretty(schemas.get(&format!("{kind}.json")).ok_or_else(unknown)?)?
        }
    };
    Destination::Stdout.write(&bytes)?;
    Ok(ExitCode::Success)
}

/// A schema as people read it.
fn pretty<T: serde::Serialize>(schema: &T) -> Result<Vec<u8>, FileError> {
    let value: Value =
        serde_json::to_value(schema).map_err(|source| FileError::NotSerializable { source })?;
    let mut bytes =
        serde_json::to_vec_pretty(&value).map_err(|source| FileError::NotSerializable { source })?;
    bytes.push(b'\n');
    Ok(bytes)
}
