//! Attention between squares, head by head.

use super::chained::Chained;
use super::file::{Linear, Tensors, refuse};
use super::matrix::OFFSET;
use super::normal::UNIT;
use super::requantise::Factors;
use super::rounding::{byte, power, rounded};
use super::sizes::Sizes;
use super::view::SQUARES;
use crate::Result;
use crate::network::{BLOCK, QUAD, Weights};

/// The exponent of the unit of scores.
const SCORE: i32 = -8;

/// The largest score without its bias, and the largest bias.
const MOST_SCORE: i16 = (1 << 14) - 1;

/// Queries that are computed together.
const STRIP: usize = 4;

/// Entries of the table of shares: a power of two, so that an index needs no check.
const SHARES: usize = 2048;

/// What attention has besides the matrices.
#[derive(Debug)]
pub struct Attention {
    heads: usize,
    depth: usize,
    /// From sums to queries, keys and values.
    pub queries: Factors,
    pub keys: Factors,
    pub values: Factors,
    /// From products to scores, for each head.
    scores: Vec<f32>,
    /// (heads, 64, 64), in units of scores: what a square's place says to another's.
    relation: Vec<i16>,
    /// From values to what is attended to, for each head.
    out: Vec<f32>,
    /// Exponents of the units of what is attended to, for each head.
    pub units: Vec<i32>,
    shares: Box<[u8; SHARES]>,
    /// The last entry of the table.
    last: i32,
}

/// Memory for one head.
#[derive(Debug, Default)]
pub struct Scratch {
    keys: Vec<Weights>,
    values: Vec<Weights>,
    /// What the offset of queries adds to each key's products.
    offsets: Vec<i32>,
}

/// The exponent of about 1 / sqrt(width), by which products of vectors are multiplied.
pub fn halved(width: usize) -> i32 {
    let log = width.next_power_of_two().trailing_zeros() as i32;
    -((log + 1) / 2)
}

impl Attention {
    /// Reads the part of a block; `qkv` is its matrix.
    ///
    /// # Errors
    /// [`crate::Error::Model`] if a tensor is not there or of another form.
    pub fn read(
        tensors: &Tensors,
        name: &str,
        sizes: &Sizes,
        qkv: &Linear,
        exponential: &[u8],
    ) -> Result<Attention> {
        let (heads, inner) = (sizes.heads, sizes.inner());
        let depth = inner / heads;
        let units = |part: &str| tensors.units(&format!("{name}_{part}_unit"), heads);
        let [queries, keys, values, out] =
            [units("query")?, units("key")?, units("value")?, units("out")?];
        let factors = |part: usize, site: &[i32], more: i32| {
            let rows = qkv.units[part * inner..][..inner].iter().enumerate();
            Factors::new(rows.map(|(row, unit)| unit + UNIT + more - site[row / depth]))
        };
        let relation = tensors.i16(&format!("{name}_relation"), &[heads, SQUARES, SQUARES])?;
        if relation.iter().any(|bias| bias.unsigned_abs() > MOST_SCORE as u16) {
            return Err(refuse(format!("`{name}_relation` has a number beyond {MOST_SCORE}")));
        }
        let mut shares = Box::new([exponential[exponential.len() - 1]; SHARES]);
        shares[..exponential.len()].copy_from_slice(exponential);
        Ok(Attention {
            heads,
            depth,
            queries: factors(0, &queries, halved(depth)),
            keys: factors(1, &keys, 0),
            values: factors(2, &values, 0),
            scores: queries.iter().zip(&keys).map(|(q, k)| power(q + k - SCORE)).collect(),
            relation,
            out: values.iter().zip(&out).map(|(value, out)| power(value - out)).collect(),
            units: out,
            shares,
            last: exponential.len() as i32 - 1,
        })
    }

    /// Writes what the squares attend to: for each head, into the rows of `mixed` (64, `stride`) from the head's place in
    /// `places` on, with [`OFFSET`]. Queries have it, too; all are (64, inner).
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn run<D: Chained>(
        &self,
        dot: D,
        [queries, keys, values]: [&[u8]; 3],
        mixed: &mut [u8],
        stride: usize,
        places: &[usize],
        scratch: &mut Scratch,
    ) {
        let (depth, inner) = (self.depth, self.heads * self.depth);
        for (head, &place) in places.iter().enumerate() {
            let begin = head * depth;
            scratch.set(keys, values, inner, begin, depth);
            let relation = &self.relation[head * SQUARES * SQUARES..][..SQUARES * SQUARES];
            let strips = relation.as_chunks::<{ STRIP * SQUARES }>().0;
            for (strip, relation) in strips.iter().enumerate() {
                let mut rows: [&[[u8; QUAD]]; STRIP] = [&[]; STRIP];
                for (row, quads) in rows.iter_mut().enumerate() {
                    let start = (strip * STRIP + row) * inner + begin;
                    *quads = queries[start..start + depth].as_chunks().0;
                }
                let mut products = [[0i32; SQUARES]; STRIP];
                product(dot, rows, &scratch.keys, &mut products);
                let mut shares = [[0u8; SQUARES]; STRIP];
                let mut totals = [0i32; STRIP];
                let offsets = scratch.offsets.as_chunks::<SQUARES>().0;
                for row in 0..STRIP {
                    let relation = &relation.as_chunks::<SQUARES>().0[row];
                    let products = &products[row];
                    let factor = self.scores[head];
                    totals[row] =
                        self.shares(products, &offsets[0], factor, relation, &mut shares[row]);
                }
                for (block, values) in scratch.values.chunks_exact(SQUARES / QUAD * 2).enumerate() {
                    let mut rows: [&[[u8; QUAD]]; STRIP] = [&[]; STRIP];
                    for (quads, shares) in rows.iter_mut().zip(&shares) {
                        *quads = shares.as_chunks().0;
                    }
                    let mut sums = [[0i32; 2 * BLOCK]; STRIP];
                    product(dot, rows, values, &mut sums);
                    let width = (depth - block * 2 * BLOCK).min(2 * BLOCK);
                    for (row, sums) in sums.iter().enumerate() {
                        let factor = self.out[head] / totals[row] as f32;
                        let mut bytes = [0; 2 * BLOCK];
                        for (byte_of, &sum) in bytes.iter_mut().zip(sums) {
                            *byte_of = byte(sum as f32 * factor, -63.0, 63.0).wrapping_add(OFFSET);
                        }
                        let start = (strip * STRIP + row) * stride + place + block * 2 * BLOCK;
                        mixed[start..start + width].copy_from_slice(&bytes[..width]);
                    }
                }
            }
        }
    }

