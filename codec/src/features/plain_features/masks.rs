//! Intersection tests of one set of squares with eight others at a time, which make the flags of a plain feature.

use pulp::NullaryFnOnce;
use shakmaty::Bitboard;

/// Eight sets of squares, one for each flag.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Masks(pub [Bitboard; 8]);

/// A kind of registers for the tests. All kinds give the same flags.
pub trait Registers: Copy {
    /// A number with bit `i` set if `set` meets the set `i` of `masks`.
    fn flags(self, set: Bitboard, masks: &Masks) -> usize;
}

/// On any machine.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Registers for Portable {
    #[inline(always)]
    fn flags(self, set: Bitboard, masks: &Masks) -> usize {
        let met = masks.0.iter().map(|&mask| usize::from((set & mask).any()));
        met.enumerate().fold(0, |flags, (bit, met)| flags | met << bit)
    }
}

/// With AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx2(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Registers for Avx2 {
    #[inline(always)]
    fn flags(self, set: Bitboard, masks: &Masks) -> usize {
        let pulp::x86::V3 { avx, avx2, .. } = self.0;
        let set = avx._mm256_set1_epi64x(set.0 as i64);
        let [low, high]: [core::arch::x86_64::__m256i; 2] = pulp::cast(masks.0.map(|mask| mask.0));
        let missed = |mask| {
            let missed =
                avx2._mm256_cmpeq_epi64(avx2._mm256_and_si256(set, mask), pulp::cast([0u64; 4]));
            avx._mm256_movemask_pd(pulp::cast(missed)) as usize
        };
        (missed(low) | missed(high) << 4) ^ 0xff
    }
}

/// With AVX-512.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx512(pulp::x86::V4);

#[cfg(target_arch = "x86_64")]
impl Registers for Avx512 {
    #[inline(always)]
    fn flags(self, set: Bitboard, masks: &Masks) -> usize {
        let avx512 = self.0.avx512f;
        let set = avx512._mm512_set1_epi64(set.0 as i64);
        avx512._mm512_test_epi64_mask(set, pulp::cast(masks.0.map(|mask| mask.0))).into()
    }
}

/// What is computed with one kind of registers.
pub trait Kernel {
    /// To be compiled for these registers, this and what it calls for each move must be inlined.
    fn run<R: Registers>(self, registers: R);
}

/// A kernel with its registers.
struct Compiled<K, R>(K, R);

impl<K: Kernel, R: Registers> NullaryFnOnce for Compiled<K, R> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.run(self.1);
    }
}

/// Runs a kernel with the widest registers that the machine has.
pub fn in_registers(kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(Compiled(kernel, Avx512(simd)));
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(Compiled(kernel, Avx2(simd)));
        }
    }
    Compiled(kernel, Portable).call();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    #[test]
    fn all_registers_give_the_same_flags() {
        let mut numbers = SplitMix(11);
        let mut sparse = || Bitboard(numbers.next() & numbers.next() & numbers.next());
        for _ in 0..1000 {
            let (set, masks) = (sparse(), Masks(std::array::from_fn(|_| sparse() & sparse())));
            let flags = Portable.flags(set, &masks);
            for (bit, &mask) in masks.0.iter().enumerate() {
                assert_eq!(flags >> bit & 1 != 0, (set & mask).any());
            }
            assert!(flags < 256);
            #[cfg(target_arch = "x86_64")]
            {
                let simd = pulp::x86::V3::try_new();
                assert!(simd.is_none_or(|simd| Avx2(simd).flags(set, &masks) == flags));
                let simd = pulp::x86::V4::try_new();
                assert!(simd.is_none_or(|simd| Avx512(simd).flags(set, &masks) == flags));
            }
        }
    }
}
