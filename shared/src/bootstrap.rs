//! Intervals by the cluster bootstrap: sweeps are resampled with replacement, whole, because points
//! of one sweep err together.
//!
//! Source of the method: Davison and Hinkley, *Bootstrap Methods and their Application* (1997), §3.8
//! (resampling whole clusters) and §5.3 (percentile interval). Nothing depends on clock, thread
//! count or machine: the draws follow from a seed, and the seed from the text of a key.

use crate::digest::Digest;
use crate::rules::Rules;
use crate::summary::Interval;

/// What a cluster adds to a mean: the sum of its values and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// The sum of the values.
    pub sum: f64,
    /// The number of values.
    pub count: f64,
}

impl Part {
    /// The part of `count` values with that sum.
    #[must_use]
    pub fn new(sum: f64, count: u32) -> Self {
        Self { sum, count: f64::from(count) }
    }

    fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

/// The seed of a key: the first eight bytes of the SHA-256 of its text, big-endian.
#[must_use]
pub fn seed(text: &str) -> u64 {
    let digest = Digest::of_bytes(text.as_bytes());
    u64::from_str_radix(digest.short(16), 16).unwrap_or_default()
}

/// The intervals of `K` means over the same clusters.
///
/// Each round draws as many clusters as there are, with replacement, adds up their parts and divides:
/// every value weighs the same, as in the figure itself. Of the `R` sorted means of a figure the
/// interval's ends are number `l = ⌊(1 − confidence)/2 · (R − 1)⌋` from below and number `l` from
/// above, so that mirrored data give exactly the mirrored interval.
///
/// More than `rules.bootstrap_max_clusters` clusters are first pooled into that many groups of
/// neighbours, and the groups are drawn. Ids of sweeps are digests, so neighbours are a random sample:
/// these are *random groups* (Wolter, *Introduction to Variance Estimation*, 2nd edition, chapter 2),
/// whose interval has the same width up to some 2 %, less than 1,000 rounds leave open anyway. It
/// keeps the time for a million points in bounds.
///
/// A figure has no interval below `rules.bootstrap_min_sweeps` clusters, without rounds, with more rounds than
/// [`Rules::MOST_BOOTSTRAP_ROUNDS`], or when a round cannot give a finite mean.
#[must_use]
pub fn intervals<const K: usize>(clusters: &[[Part; K]], rules: &Rules, seed: u64) -> [Option<Interval>; K] {
    let rounds = Some(rules.bootstrap_rounds).filter(|rounds| *rounds <= Rules::MOST_BOOTSTRAP_ROUNDS);
    let rounds = rounds.unwrap_or(0) as usize;
    let enough = clusters.len() >= rules.bootstrap_min_sweeps.max(1) as usize;
    let pooled = pool(clusters, rules.bootstrap_max_clusters.max(1) as usize);
    let clusters = pooled.as_deref().unwrap_or(clusters);
    let Some(dice) = u32::try_from(clusters.len()).ok().filter(|_| enough && rounds > 0).map(Dice::new)
    else {
        return [None; K];
    };
    let mut generator = SplitMix64(seed);
    let mut means = [(); K].map(|()| Vec::with_capacity(rounds));
    for _ in 0..rounds {
        let mut totals = [Part::default(); K];
        for _ in 0..clusters.len() {
            for (total, part) in totals.iter_mut().zip(&clusters[dice.roll(&mut generator)]) {
                total.add(*part);
            }
        }
        for (means, total) in means.iter_mut().zip(totals) {
            means.push(total.sum / total.count);
        }
    }
    means.map(|means| percentile_interval(means, rules.confidence))
}

/// The clusters in `most` groups of neighbours whose sizes differ by one at most; none when there are
/// no more clusters than that.
fn pool<const K: usize>(clusters: &[[Part; K]], most: usize) -> Option<Vec<[Part; K]>> {
    let count = clusters.len();
    let bound = |group: usize| group * count / most;
    let total = |group: usize| {
        let mut total = [Part::default(); K];
        for cluster in &clusters[bound(group)..bound(group + 1)] {
            for (total, part) in total.iter_mut().zip(cluster) {
                total.add(*part);
            }
        }
        total
    };
    (count > most).then(|| (0..most).map(total).collect())
}

fn percentile_interval(mut means: Vec<f64>, confidence: f64) -> Option<Interval> {
    if means.iter().any(|mean| !mean.is_finite()) {
        return None;
    }
    let last = means.len() - 1;
    let tail = (1.0 - confidence) / 2.0 * last as f64;
    // A confidence outside 0 to 1 gives the widest or the narrowest interval: a cast to an integer
    // saturates.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounding down is meant")]
    let below = (tail as usize).min(last / 2);
    let (_, low, above) = means.select_nth_unstable_by(below, f64::total_cmp);
    let low = *low;
    let high = match last - 2 * below {
        0 => low,
        steps => *above.select_nth_unstable_by(steps - 1, f64::total_cmp).1,
    };
    Some(Interval { low, high })
}

/// The generator `SplitMix64`: Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, OOPSLA 2014, figure 17, with the constants of its public-domain reference.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A fair die with any number of sides: Lemire, *Fast random integer generation in an interval*, ACM
/// TOMACS 29 (2019), algorithm 5, on the upper 32 bits of the generator.
#[derive(Clone, Copy)]
struct Dice {
    sides: u32,
    /// Products whose lower half is below this are rolled again: 2³² modulo the sides.
    biased: u32,
}

impl Dice {
    fn new(sides: u32) -> Self {
        Self { sides, biased: sides.wrapping_neg().checked_rem(sides).unwrap_or(0) }
    }

