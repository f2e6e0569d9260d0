//! The activation between a network's layers: clipped, then rounded to an integer, half to even.

use super::proof::ROUNDING;

/// The limits of an activation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Activation {
    /// The lowest value.
    pub low: f32,
    /// The highest value.
    pub high: f32,
}

impl Activation {
    /// The activation of a sum, with the graph's own operations.
    #[inline(always)]
    pub fn of(self, sum: f32) -> f32 {
        // Not `clamp`, whose care for NaN costs; the values are proved to be numbers.
        let raised = if sum > self.low { sum } else { self.low };
        let clipped = if raised < self.high { raised } else { self.high };
        (clipped + ROUNDING) - ROUNDING
    }

    /// Replaces sums by their activations.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn apply(self, sums: &mut [f32]) {
        for sum in sums {
            *sum = self.of(*sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_are_clipped_and_rounded_half_to_even() {
        let mut sums = [-3.0, 0.25, 0.5, 1.5, 1.75, 2.5, 126.96875, 127.0, 4000.5];
        Activation { low: 0.0, high: 127.0 }.apply(&mut sums);
        assert_eq!(sums, [0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 127.0, 127.0, 127.0]);
    }
}
