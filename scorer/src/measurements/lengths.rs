//! Whether the lengths that the client sent are those of its seed-0 draw.
//!
//! The client draws the same list for the same point (`docs/workload.md`), so what is known of the sent
//! lengths can be compared with the draw: each of them, their sums, or only the quotient of the sums,
//! which is that of the input and the output throughput. The outputs of a published run are exactly
//! those that were drawn, since the server ignores the end token; so the quotient times their sum is the
//! number of input tokens that were sent, a whole number.

use std::collections::BTreeMap;

use shared::sweep::LengthCheck;

use crate::workload::{ClientParameters, RequestList};

/// Requests per unit of concurrency that recipes of InferenceX have had, today's first.
const MULTIPLIERS: [u32; 3] = [10, 20, 50];
/// The longest chat template that is tried, in tokens.
const LONGEST_TEMPLATE: u32 = 64;
/// How far the quotient of throughputs may be from a whole number of tokens. It is computed from doubles
/// whose rounding moves it by less than a ten-thousandth.
const TOLERANCE: f64 = 1e-3;

/// How a client was run, as far as the lengths tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientRun {
    /// Requests per unit of concurrency.
    pub prompts_per_concurrency: u32,
    /// Tokens that the chat template adds. Templates whose sent lengths are the same count as the shortest.
    pub template_tokens: u32,
}

impl ClientRun {
    /// Today's recipes without a chat template.
    pub const ORDINARY: Self = Self { prompts_per_concurrency: MULTIPLIERS[0], template_tokens: 0 };
}

/// What the lengths of a run tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether they are the client's.
    pub check: LengthCheck,
    /// How the client was run, when they are.
    pub run: Option<ClientRun>,
}

impl Judged {
    /// Nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self { check: LengthCheck::Unknown, run: None }
    }

    pub(crate) fn different(what: String) -> Self {
        Self { check: LengthCheck::Different(what), run: None }
    }
}

/// A point as the client was asked for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Nominal input length, in tokens.
    pub isl: u32,
    /// Nominal output length, in tokens.
    pub osl: u32,
    /// The lower end of the drawn lengths as a share of the upper end.
    pub range_ratio: f64,
    /// Requests in flight.
    pub concurrency: u32,
}

impl Asked {
    fn parameters(self, requests: u32, template_k: u32) -> ClientParameters {
        let Self { isl, osl, range_ratio, .. } = self;
        ClientParameters { isl, osl, range_ratio, num_prompts: requests, template_k }
    }

    /// The templates that can be told apart, each the shortest of those that send the same lengths.
    fn templates(self) -> impl Iterator<Item = u32> {
        let shortest = move |template| self.parameters(1, template).shortest_input();
        let is_new = move |template: &u32| {
            template.checked_sub(1).is_none_or(|before| shortest(before) != shortest(*template))
        };
        (0..=LONGEST_TEMPLATE).take_while(move |template| shortest(*template).is_some()).filter(is_new)
    }
}

/// Sums of input and output lengths, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Of the inputs.
    pub inputs: u64,
    /// Of the outputs.
    pub outputs: u64,
}

/// Judges lengths; draws of the same list are made once.
#[derive(Clone, Debug, Default)]
pub struct LengthJudge {
    /// By input length, output length, bits of the ratio, requests and template.
    drawn: BTreeMap<(u32, u32, u64, u32, u32), Option<Sums>>,
}

impl LengthJudge {
    /// Judges by the input and output throughput, in any unit that both have.
    ///
    /// Source: docs/measurements.md, "Sent lengths". The quotient proves the sum and not every length: two
    /// differences that cancel out would not be seen.
    pub fn by_throughput(&mut self, asked: Asked, input: f64, output: f64) -> Judged {
        let quotient = input / output;
        if !(quotient.is_finite() && quotient > 0.0) {
            return Judged::unknown();
        }
        for prompts_per_concurrency in MULTIPLIERS {
            let Some(requests) = prompts_per_concurrency.checked_mul(asked.concurrency) else { continue };
            for template_tokens in asked.templates() {
                let Some(sums) = self.sums(asked, requests, template_tokens) else { continue };
                let sent = quotient * sums.outputs as f64;
                if (sent - sums.inputs as f64).abs() <= TOLERANCE {
                    let run = ClientRun { prompts_per_concurrency, template_tokens };
                    return verified("the quotient of throughputs", run, requests, sums);
                }
            }
        }
        let ordinary = asked.concurrency.checked_mul(ClientRun::ORDINARY.prompts_per_concurrency);
        match ordinary.and_then(|requests| self.sums(asked, requests, 0)) {
            None => Judged::unknown(),
            Some(sums) => {
                let sent = quotient * sums.outputs as f64;
                let whole = (sent - sent.round()).abs() <= TOLERANCE;
                let but = format!("the client's draw has {}", sums.inputs);
                Judged::different(if whole {
                    format!("{sent:.0} input tokens by the throughputs, {but}")
                } else {
                    "the throughputs fit no draw of the client".to_owned()
                })
            }
        }
    }

