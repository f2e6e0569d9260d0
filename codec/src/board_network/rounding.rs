//! How sums become numbers of few bits. Every operation here is one of IEEE 754 with one rounding, or exact, so that all
//! machines agree; a sum is multiplied by a power of two or by a factor, clipped, and rounded half to even.

/// 1.5 x 2<sup>23</sup>: added to a number up to 2<sup>22</sup>, it leaves no fraction, and the rounded number stands in
/// the lowest bits.
const MAGIC: f32 = 12_582_912.0;

/// The largest exponent of units in a file, and the smallest: so none of the factors leaves the range of `f32`.
pub const EXPONENTS: std::ops::RangeInclusive<i32> = -32..=16;

/// The unit of outputs, 2<sup>-16</sup>.
const FINE: i32 = -16;

/// The largest term of an output, in its units.
pub const MOST_OUTPUT: i32 = 1 << 28;

/// 2 to the power of `exponent`, from -126 to 127.
pub fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// `value` clipped and with [`MAGIC`] added.
#[inline(always)]
fn shifted(value: f32, low: f32, high: f32) -> u32 {
    // Not `clamp`, whose care for NaN costs; nothing here is one.
    let raised = if value > low { value } else { low };
    let clipped = if raised < high { raised } else { high };
    (clipped + MAGIC).to_bits()
}

/// `value` clipped to `low` and `high`, whole numbers up to 2<sup>22</sup>, and rounded.
#[inline(always)]
pub fn rounded(value: f32, low: f32, high: f32) -> i32 {
    shifted(value, low, high).wrapping_sub(MAGIC.to_bits()) as i32
}

/// The lowest byte of [`rounded`].
#[inline(always)]
pub fn byte(value: f32, low: f32, high: f32) -> u8 {
    shifted(value, low, high) as u8
}

/// A sum in units of 2<sup>exponent</sup> in units of outputs, at most [`MOST_OUTPUT`].
#[inline(always)]
pub fn fine(sum: i64, exponent: i32) -> i32 {
    // Sums are below 2^53 and the factor is a power of two: the product is exact.
    let factor = f64::from(power(exponent - FINE));
    let most = f64::from(MOST_OUTPUT);
    (sum as f64 * factor).clamp(-most, most).round_ties_even() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_to_even() {
        for (value, expected) in [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (62.5, 62)] {
            assert_eq!(rounded(value, -63.0, 63.0), expected, "{value}");
            assert_eq!(byte(value, -63.0, 63.0) as i8, expected as i8, "{value}");
        }
        assert_eq!(rounded(1e30, -63.0, 63.0), 63);
        assert_eq!(rounded(-1e30, -63.0, 63.0), -63);
        assert_eq!(rounded(3e6, -2_097_152.0, 2_097_152.0), 2_097_152);
        assert_eq!(rounded(-3e6, -2_097_152.0, 2_097_152.0), -2_097_152);
    }

    #[test]
    fn outputs_are_clipped_and_rounded() {
        assert_eq!(fine(3, -17), 2);
        assert_eq!(fine(5, -17), 2);
        assert_eq!(fine(-3, -15), -6);
        assert_eq!(fine(i64::from(i32::MAX), 10), MOST_OUTPUT);
        assert_eq!(fine(i64::from(i32::MIN), 10), -MOST_OUTPUT);
    }

    #[test]
    fn powers() {
        assert_eq!(power(-126), f32::MIN_POSITIVE);
        assert_eq!((power(0), power(-4), power(10)), (1.0, 0.0625, 1024.0));
    }
}
