//! Generators of random numbers, for choices that come out alike from the same seed.

use plyzip::unstable;

/// SplitMix64 with what can be made of its numbers.
pub struct SplitMix(unstable::SplitMix);

impl SplitMix {
    /// The generator of a seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(unstable::SplitMix(seed))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Between 0 and 1, neither included: one of 2<sup>24</sup> numbers.
    pub fn even(&mut self) -> f64 {
        ((self.next() >> 40) as f64 + 0.5) / f64::from(1 << 24)
    }

    /// Shuffles as Fisher and Yates do.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, (self.next() % (index as u64 + 1)) as usize);
        }
    }

    /// About normally distributed, in units of 2<sup>-16</sup>: the sum of twelve numbers below one.
    pub fn normal(&mut self) -> i64 {
        (0..12).map(|_| self.next() as i64 >> 48 & 0xffff).sum::<i64>() - 6 * 65536
    }
}

/// Marsaglia's xorshift with 13, 7 and 17.
pub struct Xorshift(u64);

impl Xorshift {
    /// The generator of a seed below 2<sup>63</sup>, after some first numbers, which tell much of the seed.
    pub fn new(seed: u64) -> Xorshift {
        let mut random = Xorshift(seed << 1 | 1);
        (0..20).for_each(|_| _ = random.below(2));
        random
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix;

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut items: Vec<u32> = (0..100).collect();
        SplitMix::new(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
