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
