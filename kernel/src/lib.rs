//! Products of bytes with AVX-512 VNNI: `vpdpbusd`, which multiplies 64 bytes and adds up the products of each four.
//!
//! All other registers that plyzip computes in are those of the crate `pulp`, which has no method for this instruction.
//! This is the one package of plyzip with `unsafe` code: one call, which a [`Vnni`] makes sound, since none exists where
//! the processor lacks the instruction. On other processors than x86-64 the package is empty.

#![cfg(target_arch = "x86_64")]

use core::arch::x86_64::{__m512i, _mm512_dpbusd_epi32};

pulp::simd_type!({
    /// Proof that the processor has AVX-512 VNNI, and all that comes before it.
    ///
    /// ```
    /// use plyzip_kernel::Vnni;
    ///
    /// if let Some(simd) = Vnni::try_new() {
    ///     let (inputs, weights) = (pulp::cast([3u8; 64]), pulp::cast([-5i8; 64]));
    ///     let sums: [i32; 16] = pulp::cast(simd.add_products(pulp::cast([7i32; 16]), inputs, weights));
    ///     assert_eq!(sums, [7 + 4 * 3 * -5; 16]);
    /// }
    /// ```
    #[allow(missing_docs)]
    pub struct Vnni {
        pub sse: f!("sse"),
        pub sse2: f!("sse2"),
        pub fxsr: f!("fxsr"),
        pub sse3: f!("sse3"),
        pub ssse3: f!("ssse3"),
        pub sse4_1: f!("sse4.1"),
        pub sse4_2: f!("sse4.2"),
        pub popcnt: f!("popcnt"),
        pub avx: f!("avx"),
        pub avx2: f!("avx2"),
        pub bmi1: f!("bmi1"),
        pub bmi2: f!("bmi2"),
        pub fma: f!("fma"),
        pub lzcnt: f!("lzcnt"),
        pub avx512f: f!("avx512f"),
        pub avx512bw: f!("avx512bw"),
        pub avx512cd: f!("avx512cd"),
        pub avx512dq: f!("avx512dq"),
        pub avx512vl: f!("avx512vl"),
        pub avx512vnni: f!("avx512vnni"),
    }
});

impl Vnni {
    /// `sums`, 16 numbers of 32 bits, with four products added to each: of `inputs`, 64 bytes without sign, and
    /// `weights`, 64 bytes with one. Products are exact; sums wrap.
    #[inline(always)]
    pub fn add_products(self, sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
        // SAFETY: a `Vnni` exists only where the processor has the instruction: `try_new` has asked it, and
        // `new_unchecked` asks its caller for that. The function reads and writes its arguments only.
        unsafe { _mm512_dpbusd_epi32(sums, inputs, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_products() {
        let Some(simd) = Vnni::try_new() else { return };
        let inputs: [u8; 64] = std::array::from_fn(|place| (place * 37 % 256) as u8);
        let weights: [i8; 64] = std::array::from_fn(|place| (place * 91 % 256) as u8 as i8);
        let start: [i32; 16] = std::array::from_fn(|place| place as i32 * 1_000_003 - 7_000_000);
        let found: [i32; 16] = pulp::cast(simd.add_products(
            pulp::cast(start),
            pulp::cast(inputs),
            pulp::cast(weights),
        ));
        for place in 0..16 {
            let quad = 4 * place..4 * place + 4;
            let products = quad.map(|place| i32::from(inputs[place]) * i32::from(weights[place]));
            assert_eq!(found[place], start[place] + products.sum::<i32>(), "{place}");
        }
    }

    #[test]
    fn the_largest_products_do_not_saturate() {
        let Some(simd) = Vnni::try_new() else { return };
        for weight in [-128i8, 127] {
            let sums = simd.add_products(
                pulp::cast([0i32; 16]),
                pulp::cast([255u8; 64]),
                pulp::cast([weight; 64]),
            );
            let sums: [i32; 16] = pulp::cast(sums);
            assert_eq!(sums, [4 * 255 * i32::from(weight); 16]);
        }
    }
}
