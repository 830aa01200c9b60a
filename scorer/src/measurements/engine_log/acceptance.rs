//! How many draft tokens the target model accepted, from the lines that vLLM prints now and then.

use serde::Serialize;

use super::message::{Message, leading_decimal, leading_number};

/// The text before the mean acceptance length of an interval.
pub(super) const MARKER: &str = "Mean acceptance length: ";

/// The intervals of speculative decoding that a log reports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Acceptance {
    /// How many intervals.
    pub intervals: u32,
    /// The sum of their mean acceptance lengths.
    sum_of_means: f64,
    /// The tokens of those intervals that state them all; none when one did not.
    tokens: Option<Tokens>,
    /// The first line that reports one, counted from 1.
    pub line: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Tokens {
    accepted: u64,
    drafted: u64,
    /// Draft tokens per step.
    positions: u64,
}

impl Acceptance {
    /// The interval that a line reports; none when it is no such line, or reports no drafts.
    pub(super) fn read(message: &Message<'_>, line: u64) -> Option<Self> {
        let mean = leading_decimal(message.after(MARKER)?).filter(|mean| *mean >= 1.0)?;
        Some(Self { intervals: 1, sum_of_means: mean, tokens: Tokens::read(message), line })
    }

    /// Both together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            intervals: self.intervals.saturating_add(other.intervals),
            sum_of_means: self.sum_of_means + other.sum_of_means,
            tokens: self.tokens.zip(other.tokens).and_then(|(a, b)| a.and(b)),
            line: self.line.min(other.line),
        }
    }

    /// The mean number of tokens per step, the target model's own included.
    ///
    /// vLLM prints `1 + accepted / drafts` for each interval. Over all intervals the same quotient is
    /// taken of the sums, where drafts are drafted tokens over draft tokens per step. Where a line
    /// does not state its tokens, it is the mean of the printed means.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        match self.tokens {
            Some(Tokens { accepted, drafted, positions }) if drafted > 0 => {
                1.0 + accepted as f64 * positions as f64 / drafted as f64
            }
            _ => self.sum_of_means / f64::from(self.intervals),
        }
    }
}

impl Tokens {
    fn read(message: &Message<'_>) -> Option<Self> {
        let rates = message.after("Per-position acceptance rate: ")?;
        let rates = rates.split(", Avg").next()?;
        Some(Self {
            accepted: leading_number(message.after("Accepted: ")?)?,
            drafted: leading_number(message.after("Drafted: ")?).filter(|drafted| *drafted > 0)?,
            positions: rates.split(',').filter(|rate| leading_decimal(rate).is_some()).count() as u64,
        })
    }

    fn and(self, other: Self) -> Option<Self> {
        Some(Self {
            accepted: self.accepted.checked_add(other.accepted)?,
            drafted: self.drafted.checked_add(other.drafted)?,
            positions: (self.positions == other.positions).then_some(self.positions)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(text: &str) -> Option<Acceptance> {
        Acceptance::read(&Message::new(text.as_bytes()), 7)
    }

    fn whole(mean: &str, accepted: u32, drafted: u32) -> Acceptance {
        interval(&format!(
            "(APIServer pid=1) INFO 09-20 01:05:00 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: {mean}, \
             Accepted throughput: 3.1 tokens/s, Drafted throughput: 6.2 tokens/s, Accepted: {accepted} tokens, \
             Drafted: {drafted} tokens, Per-position acceptance rate: 0.800, 0.600, Avg Draft acceptance rate: 70.0%"
        ))
        .unwrap()
    }

    #[test]
    fn intervals_weigh_as_many_drafts_as_they_had() {
        // 140 of 200 tokens in 100 drafts, then 10 of 100 in 50: 1 + 150/150.
        let both = whole("2.40", 140, 200).and(whole("1.20", 10, 100));
        assert_eq!((both.intervals, both.mean_length()), (2, 2.0));
    }

    #[test]
    fn without_counts_the_printed_means_are_averaged() {
        let short = interval("SpecDecoding metrics: Mean acceptance length: 2.00, Avg").unwrap();
        assert_eq!(short.and(whole("3.00", 4, 4)).mean_length(), 2.5);
    }

    #[test]
    fn an_interval_without_drafts_is_none() {
        for text in
            ["Mean acceptance length: nan, Accepted: 0 tokens", "Mean acceptance length: 0.5", "other"]
        {
            assert_eq!(interval(text), None, "{text}");
        }
    }
}
