//! Which rows belong to one sweep: those of one deployment at one workload.

use shared::deployment::{Parallelism, Speculation};
use shared::setting::SettingValue;

use super::joined::Joined;
use super::rows::{ConfigRow, ResultRow};
use crate::measurements::engine_log::Arguments;

/// What must be the same of all points of a sweep, as it was passed; with the names of the reference's
/// extractor, whose order this is.
const STATED: [&str; 8] = [
    "model",
    "block_size",
    "enable_prefix_caching",
    "gpu_memory_utilization",
    "enable_expert_parallel",
    "num_speculative_tokens",
    "speculative_method",
    "draft_model",
];

/// The key of a sweep: rows with equal keys are its points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) model: String,
    pub(super) hardware: String,
    pub(super) precision: String,
    pub(super) parallelism: Parallelism,
    pub(super) spec: Speculation,
    pub(super) isl: u32,
    pub(super) osl: u32,
    pub(super) image: String,
    /// Whether a log states the arguments: what is known of a run without one is not known to be the same.
    logged: bool,
    stated: [Option<String>; STATED.len()],
}

impl Key {
    /// The key of a row that may become a point, whose model has this name.
    pub(super) fn of(row: &Joined<'_>, model: &str) -> Self {
        let Joined { result, config, .. } = row;
        let passed = row.passed();
        let stated = STATED.map(|name| passed.and_then(|passed| passed.get(name)).map(ToString::to_string));
        Self {
            model: model.to_owned(),
            hardware: config.hardware.clone(),
            precision: config.precision.clone(),
            parallelism: layout(row),
            spec: speculation(&config.spec_method, passed),
            isl: result.isl.unwrap_or_default(),
            osl: result.osl.unwrap_or_default(),
            image: result.image.clone().unwrap_or_default(),
            logged: passed.is_some(),
            stated,
        }
    }
}

/// The layout of a row: that of the arguments line of its log, else the row's own.
fn layout(row: &Joined<'_>) -> Parallelism {
    let by_row = layout_of_row(row.result, row.config);
    row.passed().map_or(by_row, |passed| layout_passed(passed, by_row.ep))
}

/// The layout by the row alone.
///
/// A row says of data-parallel attention only that there is some: the recipes then run one replica on each
/// GPU of the tensor-parallel size that the row has.
pub(super) fn layout_of_row(result: &ResultRow, config: &ConfigRow) -> Parallelism {
    let stages = result.metrics.pp.and_then(|stages| u32::try_from(stages).ok()).unwrap_or(1).max(1);
    if config.dp_attention {
        Parallelism { tp: 1, pp: stages, dp: config.tp, ep: config.ep.max(1), dp_attention: config.tp > 1 }
    } else {
        Parallelism { tp: config.tp, pp: stages, dp: 1, ep: config.ep.max(1), dp_attention: false }
    }
}

/// The layout by an arguments line; where it does not spread the experts itself, they are as in the row.
pub(super) fn layout_passed(passed: &Arguments, ep_of_row: u32) -> Parallelism {
    let size = |name| passed.get(name).and_then(SettingValue::as_count).filter(|size| *size > 0).unwrap_or(1);
    let (tp, dp) = (size("tensor_parallel_size"), size("data_parallel_size"));
    let spread = passed.get("enable_expert_parallel").and_then(SettingValue::as_flag) == Some(true);
    let ep = if spread { tp.saturating_mul(dp) } else { ep_of_row };
    Parallelism { tp, pp: size("pipeline_parallel_size"), dp, ep, dp_attention: dp > 1 }
}

/// The database calls every kind of speculation `mtp`; the arguments line says which it is, and how many
/// tokens a draft proposes.
fn speculation(method: &str, passed: Option<&Arguments>) -> Speculation {
    let stated = |name| passed.and_then(|passed| passed.get(name));
    let tokens = stated("num_speculative_tokens").and_then(SettingValue::as_count);
    match stated("speculative_method") {
        Some(SettingValue::Text(method)) => Speculation { method: method.clone(), tokens },
        _ => Speculation { method: method.to_owned(), tokens },
    }
}
