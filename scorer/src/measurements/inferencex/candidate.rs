//! Which rows may become points, by what the row and its deployment say.

use shared::millis::Millis;

use super::reason;
use super::rows::{ConfigRow, ResultRow};
use crate::reference::Reference;

/// The engine whose rows are read.
pub(super) const FRAMEWORK: &str = "vllm";
/// The kind of benchmark that is read.
const BENCHMARK: &str = "single_turn";

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
