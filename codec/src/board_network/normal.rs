//! Normalisation: the numbers of a square over their root mean square.

use super::plan::OFFSET;
use super::rounding::byte;
use super::view::SQUARES;

/// The exponent of the unit of normalised numbers.
pub const UNIT: i32 = -4;

/// The largest normalised number.
pub const MOST: f32 = 63.0;

/// Numbers of a normalisation that depend on the width alone.
#[derive(Debug)]
pub struct Normal {
    /// Added to a sum of squares: a hundred-thousandth of a mean square of 1, times the width.
    pub(super) epsilon: i64,
    /// The root of the width in units of 2<sup>-20</sup>, times 2<sup>4</sup> for the unit of normalised numbers.
    pub(super) root: f64,
}

impl Normal {
    /// For this many numbers of a square, up to 1024.
    pub fn new(width: usize) -> Normal {
        let width = width as u64;
        // 1e-5 x width x 2^24, rounded; no width makes a half of it.
        let epsilon = ((width << 20) + 3125) / 6250;
        let root = (width << 42).isqrt().div_ceil(2);
        Normal { epsilon: epsilon as i64, root: root as f64 / f64::from(1 << 16) }
    }

    /// Writes the normalised numbers of 64 squares, with [`OFFSET`], to `out`.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn apply(&self, stream: &[i32], out: &mut Vec<u8>) {
        out.resize(stream.len(), 0);
        let width = stream.len() / SQUARES;
        for (numbers, out) in stream.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
            // At most 2^10 x 2^42, which f64 holds exactly.
            let mut total = self.epsilon;
            for &number in numbers {
                total += i64::from(number) * i64::from(number);
            }
            let factor = (self.root / (total as f64).sqrt()) as f32;
            for (out, &number) in out.iter_mut().zip(numbers) {
                *out = byte(number as f32 * factor, -MOST, MOST).wrapping_add(OFFSET);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_square_of_what_comes_out_is_one() {
        for width in [16, 96, 256, 1024] {
            let mut stream = vec![0; SQUARES * width];
            for (place, number) in stream.iter_mut().enumerate() {
                *number = (place as i32 * 7919) % 4001 - 2000;
            }
            // The largest numbers there are: only sums of their squares could leave the range.
            stream[..width].fill(1 << 21);
            stream[width..2 * width].fill(0);
            let mut out = vec![];
            Normal::new(width).apply(&stream, &mut out);
            assert!(out[..width].iter().all(|&byte| byte == OFFSET + 16));
            assert!(out[width..2 * width].iter().all(|&byte| byte == OFFSET));
            for row in out[2 * width..].chunks(width) {
                let squares = row.iter().map(|&byte| (f64::from(byte) - f64::from(OFFSET)).powi(2));
                let mean = squares.sum::<f64>() / width as f64 / 256.0;
                assert!((mean - 1.0).abs() < 0.1, "{mean}");
            }
        }
    }

    #[test]
    fn constants_are_rounded() {
        let normal = Normal::new(96);
        assert_eq!(normal.epsilon, (1e-5 * 96.0 * 16_777_216.0f64).round() as i64);
        assert_eq!(normal.root * 65_536.0, (96f64.sqrt() * 1_048_576.0).round());
    }
}
