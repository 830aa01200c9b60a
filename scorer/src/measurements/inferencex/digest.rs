//! The digest of rows, whatever source they came from.

use serde::Serialize;
use shared::digest::{Digest, Hasher};

use super::joined::Joined;
use super::metrics::Metrics;
use crate::measurements::engine_log::LogFacts;

/// A row as every source knows it: the ids of deployments, runs and logs are those of one database, and
/// are left out.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are columns")]
struct Normalized<'a> {
    id: i64,
    model: &'a str,
    hardware: &'a str,
    framework: &'a str,
    precision: &'a str,
    spec_method: &'a str,
    disagg: bool,
    is_multinode: bool,
    tp: u32,
    ep: u32,
    dp_attention: bool,
    benchmark_type: &'a str,
    date: &'a str,
    isl: Option<u32>,
    osl: Option<u32>,
    concurrency: u32,
    image: Option<&'a str>,
    metrics: &'a Metrics,
    failed: bool,
    offloaded: bool,
    fingerprint: Option<&'a str>,
    run: Option<(i64, u32)>,
    log: Option<&'a LogFacts>,
}

/// The digest of the rows, one JSON object a line, in the order of their ids.
pub(super) fn of_rows(rows: &[Joined<'_>]) -> Result<Digest, serde_json::Error> {
    let mut hasher = Hasher::default();
    for Joined { result, config, run, log, .. } in rows {
        let line = serde_json::to_vec(&Normalized {
            id: result.id,
            model: &config.model,
            hardware: &config.hardware,
            framework: &config.framework,
            precision: &config.precision,
            spec_method: &config.spec_method,
            disagg: config.disagg,
            is_multinode: config.is_multinode,
            tp: config.tp,
            ep: config.ep,
            dp_attention: config.dp_attention,
            benchmark_type: &result.benchmark_type,
            date: &result.date,
            isl: result.isl,
            osl: result.osl,
            concurrency: result.concurrency,
            image: result.image.as_deref(),
            metrics: &result.metrics,
            failed: result.failed,
            offloaded: result.offloaded,
            fingerprint: result.fingerprint.as_deref(),
            run: run.map(|run| (run.github_run, run.attempt)),
            log: *log,
        })?;
        hasher.update(&line);
        hasher.update(b"\n");
    }
    Ok(hasher.finish())
}