    /// A number from 0 to below the sides.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half of the product is meant")]
    fn roll(self, generator: &mut SplitMix64) -> usize {
        loop {
            let product = (generator.next() >> 32) * u64::from(self.sides);
            if product as u32 >= self.biased {
                return (product >> 32) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for seed 1234567, as listed by the reference implementation's users.
        let mut generator = SplitMix64(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| generator.next()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn a_die_is_fair() {
        let dice = Dice::new(6);
        let mut generator = SplitMix64(1);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[dice.roll(&mut generator)] += 1;
        }
        // Chi-square with 5 degrees of freedom: 20.5 is passed once in a thousand seeds.
        let chi: f64 = counts.iter().map(|count| (f64::from(*count) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "{counts:?}");
        assert_eq!(Dice::new(6).biased, 4);
        assert_eq!(Dice::new(1).roll(&mut generator), 0);
    }

    #[test]
    fn a_seed_is_the_head_of_the_digest() {
        // SHA-256 of "abc" begins ba7816bf 8f01cfea.
        assert_eq!(seed("abc"), 0xba78_16bf_8f01_cfea);
    }

    #[test]
    fn too_few_clusters_no_rounds_or_absurdly_many_give_no_interval() {
        let clusters = [[Part::new(1.0, 1)]; 5];
        let rules = Rules::current();
        assert_eq!(intervals(&clusters[..4], &rules, 1), [None]);
        assert_eq!(intervals(&clusters, &rules, 1), [Some(Interval { low: 1.0, high: 1.0 })]);
        for bootstrap_rounds in [0, Rules::MOST_BOOTSTRAP_ROUNDS + 1, u32::MAX] {
            assert_eq!(intervals(&clusters, &Rules { bootstrap_rounds, ..rules.clone() }, 1), [None]);
        }
        assert_eq!(intervals::<1>(&[], &Rules { bootstrap_min_sweeps: 0, ..rules }, 1), [None]);
    }

    #[test]
    fn many_clusters_are_drawn_as_groups_of_neighbours() {
        let clusters: Vec<[Part; 1]> = (1..=7).map(|value| [Part::new(f64::from(value), 1)]).collect();
        let groups = pool(&clusters, 3).unwrap();
        // 1 + 2, 3 + 4, 5 + 6 + 7.
        assert_eq!(groups, [[Part::new(3.0, 2)], [Part::new(7.0, 2)], [Part::new(18.0, 3)]]);
        assert_eq!(pool(&clusters, 7), None);
        let rules = |most| Rules { bootstrap_max_clusters: most, ..Rules::current() };
        assert_eq!(intervals(&clusters, &rules(6), 1), intervals(&pool(&clusters, 6).unwrap(), &rules(7), 1));
        assert_ne!(intervals(&clusters, &rules(6), 1), intervals(&clusters, &rules(7), 1));
        assert_eq!(intervals(&clusters, &rules(0), 1), [Some(Interval { low: 4.0, high: 4.0 })]);
    }

    #[test]
    fn the_ends_are_mirrored_order_statistics() {
        for rounds in 1..=200_u32 {
            let means: Vec<f64> = (0..rounds).map(|index| f64::from((index * 7919) % rounds)).collect();
            let mut sorted = means.clone();
            sorted.sort_by(f64::total_cmp);
            for (confidence, per_mille) in [(0.95, 25), (0.5, 250), (0.0, 500), (1.0, 0)] {
                let interval = percentile_interval(means.clone(), confidence).unwrap();
                let below = (sorted.len() - 1) * per_mille / 1000;
                assert_eq!(interval.low, sorted[below], "{rounds} {confidence}");
                assert_eq!(interval.high, sorted[sorted.len() - 1 - below], "{rounds} {confidence}");
            }
        }
        assert_eq!(percentile_interval(vec![1.0, f64::NAN], 0.95), None);
    }

    proptest! {
        #[test]
        fn mirrored_data_give_the_mirrored_interval(
            values in prop::collection::vec((-1e6..1e6_f64, 1..20_u32), 5..40), seed in any::<u64>(),
        ) {
            let parts: Vec<[Part; 1]> = values.iter().map(|(sum, count)| [Part::new(*sum, *count)]).collect();
            let mirrored: Vec<[Part; 1]> = values.iter().map(|(sum, count)| [Part::new(-sum, *count)]).collect();
            let rules = Rules::current();
            let [interval] = intervals(&parts, &rules, seed);
            let [mirror] = intervals(&mirrored, &rules, seed);
            let (interval, mirror) = (interval.unwrap(), mirror.unwrap());
            prop_assert!(interval.low <= interval.high);
            prop_assert_eq!(interval.low.to_bits(), (-mirror.high).to_bits());
            prop_assert_eq!(interval.high.to_bits(), (-mirror.low).to_bits());
        }
    }
}
