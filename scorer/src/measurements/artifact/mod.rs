//! The three files that BLIS's metricscore reads: an artifact of published predictions with the
//! relative latencies they were compared with, the absolute latencies behind those, and the engine
//! settings from the server logs.
//!
//! [`read`] joins them by scenario, label and concurrency into a corpus. A row is one point of the
//! artifact, or one absolute latency without such a point; each row is kept or counted under one
//! reason by name. Whatever the files say twice must agree.
//!
//! Left out of the corpus, because they say nothing about the deployment: the path of the served
//! checkpoint on the machine that ran the benchmark, and figures that follow from others (the
//! printed error percentages, the maximum concurrency by the log).

mod check;
mod error;
mod files;
mod input;
mod join;
mod one_sweep;
mod predictions;
mod unique;

use std::path::Path;

use serde::de::DeserializeOwned;
use shared::corpus::SourcePart;
use shared::digest::Digest;

pub use error::{ArtifactError, Fault, Place};
pub use files::ArtifactPaths;
pub use input::reason::ALL as REASONS;

use super::Ingested;
use super::settings::Facts;
use crate::files::{parse_json, read_bytes};
use files::{AbsolutesFile, ArtifactFile, SettingsFile};
use input::{Input, file_name};

/// The largest of the three files that is read: 64 MiB, two hundred times the published one.
pub const LARGEST_FILE: u64 = 64 << 20;

/// Reads the three files as a corpus.
///
/// # Errors
/// When a file cannot be read, or the files contradict themselves or each other; the error names the
/// file and the entry.
pub fn read(paths: &ArtifactPaths, facts: &dyn Facts) -> Result<Ingested, ArtifactError> {
    let (artifact, artifact_part) = parsed::<ArtifactFile>(&paths.corpus)?;
    let (absolutes, absolutes_part) = parsed::<AbsolutesFile>(&paths.absolutes)?;
    let (settings, settings_part) = parsed::<SettingsFile>(&paths.settings)?;
    let input = Input { paths, artifact: &artifact, absolutes: &absolutes, settings: &settings };
    join::corpus(&input, vec![artifact_part, absolutes_part, settings_part], facts)
}

fn parsed<T: DeserializeOwned>(path: &Path) -> Result<(T, SourcePart), ArtifactError> {
    let bytes = read_bytes(path, LARGEST_FILE)?;
    let part =
        SourcePart { name: file_name(path), sha256: Digest::of_bytes(&bytes), bytes: bytes.len() as u64 };
    Ok((parse_json(path, bytes)?, part))
}
