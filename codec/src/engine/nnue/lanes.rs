//! A register of hidden units at a time: what the network's sums are made of, in wide registers or without them.
//!
//! Written for each kind of registers instead of left to the compiler, which made scalar code of the output layer in
//! some builds and vectors in others.

/// Hidden units that are computed side by side, in registers of 256 bits and of 512.
const LANES: usize = 16;
#[cfg(target_arch = "x86_64")]
const WIDE_LANES: usize = 32;

/// Arithmetic on `N` hidden units. Sums of the same numbers are the same in any registers.
pub trait Lanes<const N: usize>: Copy {
    /// Numbers of 16 bits, one for each unit.
    type Units: Copy;
    /// Partial sums of 32 bits.
    type Sums: Copy;

    /// Units from memory.
    fn load(self, units: &[i16; N]) -> Self::Units;
    /// Units to memory.
    fn store(self, units: Self::Units) -> [i16; N];
    /// `units` and weights of 8 bits.
    fn add(self, units: Self::Units, weights: &[i8; N]) -> Self::Units;
    /// `units` less weights of 8 bits.
    fn subtract(self, units: Self::Units, weights: &[i8; N]) -> Self::Units;
    /// Sums that are 0.
    fn zero(self) -> Self::Sums;
    /// `sums` and the squares of the units, clipped to 0 and `one`, times `weights`. A clipped unit times its weight
    /// fits 16 bits.
    fn add_squares(
        self,
        sums: Self::Sums,
        units: Self::Units,
        one: i16,
        weights: &[i16; N],
    ) -> Self::Sums;
    /// The sum of all partial sums.
    fn total(self, sums: Self::Sums) -> i32;
}

/// On any machine.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Lanes<LANES> for Portable {
    type Units = [i16; LANES];
    type Sums = [i32; LANES];

    #[inline(always)]
    fn load(self, units: &[i16; LANES]) -> [i16; LANES] {
        *units
    }

    #[inline(always)]
    fn store(self, units: [i16; LANES]) -> [i16; LANES] {
        units
    }

    #[inline(always)]
    fn add(self, units: [i16; LANES], weights: &[i8; LANES]) -> [i16; LANES] {
        std::array::from_fn(|i| units[i].wrapping_add(weights[i].into()))
    }

    #[inline(always)]
    fn subtract(self, units: [i16; LANES], weights: &[i8; LANES]) -> [i16; LANES] {
        std::array::from_fn(|i| units[i].wrapping_sub(weights[i].into()))
    }

    #[inline(always)]
    fn zero(self) -> [i32; LANES] {
        [0; LANES]
    }

    #[inline(always)]
    fn add_squares(
        self,
        sums: [i32; LANES],
        units: [i16; LANES],
        one: i16,
        weights: &[i16; LANES],
    ) -> [i32; LANES] {
        std::array::from_fn(|i| {
            let clipped = units[i].clamp(0, one);
            sums[i] + i32::from(clipped) * i32::from(clipped.wrapping_mul(weights[i]))
        })
    }

    #[inline(always)]
    fn total(self, sums: [i32; LANES]) -> i32 {
        sums.iter().sum()
    }
}

/// With AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx2(pub pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Lanes<LANES> for Avx2 {
    type Units = core::arch::x86_64::__m256i;
    type Sums = core::arch::x86_64::__m256i;

    #[inline(always)]
    fn load(self, units: &[i16; LANES]) -> Self::Units {
        pulp::cast(*units)
    }

    #[inline(always)]
    fn store(self, units: Self::Units) -> [i16; LANES] {
        pulp::cast(units)
    }

    #[inline(always)]
    fn add(self, units: Self::Units, weights: &[i8; LANES]) -> Self::Units {
        let avx2 = self.0.avx2;
        avx2._mm256_add_epi16(units, avx2._mm256_cvtepi8_epi16(pulp::cast(*weights)))
    }

    #[inline(always)]
    fn subtract(self, units: Self::Units, weights: &[i8; LANES]) -> Self::Units {
        let avx2 = self.0.avx2;
        avx2._mm256_sub_epi16(units, avx2._mm256_cvtepi8_epi16(pulp::cast(*weights)))
    }

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        pulp::cast([0i32; LANES / 2])
    }

    #[inline(always)]
    fn add_squares(
        self,
        sums: Self::Sums,
        units: Self::Units,
        one: i16,
        weights: &[i16; LANES],
    ) -> Self::Sums {
        let avx2 = self.0.avx2;
        let (zero, one) = (pulp::cast([0i16; LANES]), pulp::cast([one; LANES]));
        let clipped = avx2._mm256_min_epi16(avx2._mm256_max_epi16(units, zero), one);
        let products = avx2._mm256_mullo_epi16(clipped, pulp::cast(*weights));
        avx2._mm256_add_epi32(sums, avx2._mm256_madd_epi16(clipped, products))
    }

    #[inline(always)]
    fn total(self, sums: Self::Sums) -> i32 {
        let sums: [i32; LANES / 2] = pulp::cast(sums);
        sums.iter().sum()
    }
}

