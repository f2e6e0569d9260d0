//! The step from sums to numbers of few bits, for each output of a matrix.

use super::rounding::{byte, power, rounded};

/// The largest number of the residual stream.
pub const MOST_STREAM: i32 = 1 << 21;

/// Factors of outputs: what a sum becomes.
#[derive(Debug)]
pub struct Factors(pub(super) Vec<f32>);

impl Factors {
    /// From the exponent of each factor.
    pub fn new(exponents: impl IntoIterator<Item = i32>) -> Factors {
        Factors(exponents.into_iter().map(power).collect())
    }

    /// Each sum with its bias as a byte, from `-most` to `most`, with `offset` added.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn signed(&self, sums: &[i32], bias: &[i32], most: f32, offset: u8, out: &mut [u8]) {
        let sums = sums.iter().zip(bias).zip(&self.0);
        for (out, ((&sum, &bias), &factor)) in out.iter_mut().zip(sums) {
            *out = byte((sum + bias) as f32 * factor, -most, most).wrapping_add(offset);
        }
    }

    /// The square of each sum above 0, as a byte up to 127.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn squared(&self, sums: &[i32], bias: &[i32], out: &mut [u8]) {
        let sums = sums.iter().zip(bias).zip(&self.0);
        for (out, ((&sum, &bias), &factor)) in out.iter_mut().zip(sums) {
            let root = (sum + bias).max(0) as f32;
            *out = byte(root * root * factor, 0.0, 127.0);
        }
    }

    /// Adds each sum to a number of the residual stream.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn add(&self, sums: &[i32], bias: &[i32], stream: &mut [i32]) {
        let sums = sums.iter().zip(bias).zip(&self.0);
        for (number, ((&sum, &bias), &factor)) in stream.iter_mut().zip(sums) {
            let more =
                rounded((sum + bias) as f32 * factor, -MOST_STREAM as f32, MOST_STREAM as f32);
            *number = (*number + more).clamp(-MOST_STREAM, MOST_STREAM);
        }
    }

    /// Sums of up to 64 bits as bytes from 0 to 127.
    pub fn unsigned(&self, sums: &[i64]) -> Vec<u8> {
        let bytes = sums.iter().zip(&self.0);
        bytes.map(|(&sum, &factor)| byte(sum as f32 * factor, 0.0, 127.0)).collect()
    }
}
