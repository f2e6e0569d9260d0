//! Normalisation.

use core::arch::x86_64::__m512;

use super::super::normal::{MOST, Normal};
use super::plane::{PARTS, Plane};
use super::vector::{Vector, load, store};
use crate::network::QUAD;

impl Normal {
    /// Writes the normalised numbers of the residual stream, with [`OFFSET`](super::super::plan::OFFSET), to `out`:
    /// four channels in each plane.
    #[inline(always)]
    pub(super) fn apply_in_lanes(&self, vector: Vector, stream: &[Plane], out: &mut Vec<Plane>) {
        out.resize(stream.len() / QUAD, Plane::ZERO);
        for part in 0..PARTS {
            let factors = self.factors(vector, stream, part);
            for (channels, out) in stream.as_chunks::<QUAD>().0.iter().zip(out.iter_mut()) {
                let mut numbers = [vector.splat(0); QUAD];
                for (number, plane) in numbers.iter_mut().zip(channels) {
                    let value = vector.to_f32(load(&plane.0[part]));
                    *number = vector.rounded(vector.multiply(value, factors), -MOST, MOST);
                }
                out.0[part] = store(vector.raised(numbers));
            }
        }
    }

    /// By what the numbers of 16 squares are multiplied.
    #[inline(always)]
    fn factors(&self, vector: Vector, stream: &[Plane], part: usize) -> __m512 {
        let (f, dq) = (vector.0.avx512f, vector.0.avx512dq);
        // Those of squares in even and in odd lanes, in 64 bits: at most 2^10 x 2^42, which f64 holds exactly.
        let mut totals = [f._mm512_set1_epi64(self.epsilon); 2];
        for plane in stream {
            let even = load(&plane.0[part]);
            let odd = f._mm512_srli_epi64::<32>(even);
            for (total, numbers) in totals.iter_mut().zip([even, odd]) {
                *total = f._mm512_add_epi64(*total, f._mm512_mul_epi32(numbers, numbers));
            }
        }
        let root = f._mm512_set1_pd(self.root);
        let mut factors = [f._mm512_setzero_ps(); 2];
        for (factors, total) in factors.iter_mut().zip(totals) {
            let mean = f._mm512_sqrt_pd(dq._mm512_cvtepi64_pd(total));
            let eight = f._mm512_cvtpd_ps(f._mm512_div_pd(root, mean));
            *factors = f._mm512_zextps256_ps512(eight);
        }
        const TURNS: [i32; 16] = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
        f._mm512_permutex2var_ps(factors[0], load(&TURNS), factors[1])
    }
}
