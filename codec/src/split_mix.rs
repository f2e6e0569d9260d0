//! SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): numbers that look random
//! and are the same on every machine.

/// What the state grows by with each number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator, by its state, which is the seed before the first number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The number at `place` of the generator with seed 0, counted from 1.
#[inline]
pub const fn split_mix(place: u64) -> u64 {
    SplitMix(place.wrapping_sub(1).wrapping_mul(GAMMA)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers that the authors' program gives for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn places_are_those_of_the_generator() {
        let mut random = SplitMix(0);
        for place in 1..100 {
            assert_eq!(split_mix(place), random.next());
        }
    }
}
