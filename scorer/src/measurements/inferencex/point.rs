//! The repeats of one concurrency as a point.

use std::collections::BTreeMap;

use shared::corpus::PublishedRatio;
use shared::millis::{Millis, MillisError};
use shared::setting::{Setting, SettingValue};
use shared::sweep::{Flag, LengthCheck, Point};

use super::deployment::Key;
use super::joined::Joined;
use crate::measurements::lengths::{Asked, ClientRun, Judged, LengthJudge};
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

/// The plain mean; of nothing, no number.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn spread(values: &[f64]) -> Option<f64> {
    let greatest = values.iter().copied().fold(f64::NAN, f64::max);
    let smallest = values.iter().copied().fold(f64::NAN, f64::min);
    Some(greatest / smallest).filter(|spread| values.len() > 1 && spread.is_finite())
}

/// The settings of a point, and whether its repeats passed different values. A setting whose repeats
/// disagree counts as not passed.
fn settings(
    repeats: &[Joined<'_>],
    defaults: Option<&AdmissionDefaults>,
) -> (BTreeMap<String, Setting>, bool) {
    let logged: Vec<LoggedSettings> =
        repeats.iter().filter_map(|row| row.log.and_then(LoggedSettings::of)).collect();
    if logged.is_empty() {
        return (settings::of_logless_point(), false);
    }
    let (passed, disagree) = agreed(logged.iter().map(|settings| &settings.passed));
    let (resolved, _) = agreed(logged.iter().map(|settings| &settings.resolved));
    (settings::of_logged_point(passed, resolved, defaults), disagree)
}

/// The values that all repeats have, and whether there are others.
fn agreed<'a>(
    repeats: impl Iterator<Item = &'a BTreeMap<String, SettingValue>> + Clone,
) -> (BTreeMap<String, SettingValue>, bool) {
    let all = |name: &String, value: &SettingValue| {
        repeats.clone().all(|settings| settings.get(name) == Some(value))
    };
    let mut common = BTreeMap::new();
    let mut disagree = false;
    for (name, value) in repeats.clone().flatten() {
        if all(name, value) {
            common.insert(name.clone(), value.clone());
        } else {
            disagree = true;
        }
    }
    (common, disagree)
}

/// The KV pool of one data-parallel rank: by the log, else by the row; of repeats the smallest.
fn kv_tokens(repeats: &[Joined<'_>], key: &Key) -> Option<u64> {
    let pool = |row: &Joined<'_>| {
        let by_log =
            row.log.and_then(|log| log.kv_pool).map(|pool| pool.tokens / u64::from(pool.engines.max(1)));
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
    let by_log = |row: &Joined<'_>| row.log?.acceptance.map(|acceptance| acceptance.mean_length());
    let lengths: Vec<f64> = repeats.iter().filter_map(by_log).collect();
    Some(mean(&lengths)).filter(|mean| mean.is_finite() && !key.spec.is_none())
}

/// What the lengths of a sweep's points tell.
pub(super) struct SweepLengths {
    /// How the client was run, by the first point that tells.
    pub(super) client: Option<ClientRun>,
    /// By concurrency.
    pub(super) checks: BTreeMap<u32, LengthCheck>,
}

/// Judges the sent lengths of every point. A sweep has one client: a point whose repeats, or whose own
/// lengths, are of another run of it does not have the sweep's lengths.
pub(super) fn judge_lengths(
    by_concurrency: &BTreeMap<u32, Vec<Joined<'_>>>,
    key: &Key,
    judge: &mut LengthJudge,
) -> SweepLengths {
    let judged: BTreeMap<u32, Judged> = by_concurrency
        .iter()
        .map(|(concurrency, repeats)| {
            let asked = Asked {
                isl: key.isl,
                osl: key.osl,
                range_ratio: DEFAULT_RANGE_RATIO,
                concurrency: *concurrency,
            };
            let judged = repeats.iter().map(|row| of_row(row, asked, judge)).reduce(both);
            (*concurrency, judged.unwrap_or_else(Judged::unknown))
        })
        .collect();
    let client = judged.values().find_map(|judged| judged.run);
    let checks = judged
        .into_iter()
        .map(|(concurrency, judged)| {
            let other = judged.run.filter(|run| Some(*run) != client);
            (concurrency, other.map_or(judged.check, |run| LengthCheck::Different(in_words(run))))
        })
        .collect();
    SweepLengths { client, checks }
}

fn of_row(row: &Joined<'_>, asked: Asked, judge: &mut LengthJudge) -> Judged {
    let metrics = &row.result.metrics;
    match (metrics.input_tput_per_gpu, metrics.output_tput_per_gpu) {
        (Some(input), Some(output)) => judge.by_throughput(asked, input, output),
        _ => Judged::unknown(),
    }
}

/// Two repeats: they are verified when both are, as the same run of the client.
fn both(first: Judged, second: Judged) -> Judged {
    match (first.run, second.run) {
        (Some(a), Some(b)) if a == b => first,
        (Some(a), Some(b)) => {
            Judged::different(format!("one repeat has {}, another {}", in_words(a), in_words(b)))
        }
        (Some(_), None) => second,
        (None, Some(_)) => first,
        (None, None) if first.check == LengthCheck::Unknown => second,
        (None, None) => first,
    }
}

fn in_words(run: ClientRun) -> String {
    let ClientRun { prompts_per_concurrency, template_tokens } = run;
    format!(
        "{prompts_per_concurrency} requests per unit of concurrency and a template of {template_tokens} tokens"
    )
}
