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

/// By log odds plus [`MAX_STRETCH`]: 1 / (1 + e<sup>-x</sup>) in units of 2<sup>-16</sup>. Half of the table would do, but
/// the sign of log odds is what a processor cannot predict.
static SQUASH: [u16; 2 * MAX_STRETCH as usize + 1] = {
    let powers = powers();
    let middle = MAX_STRETCH as usize;
    let mut table = [0; 2 * MAX_STRETCH as usize + 1];
    let mut k = 0;
    while k <= middle {
        let unit = 1u128 << 62;
        let whole = unit + powers[k] as u128;
        let p = (ONE as u128 * unit + whole / 2) / whole;
        let p = if p >= ONE as u128 { ONE - 1 } else { p as u32 };
        table[middle - k] = (ONE - p) as u16;
        table[middle + k] = p as u16;
        k += 1;
    }
    table
};

/// ln(p / (1 - p)) for p = `index` / 2<sup>16</sup>: all of them, since looking one up takes a fraction of the
/// instructions that working it out from a smaller table takes, and a mixer needs a dozen for each event.
static STRETCH: [i16; ONE as usize] = {
    let fine = stretched::<{ FINE as usize }>(1);
    let coarse = stretched::<{ (ONE / 32) as usize + 1 }>(16);
    let mut table = [0; ONE as usize];
    let mut p = 0;
    while p < ONE {
        let small = if p <= ONE / 2 { p } else { ONE - p };
        let odds = if small < FINE { fine[small as usize] } else { coarse[(small >> 4) as usize] };
        table[p as usize] = if p <= ONE / 2 { -odds } else { odds };
        p += 1;
    }
    table
};

/// ln((1 - p) / p) for p = `index` * `scale` / 2<sup>16</sup>.
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
    SQUASH[(log_odds.clamp(-MAX_STRETCH, MAX_STRETCH) + MAX_STRETCH) as usize].into()
}

/// The log odds of a probability below 2<sup>16</sup>, within ±`MAX_STRETCH`.
pub fn stretch(p: u32) -> i32 {
    STRETCH[p.min(ONE - 1) as usize].into()
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
