//! Products of bytes, several of which are added up in 16 bits before they become 32.

use crate::network::{BLOCK, Dot, Portable, QUAD};

/// [`Dot`] with its two halves apart: pairs of products in 16 bits, and sums of 32 bits that take them up.
pub trait Chained: Dot {
    /// Sums of pairs of products, of 16 bits: two for each of the eight sums.
    type Pairs: Copy;

    /// The sums of pairs of products.
    fn pairs(self, inputs: Self::Inputs, weights: &[i8; QUAD * BLOCK]) -> Self::Pairs;
    /// Both added, which must not leave 16 bits.
    fn join(self, some: Self::Pairs, others: Self::Pairs) -> Self::Pairs;
    /// `sums` with the pairs of each added.
    fn take_up(self, sums: Self::Sums, pairs: Self::Pairs) -> Self::Sums;
    /// `sums` doubled.
    fn double(self, sums: Self::Sums) -> Self::Sums;
}

impl Chained for Portable {
    type Pairs = [i16; 2 * BLOCK];

    #[inline(always)]
    fn pairs(self, inputs: [u32; BLOCK], weights: &[i8; QUAD * BLOCK]) -> [i16; 2 * BLOCK] {
        std::array::from_fn(|pair| {
            let inputs = inputs[pair / 2].to_le_bytes();
            let product = |place: usize| {
                i16::from(inputs[pair % 2 * 2 + place]) * i16::from(weights[pair * 2 + place])
            };
            product(0) + product(1)
        })
    }

    #[inline(always)]
    fn join(self, some: [i16; 2 * BLOCK], others: [i16; 2 * BLOCK]) -> [i16; 2 * BLOCK] {
        std::array::from_fn(|pair| some[pair] + others[pair])
    }

    #[inline(always)]
    fn take_up(self, sums: [i32; BLOCK], pairs: [i16; 2 * BLOCK]) -> [i32; BLOCK] {
        std::array::from_fn(|sum| {
            sums[sum] + i32::from(pairs[2 * sum]) + i32::from(pairs[2 * sum + 1])
        })
    }

    #[inline(always)]
    fn double(self, sums: [i32; BLOCK]) -> [i32; BLOCK] {
        sums.map(|sum| 2 * sum)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use crate::network::Avx2;

    use super::{BLOCK, Chained, QUAD};

    impl Chained for Avx2 {
        type Pairs = core::arch::x86_64::__m256i;

        #[inline(always)]
        fn pairs(self, inputs: Self::Inputs, weights: &[i8; QUAD * BLOCK]) -> Self::Pairs {
            self.0.avx2._mm256_maddubs_epi16(inputs, pulp::cast(*weights))
        }

        #[inline(always)]
        fn join(self, some: Self::Pairs, others: Self::Pairs) -> Self::Pairs {
            self.0.avx2._mm256_add_epi16(some, others)
        }

        #[inline(always)]
        fn take_up(self, sums: Self::Sums, pairs: Self::Pairs) -> Self::Sums {
            let avx2 = self.0.avx2;
            avx2._mm256_add_epi32(sums, avx2._mm256_madd_epi16(pairs, pulp::cast([1i16; 16])))
        }

        #[inline(always)]
        fn double(self, sums: Self::Sums) -> Self::Sums {
            self.0.avx2._mm256_add_epi32(sums, sums)
        }
    }
}
