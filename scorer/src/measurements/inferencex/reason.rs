//! The reasons for which rows are not kept, in the order in which they are asked.

use crate::measurements::explain::Reason;

pub(super) const NOT_SINGLE_TURN: &str = "not_single_turn";
pub(super) const FAILED: &str = "failed";
pub(super) const OTHER_FRAMEWORK: &str = "other_framework";
pub(super) const DISAGGREGATED: &str = "disaggregated";
pub(super) const MULTI_NODE: &str = "multi_node";
pub(super) const NOT_NVIDIA: &str = "not_nvidia";
pub(super) const HARDWARE_NOT_IN_CATALOG: &str = "hardware_not_in_catalog";
pub(super) const MODEL_NOT_IN_CATALOG: &str = "model_not_in_catalog";
pub(super) const NO_WORKLOAD: &str = "no_workload";
pub(super) const NO_LAYOUT: &str = "no_layout";
pub(super) const CONTEXT_PARALLEL: &str = "context_parallel";
pub(super) const KV_OFFLOADED: &str = "kv_offloaded";
pub(super) const NO_MEASUREMENT: &str = "no_measurement";
pub(super) const NO_IMAGE: &str = "no_image";
pub(super) const UNNUMBERED_BUILD: &str = "unnumbered_build";
pub(super) const SUPERSEDED_ATTEMPT: &str = "superseded_attempt";
pub(super) const NO_ARGUMENTS_LINE: &str = "no_arguments_line";
pub(super) const FEWER_THAN_THREE: &str = "fewer_than_three_concurrencies";
pub(super) const OUTSIDE_LATEST_VERSIONS: &str = "outside_latest_versions";
pub(super) const SUPERSEDED_VERSION: &str = "superseded_version";

/// All of them.
pub const ALL: [Reason; 20] = [
    Reason {
        name: NOT_SINGLE_TURN,
        meaning: "of another benchmark than single-turn, such as agentic traces",
    },
    Reason { name: FAILED, meaning: "report an error instead of a measurement" },
    Reason { name: OTHER_FRAMEWORK, meaning: "of another engine than vLLM" },
    Reason { name: DISAGGREGATED, meaning: "with separate GPUs for prefill and decode" },
    Reason { name: MULTI_NODE, meaning: "over several nodes" },
    Reason { name: NOT_NVIDIA, meaning: "on GPUs of another maker than NVIDIA" },
    Reason { name: HARDWARE_NOT_IN_CATALOG, meaning: "on a GPU that hardware.toml does not have" },
    Reason { name: MODEL_NOT_IN_CATALOG, meaning: "of a model that inferencex.toml does not name" },
    Reason { name: NO_WORKLOAD, meaning: "without input and output length, or a concurrency above 0" },
    Reason { name: NO_LAYOUT, meaning: "without a tensor-parallel size above 0" },
    Reason { name: CONTEXT_PARALLEL, meaning: "with context parallelism, which no layout here can express" },
    Reason { name: KV_OFFLOADED, meaning: "with KV blocks or weights offloaded to the host" },
    Reason { name: NO_MEASUREMENT, meaning: "without a mean TTFT and a mean TPOT above 0" },
    Reason { name: NO_IMAGE, meaning: "without a container image, so of no known version" },
    Reason { name: UNNUMBERED_BUILD, meaning: "of an image whose tag is no numbered version" },
    Reason { name: SUPERSEDED_ATTEMPT, meaning: "measured again by a later attempt of the same run" },
    Reason {
        name: NO_ARGUMENTS_LINE,
        meaning: "without a log that states the engine's arguments (if asked for)",
    },
    Reason { name: FEWER_THAN_THREE, meaning: "of a sweep with fewer than three concurrencies" },
    Reason {
        name: OUTSIDE_LATEST_VERSIONS,
        meaning: "of a version older than the newest that were asked for",
    },
    Reason { name: SUPERSEDED_VERSION, meaning: "of a sweep that a newer version repeats" },
];
