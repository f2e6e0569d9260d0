//! Sixteen hidden units at a time: what the network's sums are made of, in wide registers or without them.
//!
//! Written for each kind of registers instead of left to the compiler, which made scalar code of the output layer in
//! some builds and vectors in others.

/// Hidden units that are computed side by side.
pub const LANES: usize = 16;

/// Arithmetic on [`LANES`] hidden units. Sums of the same numbers are the same in any registers.
pub trait Lanes: Copy {
    /// Numbers of 16 bits, one for each unit.
    type Units: Copy;
    /// Partial sums of 32 bits.
    type Sums: Copy;

    /// Units from memory.
    fn load(self, units: &[i16; LANES]) -> Self::Units;
    /// Units to memory.
    fn store(self, units: Self::Units) -> [i16; LANES];
    /// `units` and weights of 8 bits.
    fn add(self, units: Self::Units, weights: &[i8; LANES]) -> Self::Units;
    /// `units` less weights of 8 bits.
    fn subtract(self, units: Self::Units, weights: &[i8; LANES]) -> Self::Units;
    /// Sums that are 0.
    fn zero(self) -> Self::Sums;
    /// `sums` and the squares of the units, clipped to 0 and `one`, times `weights`. A clipped unit times its weight
    /// fits 16 bits.
    fn add_squares(
        self,
        sums: Self::Sums,
        units: Self::Units,
        one: i16,
        weights: &[i16; LANES],
    ) -> Self::Sums;
    /// The sum of all partial sums.
    fn total(self, sums: Self::Sums) -> i32;
}

/// On any machine.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Lanes for Portable {
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
impl Lanes for Avx2 {
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
