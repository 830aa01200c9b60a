//! Which rows may become points, by what the row and its deployment say.

use shared::millis::Millis;
use shared::setting::SettingValue;

use super::fields::RowError;
use super::joined::Joined;
use super::reason;
use super::rows::{ConfigRow, ResultRow};
use crate::reference::Reference;

/// The engine whose rows are read.
pub(super) const FRAMEWORK: &str = "vllm";
/// The kind of benchmark that is read.
const BENCHMARK: &str = "single_turn";
/// What the names of connectors contain that put KV blocks on the host.
const OFFLOADING: [&str; 2] = ["Offload", "LMCache"];

/// Whether a row may become a point, else why not.
///
/// Source: docs/measurements.md, "Which rows become points".
///
/// # Errors
/// When a part of the row cannot be read, and what is asked before that part does not rule the row out.
pub(super) fn judge(
    result: &ResultRow,
    config: &ConfigRow,
    reference: &Reference,
) -> Result<Result<(), &'static str>, RowError> {
    let readable = |fault: &Option<RowError>| fault.clone().map_or(Ok(()), Err);
    if let Err(reason) = of_kind(result, config) {
        return Ok(Err(reason));
    }
    readable(&config.fault)?;
    if let Err(reason) = of_deployment(config, reference) {
        return Ok(Err(reason));
    }
    readable(&result.fault)?;
    Ok(of_measurement(result, config, reference))
}

/// By what is readable of every row.
fn of_kind(result: &ResultRow, config: &ConfigRow) -> Result<(), &'static str> {
    first_broken([
        (result.benchmark_type == BENCHMARK, reason::NOT_SINGLE_TURN),
        (!result.failed, reason::FAILED),
        (config.framework == FRAMEWORK, reason::OTHER_FRAMEWORK),
    ])
}

/// By what was deployed.
fn of_deployment(config: &ConfigRow, reference: &Reference) -> Result<(), &'static str> {
    let table = reference.inferencex();
    first_broken([
        (!config.disagg, reason::DISAGGREGATED),
        (!config.is_multinode, reason::MULTI_NODE),
        (table.is_nvidia(&config.hardware), reason::NOT_NVIDIA),
        (reference.hardware(&config.hardware).is_some(), reason::HARDWARE_NOT_IN_CATALOG),
        (table.model(&config.model).is_some(), reason::MODEL_NOT_IN_CATALOG),
    ])
}

/// By what was asked and measured.
fn of_measurement(result: &ResultRow, config: &ConfigRow, reference: &Reference) -> Result<(), &'static str> {
    let positive = |number: Option<u32>| number.is_some_and(|number| number > 0);
    let parallel = |size: Option<u64>| size.is_some_and(|size| size > 1);
    let measured =
        |seconds: Option<f64>| seconds.is_some_and(|seconds| Millis::new(seconds * 1000.0).is_ok());
    let metrics = &result.metrics;
    let numbered = result.image.as_deref().map(|image| reference.inferencex().version_of_image(image));
    first_broken([
        (positive(result.isl) && positive(result.osl) && result.concurrency > 0, reason::NO_WORKLOAD),
        (config.tp > 0, reason::NO_LAYOUT),
        (!parallel(metrics.dcp_size) && !parallel(metrics.pcp_size), reason::CONTEXT_PARALLEL),
        (!result.offloaded, reason::KV_OFFLOADED),
        (measured(metrics.mean_ttft) && measured(metrics.mean_tpot), reason::NO_MEASUREMENT),
        (numbered.is_some(), reason::NO_IMAGE),
        (numbered.flatten().is_some(), reason::UNNUMBERED_BUILD),
    ])
}

/// The reason of the first rule that does not hold.
fn first_broken<const N: usize>(rules: [(bool, &'static str); N]) -> Result<(), &'static str> {
    rules.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, reason)| Err(reason))
}

/// Whether a row may become a point also by what its log says was passed, else why not.
pub(super) fn judge_passed(row: &Joined<'_>) -> Result<(), &'static str> {
    let Some(passed) = row.passed() else { return Ok(()) };
    let above = |name: &str, most: f64| {
        passed.get(name).and_then(SettingValue::as_number).is_some_and(|number| number > most)
    };
    let connector = passed.get("kv_connector").map(ToString::to_string).unwrap_or_default();
    if above("decode_context_parallel_size", 1.0) || above("prefill_context_parallel_size", 1.0) {
        Err(reason::CONTEXT_PARALLEL)
    } else if above("cpu_offload_gb", 0.0)
        || above("kv_offloading_size", 0.0)
        || OFFLOADING.iter().any(|name| connector.contains(name))
    {
        Err(reason::KV_OFFLOADED)
    } else {
        Ok(())
    }
}
