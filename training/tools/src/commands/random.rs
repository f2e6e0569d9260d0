//! Generators of random numbers, for choices that come out alike from the same seed.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
pub struct SplitMix(pub u64);

impl SplitMix {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
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

    /// The first numbers that the authors' program gives for the seed 1234567.
    #[test]
    fn split_mix_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut items: Vec<u32> = (0..100).collect();
        SplitMix(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
