//! The step from sums to numbers of few bits.

use core::arch::x86_64::__m512i;

use super::super::requantise::Factors;
use super::products::QuadSums;
use super::vector::Vector;
use crate::network::QUAD;

impl Factors {
    /// The sums of a group of outputs for the squares of one register as numbers from `-most` to `most`.
    #[inline(always)]
    pub(super) fn in_lanes(
        &self,
        vector: Vector,
        sums: &QuadSums,
        part: usize,
        group: usize,
        most: f32,
    ) -> [__m512i; QUAD] {
        let mut numbers = [vector.splat(0); QUAD];
        let factors = &self.0[QUAD * group..][..QUAD];
        for ((number, sums), &factor) in numbers.iter_mut().zip(sums).zip(factors) {
            let value = vector.multiply(vector.to_f32(sums[part]), vector.splat_f32(factor));
            *number = vector.rounded(value, -most, most);
        }
        numbers
    }
}