    /// Judges by the sums that the client counted over its requests.
    pub fn by_sums(&mut self, asked: Asked, requests: u32, counted: Sums) -> Judged {
        let Some(prompts_per_concurrency) = whole_quotient(requests, asked.concurrency) else {
            return Judged::different(format!(
                "{requests} requests are no multiple of the concurrency {}",
                asked.concurrency
            ));
        };
        for template_tokens in asked.templates() {
            if self.sums(asked, requests, template_tokens) == Some(counted) {
                let run = ClientRun { prompts_per_concurrency, template_tokens };
                return verified("the sums", run, requests, counted);
            }
        }
        match self.sums(asked, requests, 0) {
            None => Judged::unknown(),
            Some(drawn) => Judged::different(format!(
                "{} input and {} output tokens, the client's draw has {} and {}",
                counted.inputs, counted.outputs, drawn.inputs, drawn.outputs
            )),
        }
    }

    fn sums(&mut self, asked: Asked, requests: u32, template: u32) -> Option<Sums> {
        let key = (asked.isl, asked.osl, asked.range_ratio.to_bits(), requests, template);
        *self.drawn.entry(key).or_insert_with(|| {
            let list = RequestList::draw(&asked.parameters(requests, template)).ok()?;
            Some(Sums { inputs: list.total_input_tokens(), outputs: list.total_output_tokens() })
        })
    }
}

/// Judges by the lengths themselves, in the order of sending.
#[must_use]
pub fn by_lists(asked: Asked, inputs: &[u32], outputs: &[u32]) -> Judged {
    let requests = u32::try_from(inputs.len()).unwrap_or(u32::MAX);
    let Some(prompts_per_concurrency) = whole_quotient(requests, asked.concurrency) else {
        return Judged::different(format!(
            "{requests} requests are no multiple of the concurrency {}",
            asked.concurrency
        ));
    };
    for template_tokens in asked.templates() {
        let list = RequestList::draw(&asked.parameters(requests, template_tokens));
        if list.is_ok_and(|list| list.inputs() == inputs && list.outputs() == outputs) {
            let sum = |lengths: &[u32]| lengths.iter().copied().map(u64::from).sum();
            let sums = Sums { inputs: sum(inputs), outputs: sum(outputs) };
            let run = ClientRun { prompts_per_concurrency, template_tokens };
            return verified("every length", run, requests, sums);
        }
    }
    Judged::different("the lengths are not those of any draw of the client".to_owned())
}

fn whole_quotient(requests: u32, concurrency: u32) -> Option<u32> {
    let whole = concurrency > 0 && requests > 0 && requests.is_multiple_of(concurrency);
    whole.then(|| requests / concurrency)
}

fn verified(by: &str, run: ClientRun, requests: u32, sums: Sums) -> Judged {
    let template = match run.template_tokens {
        0 => String::new(),
        tokens => format!(", a template of {tokens} tokens"),
    };
    let Sums { inputs, outputs } = sums;
    let text = format!("by {by}: {requests} requests, {inputs} input and {outputs} output tokens{template}");
    Judged { check: LengthCheck::Verified(text), run: Some(run) }
}

/// What the lengths of a sweep's points tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepLengths {
    /// How the client was run, by the first point that tells.
    pub client: Option<ClientRun>,
    /// By concurrency.
    pub checks: BTreeMap<u32, LengthCheck>,
}

impl SweepLengths {
    /// Judges the points of a sweep, each by its repeats. A sweep has one client: a point whose repeats, or
    /// whose lengths, are of another run of it does not have the sweep's lengths.
    pub fn of(points: impl Iterator<Item = (u32, Vec<Judged>)>) -> Self {
        let judged: BTreeMap<u32, Judged> = points
            .map(|(concurrency, repeats)| {
                (concurrency, repeats.into_iter().reduce(both).unwrap_or_else(Judged::unknown))
            })
            .collect();
        let client = judged.values().find_map(|judged| judged.run);
        let checks = judged.into_iter().map(|(concurrency, judged)| {
            let other = judged.run.filter(|run| Some(*run) != client);
            (concurrency, other.map_or(judged.check, |run| LengthCheck::Different(in_words(run))))
        });
        Self { client, checks: checks.collect() }
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
        (None, None) if first.check == LengthCheck::Unknown => second,
        (None, _) => first,
    }
}

