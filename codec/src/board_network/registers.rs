//! Products of bytes for the outputs of a tile, in registers of some kind.

use crate::network::{BLOCK, Portable, QUAD};

/// Outputs of a tile.
pub const TILE: usize = BLOCKS * BLOCK;

/// Blocks of a tile.
pub const BLOCKS: usize = 2;

/// Four inputs of a row.
pub type Quad = [u8; QUAD];

/// Rows that are multiplied together. The rows of a board are a multiple of them.
pub const STRIP: usize = 8;

/// Rows of a strip whose sums fit into registers together.
pub const ROWS: usize = STRIP / 2;

/// The same four inputs of each row of a strip.
pub type StripQuad = [Quad; STRIP];

/// The weights of four inputs for the outputs of a tile.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct TileWeights(pub [[i8; QUAD * BLOCK]; BLOCKS]);

/// What multiplies four inputs with the weights of a tile. Sums are the same in all registers.
pub trait Registers: Copy {
    /// A sum of 32 bits for each output of a tile.
    type Sums: Copy;

    /// Sums of nothing.
    fn zero(self) -> Self::Sums;
    /// `sums` doubled.
    fn double(self, sums: Self::Sums) -> Self::Sums;
    /// `sums` with the products of a chain added: of `LINKS` quads of inputs, from 0 to 127, with their weights. Sums of
    /// two products of each quad must not leave 16 bits.
    fn add<const LINKS: usize>(
        self,
        sums: Self::Sums,
        quads: [Quad; LINKS],
        weights: &[TileWeights; LINKS],
    ) -> Self::Sums;
    /// The sums as numbers.
    fn numbers(self, sums: Self::Sums) -> [i32; TILE];
}

impl Registers for Portable {
    type Sums = [i32; TILE];

    #[inline(always)]
    fn zero(self) -> [i32; TILE] {
        [0; TILE]
    }

    #[inline(always)]
    fn double(self, sums: [i32; TILE]) -> [i32; TILE] {
        sums.map(|sum| 2 * sum)
    }

    #[inline(always)]
    fn add<const LINKS: usize>(
        self,
        mut sums: [i32; TILE],
        quads: [Quad; LINKS],
        weights: &[TileWeights; LINKS],
    ) -> [i32; TILE] {
        for (block, sums) in sums.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            // Pairs add up in 16 bits, which is exact and leaves compilers a simple loop.
            let mut pairs = [0i16; 2 * BLOCK];
            for (quad, weights) in quads.iter().zip(weights) {
                let weights = &weights.0[block];
                for (pair, sum) in pairs.iter_mut().enumerate() {
                    for place in 0..2 {
                        let input = i16::from(quad[pair % 2 * 2 + place]);
                        *sum += input * i16::from(weights[pair * 2 + place]);
                    }
                }
            }
            for (sum, pairs) in sums.iter_mut().zip(pairs.as_chunks::<2>().0) {
                *sum += i32::from(pairs[0]) + i32::from(pairs[1]);
            }
        }
        sums
    }

    #[inline(always)]
    fn numbers(self, sums: [i32; TILE]) -> [i32; TILE] {
        sums
    }
}

/// A block to a register of 256 bits: pairs of products add up in 16 bits, and become 32 together.
#[cfg(target_arch = "x86_64")]
impl Registers for crate::network::Avx2 {
    type Sums = [core::arch::x86_64::__m256i; BLOCKS];

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        [pulp::cast([0i32; BLOCK]); BLOCKS]
    }

    #[inline(always)]
    fn double(self, mut sums: Self::Sums) -> Self::Sums {
        for sums in &mut sums {
            *sums = self.0.avx2._mm256_add_epi32(*sums, *sums);
        }
        sums
    }

    #[inline(always)]
    fn add<const LINKS: usize>(
        self,
        mut sums: Self::Sums,
        quads: [Quad; LINKS],
        weights: &[TileWeights; LINKS],
    ) -> Self::Sums {
        let avx2 = self.0.avx2;
        for (block, sums) in sums.iter_mut().enumerate() {
            let mut pairs = pulp::cast([0i16; 2 * BLOCK]);
            for link in 0..LINKS {
                let inputs = self.0.avx._mm256_set1_epi32(i32::from_le_bytes(quads[link]));
                let more = avx2._mm256_maddubs_epi16(inputs, pulp::cast(weights[link].0[block]));
                pairs = if link == 0 { more } else { avx2._mm256_add_epi16(pairs, more) };
            }
            let pairs = avx2._mm256_madd_epi16(pairs, pulp::cast([1i16; 2 * BLOCK]));
            *sums = avx2._mm256_add_epi32(*sums, pairs);
        }
        sums
    }

    #[inline(always)]
    fn numbers(self, sums: Self::Sums) -> [i32; TILE] {
        pulp::cast(sums)
    }
}

/// Brings [`STRIP`] rows of as many inputs into the form that products read: `quads` of each, `stride` bytes apart.
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn lay_out(rows: &[u8], stride: usize, quads: usize, out: &mut Vec<StripQuad>) {
    out.resize(quads, [[0; QUAD]; STRIP]);
    for (row, inputs) in rows.chunks(stride).take(STRIP).enumerate() {
        for (out, &quad) in out.iter_mut().zip(inputs.as_chunks::<QUAD>().0) {
            out[row] = quad;
        }
    }
}
