//! The logistic function and its inverse, in integers.
//!
//! Probabilities are in units of 2<sup>-16</sup>, log odds in units of 1/256 nat.
//! Both tables come from integer arithmetic alone, at compile time, and are
//! therefore the same everywhere.

/// Log odds are kept within ±`MAX_STRETCH`, which is ±12 nat.
pub const MAX_STRETCH: i32 = 3071;

const ONE: u32 = 1 << 16;
/// Below this, and above one minus this, probabilities are stretched one by one; between, by 16s.
const FINE: u32 = 1 << 12;

/// e<sup>-k/256</sup> in units of 2<sup>-62</sup>, for every `k` in range.
const fn powers() -> [u64; MAX_STRETCH as usize + 1] {
    const UNIT: u128 = 1 << 62;
    // e^(-1/256) by its power series.
    let mut step = UNIT;
    let mut term = UNIT;
    let mut n = 1;
    while term > 0 {
        term /= 256 * n;
        step = if n % 2 == 1 { step - term } else { step + term };
        n += 1;
    }
    let mut powers = [0; MAX_STRETCH as usize + 1];
    let mut power = UNIT;
    let mut k = 0;
    while k < powers.len() {
        powers[k] = power as u64;
        power = (power * step) >> 62;
        k += 1;
    }
    powers
}

static SQUASH: [u16; MAX_STRETCH as usize + 1] = {
    let powers = powers();
    let mut table = [0; MAX_STRETCH as usize + 1];
    let mut k = 0;
    while k < table.len() {
        let unit = 1u128 << 62;
        let whole = unit + powers[k] as u128;
        let p = (ONE as u128 * unit + whole / 2) / whole;
        table[k] = if p >= ONE as u128 { ONE - 1 } else { p as u32 } as u16;
        k += 1;
    }
    table
};

/// ln((1 - p) / p) for p = `index` / 2<sup>16</sup>.
static STRETCH_FINE: [i16; FINE as usize] = stretched(1);
/// The same for p = `index` / 2<sup>12</sup>, p ≤ 1/2.
static STRETCH_COARSE: [i16; (ONE / 32) as usize + 1] = stretched(16);

const fn stretched<const N: usize>(scale: u32) -> [i16; N] {
    let powers = powers();
    let mut table = [MAX_STRETCH as i16; N];
    let mut k = 0;
    let mut index = N - 1;
    while index > 0 {
        let p = index as u32 * scale;
        // The smallest k with e^(-k/256) <= p / (1 - p).
        while k < MAX_STRETCH as usize && powers[k] as u128 * (ONE - p) as u128 > (p as u128) << 62
        {
            k += 1;
        }
        table[index] = k as i16;
        index -= 1;
    }
    table
}

/// The probability of log odds, at least 1 and at most 2<sup>16</sup> - 1.
///
/// ```
/// use plyzip::unstable::entropy::{squash, stretch};
/// assert_eq!(squash(0), 1 << 15);
/// assert_eq!(squash(256) + squash(-256), 1 << 16); // e to 1 and 1 to e
/// assert_eq!(stretch(1 << 15), 0);
/// ```
pub fn squash(log_odds: i32) -> u32 {
    let p = u32::from(SQUASH[log_odds.unsigned_abs().min(MAX_STRETCH as u32) as usize]);
    if log_odds < 0 { ONE - p } else { p }
}

/// The log odds of a probability below 2<sup>16</sup>, within ±`MAX_STRETCH`.
pub fn stretch(p: u32) -> i32 {
    let small = p.min(ONE - p);
    let odds = i32::from(if small < FINE {
        STRETCH_FINE[small as usize]
    } else {
        STRETCH_COARSE[(small >> 4) as usize]
    });
    if p <= ONE / 2 { -odds } else { odds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretch_undoes_squash_where_probabilities_are_fine_enough() {
        for odds in -1000..=1000 {
            assert!((stretch(squash(odds)) - odds).abs() <= 2, "{odds}");
        }
        for p in 1..ONE {
            let back = squash(stretch(p));
            assert!(back.abs_diff(p) <= 16 + p / 128, "{p} {back}");
        }
    }

    #[test]
    fn both_are_odd_and_rise() {
        for odds in 0..=4000 {
            assert_eq!(squash(odds) + squash(-odds), ONE);
            assert!(squash(odds + 1) >= squash(odds));
        }
        for p in 1..ONE - 1 {
            assert!(stretch(p + 1) >= stretch(p));
        }
    }

    #[test]
    fn the_tables_are_these_on_every_machine() {
        let digest = |values: &mut dyn Iterator<Item = u32>| {
            values.fold(0u32, |sum, value| sum.wrapping_mul(16_777_619) ^ value)
        };
        assert_eq!(digest(&mut (-3100..3100).map(squash)), SQUASH_DIGEST);
        assert_eq!(digest(&mut (1..ONE).map(|p| stretch(p) as u32)), STRETCH_DIGEST);
    }

    const SQUASH_DIGEST: u32 = 3_447_649_103;
    const STRETCH_DIGEST: u32 = 3_126_788_778;
}
