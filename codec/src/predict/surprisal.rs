//! The surprisal of a move: its prediction compared with what was played.

use crate::entropy::{TABLE_PRECISION, fixed};

/// The cost of a move and its expected cost, both in units of 1/8 bit.
///
/// Both sides know them once the move is coded, and so whatever is coded after the moves may
/// depend on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Surprisal {
    /// The surprisal of the move, at most 192; 0 for a forced move.
    pub cost: u8,
    /// The entropy of the prediction, at most 63: how open the choice was.
    pub entropy: u8,
}

/// Fraction bits of [`cost`].
const COST_BITS: u32 = 8;

/// The logarithm to base 2 of 1 + `index` / 256, in units of 2<sup>-8</sup>.
static LOG2: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        table[index] = ((fixed::log2(256 + index as u64) - 8 * fixed::ONE) >> 8) as u8;
        index += 1;
    }
    table
};

/// The bits that a symbol of this frequency costs, in units of 2<sup>-8</sup> and rounded up; for
/// every move there is, so it has to be quick.
fn cost(frequency: u32) -> u32 {
    let length = frequency.max(1).ilog2();
    let digits = frequency << (31 - length) >> 23 & 255;
    ((TABLE_PRECISION as u32 - length) << COST_BITS) - u32::from(LOG2[digits as usize])
}

impl Surprisal {
    /// Eighths of a bit.
    pub const UNIT: u32 = 8;

    /// Of the move at the place `played` of a table of cumulative frequencies as
    /// [`Coder::symbol`](crate::entropy::Coder::symbol) takes it.
    pub fn of(cumulative: &[u32], played: usize) -> Surprisal {
        const UNIT_SHIFT: u32 = COST_BITS - Surprisal::UNIT.ilog2();
        let frequencies = cumulative.windows(2).map(|pair| pair[1] - pair[0]);
        // What is rarer than one in a thousand adds next to nothing.
        let entropy: u64 = frequencies
            .filter(|&frequency| frequency >> (TABLE_PRECISION - 10) != 0)
            .map(|frequency| u64::from(frequency) * u64::from(cost(frequency)))
            .sum();
        let own = match cumulative.get(played..) {
            Some([low, high, ..]) => cost(high - low),
            _ => 0,
        };
        Surprisal {
            cost: (own >> UNIT_SHIFT).min(255) as u8,
            entropy: (entropy >> (TABLE_PRECISION as u32 + UNIT_SHIFT)).min(255) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprisals_are_eighths_of_bits() {
        // A half, a quarter, two eighths.
        let table = [0, 1 << 23, 3 << 22, 7 << 21, 1 << 24];
        for (played, cost) in [(0, 8), (1, 16), (2, 24), (3, 24)] {
            assert_eq!(Surprisal::of(&table, played), Surprisal { cost, entropy: 14 });
        }
        assert_eq!(Surprisal::of(&table, 4), Surprisal { cost: 0, entropy: 14 });
        assert_eq!(Surprisal::of(&[0, 1 << 24], 0), Surprisal::default());
        let rare = Surprisal::of(&[0, 1, 1 << 24], 0);
        assert_eq!(rare, Surprisal { cost: 192, entropy: 0 });
    }

    #[test]
    fn the_entropy_of_even_chances_is_their_logarithm() {
        let table: Vec<u32> = (0..=256).map(|place| place << 16).collect();
        assert_eq!(Surprisal::of(&table, 7), Surprisal { cost: 64, entropy: 64 });
    }
}