    /// The shares of 64 squares by their scores, and the sum of the shares.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn shares(
        &self,
        products: &[i32; SQUARES],
        offsets: &[i32; SQUARES],
        factor: f32,
        relation: &[i16; SQUARES],
        shares: &mut [u8; SQUARES],
    ) -> i32 {
        let most = f32::from(MOST_SCORE);
        let mut scores = [0i32; SQUARES];
        for place in 0..SQUARES {
            let product = products[place] - offsets[place];
            let score = rounded(product as f32 * factor, -most, most);
            scores[place] = score + i32::from(relation[place]);
        }
        let mut largest = i32::MIN;
        for &score in &scores {
            largest = if score > largest { score } else { largest };
        }
        let mut total = 0;
        for (share, score) in shares.iter_mut().zip(scores) {
            let below = (largest - score).min(self.last);
            *share = self.shares[below as usize % SHARES];
        }
        for &share in shares.iter() {
            total += i32::from(share);
        }
        total
    }
}

impl Scratch {
    /// Packs the keys and values of a head: keys in tiles of 16 squares, quads of numbers in each; values in tiles of
    /// 16 numbers, quads of squares in each.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn set(&mut self, keys: &[u8], values: &[u8], inner: usize, begin: usize, depth: usize) {
        let quads = depth / QUAD;
        self.keys.resize(SQUARES / BLOCK * quads, Weights([0; QUAD * BLOCK]));
        self.offsets.clear();
        for square in 0..SQUARES {
            let key = &keys[square * inner + begin..][..depth];
            let (tile, block, place) = (square / 16, square / BLOCK % 2, square % BLOCK);
            let mut sum = 0;
            for (quad, numbers) in key.as_chunks::<QUAD>().0.iter().enumerate() {
                let weights = &mut self.keys[(tile * quads + quad) * 2 + block].0;
                for (weight, &number) in weights[place * QUAD..].iter_mut().zip(numbers) {
                    *weight = number as i8;
                    sum += i32::from(*weight);
                }
            }
            self.offsets.push(sum * i32::from(OFFSET));
        }
        let tiles = depth.div_ceil(2 * BLOCK);
        let size = tiles * (SQUARES / QUAD) * 2;
        self.values.clear();
        self.values.resize(size, Weights([0; QUAD * BLOCK]));
        for quad in 0..SQUARES / QUAD {
            for row in 0..QUAD {
                let numbers = &values[(quad * QUAD + row) * inner + begin..][..depth];
                for (place, &number) in numbers.iter().enumerate() {
                    let (tile, block) = (place / (2 * BLOCK), place / BLOCK % 2);
                    let weights = &mut self.values[(tile * (SQUARES / QUAD) + quad) * 2 + block].0;
                    weights[place % BLOCK * QUAD + row] = number as i8;
                }
            }
        }
    }
}

/// The products of four rows with tiles of two blocks.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn product<D: Chained, const WIDTH: usize>(
    dot: D,
    rows: [&[[u8; QUAD]]; STRIP],
    weights: &[Weights],
    out: &mut [[i32; WIDTH]; STRIP],
) {
    let quads = rows[0].len();
    for (tile, weights) in weights.chunks_exact(2 * quads).enumerate() {
        let mut sums = [[dot.zero(); 2]; STRIP];
        for (quad, weights) in weights.as_chunks::<2>().0.iter().enumerate() {
            for (sums, row) in sums.iter_mut().zip(rows) {
                let inputs = dot.inputs(u32::from_le_bytes(row[quad]));
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = dot.add(*sum, inputs, &weights.0);
                }
            }
        }
        for (out, sums) in out.iter_mut().zip(sums) {
            let out = &mut out[tile * 2 * BLOCK..][..2 * BLOCK];
            for (out, &sums) in out.as_chunks_mut::<BLOCK>().0.iter_mut().zip(&sums) {
                *out = dot.numbers(sums);
            }
        }
    }
}
