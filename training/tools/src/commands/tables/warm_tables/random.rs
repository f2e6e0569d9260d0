//! Numbers without a rule, the same every time.

use crate::commands::random::SplitMix;

/// A generator of random numbers.
pub struct Random(SplitMix);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next() >> 11) as usize % bound.max(1)
    }

    /// One of some things.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// True in `percent` of all cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// About what dice show: near `mean`, within some three times `spread`.
    pub fn near(&mut self, mean: i64, spread: i64) -> i64 {
        let sum: i64 = (0..6).map(|_| self.below(1001) as i64 - 500).sum();
        mean + sum * spread / 707
    }

    /// Small sizes are more likely: from 1 to `most`, each order of magnitude as often.
    pub fn size(&mut self, most: usize) -> usize {
        let bits = self.below(most.ilog2() as usize + 1);
        ((1 << bits) + self.below(1 << bits)).min(most)
    }
}
