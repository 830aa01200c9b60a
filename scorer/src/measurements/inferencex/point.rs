//! The repeats of one concurrency as a point.

use std::collections::BTreeMap;

use shared::corpus::PublishedRatio;
use shared::millis::{Millis, MillisError};
use shared::setting::Setting;
use shared::sweep::{Flag, LengthCheck, Point};

use super::deployment::Key;
use super::joined::Joined;
use crate::measurements::complete::{agreed, mean, spread};
use crate::measurements::engine_log::LogFacts;
use crate::measurements::lengths::{Asked, Judged, LengthJudge, SweepLengths};
use crate::measurements::settings::{self, AdmissionDefaults, LoggedSettings};
use crate::workload::DEFAULT_RANGE_RATIO;

/// The point of some repeats of a concurrency, with the means of their latencies.
///
/// # Errors
/// When there is no repeat with a latency: of a candidate there is.
pub(super) fn of_repeats(
    concurrency: u32,
    repeats: &[Joined<'_>],
    key: &Key,
    lengths: LengthCheck,
    defaults: Option<&AdmissionDefaults>,
) -> Result<Point<PublishedRatio>, MillisError> {
    let ttft = latencies(repeats, |row| row.result.metrics.mean_ttft);
    let tpot = latencies(repeats, |row| row.result.metrics.mean_tpot);
    let (settings, disagree) = settings(repeats, defaults);
    Ok(Point {
        concurrency,
        ttft_ms: Millis::new(mean(&ttft))?,
        tpot_ms: Millis::new(mean(&tpot))?,
        repeats: u32::try_from(repeats.len()).unwrap_or(u32::MAX),
        spread: spread(&tpot),
        settings,
        kv_tokens: kv_tokens(repeats, key),
        acceptance_length: acceptance_length(repeats, key),
        lengths,
        flags: if disagree { vec![Flag::SettingsDisagree] } else { Vec::new() },
        predictions: BTreeMap::new(),
    })
}

/// The latencies of repeats in milliseconds; the database has seconds.
fn latencies(repeats: &[Joined<'_>], seconds: impl Fn(&Joined<'_>) -> Option<f64>) -> Vec<f64> {
    repeats.iter().filter_map(|row| seconds(row).map(|seconds| seconds * 1000.0)).collect()
}

/// The settings of a point, and whether its repeats had different values. Of a setting on which repeats
/// disagree no value is known.
fn settings(
    repeats: &[Joined<'_>],
    defaults: Option<&AdmissionDefaults>,
) -> (BTreeMap<String, Setting>, bool) {
    let logged = repeats.iter().filter_map(|row| row.own_log().and_then(LoggedSettings::of));
    let of_repeats: Vec<BTreeMap<String, Setting>> =
        logged.map(|logged| settings::of_logged_point(logged.passed, logged.resolved, defaults)).collect();
    if of_repeats.is_empty() { (settings::of_logless_point(), false) } else { agreed(&of_repeats) }
}

/// The KV pool of one data-parallel rank: by the log, else by the row; of repeats the smallest.
fn kv_tokens(repeats: &[Joined<'_>], key: &Key) -> Option<u64> {
    let pool = |row: &Joined<'_>| {
        let by_log = row.own_log().and_then(LogFacts::kv_tokens_of_a_rank);
        let by_row = || {
            let ranks = u64::from(key.parallelism.dp.max(1));
            row.result.metrics.kv_cache_pool_tokens.map(|tokens| tokens / ranks)
        };
        by_log.or_else(by_row).filter(|tokens| *tokens > 0)
    };
    repeats.iter().filter_map(pool).min()
}

/// The mean acceptance length by the logs, where something is speculated.
fn acceptance_length(repeats: &[Joined<'_>], key: &Key) -> Option<f64> {
    let by_log = |row: &Joined<'_>| row.own_log()?.acceptance.map(|acceptance| acceptance.mean_length());
    let lengths: Vec<f64> = repeats.iter().filter_map(by_log).collect();
    Some(mean(&lengths)).filter(|mean| mean.is_finite() && !key.spec.is_none())
}

/// Judges the sent lengths of every point of a sweep by the throughputs.
pub(super) fn judge_lengths(
    by_concurrency: &BTreeMap<u32, Vec<Joined<'_>>>,
    key: &Key,
    judge: &mut LengthJudge,
) -> SweepLengths {
    SweepLengths::of(by_concurrency.iter().map(|(concurrency, repeats)| {
        let asked =
            Asked { isl: key.isl, osl: key.osl, range_ratio: DEFAULT_RANGE_RATIO, concurrency: *concurrency };
        (*concurrency, repeats.iter().map(|row| of_row(row, asked, judge)).collect())
    }))
}

fn of_row(row: &Joined<'_>, asked: Asked, judge: &mut LengthJudge) -> Judged {
    let metrics = &row.result.metrics;
    match (metrics.input_tput_per_gpu, metrics.output_tput_per_gpu) {
        (Some(input), Some(output)) => judge.by_throughput(asked, input, output),
        _ => Judged::unknown(),
    }
}