/// With AVX-512.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx512(pub pulp::x86::V4);

#[cfg(target_arch = "x86_64")]
impl Lanes<WIDE_LANES> for Avx512 {
    type Units = core::arch::x86_64::__m512i;
    type Sums = core::arch::x86_64::__m512i;

    #[inline(always)]
    fn load(self, units: &[i16; WIDE_LANES]) -> Self::Units {
        pulp::cast(*units)
    }

    #[inline(always)]
    fn store(self, units: Self::Units) -> [i16; WIDE_LANES] {
        pulp::cast(units)
    }

    #[inline(always)]
    fn add(self, units: Self::Units, weights: &[i8; WIDE_LANES]) -> Self::Units {
        let avx512 = self.0.avx512bw;
        avx512._mm512_add_epi16(units, avx512._mm512_cvtepi8_epi16(pulp::cast(*weights)))
    }

    #[inline(always)]
    fn subtract(self, units: Self::Units, weights: &[i8; WIDE_LANES]) -> Self::Units {
        let avx512 = self.0.avx512bw;
        avx512._mm512_sub_epi16(units, avx512._mm512_cvtepi8_epi16(pulp::cast(*weights)))
    }

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        pulp::cast([0i32; WIDE_LANES / 2])
    }

    #[inline(always)]
    fn add_squares(
        self,
        sums: Self::Sums,
        units: Self::Units,
        one: i16,
        weights: &[i16; WIDE_LANES],
    ) -> Self::Sums {
        let avx512 = self.0.avx512bw;
        let (zero, one) = (pulp::cast([0i16; WIDE_LANES]), pulp::cast([one; WIDE_LANES]));
        let clipped = avx512._mm512_min_epi16(avx512._mm512_max_epi16(units, zero), one);
        let products = avx512._mm512_mullo_epi16(clipped, pulp::cast(*weights));
        self.0.avx512f._mm512_add_epi32(sums, avx512._mm512_madd_epi16(clipped, products))
    }

    #[inline(always)]
    fn total(self, sums: Self::Sums) -> i32 {
        let sums: [i32; WIDE_LANES / 2] = pulp::cast(sums);
        sums.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    /// Units after changes, in full range, and the sum that they give.
    fn compute<const N: usize, L: Lanes<N>>(lanes: L) -> (Vec<i16>, i32) {
        let mut numbers = SplitMix(7);
        let mut byte = || numbers.next() as i8;
        let (mut found, mut sums) = (vec![], lanes.zero());
        let numbers: Vec<[i8; 64]> = (0..60).map(|_| std::array::from_fn(|_| byte())).collect();
        for rows in numbers.chunks_exact(3) {
            for chunk in 0..64 / N {
                let part = |row: usize| rows[row].as_chunks::<N>().0[chunk];
                let units = part(0).map(|unit| i16::from(unit) * 256);
                let mut units = lanes.load(&units);
                units = lanes.add(units, &part(1));
                units = lanes.subtract(units, &part(2));
                // A clipped unit times its weight fits 16 bits.
                sums =
                    lanes.add_squares(sums, units, 255, &part(1).map(|w| i16::from(w).max(-127)));
                found.extend(lanes.store(units));
            }
        }
        (found, lanes.total(sums))
    }

    #[test]
    fn all_registers_give_the_same_numbers() {
        let expected = compute(Portable);
        assert!(expected.0.iter().any(|&unit| unit > 255) && expected.1 != 0);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V3::try_new() {
                assert_eq!(compute(Avx2(simd)), expected);
            }
            if let Some(simd) = pulp::x86::V4::try_new() {
                assert_eq!(compute(Avx512(simd)), expected);
            }
        }
    }
}
