//! Products in registers of 512 bits: two blocks of outputs, or of inputs, to a register.

use core::arch::x86_64::__m512i;

use plyzip_kernel::Vnni;
use pulp::NullaryFnOnce;
use pulp::x86::V4;

use super::{Activations, Avx2, BLOCK, Narrow, Tiles, Weights, write};

/// Blocks to a register.
const PAIR: usize = 2;

/// Two blocks of outputs to a register.
#[derive(Debug, Clone, Copy)]
pub struct Wide<A>(pub V4, pub A);

/// How products are added in these registers.
pub trait AddProducts: Copy {
    /// `sums` with the products of inputs and weights added.
    fn add(self, sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i;
}

impl AddProducts for V4 {
    #[inline(always)]
    fn add(self, sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
        // No pair of products saturates (see [`Avx2`]).
        let pairs = self.avx512bw._mm512_maddubs_epi16(inputs, weights);
        let products = self.avx512bw._mm512_madd_epi16(pairs, pulp::cast([1i16; 32]));
        self.avx512f._mm512_add_epi32(sums, products)
    }
}

impl AddProducts for Vnni {
    #[inline(always)]
    fn add(self, sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
        self.add_products(sums, inputs, weights)
    }
}

/// The weights of two blocks.
#[inline(always)]
fn pair(weights: &[Weights; PAIR]) -> __m512i {
    pulp::cast([weights[0].0, weights[1].0])
}

impl<A: AddProducts> Tiles for Wide<A> {
    #[inline(always)]
    fn tile<const WIDTH: usize>(
        self,
        activations: &Activations,
        weights: &[Weights],
        outputs: &mut [f32],
        units: &[f32],
    ) {
        let Wide(simd, products) = self;
        if !WIDTH.is_multiple_of(PAIR) {
            return Narrow(Avx2(*simd)).tile::<WIDTH>(activations, weights, outputs, units);
        }
        // The first half of them is used.
        let mut sums: [__m512i; WIDTH] = [pulp::cast([0i32; PAIR * BLOCK]); WIDTH];
        let (quads, _) = weights.as_chunks::<WIDTH>();
        for &place in &activations.used {
            let place = place as usize;
            let inputs = simd.avx512f._mm512_set1_epi32(activations.quads[place] as i32);
            for (sum, weights) in sums.iter_mut().zip(quads[place].as_chunks().0) {
                *sum = products.add(*sum, inputs, pair(weights));
            }
        }
        let pairs = outputs.chunks_mut(PAIR * BLOCK).zip(units.chunks(PAIR * BLOCK));
        for ((outputs, units), sum) in pairs.zip(sums) {
            write::<{ PAIR * BLOCK }>(pulp::cast(sum), outputs, units);
        }
    }
}

/// The product of one column.
pub struct WideColumn<'a> {
    pub activations: &'a Activations,
    pub weights: &'a [Weights],
    pub simd: V4,
}

impl NullaryFnOnce for WideColumn<'_> {
    type Output = i32;

    #[inline(always)]
    fn call(self) -> i32 {
        let WideColumn { activations, weights, simd } = self;
        let (pairs_of_inputs, last_inputs) = activations.quads.as_chunks::<{ PAIR * BLOCK }>();
        let (pairs, last) = weights.as_chunks::<PAIR>();
        let mut sums: __m512i = pulp::cast([0i32; PAIR * BLOCK]);
        for (inputs, weights) in pairs_of_inputs.iter().zip(pairs) {
            sums = simd.add(sums, pulp::cast(*inputs), pair(weights));
        }
        // A block may be left over.
        if let ([last], Some(inputs)) = (last, last_inputs.first_chunk::<BLOCK>()) {
            let mut all = [0; PAIR * BLOCK];
            all[..BLOCK].copy_from_slice(inputs);
            sums = simd.add(sums, pulp::cast(all), pair(&[*last, *last]));
        }
        let sums: [i32; PAIR * BLOCK] = pulp::cast(sums);
        sums.iter().sum()
    }
}
