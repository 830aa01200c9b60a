//! A result as the client writes it: one JSON object, of which the other keys are passed over.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use shared::millis::Millis;

use super::reason;
use crate::measurements::lengths::{Asked, Judged, LengthJudge, Sums, by_lists};

/// The keys that are read; those of InferenceX's client and of `vllm bench serve` are the same.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct ResultFile {
    /// `YYYYMMDD-HHMMSS`.
    date: Option<String>,
    benchmark_start_time_unix: Option<f64>,
    /// `inf`, or requests per second.
    request_rate: Option<Value>,
    max_concurrency: Option<u32>,
    num_prompts: Option<u32>,
    completed: Option<u32>,
    total_input_tokens: Option<u64>,
    total_output_tokens: Option<u64>,
    mean_ttft_ms: Option<f64>,
    mean_tpot_ms: Option<f64>,
    input_lens: Option<Vec<u32>>,
    output_lens: Option<Vec<u32>>,
    /// What was served, as the client calls it.
    pub(super) model_id: Option<String>,
}

/// A result that can be a point, or a repeat of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) concurrency: u32,
    pub(super) ttft_ms: Millis,
    pub(super) tpot_ms: Millis,
    /// The day of the run, `YYYY-MM-DD`, when it is stated.
    pub(super) date: Option<String>,
    requests: u32,
    completed: u32,
    sums: Option<Sums>,
    lists: Option<(Vec<u32>, Vec<u32>)>,
}

/// How far the mean of some lengths may be from that of the draw, in standard deviations of such a mean.
const DEVIATIONS: f64 = 3.0;
/// How much further a mean length may be away: what retokenisation can do, as a share, and special tokens.
const SLACK: (f64, f64) = (0.005, 2.0);

impl ResultFile {
    /// Whether it has what only a result has.
    pub(super) fn is_result(&self) -> bool {
        self.mean_ttft_ms.is_some() && self.mean_tpot_ms.is_some()
    }

    /// The measurement, else why it is none of this workload.
    pub(super) fn measured(self, isl: u32, osl: u32, range_ratio: f64) -> Result<Measured, &'static str> {
        if !self.is_result() {
            return Err(reason::NOT_A_RESULT);
        }
        let concurrency =
            self.max_concurrency.filter(|concurrency| *concurrency > 0).ok_or(reason::NO_CONCURRENCY)?;
        if self.request_rate.as_ref().is_some_and(|rate| rate != "inf") {
            return Err(reason::NOT_CLOSED_LOOP);
        }
        let latency = |value: Option<f64>| value.and_then(|value| Millis::new(value).ok());
        let (Some(ttft_ms), Some(tpot_ms)) = (latency(self.mean_ttft_ms), latency(self.mean_tpot_ms)) else {
            return Err(reason::NO_MEASUREMENT);
        };
        let requests = self.num_prompts.or(self.completed).unwrap_or_default();
        let completed = self.completed.unwrap_or(requests);
        if completed == 0 {
            return Err(reason::NO_MEASUREMENT);
        }
        let sums = self.total_input_tokens.zip(self.total_output_tokens);
        let sums = sums.map(|(inputs, outputs)| Sums { inputs, outputs });
        if sums.is_some_and(|sums| {
            !fits(sums.inputs, completed, isl, range_ratio)
                || !fits(sums.outputs, completed, osl, range_ratio)
        }) {
            return Err(reason::OTHER_WORKLOAD);
        }
        let date =
            self.date.as_deref().and_then(day).or_else(|| self.benchmark_start_time_unix.and_then(day_of));
        let lists = self.input_lens.zip(self.output_lens);
        Ok(Measured { concurrency, ttft_ms, tpot_ms, date, requests, completed, sums, lists })
    }
}

impl Measured {
    /// Whether the sent lengths are those of the client's draw.
    pub(super) fn lengths(&self, asked: Asked, judge: &mut LengthJudge) -> Judged {
        let Self { requests, completed, .. } = *self;
        if completed != requests {
            return Judged::different(format!("only {completed} of {requests} requests completed"));
        }
        match (&self.lists, self.sums) {
            (Some((inputs, outputs)), _) => by_lists(asked, inputs, outputs),
            (None, Some(sums)) => judge.by_sums(asked, requests, sums),
            (None, None) => Judged::unknown(),
        }
    }
}

/// Whether the mean of some lengths can be that of as many draws from `range_ratio · longest` to `longest`, all
/// equally likely.
fn fits(sum: u64, requests: u32, longest: u32, range_ratio: f64) -> bool {
    let (requests, longest) = (f64::from(requests), f64::from(longest));
    let expected = longest * f64::midpoint(1.0, range_ratio);
    let deviation = longest * (1.0 - range_ratio) / (12.0 * requests).sqrt();
    let (share, tokens) = SLACK;
    (sum as f64 / requests - expected).abs() <= DEVIATIONS * deviation + share * expected + tokens
}

