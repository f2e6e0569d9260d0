//! Products of bytes, four inputs with the weights of eight outputs at a time, for each kind of registers.

/// Inputs that are multiplied together.
pub const QUAD: usize = 4;

/// Outputs in a block: with four weights each, they fill a register of 256 bits.
pub const BLOCK: usize = 8;

/// Weights that fill a register. In a product with many outputs, those of four inputs to each of eight outputs,
/// output by output; in that with a single column, those of 32 inputs.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub struct Weights(pub [i8; QUAD * BLOCK]);

/// Multiplication of four inputs with the weights of eight outputs.
pub trait Dot: Copy {
    /// Four inputs for each of eight sums, the same or different ones.
    type Inputs: Copy;
    /// Eight sums of 32 bits.
    type Sums: Copy;

    /// Sums of nothing.
    fn zero(self) -> Self::Sums;
    /// The same four inputs for all sums.
    fn inputs(self, quad: u32) -> Self::Inputs;
    /// Four inputs for each sum.
    fn different_inputs(self, quads: &[u32; BLOCK]) -> Self::Inputs;
    /// `sums` with the products of inputs and weights added.
    fn add(
        self,
        sums: Self::Sums,
        inputs: Self::Inputs,
        weights: &[i8; QUAD * BLOCK],
    ) -> Self::Sums;
    /// `sums` with the products of two inputs of 16 bits with their weights added.
    fn add_pair(
        self,
        sums: Self::Sums,
        inputs: [i16; 2],
        weights: &[[i16; 2]; BLOCK],
    ) -> Self::Sums;
    /// The sums as numbers.
    fn numbers(self, sums: Self::Sums) -> [i32; BLOCK];
}

/// On any machine.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Dot for Portable {
    type Inputs = [u32; BLOCK];
    type Sums = [i32; BLOCK];

    #[inline(always)]
    fn zero(self) -> [i32; BLOCK] {
        [0; BLOCK]
    }

    #[inline(always)]
    fn inputs(self, quad: u32) -> [u32; BLOCK] {
        [quad; BLOCK]
    }

    #[inline(always)]
    fn different_inputs(self, quads: &[u32; BLOCK]) -> [u32; BLOCK] {
        *quads
    }

    #[inline(always)]
    fn add(
        self,
        sums: [i32; BLOCK],
        inputs: [u32; BLOCK],
        weights: &[i8; QUAD * BLOCK],
    ) -> [i32; BLOCK] {
        std::array::from_fn(|sum| {
            let inputs = inputs[sum].to_le_bytes();
            let products = inputs.iter().zip(&weights[sum * QUAD..]);
            let products = products.map(|(&input, &weight)| i16::from(input) * i16::from(weight));
            sums[sum] + products.map(i32::from).sum::<i32>()
        })
    }

    #[inline(always)]
    fn add_pair(
        self,
        mut sums: [i32; BLOCK],
        inputs: [i16; 2],
        weights: &[[i16; 2]; BLOCK],
    ) -> [i32; BLOCK] {
        for (sum, weights) in sums.iter_mut().zip(weights) {
            for (&input, &weight) in inputs.iter().zip(weights) {
                *sum += i32::from(input) * i32::from(weight);
            }
        }
        sums
    }

    #[inline(always)]
    fn numbers(self, sums: [i32; BLOCK]) -> [i32; BLOCK] {
        sums
    }
}

/// With AVX2: bytes by bytes to pairs of 16 bits, pairs to 32 bits. No pair saturates, since
/// 2 x 127 x 128 is below 2<sup>15</sup>.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx2(pub pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Dot for Avx2 {
    type Inputs = core::arch::x86_64::__m256i;
    type Sums = core::arch::x86_64::__m256i;

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        pulp::cast([0i32; BLOCK])
    }

    #[inline(always)]
    fn inputs(self, quad: u32) -> Self::Inputs {
        self.0.avx._mm256_set1_epi32(quad as i32)
    }

    #[inline(always)]
    fn different_inputs(self, quads: &[u32; BLOCK]) -> Self::Inputs {
        pulp::cast(*quads)
    }

    #[inline(always)]
    fn add(
        self,
        sums: Self::Sums,
        inputs: Self::Inputs,
        weights: &[i8; QUAD * BLOCK],
    ) -> Self::Sums {
        let avx2 = self.0.avx2;
        let pairs = avx2._mm256_maddubs_epi16(inputs, pulp::cast(*weights));
        avx2._mm256_add_epi32(sums, avx2._mm256_madd_epi16(pairs, pulp::cast([1i16; 16])))
    }

    #[inline(always)]
    fn add_pair(
        self,
        sums: Self::Sums,
        inputs: [i16; 2],
        weights: &[[i16; 2]; BLOCK],
    ) -> Self::Sums {
        let avx2 = self.0.avx2;
        let inputs = self.0.avx._mm256_set1_epi32(pulp::cast(inputs));
        avx2._mm256_add_epi32(sums, avx2._mm256_madd_epi16(inputs, pulp::cast(*weights)))
    }

    #[inline(always)]
    fn numbers(self, sums: Self::Sums) -> [i32; BLOCK] {
        pulp::cast(sums)
    }
}
