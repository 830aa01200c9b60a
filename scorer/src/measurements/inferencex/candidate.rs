//! Which rows may become points, by what the row and its deployment say.

use shared::millis::Millis;
use shared::setting::SettingValue;

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
pub(super) fn judge(
    result: &ResultRow,
    config: &ConfigRow,
    reference: &Reference,
) -> Result<(), &'static str> {
    let table = reference.inferencex();
    let positive = |number: Option<u32>| number.is_some_and(|number| number > 0);
    let parallel = |size: Option<u64>| size.is_some_and(|size| size > 1);
    let measured =
        |seconds: Option<f64>| seconds.is_some_and(|seconds| Millis::new(seconds * 1000.0).is_ok());
    let metrics = &result.metrics;
    let numbered = result.image.as_deref().map(|image| table.version_of_image(image));
    let rules = [
        (result.benchmark_type == BENCHMARK, reason::NOT_SINGLE_TURN),
        (!result.failed, reason::FAILED),
        (config.framework == FRAMEWORK, reason::OTHER_FRAMEWORK),
        (!config.disagg, reason::DISAGGREGATED),
        (!config.is_multinode, reason::MULTI_NODE),
        (table.is_nvidia(&config.hardware), reason::NOT_NVIDIA),
        (reference.hardware(&config.hardware).is_some(), reason::HARDWARE_NOT_IN_CATALOG),
        (table.model(&config.model).is_some(), reason::MODEL_NOT_IN_CATALOG),
        (positive(result.isl) && positive(result.osl) && result.concurrency > 0, reason::NO_WORKLOAD),
        (config.tp > 0, reason::NO_LAYOUT),
        (!parallel(metrics.dcp_size) && !parallel(metrics.pcp_size), reason::CONTEXT_PARALLEL),
        (!result.offloaded, reason::KV_OFFLOADED),
        (measured(metrics.mean_ttft) && measured(metrics.mean_tpot), reason::NO_MEASUREMENT),
        (numbered.is_some(), reason::NO_IMAGE),
        (numbered.flatten().is_some(), reason::UNNUMBERED_BUILD),
    ];
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