fn day(stamp: &str) -> Option<String> {
    let digits = stamp.get(..8).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let day = format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]);
    day.parse::<jiff::civil::Date>().is_ok().then_some(day)
}

fn day_of(seconds: f64) -> Option<String> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a double saturates, and the day is checked"
    )]
    let whole = seconds.floor() as i64;
    let stamp = Timestamp::from_second(whole).ok()?;
    Some(stamp.to_string().get(..10)?.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn measured(change: impl FnOnce(&mut Value)) -> Result<Measured, &'static str> {
        let mut value = json!({
            "date": "20260607-055658", "request_rate": "inf", "max_concurrency": 4, "num_prompts": 40, "completed": 40,
            "total_input_tokens": 287_595, "total_output_tokens": 35_872, "request_goodput:": null,
            "mean_ttft_ms": 402.85, "mean_tpot_ms": 7.127, "p99.9_ttft_ms": 1,
        });
        change(&mut value);
        serde_json::from_value::<ResultFile>(value).unwrap().measured(8000, 1000, 0.8)
    }

    #[test]
    fn a_result_is_measured_and_its_sums_verify() {
        let result = measured(|_| ()).unwrap();
        assert_eq!((result.concurrency, result.date.as_deref()), (4, Some("2026-06-07")));
        let asked = Asked { isl: 8000, osl: 1000, range_ratio: 0.8, concurrency: 4 };
        let judged = result.lengths(asked, &mut LengthJudge::default());
        assert!(judged.run.is_some(), "{judged:?}");
    }

    #[test]
    fn what_is_no_measurement_of_the_workload_has_a_reason() {
        for (key, value, expected) in [
            ("mean_ttft_ms", json!(null), reason::NOT_A_RESULT),
            ("max_concurrency", json!(null), reason::NO_CONCURRENCY),
            ("max_concurrency", json!(0), reason::NO_CONCURRENCY),
            ("request_rate", json!(4.0), reason::NOT_CLOSED_LOOP),
            ("mean_tpot_ms", json!(0), reason::NO_MEASUREMENT),
            ("completed", json!(0), reason::NO_MEASUREMENT),
            ("total_input_tokens", json!(37_068), reason::OTHER_WORKLOAD),
            ("total_output_tokens", json!(4_000), reason::OTHER_WORKLOAD),
            // Constant lengths, which a draw from 0.8 of them does not have.
            ("total_input_tokens", json!(40 * 8000), reason::OTHER_WORKLOAD),
        ] {
            assert_eq!(measured(|result| result[key] = value.clone()), Err(expected), "{key} {value}");
        }
    }

    #[test]
    fn requests_that_failed_make_the_lengths_others() {
        let result = measured(|result| result["completed"] = json!(39));
        let asked = Asked { isl: 8000, osl: 1000, range_ratio: 0.8, concurrency: 4 };
        // The sums are those of 40 requests, whose mean over 39 still fits.
        let judged = result.unwrap().lengths(asked, &mut LengthJudge::default());
        assert_eq!(judged, Judged::different("only 39 of 40 requests completed".to_owned()));
    }

    #[test]
    fn the_more_requests_the_less_may_their_mean_be_elsewhere() {
        let mean = |requests: u32, mean: u32| fits(u64::from(requests * mean), requests, 8000, 0.8);
        for (requests, near, far) in [(10, 7630, 7700), (640, 7280, 7373)] {
            assert!(mean(requests, near) && !mean(requests, far), "{requests}");
            assert!(mean(requests, 14_400 - near) && !mean(requests, 14_400 - far), "{requests}");
        }
        // Lengths that are all the same may have a special token more.
        assert!(fits(10 * 129, 10, 128, 1.0) && !fits(10 * 136, 10, 128, 1.0));
    }

    #[test]
    fn the_day_is_read_from_the_stamp_or_the_start() {
        assert_eq!(day("20260230-000000"), None);
        assert_eq!(day("2026"), None);
        assert_eq!(day_of(1_780_811_749.64).as_deref(), Some("2026-06-07"));
        assert_eq!(day_of(f64::NAN).as_deref(), Some("1970-01-01"));
        assert_eq!(day_of(1e300), None);
        let result = measured(|result| {
            result["date"] = json!("soon");
            result["benchmark_start_time_unix"] = json!(1_780_811_749.64);
        });
        assert_eq!(result.unwrap().date.as_deref(), Some("2026-06-07"));
    }
}
