//! Exponentials, logarithms and distributions in fixed point.
//!
//! Every function is a fixed sequence of integer operations: same bits everywhere.
//! Logarithms are to base 2, in units of 2<sup>-16</sup> bit.

/// One bit of information, and the unit of logarithms.
pub const ONE: i32 = 1 << 16;

/// log2(e) in units of 2^-16: turns nats to bits.
const LOG2_E: i64 = 94_548;

/// Fraction bits of [`exp2`]'s result.
const EXP_BITS: u32 = 31;

/// 2^(-i / 2^`shift`) for i below 256, with 31 fraction bits, from repeated
/// integer square roots.
const fn powers(shift: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        // 2^-1, 2^-1/2, 2^-1/4, ... with 62 fraction bits
        let mut root: u128 = 1 << 61;
        let mut value: u128 = 1 << 62;
        let mut bit = 1;
        while bit <= shift {
            root = (root << 62).isqrt();
            if bit + 8 > shift && index >> (shift - bit) & 1 != 0 {
                value = (value * root) >> 62;
            }
            bit += 1;
        }
        table[index] = (value >> 31) as u32;
        index += 1;
    }
    table
}

static COARSE: [u32; 256] = powers(8);
static FINE: [u32; 256] = powers(16);

/// 2<sup>-x</sup> for `x` ≥ 0 in units of 2<sup>-16</sup>, times 2<sup>31</sup>.
#[inline(always)]
pub fn exp2_neg(x: u32) -> u32 {
    let (whole, fraction) = (x >> 16, x as usize & 0xffff);
    let product = u64::from(COARSE[fraction >> 8]) * u64::from(FINE[fraction & 0xff]);
    // Without a branch, for several at a time.
    let power = (product >> (EXP_BITS + whole.min(EXP_BITS))) as u32;
    if whole >= EXP_BITS { 0 } else { power }
}

/// log2 of `value` ≥ 1, in units of 2<sup>-16</sup>, rounded down.
pub const fn log2(value: u64) -> i32 {
    log2_of_each([value])[0]
}

/// [`log2`] of each of some values, side by side: a step of one does not wait for that of another.
#[inline(always)]
pub const fn log2_of_each<const N: usize>(values: [u64; N]) -> [i32; N] {
    let (mut mantissas, mut results) = ([0; N], [0; N]);
    let mut at = 0;
    while at < N {
        let value = if values[at] == 0 { 1 } else { values[at] };
        let whole = value.ilog2();
        // from 1 to 2 with 31 fraction bits
        mantissas[at] = if whole >= 31 { value >> (whole - 31) } else { value << (31 - whole) };
        results[at] = whole as i32;
        at += 1;
    }
    let mut bit = 0;
    while bit < 16 {
        bit += 1;
        let mut at = 0;
        while at < N {
            let square = (mantissas[at] * mantissas[at]) >> 31;
            let digit = square >> 32;
            mantissas[at] = square >> digit;
            results[at] = results[at] << 1 | digit as i32;
            at += 1;
        }
    }
    results
}

/// Nats to bits, both in units of 2<sup>-16</sup>.
#[inline(always)]
pub fn nats_to_bits(nats: i32) -> i32 {
    ((i64::from(nats) * LOG2_E) >> 16) as i32
}

/// The distribution proportional to 2<sup>logit</sup>: probabilities in units of
/// 2<sup>-31</sup>, rounded down, so their sum is slightly below one.
#[inline(always)]
pub fn softmax(logits: &[i32], probabilities: &mut Vec<u32>) {
    let largest = logits.iter().copied().max().unwrap_or(0);
    probabilities.clear();
    probabilities.extend(logits.iter().map(|&logit| exp2_neg((largest - logit) as u32)));
    let sum: u64 = probabilities.iter().copied().map(u64::from).sum();
    // 2^62 / sum, so that one division serves all. The largest is 2^31, so this is at most 2^31.
    let scale = ((1u64 << 62) / sum.max(1)) as u32;
    for p in probabilities.iter_mut() {
        *p = ((u64::from(*p) * u64::from(scale)) >> 31) as u32;
    }
}