fn in_words(run: ClientRun) -> String {
    let ClientRun { prompts_per_concurrency, template_tokens } = run;
    format!(
        "{prompts_per_concurrency} requests per unit of concurrency and a template of {template_tokens} tokens"
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn asked(isl: u32, osl: u32, concurrency: u32) -> Asked {
        Asked { isl, osl, range_ratio: 0.8, concurrency }
    }

    fn run(prompts_per_concurrency: u32, template_tokens: u32) -> ClientRun {
        ClientRun { prompts_per_concurrency, template_tokens }
    }

    #[test]
    fn published_throughputs_prove_the_sums_of_the_draw() {
        // DeepSeek-V4-Pro on B200, row 440994, and DeepSeek-R1 on MI355X, both as published.
        let mut judge = LengthJudge::default();
        let first =
            judge.by_throughput(asked(8192, 1024, 64), 1_288.797_195_981_594_3, 160.822_673_132_991_27);
        assert_eq!(first.run, Some(run(10, 0)));
        let text = "by the quotient of throughputs: 640 requests, 4727544 input and 589927 output tokens";
        assert_eq!(first.check, LengthCheck::Verified(text.to_owned()));
        let second = judge.by_throughput(asked(1024, 1024, 4), 99.956_433_431_001_51, 98.988_365_026_940_6);
        assert_eq!(second.run, Some(run(10, 0)));
    }

    #[test]
    fn the_multiplier_and_the_class_of_the_template_are_found() {
        let mut judge = LengthJudge::default();
        for (multiplier, template, class) in [(20, 0, 0), (50, 0, 0), (10, 12, 12), (10, 5, 2), (10, 13, 12)]
        {
            let asked = asked(8192, 1024, 4);
            let sums = judge.sums(asked, 4 * multiplier, template).unwrap();
            let quotient = sums.inputs as f64 / sums.outputs as f64;
            let judged = judge.by_throughput(asked, quotient * 7.0, 7.0);
            assert_eq!(judged.run, Some(run(multiplier, class)), "{multiplier} {template}");
        }
    }

    #[test]
    fn templates_that_send_the_same_lengths_are_one_class() {
        let classes = |isl| asked(isl, 1024, 1).templates().take(5).collect::<Vec<u32>>();
        assert_eq!(classes(1024), [0, 4, 9, 14, 19]);
        assert_eq!(classes(8192), [0, 2, 7, 12, 17]);
        assert_eq!(classes(3), [0]);
    }

    #[test]
    fn other_sums_are_named_and_others_than_whole_ones_fit_no_draw() {
        let mut judge = LengthJudge::default();
        let asked = asked(1024, 1024, 4);
        let off = judge.by_throughput(asked, 37_071.0, 36_709.0);
        let text = "37071 input tokens by the throughputs, the client's draw has 37068";
        assert_eq!(off.check, LengthCheck::Different(text.to_owned()));
        let text = "the throughputs fit no draw of the client".to_owned();
        assert_eq!(judge.by_throughput(asked, 1.0, 1.1).check, LengthCheck::Different(text));
        for (input, output) in [(0.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0), (-1.0, 1.0)] {
            assert_eq!(judge.by_throughput(asked, input, output), Judged::unknown());
        }
    }

    #[test]
    fn counted_sums_and_saved_lengths_are_compared_exactly() {
        let mut judge = LengthJudge::default();
        let asked = asked(1024, 1024, 4);
        let sums = Sums { inputs: 37_068, outputs: 36_709 };
        assert_eq!(judge.by_sums(asked, 40, sums).run, Some(run(10, 0)));
        assert_eq!(judge.by_sums(asked, 40, Sums { inputs: 37_069, ..sums }).run, None);
        assert!(matches!(judge.by_sums(asked, 41, sums).check, LengthCheck::Different(_)));

        let list = RequestList::draw(&asked.parameters(40, 9)).unwrap();
        assert_eq!(by_lists(asked, list.inputs(), list.outputs()).run, Some(run(10, 9)));
        assert_eq!(by_lists(asked, list.inputs(), list.inputs()).run, None);
        assert_eq!(by_lists(asked, &[], &[]).run, None);
    }

    #[test]
    fn a_sweep_has_one_client_and_repeats_must_agree() {
        let found = |multiplier| Judged {
            check: LengthCheck::Verified("x".to_owned()),
            run: Some(run(multiplier, 0)),
        };
        let judged = SweepLengths::of(
            [
                (1, vec![Judged::unknown()]),
                (2, vec![found(10), found(10)]),
                (4, vec![found(50)]),
                (8, vec![found(10), found(50)]),
                (16, vec![found(10), Judged::unknown()]),
            ]
            .into_iter(),
        );
        assert_eq!(judged.client, Some(run(10, 0)));
        let checks: Vec<bool> =
            judged.checks.values().map(|check| matches!(check, LengthCheck::Verified(_))).collect();
        assert_eq!(checks, [false, true, false, false, false]);
        assert_eq!(judged.checks[&16], LengthCheck::Unknown);
        assert!(
            matches!(&judged.checks[&4], LengthCheck::Different(text) if text.starts_with("50 requests"))
        );
    }

    proptest! {
        #[test]
        fn no_numbers_make_it_panic(
            isl in 0..5000_u32, concurrency in 0..40_u32, input in any::<f64>(), output in any::<f64>()
        ) {
            let mut judge = LengthJudge::default();
            let _ = judge.by_throughput(asked(isl, 64, concurrency), input, output);
            let counted = Sums { inputs: u64::MAX, outputs: 0 };
            let _ = judge.by_sums(asked(isl, 64, concurrency), concurrency, counted);
        }
    }
}
