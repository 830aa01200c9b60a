//! numpy's legacy generator (`numpy.random.RandomState`), as far as the client uses it.
//!
//! The words come from MT19937 (Matsumoto and Nishimura 1998) seeded with one integer. Bounded
//! integers are made from them by masked rejection, which numpy froze for the legacy interface.

use rand_mt::Mt;

/// The state of `numpy.random.RandomState(seed)`.
#[derive(Clone, Debug)]
pub struct NumpyLegacy {
    words: Mt,
}

impl NumpyLegacy {
    /// The state just after seeding.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self { words: Mt::new(seed) }
    }

    /// The next 32-bit word.
    pub fn next_word(&mut self) -> u32 {
        self.words.next_u32()
    }

    /// `randint(low, high + 1, size=count)`: integers of the closed interval from `low` to `high`.
    ///
    /// A word's low bits, as many as the width needs, are the candidate; one that is too large is
    /// thrown away, and the next word is taken. An interval of one value consumes no word, which
    /// shifts whatever is drawn later. With `high < low` every value is `low`, likewise for free.
    pub fn integers(&mut self, low: u32, high: u32, count: usize) -> Vec<u32> {
        let width = high.saturating_sub(low);
        let mut values = vec![low; count];
        if width == 0 {
            return values;
        }
        let mask = u32::MAX >> width.leading_zeros();
        let mut filled = 0;
        // Whether a candidate fits is a coin toss that no branch predictor wins, so the candidate is
        // always stored and the place only moves on when it fits.
        while let Some(value) = values.get_mut(filled) {
            let candidate = self.words.next_u32() & mask;
            *value = low.wrapping_add(candidate);
            filled += usize::from(candidate <= width);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(count: usize) -> Vec<u32> {
        let mut generator = NumpyLegacy::new(0);
        (0..count).map(|_| generator.next_word()).collect()
    }

    /// `numpy.random.RandomState(0).randint(0, 2**32, dtype=numpy.uint32)`; the state is renewed
    /// every 624 words.
    #[test]
    fn the_words_are_those_of_numpy() {
        let words = words(1_400);
        assert_eq!(words[..4], [2_357_136_044, 2_546_248_239, 3_071_714_933, 3_626_093_760]);
        assert_eq!(words[622..626], [631_131_020, 3_791_854_820, 341_544_762, 1_076_416_385]);
        assert_eq!(words[1_399], 3_094_642_134);
    }

    #[test]
    fn one_possible_value_consumes_no_word() {
        let mut generator = NumpyLegacy::new(0);
        assert_eq!(generator.integers(7, 7, 1_000), [7; 1_000]);
        assert_eq!(generator.integers(7, 8, 0), [0; 0]);
        assert_eq!(generator.integers(9, 8, 3), [9; 3]);
        assert_eq!(generator.next_word(), words(1)[0]);
    }

    #[test]
    fn the_widest_interval_takes_words_as_they_are() {
        assert_eq!(NumpyLegacy::new(0).integers(0, u32::MAX, 700), words(700));
    }

    #[test]
    fn a_vector_is_the_sequence_of_its_values() {
        let (mut whole, mut single) = (NumpyLegacy::new(5), NumpyLegacy::new(5));
        let vector = whole.integers(819, 1_024, 500);
        let values: Vec<u32> = (0..500).flat_map(|_| single.integers(819, 1_024, 1)).collect();
        assert_eq!(vector, values);
        assert_eq!(whole.next_word(), single.next_word());
    }
}