/// The largest probability of [`softmax`].
pub fn largest_of_softmax(logits: impl Iterator<Item = i32> + Clone) -> u32 {
    let Some(largest) = logits.clone().max() else { return 0 };
    let sum: u64 = logits.map(|logit| u64::from(exp2_neg((largest - logit) as u32))).sum();
    // That of a power of 1, which is 2^31.
    ((1u64 << 62) / sum) as u32
}

/// Turns probabilities in units of 2<sup>-31</sup> into the cumulative frequencies of
/// [`Coder::symbol`](super::Coder::symbol): none is zero, and what rounding leaves over goes to the
/// largest.
#[inline(always)]
pub fn frequencies(probabilities: &[u32], cumulative: &mut Vec<u32>) {
    const TOTAL: u32 = 1 << super::TABLE_PRECISION;
    let spread = TOTAL - probabilities.len() as u32;
    let frequency = |&p: &u32| 1 + ((u64::from(p) * u64::from(spread)) >> 31) as u32;
    cumulative.clear();
    cumulative.push(0);
    cumulative.extend(probabilities.iter().map(frequency));
    let largest = probabilities.iter().copied().max().unwrap_or(0);
    let likeliest = probabilities.iter().position(|&p| p == largest).unwrap_or(0);
    let left: u32 = TOTAL - cumulative.iter().sum::<u32>();
    if let Some(frequency) = cumulative.get_mut(likeliest + 1) {
        *frequency += left;
    }
    let mut sum = 0;
    for frequency in cumulative {
        sum += *frequency;
        *frequency = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact_and_the_rest_is_close() {
        assert_eq!(exp2_neg(0), 1 << 31);
        assert_eq!(exp2_neg(ONE as u32), 1 << 30);
        assert_eq!(exp2_neg(ONE as u32 / 2), 1_518_500_249); // 2^30.5
        for x in (0..20 * 65536).step_by(977) {
            let exact = 2f64.powf(31.0 - f64::from(x) / 65536.0);
            assert!((f64::from(exp2_neg(x)) - exact).abs() <= 3.0 + exact * 1e-8, "{x}");
        }
    }

    #[test]
    fn logarithms_are_rounded_down() {
        assert_eq!(log2(1), 0);
        assert_eq!(log2(1 << 40), 40 * ONE);
        for value in [3u64, 5, 7, 100, 12_345, 1 << 33 | 12_345, u64::MAX / 3] {
            let exact = (value as f64).log2() * 65536.0;
            assert!((f64::from(log2(value)) - exact).abs() < 2.0, "{value}");
        }
    }

    #[test]
    fn frequencies_fill_the_table_and_leave_nobody_out() {
        let (mut p, mut c) = (vec![], vec![]);
        for logits in [
            vec![0],
            vec![0, i32::MIN / 4],
            vec![5 * ONE; 218],
            (0..218).map(|i| -i * ONE).collect(),
        ] {
            softmax(&logits, &mut p);
            let largest = largest_of_softmax(logits.iter().copied());
            assert_eq!(largest, p.iter().copied().max().unwrap_or(0));
            frequencies(&p, &mut c);
            assert_eq!((c[0], c[c.len() - 1]), (0, 1 << 24));
            assert!(c.windows(2).all(|w| w[0] < w[1]));
        }
        assert_eq!(largest_of_softmax([].into_iter()), 0);
    }

    #[test]
    fn what_rounding_leaves_goes_to_the_first_of_the_likeliest() {
        let mut cumulative = vec![7];
        frequencies(&[1 << 28, 3 << 28, 3 << 28, 0], &mut cumulative);
        let spread = (1 << 24) - 4;
        let [low, high] = [1, 3].map(|eighths| 1 + spread * eighths / 8);
        let left = (1 << 24) - low - 2 * high - 1;
        assert_eq!(cumulative, [0, low, low + high + left, low + 2 * high + left, 1 << 24]);
    }
}
